import { type Call, framed, type Shell, through } from './call.ts';
import { interfaceAddress } from './hosting-address.ts';
import type { Language } from './languages.ts';
import { knownWord } from './simple-command.ts';
import { withConstants } from './source-constants.ts';

/** An address of a hosting service's interface between quotes; interpolations stay as they are written. */
const address = new RegExp(`(["'\`])(https?://[^"'\`\\s]*${interfaceAddress.source}[^"'\`\\s]*)\\1`, 'g');
const before =
  /(?:(?:\.|->)\s*(get|head|delete|put|patch|post)\s*\(\s*[frbu]?|request\s*\(\s*["'](\w+)["']\s*,\s*[frbu]?)$/i;
/** `request("DELETE", "/repos/…")` over a connection to a service: the path alone. */
const requestOfPath =
  /\brequest\s*\(\s*["'](\w+)["']\s*,\s*["'](\/[^"']+)["']|(?:\.|->)\s*(delete|put|patch|post)\s*\(\s*["'](\/(?:repos|projects|repositories|api)\/[^"']+)["']/gi;
/** PHP's curl names the method apart. */
const methodOption = /CURLOPT_CUSTOMREQUEST["']?\s*(?:,|=>)\s*["'](\w+)/;
const host = /["'](?:https:\/\/)?((?:api\.github\.com|api\.bitbucket\.org\/2\.0|gitlab\.com)[^"'/]*)/;
const after = /^[^;]{0,400}?\bmethod["']?\s*[:=]\s*["'](\w+)["']/i;
/** Requests of the services' libraries, by the call that makes them. */
const libraries: readonly {
  readonly call: RegExp;
  readonly method: string;
  readonly path: (branch: string) => string;
}[] = [
  { call: /\bdeleteRef\s*\(/, method: 'DELETE', path: (branch) => `git/refs/heads/${branch}` },
  {
    call: /\bget_git_ref\s*\([^)]*\)\s*\.\s*delete\s*\(/,
    method: 'DELETE',
    path: (branch) => `git/refs/heads/${branch}`,
  },
  {
    call: /\bupdateRef\s*\(|\bget_git_ref\s*\([^)]*\)\s*\.\s*edit\s*\(/,
    method: 'PATCH',
    path: (branch) => `git/refs/heads/${branch}`,
  },
  {
    call: /\b(?:delete|update|remove)BranchProtection\s*\(|\.\s*remove_protection\s*\(/,
    method: 'DELETE',
    path: (branch) => `branches/${branch}/protection`,
  },
  { call: /\brepos\s*\.\s*delete\s*\(|\bget_repo\s*\([^)]*\)\s*\.\s*delete\s*\(/, method: 'DELETE', path: () => '' },
];

/** Requests to a hosting service that an inline program makes, as the steps of `curl` that would make the same. */
export function runInlineRequests(language: Language, program: string, call: Call, shell: Shell): void {
  if (!/\bapi\b|octokit|github/i.test(program)) {
    return;
  }
  const source = withConstants(program, language.name === 'python');
  const request = (method: string, url: string) => {
    const isForced = /\bforce["']?\s*[:=]\s*(?:true|True)\b/.test(source);
    const words = ['curl', '-X', method, url, ...(isForced ? ['-d', 'force=true'] : [])];
    const frame = framed(through(call.frame, `${language.name} program`), { input: null, output: null });
    shell.run({ ...call, frame, argv: words.map(knownWord), lookup: 'programs' });
  };
  for (const match of source.matchAll(address)) {
    const [whole, , url = ''] = match;
    const [, called, named] = before.exec(source.slice(Math.max(0, match.index - 60), match.index)) ?? [];
    const method = (
      called ??
      named ??
      after.exec(source.slice(match.index + whole.length))?.[1] ??
      methodOption.exec(source)?.[1] ??
      'GET'
    ).toUpperCase();
    if (method !== 'GET' && method !== 'HEAD') {
      request(method, url.replace(/\$?\{[^}]*\}/g, '{…}'));
    }
  }
  const [, service] = host.exec(source) ?? [];
  for (const [, method, path, verb, other] of service === undefined ? [] : source.matchAll(requestOfPath)) {
    request((method ?? verb ?? '').toUpperCase(), `https://${service}${path ?? other}`);
  }
  if (/octokit|github/i.test(source)) {
    const branch =
      /["'`](?:refs\/)?heads\/([^"'`]+)["'`]/.exec(source)?.[1] ??
      /\bbranch["']?\s*[:=]\s*["']([^"']+)["']/.exec(source)?.[1] ??
      '{…}';
    for (const { method, path } of libraries.filter((row) => row.call.test(source))) {
      request(method, `https://api.github.com/repos/{owner}/{repo}/${path(branch)}`);
    }
  }
}
