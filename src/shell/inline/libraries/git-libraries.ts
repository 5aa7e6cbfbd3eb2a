import type { SourceArgument } from '../source/argument.ts';
import type { OpenWord } from '../source/open-command.ts';
import {
  committed,
  configured,
  field,
  fixed,
  force,
  given,
  hard,
  has,
  isForced,
  isOption,
  isPositional,
  named,
  positional,
  refspecs,
  subcommand,
  valued,
} from './library-arguments.ts';

/** A kind of call by which a library does what git does. */
export interface LibraryCalls {
  /** What a program names that uses the library, or the words of the interpreter that loads it. */
  readonly library: RegExp;
  /** Up to and with the opening parenthesis; the first group is the method. `HOLDER` is a name that {@link holders} finds. */
  readonly calls: RegExp;
  /** Where a variable is given what the methods belong to: the first group is its name. */
  readonly holders?: RegExp;
  /** The words that a call's arguments are to git. */
  readonly words: (args: readonly SourceArgument[], method: string) => readonly OpenWord[];
}

const gitPython = /\b(?:from git import|import git\b|git\.Repo\b)/;
const simpleGit = /\b(?:simple-git|simpleGit)\b/;
const shellLibrary = /\b(?:import sh\b|from sh import)/;
const isomorphic = /\bisomorphic-git\b/;
const pygit2 = /\bpygit2\b/;
const dulwich = /\bdulwich\b/;
const rubyGit = /\brequire\s*\(?\s*["']git["']|^-rgit$/m;
const rugged = /\brequire\s*\(?\s*["']rugged["']|^-rrugged$/m;

const ofPython: readonly LibraryCalls[] = [
  {
    library: gitPython,
    calls: /(?:\.\s*git|\bGit\s*\([^()]*\)|\bHOLDER)\s*\.\s*(?!execute\b|Repo\b|[A-Z])(\w+)\s*\(/g,
    holders: /\b(\w+)\s*=\s*(?:(?:git\s*\.\s*)?(?:cmd\s*\.\s*)?Git\s*\(|[\w.()'"]+\.\s*git\s*(?:$|[;\n]))/g,
    words: (args, method) => [
      ...subcommand(method),
      ...given(args.filter((argument) => !isPositional(argument))),
      ...positional(args),
    ],
  },
  { library: gitPython, calls: /\.\s*(execute)\s*\(/g, words: (args) => given(args.slice(0, 1)).slice(1) },
  {
    library: new RegExp(`${gitPython.source}|${pygit2.source}`),
    calls: /(?<!\bgit|\bGit\([^()]*\))\s*\.\s*(push)\s*\(/g,
    words: (args) => [...fixed('push'), ...force(args), ...fixed('origin'), ...refspecs(args)],
  },
  { library: gitPython, calls: /\.\s*(reset)\s*\((?=[^)]*working_tree\s*=\s*True)/g, words: hard },
  {
    library: gitPython,
    calls: /(?<!\bgit)\s*\.\s*(checkout)\s*\((?=[^)]*force\s*=\s*True)/g,
    words: () => fixed('checkout', '--force'),
  },
  {
    library: gitPython,
    calls: /(?:\.\s*(delete_head)|\bHead\s*\.\s*delete)\s*\(/g,
    words: (args, method) => [
      ...fixed('branch', isForced(args) ? '-D' : '-d'),
      ...positional(method === '' ? args.slice(1).filter(({ kind }) => kind === 'text') : args),
    ],
  },
  {
    library: gitPython,
    calls: /\bheads\s*(?:\.\s*|\[\s*["'])([\w/.-]+?)(?:["']\s*\])?\s*\.\s*set_(?:commit|object|reference)\s*\(/g,
    words: (args, branch) => [...fixed('branch', '-f', branch), ...given(args.slice(0, 1))],
  },
  {
    library: gitPython,
    calls: /\.\s*index\s*\.\s*(commit)\s*\(/g,
    words: (args) => committed(positional(args.slice(0, 1)), has(args, /\bskip_hooks\s*=\s*True\b/)),
  },
  { library: gitPython, calls: /\.\s*(set_value|add_value)\s*\(/g, words: (args) => configured(args, 2) },
  {
    library: gitPython,
    calls: /\.\s*(delete_tag)\s*\(/g,
    words: (args) => [...fixed('tag', '-d'), ...positional(args)],
  },
  {
    library: gitPython,
    calls: /\.\s*(delete_remote)\s*\(/g,
    words: (args) => [...fixed('remote', 'remove'), ...named(args)],
  },
  {
    library: gitPython,
    calls: /\bremotes?\s*(?:\(\s*(?:name\s*=\s*)?["']|\[\s*["']|\.\s*)([\w.-]+?)(?:["']\s*[)\]])?\s*\.\s*set_url\s*\(/g,
    words: (args, remote) => [...fixed('remote', 'set-url', remote), ...positional(args.slice(0, 1))],
  },
  {
    library: pygit2,
    calls: /\.\s*(reset)\s*\((?=[^)]*RESET_HARD|[^)]*ResetMode\.HARD)/g,
    words: ([commit]) => {
      const named = commit?.kind === 'other' ? /["']([^"']+)["']/.exec(commit.written)?.[1] : undefined;
      return [...fixed('reset', '--hard'), { text: [named ?? { expression: 'the commit' }] }];
    },
  },
  {
    library: pygit2,
    calls: /\.\s*(checkout(?:_\w+)?)\s*\((?=[^)]*FORCE)/g,
    words: () => fixed('checkout', '--force'),
  },
  {
    library: pygit2,
    calls: /\.\s*branches(?:\s*\.\s*local)?\s*\.\s*(delete)\s*\(/g,
    words: (args) => [...fixed('branch', '-D'), ...given(args)],
  },
  {
    library: pygit2,
    calls: /(?:\blookup_branch\s*\(|\bbranches(?:\s*\.\s*local)?\s*\[)\s*["']([^"']+)["']\s*[\])]\s*\.\s*delete\s*\(/g,
    words: (_, branch) => fixed('branch', '-D', branch),
  },
  {
    library: pygit2,
    calls: /\.\s*references\s*\.\s*(delete)\s*\(/g,
    words: (args) => [...fixed('update-ref', '-d'), ...given(args)],
  },
  {
    library: pygit2,
    calls: /\.\s*(create_commit)\s*\(/g,
    words: (args) => committed(given(args.slice(3, 4)), false),
  },
  { library: pygit2, calls: /\.\s*(stash_drop)\s*\(/g, words: (args) => [...fixed('stash', 'drop'), ...given(args)] },
  {
    library: dulwich,
    calls: /(?:\bporcelain\s*\.\s*|(?<![\w.]))(push)\s*\(/g,
    words: (args) => [...fixed('push'), ...force(args), ...refspecs(args.slice(1))],
  },
  {
    library: dulwich,
    calls: /\bporcelain\s*\.\s*(reset)\s*\((?=[^)]*["']hard)/g,
    words: (args) => hard(args.slice(2)),
  },
  { library: dulwich, calls: /\bporcelain\s*\.\s*(clean)\s*\(/g, words: () => fixed('clean', '-fd') },
  {
    library: dulwich,
    calls: /\bporcelain\s*\.\s*(commit)\s*\(/g,
    words: (args) => {
      const [, message] = positional(args);
      const named = valued(args, 'message');
      return committed(message === undefined ? named : [message], has(args, /\bno_verify\s*=\s*True\b/));
    },
  },
  {
    library: dulwich,
    calls: /\bporcelain\s*\.\s*(branch_delete)\s*\(/g,
    words: (args) => [...fixed('branch', '-D'), ...given(args.slice(1))],
  },
  {
    library: dulwich,
    calls: /\bporcelain\s*\.\s*(stash_drop)\s*\(/g,
    words: (args) => [...fixed('stash', 'drop'), ...given(args.slice(1))],
  },
  { library: shellLibrary, calls: /\b(git)\s*\(/g, words: (args) => given(args) },
  {
    library: shellLibrary,
    calls: /\bgit\s*\.\s*(\w+)\s*\(/g,
    words: (args, method) => [...subcommand(method), ...given(args)],
  },
  {
    library: /\bplumbum\b/,
    calls: /(?:\bgit\s*[[(]|\blocal\s*\[\s*["']git["']\s*\]\s*[[(])()/g,
    words: (args) => given(args),
  },
];

/** What the values of simple-git's CleanOptions stand for. */
const cleanOptions: Readonly<Record<string, string>> = {
  DRY_RUN: 'n',
  FORCE: 'f',
  IGNORED_INCLUDED: 'x',
  IGNORED_ONLY: 'X',
  EXCLUDING: 'e',
  QUIET: 'q',
  RECURSIVE: 'd',
};

/** `ResetMode.HARD`, `CleanOptions.FORCE + CleanOptions.RECURSIVE`; null for anything else. */
function enumeratedMode(word: OpenWord): OpenWord | null {
  const parts = 'text' in word ? word.text : [];
  const written = parts.map((part) => (typeof part === 'string' ? part : part.expression)).join(' ');
  const [, mode] = /\bResetMode\.(\w+)/.exec(written) ?? [];
  const letters = Array.from(written.matchAll(/\bCleanOptions\.(\w+)/g), ([, name = '']) => cleanOptions[name] ?? '');
  return mode !== undefined
    ? { text: [`--${mode.toLowerCase()}`] }
    : letters.length > 0
      ? { text: [`-${letters.join('')}`] }
      : null;
}

/** `reset('hard')`, `clean('fd')` */
function modeOf(method: string, word: OpenWord): OpenWord {
  const enumerated = /^(?:reset|clean)$/.test(method) ? enumeratedMode(word) : null;
  if (enumerated !== null) {
    return enumerated;
  }
  const text = 'text' in word && word.text.length === 1 && typeof word.text[0] === 'string' ? word.text[0] : '';
  const isMode = method === 'reset' && /^(?:hard|soft|mixed|merge|keep)$/.test(text);
  return isMode
    ? { text: [`--${text}`] }
    : method === 'clean' && /^[a-zA-Z]+$/.test(text)
      ? { text: [`-${text}`] }
      : word;
}

/** Methods of simple-git whose names are not git's. */
const ofSimpleGit: Readonly<Record<string, readonly string[]>> = {
  raw: [],
  deleteLocalBranch: ['branch', '-D'],
  deleteLocalBranches: ['branch', '-D'],
  pushTags: ['push', '--tags'],
  addConfig: ['config'],
};

const ofJavaScript: readonly LibraryCalls[] = [
  {
    library: simpleGit,
    calls:
      /(?<=(?:\bgit|\bsimpleGit\s*\([^()]*\)|\bsimple-git["']\s*\)(?:\s*\.\s*simpleGit)?\s*\([^()]*\)|\brepo|\bHOLDER)(?:\s*\.\s*\w+\s*\([^()]*\)){0,16}\s*)\.\s*(push|pushTags|raw|reset|clean|commit|addConfig|checkout|branch|stash|tag|rebase|deleteLocalBranch|deleteLocalBranches)\s*\(/g,
    holders:
      /\b(\w+)\s*=\s*(?:await\s+)?(?:\bsimpleGit|\brequire\s*\(\s*["']simple-git["']\s*\)(?:\s*\.\s*simpleGit)?)\s*\(/g,
    words: (args, method) =>
      method === 'commit'
        ? [...committed(given(args.slice(0, 1)), false), ...given(args.slice(1)).filter(isOption)]
        : [...fixed(...(ofSimpleGit[method] ?? [method])), ...given(args).map((word) => modeOf(method, word))],
  },
  {
    library: /@npmcli\/git\b/,
    calls: /(?<![\w$.])HOLDER(?:\s*\.\s*spawn)?()\s*\(/g,
    holders: /\b(\w+)\s*=\s*require\s*\(\s*["']@npmcli\/git["']|\bimport\s+(\w+)\s+from\s+["']@npmcli\/git["']/g,
    words: (args) => given(args),
  },
  {
    library: isomorphic,
    calls: /\.\s*(push)\s*\(/g,
    words: (args) => {
      const remote = field(args, 'remote');
      const ref = field(args, 'remoteRef').length > 0 ? field(args, 'remoteRef') : field(args, 'ref');
      const deletion = has(args, /\bdelete\s*:\s*true\b/) ? fixed('--delete') : [];
      return [...fixed('push'), ...force(args), ...deletion, ...(remote.length > 0 ? remote : fixed('origin')), ...ref];
    },
  },
  {
    library: isomorphic,
    calls: /\.\s*(deleteBranch)\s*\(/g,
    words: (args) => [...fixed('branch', '-D'), ...field(args, 'ref')],
  },
  {
    library: isomorphic,
    calls: /\.\s*(deleteRef)\s*\(/g,
    words: (args) => [...fixed('update-ref', '-d'), ...field(args, 'ref')],
  },
  {
    library: isomorphic,
    calls: /\.\s*(writeRef)\s*\((?=[\s\S]{0,300}?\bforce\s*:\s*true)/g,
    words: (args) => [...fixed('update-ref'), ...field(args, 'ref'), ...field(args, 'value')],
  },
  {
    library: isomorphic,
    calls: /\.\s*(commit)\s*\(/g,
    words: (args) => committed(field(args, 'message'), false),
  },
  {
    library: isomorphic,
    calls: /\.\s*(setConfig)\s*\(/g,
    words: (args) => [...fixed('config'), ...field(args, 'path'), ...field(args, 'value')],
  },
  {
    library: isomorphic,
    calls: /\.\s*(checkout)\s*\(/g,
    words: (args) => [...fixed('checkout'), ...force(args), ...field(args, 'ref')],
  },
];

const ofOthers: readonly LibraryCalls[] = [
  {
    library: rubyGit,
    calls: /\.\s*(push|reset_hard)\s*\(/g,
    words: (args, method) =>
      method === 'push'
        ? [...fixed('push'), ...force(args), ...positional(args)]
        : [...fixed('reset', '--hard'), ...given(args)],
  },
  { library: rubyGit, calls: /\.\s*(reset_hard)\b(?!\s*\()/g, words: () => fixed('reset', '--hard') },
  {
    library: rugged,
    calls: /\.\s*(push)\s*\(/g,
    words: (args) => [...fixed('push', 'origin'), ...positional(args)],
  },
  {
    library: rugged,
    calls: /\bbranches\s*\.\s*(delete)\s*\(/g,
    words: (args) => [...fixed('branch', '-D'), ...given(args)],
  },
  {
    library: rugged,
    calls: /\.\s*(reset)\s*\((?=[^)]*:hard)/g,
    words: (args) => hard(args),
  },
  {
    library: /\bIPC::Run\b/,
    calls: /(?<![\w$@>:])(?:run|start|harness)\s*\(?\s*\[\s*["']git["']\s*,()/g,
    words: (args) => given(args),
  },
  {
    // Git.pm, which comes with git.
    library: /\buse\s+Git\b|^-MGit$/m,
    calls: /\b(command(?:_noisy|_oneline|_output_pipe|_input_pipe)?)\s*\(/g,
    words: (args) => given(args),
  },
];

/** Libraries that do what git does, a row for each kind of call. */
export const gitLibraries: readonly LibraryCalls[] = [...ofPython, ...ofJavaScript, ...ofOthers];
