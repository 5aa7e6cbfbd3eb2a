import { quoteWord } from '../../quote.ts';
import { interfaceAddress } from '../../shell/inline/libraries/hosting-address.ts';
import { type Input, openPart, type Word } from '../../shell/simple-command.ts';
import { unknownWord } from '../../shell/words/parameter.ts';
import { optionTable } from '../git-command/option-table.ts';
import { type Arguments, parseOptions } from '../git-command/parse-options.ts';
import { wordsWithout } from '../git-command/subcommand.ts';
import { pasted, textOf } from '../git-command/words.ts';
import { type ApiCall, type Effect, effectOfGraphql, effectOfRequest, overwritten, updated } from './effects.ts';
import { readServiceTool } from './service-tools.ts';

/** A call whose target can't be read. */
export interface UnreadableCall {
  readonly means: string;
  readonly word: Extract<Word, { kind: 'unknown' }>;
}

/** What a request may be made of, besides the words of the command. */
export interface RequestSources {
  readonly input: Input | null;
  /** The text of a file; null: it is not known. */
  readonly readFile: (path: string) => string | null;
}

type Reader = (program: string, words: readonly Word[], sources: RequestSources) => ApiCall | UnreadableCall | null;

/** Reads a program call; null where it is no call of this kind or a harmless one. */
export function readApiCall(
  program: string,
  words: readonly Word[],
  sources: RequestSources,
): ApiCall | UnreadableCall | null {
  // What a row says of this very tool goes before what tools of its kind have in common.
  const known = readServiceTool(program, words);
  return known ?? (Object.hasOwn(readers, program) ? (readers[program]?.(program, words, sources) ?? null) : null);
}

const readers: Readonly<Record<string, Reader>> = {
  gh: readCli,
  glab: readCli,
  tea: readCli,
  hub: readCli,
  curl: readTransfer,
  wget: readTransfer,
  http: readTransfer,
  https: readTransfer,
  xh: readTransfer,
  xhs: readTransfer,
  curlie: readTransfer,
  az: readTransfer,
  'Invoke-RestMethod': readTransfer,
  'Invoke-WebRequest': readTransfer,
  irm: readTransfer,
  iwr: readTransfer,
};

const cliOptions = optionTable(`R|repo= X|method= f|raw-field= F|field= H|header= input= q|jq= t|template= paginate
  i|include hostname= cache= p|preview= silent slurp verbose y|yes cleanup-tag admin d|delete-branch force visibility=
  s|squash m|merge r|rebase b|branch= source= confirm json= default-branch= body= subject= auto`);

/** Subcommands with an effect of their own. */
const rows: readonly {
  readonly command: string;
  /** Null: with these arguments it has none. */
  readonly effectOf: (args: Arguments) => Effect | null;
  /** What to run of the same tool instead, or to look at first. */
  readonly instead: Instead;
}[] = [
  row('repo delete', () => writes('deletes the repository'), viewOf),
  row('project delete', () => writes('deletes the project'), 'repo view'),
  row('delete', () => writes('deletes the repository'), 'browse'),
  row('repo archive', () => writes('archives the repository'), viewOf),
  row(
    'repo edit',
    (args) =>
      args.has('visibility') || args.has('default-branch')
        ? writes('changes who sees the repository, or its default branch')
        : null,
    viewOf,
  ),
  row('repo rename', () => writes('renames the repository'), 'repo view'),
  row('repo sync', effectOfSync, (args) => (args.has('force') ? { without: 'force', letter: null } : viewOf(args))),
  row('release delete', (args) => (args.has('cleanup-tag') ? writes('deletes a release and its tag') : null), {
    without: 'cleanup-tag',
    letter: null,
  }),
  row(
    'pr merge',
    (args) => (args.has('admin') ? writes('merges without the checks that the branch requires') : null),
    // Once the checks have passed.
    { without: 'admin', letter: null, adds: 'auto' },
  ),
  row('pr close', (args) => (args.has('delete-branch') ? writes('deletes the branch of a pull request') : null), {
    without: 'delete-branch',
    letter: 'd',
  }),
];

/** The same call without the option that it is asked about. */
interface WithoutOption {
  readonly without: string;
  readonly letter: string | null;
  readonly adds?: string;
}

type Instead = string | WithoutOption | ((args: Arguments) => string | WithoutOption);

/** The repository that is named, else the one of this clone. */
function viewOf({ operands }: Arguments): string {
  const [named] = operands.slice(2);
  return named === undefined ? 'repo view' : `repo view ${pasted(named)}`;
}

function row(command: string, effectOf: (args: Arguments) => Effect | null, instead: Instead) {
  return { command, effectOf, instead };
}

function writes(says: string): Effect {
  return { kind: 'write', branch: null, says };
}

/**
 * `gh repo sync`: a branch, if none is named the default one, is brought up to its source, with `--force` reset to it. Of
 * a repository that is named the one on the server, else the one of this clone, from which only `--force` takes commits.
 */
function effectOfSync(args: Arguments): Effect | null {
  const isForced = args.has('force');
  if (args.operands.length <= 2) {
    return isForced ? writes('overwrites a branch with its source') : null;
  }
  const named = args.value('branch');
  const branch = named === undefined ? 'default' : readable(named);
  return isForced ? overwritten(branch) : updated(branch);
}

function readCli(program: string, words: readonly Word[], sources: RequestSources): ApiCall | UnreadableCall | null {
  const args = parseOptions(cliOptions, words);
  if ('refused' in args) {
    return null;
  }
  const [first, second] = args.operands.map(textOf);
  if (first === 'api') {
    return readRequest(`${program} api`, args, sources);
  }
  const found = rows.find(
    ({ command }) => command === `${first} ${second}` || (program === 'hub' && command === first),
  );
  const effect = found?.effectOf(args) ?? null;
  return found === undefined || effect === null
    ? null
    : {
        means: `${program} ${found.command}`,
        effect,
        suggestion: `${program} ${insteadOf(found.instead, args, words)}`,
      };
}

/** What names the request or the release stays: without it the tool would take another one, the current branch's or the latest. */
function insteadOf(instead: Instead, args: Arguments, words: readonly Word[]): string {
  const chosen = typeof instead === 'function' ? instead(args) : instead;
  if (typeof chosen === 'string') {
    return chosen;
  }
  const { without, letter, adds } = chosen;
  const left = wordsWithout(args, words, without, letter);
  return [...left, ...(adds === undefined || args.has(adds) ? [] : [`--${adds}`])].join(' ');
}

/** `gh api`: fields or a body make it a POST unless `--method` says otherwise. */
function readRequest(program: string, args: Arguments, sources: RequestSources): ApiCall | UnreadableCall | null {
  const { input } = sources;
  const endpoint = args.operands[1];
  const fields = [...args.values('raw-field'), ...args.values('field')];
  const files = [
    ...args.values('field').map((field) => /^[^=]*=@(.+)$/s.exec(readable(field))?.[1]),
    textOf(args.value('input')),
  ];
  const texts = files.map((file) => textOfFile(file, sources));
  const body = [...fields.map(readable), input?.kind === 'text' ? input.text : '', ...texts].join('\n');
  const hasBody = fields.length > 0 || args.value('input') !== undefined;
  const chosen = args.value('method');
  const method = (textOf(chosen) ?? (hasBody ? 'POST' : 'GET')).toUpperCase();
  if (endpoint === undefined) {
    return null;
  }
  const path = readable(endpoint);
  if (chosen?.kind === 'unknown') {
    return openMethod(program, chosen, path, body);
  }
  if (method === 'GET' || method === 'HEAD') {
    return null;
  }
  if (path === '{…}' || (!isReadOrAdded(method) && couldBeRef.test(path))) {
    return endpoint.kind === 'unknown' ? { means: `${program} -X ${method}`, word: endpoint } : null;
  }
  const means = `${program} -X ${method} ${path}`;
  const isGraphql = /^\/?graphql$/.test(path);
  if (isGraphql && texts.includes(null)) {
    const field = args
      .values('field')
      .map(readable)
      .find((text) => text.includes('=@'));
    return { means, word: unknownWord(field ?? 'graphql --input', 'what the file holds is not known', false) };
  }
  const effect = isGraphql ? effectOfGraphql(body) : effectOfRequest(method, path, body);
  return effect === null ? null : { means, effect, suggestion: `${program} ${asWritten(endpoint, path)}` };
}

/** A path whose end, which is not known, could name a ref, or a branch's protection. */
const couldBeRef = /^\/?repos\/(?:[^/]+\/[^/]+\/)?\{…\}$/;

/** What is added (an issue, a comment) takes nothing away. */
function isReadOrAdded(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'POST';
}

/** A call whose method is not known, where one that writes would have an effect. */
function openMethod(
  program: string,
  method: UnreadableCall['word'],
  path: string,
  body: string,
): UnreadableCall | null {
  const isRisky = ['DELETE', 'PATCH'].some((any) => effectOfRequest(any, path, body) !== null);
  return isRisky ? { means: `${program} -X ${readable(method)} ${path}`, word: method } : null;
}

/** What a file brings to a request; null: it can't be told. A file that is not there makes the call fail. */
function textOfFile(file: string | null | undefined, { input, readFile }: RequestSources): string | null {
  if (file === null || file === undefined) {
    return '';
  }
  if (file === '-' || file === '/dev/stdin') {
    return input === null ? '' : input.kind === 'text' ? input.text : null;
  }
  return readFile(file);
}

/** A word as far as it can be read, with `{…}` for expansions whose value isn't known. */
function readable(word: Word): string {
  if (word.kind === 'known') {
    return word.value;
  }
  if (word.shape !== undefined) {
    return word.shape.replaceAll(openPart, '{…}');
  }
  const written = word.source.replace(/["']/g, '').replace(/\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`/g, '{…}');
  // What another program puts in is not written as an expansion: `{}` of xargs, an expression of Python.
  return written.includes('{…}') && word.prefix + word.suffix === '' ? written : `${word.prefix}{…}${word.suffix}`;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const dataOptions =
  /^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json|-F|--form|--post-data|--post-file|--body-data|--raw)(?:=|$)/;

/** HTTPie's `name=value`, `name:=JSON`, `name@file`: data; not `name==value`, which belongs to the address. */
const item = /^[\w.[\]][\w.[\]-]*(?::?=(?!=)|@)/;

/** curl and its kind: only requests to a hosting service's interface count. */
function readTransfer(
  program: string,
  words: readonly Word[],
  sources: RequestSources,
): ApiCall | UnreadableCall | null {
  const given = words.map(readable);
  if (!given.some((text) => pathIn(text) !== null || /^(?:-K|--config)/.test(text))) {
    return null;
  }
  const files = given.flatMap((text, at) => {
    const isData = /^@./.test(text) || /^(?:--data\S*|--json|-d)=?@/.test(text);
    const configured = /^(?:-K|--config)$/.test(given[at - 1] ?? '') ? text : /^(?:-K|--config=)(.+)$/.exec(text)?.[1];
    const content = textOfFile(configured ?? (isData ? text.replace(/^[^@]*@/, '') : null), sources) ?? '';
    return configured === undefined ? content : configuredWords(content);
  });
  const texts = [...given, ...files];
  const [path] = texts.flatMap((text) => pathIn(text) ?? []);
  if (path === undefined) {
    return null;
  }
  // Of letters behind one dash, those before the first that takes a value.
  const isGet = texts.some((text) => text === '--get' || /^-[fgiIjkLlNnpqRSsv0146#]*G/.test(text));
  const isItems = methodFirst.test(program);
  const hasData = texts.some((text) => dataOptions.test(text) || /^-d./.test(text) || (isItems && item.test(text)));
  const isUpload = texts.some((text) => text === '-T' || text === '--upload-file');
  const method = namedMethod(program, texts) ?? (isUpload ? 'PUT' : hasData && !isGet ? 'POST' : 'GET');
  if (method === 'GET' || method === 'HEAD') {
    return null;
  }
  const body = texts.join('\n');
  const open = method === '{…}' ? words.find((word) => word.kind === 'unknown' && /\{…\}$/.test(readable(word))) : null;
  if (open?.kind === 'unknown') {
    return openMethod(program, open, path, body);
  }
  const effect = path.startsWith('graphql') ? effectOfGraphql(body) : effectOfRequest(method, path, body);
  return effect === null
    ? null
    : {
        means: `${program} -X ${method} ${path}`,
        effect,
        suggestion:
          path.startsWith('repos/') && !path.includes('{…}') ? `gh api ${quoteWord(path)}` : reading(program, words),
      };
}

/** A call that only looks at what the address is of. */
function reading(program: string, words: readonly Word[]): string {
  const word = words.find((one) => pathIn(readable(one)) !== null);
  const address = word === undefined ? "''" : asWritten(word, readable(word));
  return program === 'az' ? `az rest --method GET --url ${address}` : `curl ${address}`;
}

/** `$GITHUB_API_URL/repos/…`, `$BASE/git/refs/…`: a path that only such an interface has. */
const unknownAddress =
  /^(?:https?:\/\/)?\{…\}\/(?=repos\/\S+?\/(?:git\/refs|rulesets|branches\/[^/]+\/protection)\b|projects\/[^/]+\/(?:repository\/(?:branches|tags)|protected_(?:branches|tags))\b)|^(?=\{…\}\/(?:git\/refs\/|branches\/[^/]+\/protection$))/;

/** A word as it can be pasted: with its expansions, where it has some. */
function asWritten(word: Word, text: string): string {
  return word.kind === 'unknown' ? word.source : quoteWord(text);
}

/** What follows the address of a service's interface; null: it is none. */
function pathIn(text: string): string | null {
  const address = interfaceAddress.exec(text) ?? unknownAddress.exec(text);
  return address === null ? null : text.slice(address.index + address[0].length);
}

/** Options in a file: `request = "DELETE"`, `url: …`, a line each (curl(1) "--config"). */
function configuredWords(content: string): readonly string[] {
  return Array.from(content.matchAll(/^\s*-{0,2}([\w-]+)\s*[=:\s]\s*"?(.*?)"?\s*$/gm), ([, name, value]) => [
    `--${name}`,
    value ?? '',
  ]).flat();
}

/** Programs whose first word is the method. */
const methodFirst = /^(?:https?|xhs?|curlie)$/;

function namedMethod(program: string, texts: readonly string[]): string | null {
  for (const [index, text] of texts.entries()) {
    const named = /^(?:-[a-zA-Z]*X|--request|--method|-Method)=?(.*)$/.exec(text);
    if (named !== null) {
      return (named[1] || texts[index + 1] || '').toUpperCase();
    }
    const isFirst = index === 0 && (methods.has(text.toUpperCase()) || (text === '{…}' && methodFirst.test(program)));
    if (methods.has(text) || isFirst) {
      return text.toUpperCase();
    }
  }
  return null;
}
