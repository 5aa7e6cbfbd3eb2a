import { quoteWord } from '../../quote.ts';
import type { Call } from '../call.ts';
import type { Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { awkCommands } from './awk.ts';
import { commandWordPrograms, option, type ScriptFinder, wordsAfter } from './command-words.ts';
import { powerShell } from './power-shell.ts';
import { tclCommands } from './tcl-commands.ts';

/** Rows of a table that are the same for all of these programs. */
export function each<Value>(programs: readonly string[], value: Value): readonly [string, Value][] {
  return programs.map((program) => [program, value]);
}

export const vims = ['vim', 'vi', 'nvim', 'ex', 'view'];
export const awks = ['awk', 'gawk', 'mawk', 'nawk'];
export const seds = ['sed', 'gsed'];
export const secureShells = ['ssh', 'scp', 'sftp'];
export const tcls = ['tclsh', 'expect', 'wish'];
/** Shells with a grammar of their own, which run a file as others do. */
export const otherShells = ['fish', 'elvish', 'xonsh', 'csh', 'tcsh'];

/** Languages whose programs are looked through for what hands a text to a shell. */
const languages = [
  ...['octave', 'guile', 'racket', 'sbcl', 'clojure', 'clj', 'bb', 'ocaml', 'crystal', 'gnuplot', 'elixir', 'erl'],
  ...['ghc', 'runghc', 'scala', 'groovy', 'jshell'],
];

/** Commands inside the text of any word. */
function inside(...patterns: readonly RegExp[]): ScriptFinder {
  return (text) => patterns.flatMap((pattern) => Array.from(text.matchAll(pattern), (match) => match[1] ?? ''));
}

const vimCommands = inside(
  /^(?:--cmd|-c|\+)?\s*:*\s*(?:sil\w*!?\s+)?(?:r\w*\s*|w\w*\s*|[0-9%,$.]*)!\s*([\s\S]+)$/g,
  /\b(?:system(?:list)?|os\.execute|io\.popen)\(\s*"((?:[^"\\]|\\.)*)"/g,
);

/** In Vim's own language two quotes in a row are one. */
const vimQuoted: ScriptFinder = (text) =>
  Array.from(text.matchAll(/\b(?:system(?:list)?|os\.execute|io\.popen)\(\s*'((?:[^']|'')*)'/g), ([, script = '']) =>
    script.replaceAll("''", "'"),
  );

/** `(call-process "git" nil nil nil "push")`: the strings are words; `start-process` has two of its own first. */
const lispProcess: ScriptFinder = (text) =>
  Array.from(
    text.matchAll(
      /\((call-process|process-file|process-lines|start-process|make-process)((?:\s+(?:"(?:[^"\\]|\\.)*"|[^\s"()]+))+)/g,
    ),
    ([, name = '', rest = '']) =>
      Array.from(rest.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, word = '']) => quoteWord(word))
        .slice(name === 'start-process' ? 2 : 0)
        .join(' '),
  );

/**
 * sed(1): the command `e` runs its argument, the flag `e` of `s` the line that it makes. That is the replacement where
 * the pattern takes the whole line; else nearly the line that it reads.
 */
export const sed: ScriptFinder = (word, next, call) => {
  const text = word.replace(/^(?:--expression=|-[nErsuz]*e)(?=.)/, '');
  return [
    ...inside(/(?:^|[;{}\n])\s*(?:[\d,$]+|\/[^/]*\/)?\s*e\s+([^\n;}]+)/g)(text, next, call),
    ...Array.from(
      text.matchAll(
        /(?:^|[;{}\n])\s*(?:[\d,$]+|\/[^/]*\/)?\s*s([/|,#@!])((?:\\.|(?!\1)[^\\\n])*)\1((?:\\.|(?!\1)[^\\\n])*)\1[\dgpiIM]*e/g,
      ),
      ([command, , pattern = '', made = '']) => madeLines(command, pattern, made, call),
    ).flat(),
  ];
};

function madeLines(command: string, pattern: string, made: string, { frame }: Call): readonly (string | Word)[] {
  const isOpen = /(?<!\\)&|\\\d/.test(made);
  if (/^\^?\.\*\$?$/.test(pattern) && !isOpen) {
    return [made];
  }
  const lines = isOpen ? null : (frame.input?.rest() ?? null);
  const unknown = unknownWord(command, 'what sed makes of its input is not known');
  return lines === null
    ? [unknown]
    : lines
        .split('\n')
        .slice(0, 100)
        .flatMap((line) => [line, made + line]);
}

/** Functions by which languages hand a text to a shell. */
const systemCalls = inside(
  /\b(?:system|shell|os:cmd|os\.cmd|System\.shell|Sys\.command|callCommand|run-program|shell-command|exec)\s*\(?\s*["'`]([^"'`]*)["'`]/g,
  /["']([^"']*)["']\s*\.\s*(?:execute\(|!)/g,
);

/** `System.cmd("git", ["push"])`, `(sh "git" "push")`: the strings are words. */
const wordCalls: ScriptFinder = (text) =>
  Array.from(
    text.matchAll(/(?:System\.cmd\(|\bsh\s|\bsystem\*\s)((?:[\s,[\]()]*"(?:[^"\\]|\\.)*")+)/g),
    ([, words = '']) =>
      Array.from(words.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, word = '']) => quoteWord(word)).join(' '),
  );

export const awk: ScriptFinder = (text, _, call) => awkCommands(text, call);

/** rsync(1) "--rsh": it takes the words apart by itself; whatever the rest of `ssh -p $PORT` is, ssh runs. */
const remoteShell: ScriptFinder = (text, next, call) =>
  option('--rsh', '-e')(text, next, call).filter(
    (script) => typeof script === 'string' || script.kind === 'known' || !/^(?:\S*\/)?ssh\s/.test(script.prefix),
  );

/** ssh_config(5): on the command line, and in a file of settings. */
const secureShellSettings = inside(
  /^\s*(?:-o\s*)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)(?:\s*=\s*|\s+)([\s\S]*)$/gi,
  /^\s*Match\b.*?\bexec(?:\s*=\s*|\s+)"([^"]*)"/gi,
  /^\s*Match\b.*?\bexec(?:\s*=\s*|\s+)([^\s"]+)/gi,
);

/** Lines that are a call of git in every such shell's grammar. */
const gitLines = inside(/^[ \t]*(?:command[ \t]+|exec[ \t]+)?(git[ \t][^\n;|&]*)$/gm);

/** Programs that run an option's value, or a part of their own language, as a shell command: a row each. */
export const scriptFinders: ReadonlyMap<string, ScriptFinder> = new Map<string, ScriptFinder>([
  ['rsync', remoteShell],
  [
    'tar',
    bothOf(
      option('--to-command', '--use-compress-program', '--rsh-command', '--info-script', '--new-volume-script', '-I'),
      inside(/^--checkpoint-action=exec=([\s\S]*)$/g),
    ),
  ],
  ['gtar', inside(/^--checkpoint-action=exec=([\s\S]*)$/g)],
  ['zip', option('-TT', '--unzip-command')],
  ['split', option('--filter')],
  ['sort', option('--compress-program')],
  ['man', option('-P', '--pager')],
  ...each(secureShells, secureShellSettings),
  ...each(awks, awk),
  ...each(seds, sed),
  ...each(vims, bothOf(vimCommands, vimQuoted)),
  [
    'emacs',
    bothOf(
      inside(/\((?:shell-command(?:-to-string)?|async-shell-command|compile)\s+"((?:[^"\\]|\\.)*)"/g),
      lispProcess,
    ),
  ],
  ['emacsclient', inside(/\((?:shell-command(?:-to-string)?|async-shell-command)\s+"((?:[^"\\]|\\.)*)"/g)],
  ...each(tcls, tclCommands),
  ...each(languages, bothOf(systemCalls, wordCalls)),
  ['sqlite3', inside(/^\.(?:shell|system)\s+([^\n]+)/gm)],
  ['psql', inside(/\\!\s*([^\n]+)/g)],
  ['mysql', inside(/\\!\s*([^\n]+)/g, /^system\s+([^\n;]+)/g)],
  [
    'gdb',
    bothOf(inside(/^(?:-ex=?|--eval-command=?)?\s*(?:shell|!)\s*([^\n]+)/g), (text, _, call) =>
      text === '--args' ? [wordsAfter('--args', call)] : [],
    ),
  ],
  ['osascript', inside(/do shell script\s+"((?:[^"\\]|\\.)*)"/g)],
  ['socat', inside(/\b(?:EXEC|SYSTEM):(?:"|')?([^,"']+)/gi)],
  ...each(['nc', 'ncat'], option('-e', '-c', '--exec', '--sh-exec')),
  ...each(['pwsh', 'powershell', 'powershell.exe'], powerShell),
  ...each(otherShells, bothOf(option('-c', '--command', '-C', '--init-command'), gitLines)),
  ['nu', option('-c', '--commands')],
  // cmake-commands(7): the words that follow are names of options in capitals.
  ['cmake', inside(/\bexecute_process\s*\(\s*COMMAND\s+((?:"[^"]*"|[^\s()"]+|\s+(?![A-Z_]{6,}\b))+)/g)],
  ['tsc-watch', option('--onSuccess', '--onFirstSuccess', '--onFailure', '--onCompilationComplete')],
  ['tsup', option('--onSuccess')],
  [
    'concurrently',
    (text) => {
      const [, manager, script = '', rest = ''] = /^(npm|pnpm|yarn|bun):(\S+)(.*)$/s.exec(text) ?? [];
      return manager === undefined ? severalWords(text) : [`${manager} run ${quoteWord(script)}${rest}`];
    },
  ],
  ...each(['start-server-and-test', 'server-test', 'start-test'], namedScripts),
  [
    'hyperfine',
    (text) => (/\s|^\.{0,2}\//.test(text) ? [text.replace(/^--(?:prepare|setup|conclude|cleanup)=/, '')] : []),
  ],
  ['lint-staged', () => []],
  ['wget', option('--use-askpass')],
  ['apt-get', inside(/^(?:-o)?.*Pre-Invoke[^=]*=([\s\S]*)$/g)],
  ['less', inside(/^\+!([\s\S]+)$/g)],
  ['bsdtar', option('--use-compress-program', '--use-compress-prog')],
  ...commandWordPrograms,
  ['fzf', inside(/^(?:--preview|--bind)[= ](?:[\w-]+:)?(?:execute(?:-silent)?|reload|become)?\(?([^()]+)\)?$/g)],
]);

/** A word that holds several is a command. */
function severalWords(text: string): readonly string[] {
  return /\s/.test(text) ? [text] : [];
}

/** `start-server-and-test start http://localhost:80 test`: scripts by their names, or commands. */
function namedScripts(text: string): readonly string[] {
  return /^[a-z][\w:-]*$/i.test(text) ? [`npm run ${text}`] : severalWords(text);
}

function bothOf(first: ScriptFinder, second: ScriptFinder): ScriptFinder {
  return (text, next, call) => [...first(text, next, call), ...second(text, next, call)];
}
