import { type Call, framed, type Shell, through } from './call.ts';
import type { Language } from './languages.ts';
import { type OpenWord, runOpenCommand } from './open-command.ts';
import { doubtful } from './shell-state.ts';
import { argumentsAt, codeOf, type SourceArgument } from './source-arguments.ts';

const maximumCalls = 100;

/** The words that a call's arguments are to git. */
type WordsOf = (args: readonly SourceArgument[], method: string) => readonly OpenWord[];

interface Row {
  /** What a program names that uses the library. */
  readonly library: RegExp;
  /** Up to and with the opening parenthesis; the first group is the method. */
  readonly calls: RegExp;
  readonly words: WordsOf;
}

const fixed = (...words: readonly string[]): readonly OpenWord[] => words.map((word) => ({ text: [word] }));

/** Texts, items of lists, and the options that `force=True`, `force: true` or `{'--force': null}` stand for. */
function given(args: readonly SourceArgument[]): readonly OpenWord[] {
  return args.flatMap((argument): readonly OpenWord[] => {
    switch (argument.kind) {
      case 'text':
        return [{ text: argument.text }];
      case 'list':
        return given(argument.items);
      case 'name':
        return [argument.isSpread ? { several: argument.name } : { text: [{ expression: argument.name }] }];
      default:
        return optionsIn(argument.written);
    }
  });
}

function optionsIn(written: string): readonly OpenWord[] {
  const quoted = Array.from(written.matchAll(/["'](-{1,2}[\w-]+)["']/g), ([, option = '']) => option);
  const named = Array.from(written.matchAll(/\b([a-z_]+)\s*[=:]\s*(?:True|true)\b/g), ([, name = '']) =>
    name.length === 1 ? `-${name}` : `--${name.replaceAll('_', '-')}`,
  );
  return [...fixed(...quoted), ...fixed(...named)].sort((a, b) => Number(isOption(b)) - Number(isOption(a)));
}

const isOption = (word: OpenWord) => 'text' in word && String(word.text[0]).startsWith('-');
const optionsFirst = (words: readonly OpenWord[]) => [
  ...words.filter(isOption),
  ...words.filter((word) => !isOption(word)),
];

/** A field of the one object that a call is given: `{ ref: 'main' }`. */
function field(args: readonly SourceArgument[], name: string): readonly OpenWord[] {
  const [object] = args;
  const value =
    object?.kind === 'other' ? new RegExp(`\\b${name}\\s*:\\s*["']([^"']+)["']`).exec(object.written)?.[1] : undefined;
  return value === undefined ? [] : fixed(value);
}

const isForced = (args: readonly SourceArgument[]) =>
  args.some((argument) => argument.kind === 'other' && /\bforce\s*[:=]\s*[Tt]rue\b/.test(argument.written));
const force = (args: readonly SourceArgument[]) => (isForced(args) ? fixed('--force') : []);

const gitPython = /\b(?:from git import|import git\b|git\.Repo\b)/;
const simpleGit = /\b(?:simple-git|simpleGit)\b/;
const shellLibrary = /\b(?:import sh\b|from sh import)/;
const isomorphic = /\bisomorphic-git\b/;

/** Libraries that do what git does, a row for each kind of call. */
const rows: readonly Row[] = [
  {
    library: gitPython,
    calls: /\.\s*git\s*\.\s*(\w+)\s*\(/g,
    words: (args, method) => [...fixed(method.replaceAll('_', '-')), ...optionsFirst(given(args))],
  },
  { library: gitPython, calls: /\.\s*(execute)\s*\(/g, words: (args) => given(args.slice(0, 1)).slice(1) },
  {
    library: /\b(?:from git import|import git\b|git\.Repo\b|pygit2)/,
    calls: /(?:remotes?\b[\w.()[\]'"]*|\borigin|\bremote)\s*\.\s*(push)\s*\(/g,
    words: (args) => [
      ...fixed('push'),
      ...force(args),
      ...fixed('origin'),
      ...given(args.filter(({ kind }) => kind !== 'other')),
    ],
  },
  {
    library: gitPython,
    calls: /\.\s*(reset)\s*\((?=[^)]*working_tree\s*=\s*True)/g,
    words: (args) => [...fixed('reset', '--hard'), ...given(args.slice(0, 1).filter(({ kind }) => kind !== 'other'))],
  },
  {
    library: /\bpygit2\b/,
    calls: /\.\s*(reset)\s*\((?=[^)]*RESET_HARD|[^)]*ResetMode\.HARD)/g,
    words: ([commit]) => {
      const named = commit?.kind === 'other' ? /["']([^"']+)["']/.exec(commit.written)?.[1] : undefined;
      return [...fixed('reset', '--hard'), { text: [named ?? { expression: 'the commit' }] }];
    },
  },
  {
    library: gitPython,
    calls: /\.\s*(delete_head)\s*\(/g,
    words: (args) => [
      ...fixed('branch', isForced(args) ? '-D' : '-d'),
      ...given(args.filter(({ kind }) => kind !== 'other')),
    ],
  },
  {
    library: simpleGit,
    calls:
      /(?:\bgit|\bsimpleGit\s*\([^()]*\)|\bsimple-git["']\s*\)\s*\([^()]*\)|\brepo)\s*\.\s*(push|raw|reset|clean|checkout|branch|stash|tag|rebase|deleteLocalBranch)\s*\(/g,
    words: (args, method) => [
      ...(method === 'raw' ? [] : method === 'deleteLocalBranch' ? fixed('branch', '-D') : fixed(method)),
      ...given(args).map((word) => modeOf(method, word)),
    ],
  },
  {
    library: isomorphic,
    calls: /\.\s*(push)\s*\(/g,
    words: (args) => [
      ...fixed('push'),
      ...force(args),
      ...(field(args, 'remote').length > 0 ? field(args, 'remote') : fixed('origin')),
      ...field(args, 'ref'),
    ],
  },
  {
    library: isomorphic,
    calls: /\.\s*(deleteBranch)\s*\(/g,
    words: (args) => [...fixed('branch', '-D'), ...field(args, 'ref')],
  },
  {
    library: isomorphic,
    calls: /\.\s*(checkout)\s*\(/g,
    words: (args) => [...fixed('checkout'), ...force(args), ...field(args, 'ref')],
  },
  { library: shellLibrary, calls: /\b(git)\s*\(/g, words: (args) => given(args) },
  {
    library: shellLibrary,
    calls: /\bgit\s*\.\s*(\w+)\s*\(/g,
    words: (args, method) => [...fixed(method.replaceAll('_', '-')), ...given(args)],
  },
  {
    library: /\bdulwich\b/,
    calls: /\bporcelain\s*\.\s*(push)\s*\(/g,
    words: (args) => [...fixed('push'), ...force(args), ...given(args.slice(1).filter(({ kind }) => kind !== 'other'))],
  },
  {
    library: /\bdulwich\b/,
    calls: /\bporcelain\s*\.\s*(reset)\s*\((?=[^)]*["']hard)/g,
    words: (args) => [...fixed('reset', '--hard'), ...given(args.slice(2))],
  },
  {
    library: /\brequire\s*\(?\s*["']git["']/,
    calls: /\.\s*(push|reset_hard)\s*\(/g,
    words: (args, method) =>
      method === 'push'
        ? [...fixed('push'), ...force(args), ...given(args.filter(({ kind }) => kind !== 'other'))]
        : [...fixed('reset', '--hard'), ...given(args)],
  },
];

/** `reset('hard')`, `clean('fd')` */
function modeOf(method: string, word: OpenWord): OpenWord {
  const text = 'text' in word && word.text.length === 1 && typeof word.text[0] === 'string' ? word.text[0] : '';
  const isMode = method === 'reset' && /^(?:hard|soft|mixed|merge|keep)$/.test(text);
  return isMode
    ? { text: [`--${text}`] }
    : method === 'clean' && /^[a-zA-Z]+$/.test(text)
      ? { text: [`-${text}`] }
      : word;
}

/** What an inline program does to a repository through a library, as the calls of git that would do the same. */
export function runInlineLibraries(language: Language, source: string, call: Call, shell: Shell): void {
  const used = rows.filter(({ library }) => library.test(source));
  if (used.length === 0) {
    return;
  }
  const code = codeOf(source, language.name === 'python' || language.name === 'ruby');
  const frame = framed(through(call.frame, `${language.name} program`), { input: null, output: null });
  const inner = { ...call, frame, state: doubtful(call.state) };
  for (const { calls, words } of used) {
    for (const match of Array.from(source.matchAll(calls)).slice(0, maximumCalls)) {
      const args = argumentsAt(source, code, match.index + match[0].length, language.interpolation);
      if (args !== null) {
        runOpenCommand({ words: [...fixed('git'), ...words(args, match[1] ?? '')] }, inner, shell);
      }
    }
  }
}
