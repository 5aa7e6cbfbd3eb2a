import type { Input, Word } from '../../shell/simple-command.ts';
import { optionTable } from '../git-command/option-table.ts';
import { type Arguments, parseOptions } from '../git-command/parse-options.ts';
import { textOf } from '../git-command/words.ts';
import { type Effect, effectOfGraphql, effectOfRequest } from './effects.ts';

/** A call of a hosting service's interface with an effect on refs, their protection or the repository. */
export interface ApiCall {
  /** The command as people know it: `gh api -X DELETE …`. */
  readonly means: string;
  readonly effect: Effect;
  readonly suggestion: string | null;
}

/** A call whose target can't be read. */
export interface UnreadableCall {
  readonly means: string;
  readonly word: Extract<Word, { kind: 'unknown' }>;
}

type Reader = (words: readonly Word[], input: Input | null) => ApiCall | UnreadableCall | null;

/** Reads a program call; null where it is no call of this kind or a harmless one. */
export function readApiCall(
  program: string,
  words: readonly Word[],
  input: Input | null,
): ApiCall | UnreadableCall | null {
  return Object.hasOwn(readers, program) ? (readers[program]?.(words, input) ?? null) : null;
}

const readers: Readonly<Record<string, Reader>> = {
  gh: (words, input) => readCli('gh', words, input),
  glab: (words, input) => readCli('glab', words, input),
  hub: (words, input) => readCli('hub', words, input),
  curl: (words) => readTransfer('curl', words),
  wget: (words) => readTransfer('wget', words),
  http: (words) => readTransfer('http', words),
  https: (words) => readTransfer('https', words),
  xh: (words) => readTransfer('xh', words),
};

const cliOptions = optionTable(`R|repo= X|method= f|raw-field= F|field= H|header= input= q|jq= t|template= paginate
  i|include hostname= cache= p|preview= silent slurp verbose y|yes cleanup-tag admin d|delete-branch force visibility=
  s|squash m|merge r|rebase b|branch= source= confirm json= default-branch= body= subject= auto`);

/** Subcommands with an effect of their own. */
const rows: readonly {
  readonly command: string;
  readonly when: (args: Arguments) => boolean;
  readonly effect: Effect;
  readonly suggestion: string | null;
}[] = [
  row('repo delete', () => true, { kind: 'write', branch: null, says: 'deletes the repository' }, 'gh repo view'),
  row('project delete', () => true, { kind: 'write', branch: null, says: 'deletes the project' }, null),
  row('delete', () => true, { kind: 'write', branch: null, says: 'deletes the repository' }, null),
  row('repo archive', () => true, { kind: 'write', branch: null, says: 'archives the repository' }, 'gh repo view'),
  row(
    'repo edit',
    (args) => args.has('visibility') || args.has('default-branch'),
    { kind: 'write', branch: null, says: 'changes who sees the repository, or its default branch' },
    'gh repo view',
  ),
  row(
    'repo sync',
    (args) => args.has('force'),
    { kind: 'write', branch: null, says: 'overwrites a branch with its source' },
    'gh repo sync',
  ),
  row(
    'release delete',
    (args) => args.has('cleanup-tag'),
    { kind: 'write', branch: null, says: 'deletes a release and its tag' },
    'gh release view',
  ),
  row(
    'pr merge',
    (args) => args.has('admin'),
    { kind: 'write', branch: null, says: 'merges without the checks that the branch requires' },
    'gh pr merge --auto',
  ),
  row(
    'pr close',
    (args) => args.has('delete-branch'),
    { kind: 'write', branch: null, says: 'deletes the branch of a pull request' },
    'gh pr close',
  ),
];

function row(command: string, when: (args: Arguments) => boolean, effect: Effect, suggestion: string | null) {
  return { command, when, effect, suggestion };
}

function readCli(program: string, words: readonly Word[], input: Input | null): ApiCall | UnreadableCall | null {
  const args = parseOptions(cliOptions, words);
  if ('refused' in args) {
    return null;
  }
  const [first, second] = args.operands.map(textOf);
  if (first === 'api') {
    return readRequest(`${program} api`, args, input);
  }
  const found = rows.find(
    ({ command, when }) => (command === `${first} ${second}` || (program === 'hub' && command === first)) && when(args),
  );
  return found === undefined
    ? null
    : { means: `${program} ${found.command}`, effect: found.effect, suggestion: found.suggestion };
}

/** `gh api`: fields or a body make it a POST unless `--method` says otherwise. */
function readRequest(program: string, args: Arguments, input: Input | null): ApiCall | UnreadableCall | null {
  const endpoint = args.operands[1];
  const fields = [...args.values('raw-field'), ...args.values('field')];
  const body = [...fields.map(readable), input?.kind === 'text' ? input.text : ''].join('\n');
  const hasBody = fields.length > 0 || args.value('input') !== undefined;
  const method = (textOf(args.value('method')) ?? (hasBody ? 'POST' : 'GET')).toUpperCase();
  if (endpoint === undefined || method === 'GET' || method === 'HEAD') {
    return null;
  }
  const path = readable(endpoint);
  if (path === '{…}') {
    return endpoint.kind === 'unknown' ? { means: `${program} -X ${method}`, word: endpoint } : null;
  }
  const means = `${program} -X ${method} ${path}`;
  const effect = /^\/?graphql$/.test(path) ? effectOfGraphql(body) : effectOfRequest(method, path, body);
  return effect === null ? null : { means, effect, suggestion: `${program} ${path}` };
}

/** A word as far as it can be read, with `{…}` for expansions whose value isn't known. */
function readable(word: Word): string {
  if (word.kind === 'known') {
    return word.value;
  }
  return word.source.replace(/["']/g, '').replace(/\$\([^)]*\)|\$\{[^}]*\}|\$\w+|`[^`]*`/g, '{…}');
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const dataOptions =
  /^(?:-d|--data(?:-raw|-binary|-ascii|-urlencode)?|--json|-F|--form|--post-data|--post-file|--body-data|--raw)(?:=|$)/;

/** curl and its kind: only requests to a hosting service's interface count. */
function readTransfer(program: string, words: readonly Word[]): ApiCall | null {
  const texts = words.map(readable);
  const url = texts.find((text) => /(?:api\.github\.com|\/api\/v[34]|api\.bitbucket\.org\/2\.0)\//.test(text));
  if (url === undefined) {
    return null;
  }
  const isGet = texts.some((text) => text === '-G' || text === '--get');
  const hasData = texts.some((text) => dataOptions.test(text) || /^-d./.test(text));
  const isUpload = texts.some((text) => text === '-T' || text === '--upload-file');
  const method = namedMethod(texts) ?? (isUpload ? 'PUT' : hasData && !isGet ? 'POST' : 'GET');
  if (method === 'GET' || method === 'HEAD') {
    return null;
  }
  const path = url.replace(/^.*?(?:api\.github\.com|\/api\/v[34]|api\.bitbucket\.org\/2\.0)\//, '');
  const body = texts.join('\n');
  const effect = path.startsWith('graphql') ? effectOfGraphql(body) : effectOfRequest(method, path, body);
  return effect === null ? null : { means: `${program} -X ${method} ${path}`, effect, suggestion: null };
}

function namedMethod(texts: readonly string[]): string | null {
  for (const [index, text] of texts.entries()) {
    const named = /^(?:-[a-zA-Z]*X|--request|--method)=?(.*)$/.exec(text);
    if (named !== null) {
      return (named[1] || texts[index + 1] || '').toUpperCase();
    }
    if (methods.has(text)) {
      return text;
    }
  }
  return null;
}
