import { type Call, framed, type Shell, through } from '../../call.ts';
import { knownWord } from '../../simple-command.ts';
import { argumentsAt } from '../source/arguments.ts';
import { codeOf } from '../source/code.ts';
import { withConstants } from '../source/constants.ts';
import type { Language } from '../source/languages.ts';
import { interfaceAddress } from './hosting-address.ts';
import { hostingLibraries, type LibraryCall } from './hosting-libraries.ts';

/** A request that a program makes. */
interface Request {
  readonly method: string;
  readonly url: string;
  readonly body: readonly string[];
}

/** An address of a hosting service's interface between quotes; interpolations stay as they are written. */
const address = new RegExp(`(["'\`])(https?://[^"'\`\\s]*${interfaceAddress.source}[^"'\`\\s]*)\\1`, 'g');
/** A path alone, which the program puts behind an address; Octokit's routes have the method before it. */
const pathAlone =
  /(["'`])(?:(DELETE|PATCH|POST|PUT|GET)\s+)?(?:\$?\{[^}"'`]*\}|[@$]?#\{[^}"'`]*\})?(\/(?:repos|projects|repositories)\/[^"'`\s]*)\1/g;
/** `.delete(`, `request("DELETE", `, `call("DELETE", base +`: the method before an address. */
const before =
  /(?:(?:\.|->)\s*(get|head|delete|put|patch|post)\s*\(|\(\s*["'](get|head|delete|put|patch|post)["']\s*,)\s*(?:[\w$.]+\s*\+\s*)?[frbu]?$/i;
/** `{ method: 'DELETE', path: ` */
const besideIt = /[({][^(){};]*\bmethod["']?\s*[:=]\s*["'](\w+)["'][^(){};]*$/;
const after = /^[^;]{0,400}?\bmethod["']?\s*[:=]\s*["'](\w+)["']|^\s*,\s*["'](DELETE|PATCH|POST|PUT)["']/i;
/** It is kept in a variable or a field: how it is used stands elsewhere. */
const isKept = /[=:]\s*[frbu]?$/;
const anyMethod = /["'](DELETE|PATCH|PUT)["']/;
/** PHP's curl names the method apart. */
const methodOption = /CURLOPT_CUSTOMREQUEST["']?\s*(?:,|=>)\s*["'](\w+)/;
const host = /["'`](?:https:\/\/)?((?:api\.github\.com|api\.bitbucket\.org\/2\.0|gitlab\.com)[^"'`/]*)/;
const maximumRequests = 100;

/** Requests to a hosting service that an inline program makes, as the steps of `curl` that would make the same. */
export function runInlineRequests(language: Language, program: string, call: Call, shell: Shell): void {
  if (!/\bapi\b|octokit|github|gitlab/i.test(program)) {
    return;
  }
  const source = withConstants(program, language.name === 'python');
  const requests = [...addressed(source), ...pathsAlone(source), ...byLibraries(language, source)];
  const frame = framed(through(call.frame, `${language.name} program`), { input: null, output: null });
  for (const { method, url, body } of requests.slice(0, maximumRequests)) {
    if (method !== 'GET' && method !== 'HEAD') {
      const words = ['curl', '-X', method, url, ...body.flatMap((field) => ['-d', field])];
      shell.run({ ...call, frame, argv: words.map(knownWord), lookup: 'programs' });
    }
  }
}

function addressed(source: string): readonly Request[] {
  return Array.from(source.matchAll(address), ({ index, 0: whole, 2: url = '' }) => ({
    method: methodAround(source, index, index + whole.length) ?? 'GET',
    url: withOpenParts(url),
    body: fieldsIn(source),
  }));
}

/** Paths that the program puts behind the address of a service, which it names elsewhere. */
function pathsAlone(source: string): readonly Request[] {
  const [, service] = host.exec(source) ?? [];
  const isOctokit = /octokit/i.test(source);
  if (service === undefined && !isOctokit) {
    return [];
  }
  return Array.from(source.matchAll(pathAlone), ({ index, 0: whole, 2: named, 3: path = '' }) => {
    const end = index + whole.length;
    return {
      method: named ?? methodAround(source, index, end) ?? 'GET',
      url: `https://${service ?? 'api.github.com'}${withOpenParts(isOctokit ? withParameters(path, source.slice(end)) : path)}`,
      body: fieldsIn(source),
    };
  });
}

function methodAround(source: string, start: number, end: number): string | undefined {
  const text = source.slice(Math.max(0, start - 200), start);
  const [, called, named] = before.exec(text) ?? [];
  const [, beside, second] = after.exec(source.slice(end)) ?? [];
  const method =
    called ??
    named ??
    besideIt.exec(text)?.[1] ??
    beside ??
    second ??
    methodOption.exec(source)?.[1] ??
    (isKept.test(text) ? anyMethod.exec(source)?.[1] : undefined);
  return method?.toUpperCase();
}

/** `/repos/{owner}/{repo}/git/refs/{ref}`, with what the parameters beside it say. */
function withParameters(path: string, rest: string): string {
  const [parameters = ''] = /^[^;]{0,600}/.exec(rest) ?? [];
  return path.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const found = new RegExp(`\\b${name}["']?\\s*:\\s*["'\`]([^"'\`$]+)["'\`]`).exec(parameters);
    return found?.[1] ?? whole;
  });
}

const withOpenParts = (text: string): string => text.replace(/[$#]?\{[^}]*\}/g, '{…}');

/** What the program says of the fields that decide: `force`, and the branch that something goes to. */
function fieldsIn(source: string): readonly string[] {
  const forced = /\bforce["']?\s*[:=]\s*(?:true|True)\b/.test(source) ? ['force=true'] : [];
  const [, name, branch] = /\b(base|branch)["']?\s*[:=]\s*["']([\w./-]+)["']/.exec(source) ?? [];
  return branch === undefined ? forced : [...forced, `${name}=${branch}`];
}

/** A ref that a call does not tell is the one that the program names. */
function byLibraries(language: Language, source: string): readonly Request[] {
  const used = hostingLibraries.filter(({ library }) => library.test(source));
  const code = used.length === 0 ? '' : codeOf(source, language.name === 'python' || language.name === 'ruby');
  const [, branch] = /["'`](?:refs\/)?heads\/([^"'`{]+)["'`]/.exec(source) ?? [];
  const named = (path: string) =>
    branch === undefined ? path : path.replace(/^\/git\/refs\/\{…\}$/, () => `/git/refs/heads/${branch}`);
  return used.flatMap((row) =>
    Array.from(code.matchAll(callsIn(code, row))).flatMap((match) => {
      const args = argumentsAt(source, code, match.index + match[0].length, language.interpolation);
      const held = args === null ? null : heldBy(source.slice(match.index, match.index + match[0].length), source, row);
      const request = args === null ? null : row.request({ args, held }, match[1] ?? '');
      return request === null
        ? []
        : { method: request.method, url: `${row.address}${named(request.path)}`, body: request.body ?? [] };
    }),
  );
}

/** With the names of the program's own variables in the place of `HOLDER`. */
function callsIn(code: string, { calls, holders }: LibraryCall): RegExp {
  const names = holders === undefined ? [] : Array.from(code.matchAll(holders), ([, name = '']) => name).slice(0, 8);
  return new RegExp(calls.source.replaceAll('HOLDER', `(?:${['HOLDER', ...new Set(names)].join('|')})`), calls.flags);
}

/** What that was made with whose method is called. */
function heldBy(called: string, source: string, { holders }: LibraryCall): string | null {
  const [, name, own] = /^(\w+)(?:\s*\(\s*["']([^"']+)["'])?/.exec(called) ?? [];
  if (own !== undefined) {
    return own;
  }
  const made = holders === undefined ? [] : Array.from(source.matchAll(holders));
  return made.find(([, holder]) => holder === name)?.[2] ?? null;
}
