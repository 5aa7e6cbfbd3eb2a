import { quoteWord } from '../quote.ts';
import { awkCommands } from './awk.ts';
import { type Call, framed, type ProgramReader, type Shell, through } from './call.ts';
import { commandWordPrograms, option, type ScriptFinder, wordsAfter } from './command-words.ts';
import { emitProgram } from './file-changes.ts';
import { unknownWord } from './parameter.ts';
import { resolvePath } from './path-resolution.ts';
import { runCommandString } from './shell-invocation.ts';
import { doubtful, either, type Outcome } from './shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from './simple-command.ts';

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

const vim = bothOf(vimCommands, vimQuoted);

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
const sed: ScriptFinder = (word, next, call) => {
  const text = word.replace(/^(?:--expression=|-[nErsuz]*e)(?=.)/, '');
  return [
    ...inside(/(?:^|[;{}\n])\s*(?:[\d,$]+|\/[^/]*\/)?\s*e\s+([^\n;}]+)/g)(text, next, call),
    ...Array.from(
      text.matchAll(
        /(?:^|[;{}\n])\s*(?:[\d,$]+|\/[^/]*\/)?\s*s([/|,#@!])((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1[\dgpiIM]*e/g,
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

/** In Tcl, braces quote: `exec sh -c {git push}`. */
const tcl: ScriptFinder = (text) =>
  [
    ...text.matchAll(/\b(?:exec|spawn|system)\s+((?:[^\n;\]{}]|\{[^{}]*\})+)/g),
    ...text.matchAll(/\bopen\s+["{]\|\s*([^\n"}]+)/g),
  ].map(([, command = '']) => command.replace(/\{([^{}]*)\}/g, (_, word: string) => quoteWord(word)));

const awk: ScriptFinder = (text, _, call) => awkCommands(text, call);

/** rsync(1) "--rsh": it takes the words apart by itself; whatever the rest of `ssh -p $PORT` is, ssh runs. */
const remoteShell: ScriptFinder = (text, next, call) =>
  option('--rsh', '-e')(text, next, call).filter(
    (script) => typeof script === 'string' || script.kind === 'known' || !/^(?:\S*\/)?ssh\s/.test(script.prefix),
  );

/** Programs that run an option's value, or a part of their own language, as a shell command: a row each. */
const finders: ReadonlyMap<string, ScriptFinder> = new Map<string, ScriptFinder>([
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
  ['ssh', inside(/^(?:-o\s*)?(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ]([\s\S]*)$/gi)],
  ['scp', inside(/^(?:-o\s*)?(?:ProxyCommand|LocalCommand)[= ]([\s\S]*)$/gi)],
  ['sftp', inside(/^(?:-o\s*)?(?:ProxyCommand|LocalCommand)[= ]([\s\S]*)$/gi)],
  ['awk', awk],
  ['gawk', awk],
  ['mawk', awk],
  ['nawk', awk],
  ['sed', sed],
  ['gsed', sed],
  ['vim', vim],
  ['vi', vim],
  ['nvim', vim],
  ['ex', vim],
  ['view', vim],
  [
    'emacs',
    bothOf(
      inside(/\((?:shell-command(?:-to-string)?|async-shell-command|compile)\s+"((?:[^"\\]|\\.)*)"/g),
      lispProcess,
    ),
  ],
  ['emacsclient', inside(/\((?:shell-command(?:-to-string)?|async-shell-command)\s+"((?:[^"\\]|\\.)*)"/g)],
  ['expect', tcl],
  ['tclsh', tcl],
  ['wish', tcl],
  ...[
    'octave',
    'guile',
    'racket',
    'sbcl',
    'clojure',
    'clj',
    'bb',
    'ocaml',
    'crystal',
    'gnuplot',
    'elixir',
    'erl',
    'ghc',
  ]
    .concat(['runghc', 'scala', 'groovy', 'jshell'])
    .map((name): [string, ScriptFinder] => [name, bothOf(systemCalls, wordCalls)]),
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
  ['nc', option('-e', '-c', '--exec', '--sh-exec')],
  ['ncat', option('-e', '-c', '--exec', '--sh-exec')],
  [
    'tmux',
    (text, next) =>
      /^(?:new-session|new|new-window|neww|split-window|splitw|send-keys|send|respawn-pane|run-shell|run|pipe-pane|if-shell|if)$/.test(
        text,
      ) && next !== undefined
        ? ['tmux']
        : [],
  ],
  ['pwsh', option('-Command', '-c', '-command')],
  ['powershell', option('-Command', '-c', '-command')],
  ['powershell.exe', option('-Command', '-c', '-command')],
  ['fish', option('-c', '--command', '-C', '--init-command')],
  ['nu', option('-c', '--commands')],
  ['elvish', option('-c')],
  ['xonsh', option('-c')],
  ['csh', option('-c')],
  ['tcsh', option('-c')],
  ['nodemon', option('-x', '--exec')],
  [
    'concurrently',
    (text) => {
      const [, manager, script = '', rest = ''] = /^(npm|pnpm|yarn|bun):(\S+)(.*)$/s.exec(text) ?? [];
      return manager === undefined ? (/\s/.test(text) ? [text] : []) : [`${manager} run ${quoteWord(script)}${rest}`];
    },
  ],
  ['start-server-and-test', (text) => (/\s/.test(text) ? [text] : [])],
  ['lint-staged', () => []],
  ['wget', option('--use-askpass')],
  ['apt-get', inside(/^(?:-o)?.*Pre-Invoke[^=]*=([\s\S]*)$/g)],
  ['zx', inside(/\$`([^`]*)`/g)],
  ['less', inside(/^\+!([\s\S]+)$/g)],
  ['bsdtar', option('--use-compress-program', '--use-compress-prog')],
  ...commandWordPrograms,
  ['fzf', inside(/^(?:--preview|--bind)[= ](?:[\w-]+:)?(?:execute(?:-silent)?|reload|become)?\(?([^()]+)\)?$/g)],
]);

function bothOf(first: ScriptFinder, second: ScriptFinder): ScriptFinder {
  return (text, next, call) => [...first(text, next, call), ...second(text, next, call)];
}

/**
 * Programs that also read a script of their own language from a file or from their input: by the option that names the
 * file, or as the first operand.
 */
const scriptFiles: ReadonlyMap<string, RegExp | 'operand'> = new Map<string, RegExp | 'operand'>([
  ...['awk', 'gawk', 'mawk', 'nawk', 'sed', 'gsed'].map((name): [string, RegExp] => [name, /^(?:-f|--file=?)(.*)$/s]),
  ...['tclsh', 'expect', 'wish'].map((name): [string, 'operand'] => [name, 'operand']),
  ...['psql', 'sqlite3', 'mysql'].map((name): [string, RegExp] => [name, /^(?:-f|-init|--file=?)(.*)$/s]),
  ['gdb', /^(?:-x|--command=?)(.*)$/s],
  ...['vim', 'vi', 'nvim', 'ex', 'view'].map((name): [string, RegExp] => [name, /^(?:-[Sul]|--cmd-file)(.*)$/s]),
  ...['emacs'].map((name): [string, RegExp] => [name, /^(?:-l|--load=?|--script=?)(.*)$/s]),
]);

/** The texts of such scripts, as far as they come with the line. */
function scriptTexts(program: string, { argv, state, frame }: Call, { overlay }: Shell): readonly string[] {
  const kind = scriptFiles.get(program);
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  if (kind === undefined) {
    return [];
  }
  const names =
    kind === 'operand'
      ? words.filter((word) => !word.startsWith('-')).slice(0, 1)
      : words.flatMap((word, index) => {
          const attached = kind.exec(word)?.[1];
          return attached === undefined ? [] : [attached === '' ? (words[index + 1] ?? '') : attached];
        });
  const readsInput =
    names.some((name) => name === '-' || name === '/dev/stdin') ||
    (names.length === 0 && !/awk|sed|vi|^ex$|emacs/.test(program));
  const written = names.flatMap((name) => {
    const path = resolvePath(knownWord(name), state.cwd);
    return path !== null && overlay.wasWritten(path) ? (overlay.text(path) ?? []) : [];
  });
  const input = readsInput ? (frame.input?.rest() ?? null) : null;
  return input === null ? written : [...written, input];
}

/** Runs the scripts that a program's words hand to a shell, beside the program itself. */
function runOptionScripts(finder: ScriptFinder, call: Call, shell: Shell): Outcome {
  const program = programName(call.argv[0]) ?? '';
  const texts = scriptTexts(program, call, shell);
  const state = doubtful(call.state);
  const frame = framed(through(call.frame, program), { input: null, output: null });
  const seen = new Set<string>();
  const words = call.argv.slice(1).map((word, index) => ({ text: beginningOf(word), next: call.argv[index + 2] }));
  const lines = finder === vim ? texts.flatMap((text) => text.split('\n')) : texts;
  const files = lines.map((text) => ({ text, next: undefined }));
  for (const { text, next } of [...words, ...files]) {
    for (const script of finder(text, next, call)) {
      const value: Word = typeof script === 'string' ? knownWord(script.replaceAll('\\"', '"')) : script;
      const key = value.kind === 'known' ? value.value : value.source;
      if (!seen.has(key) && key.trim() !== '' && program !== 'tmux') {
        seen.add(key);
        runCommandString({ ...call, state, frame }, shell, 'sh -c', value, []);
      }
    }
  }
  if (program === 'tmux') {
    runTerminal(call, shell);
  }
  // It starts them before it is done: what they are is not what it may make of the files on its command line.
  emitProgram(program, call, shell);
  shell.overlay.mayCreate = true;
  return either(call.state);
}

/** `tmux new-session -d 'git push'`, `tmux send-keys 'git push' Enter`: words after the options are typed into a shell. */
function runTerminal(call: Call, shell: Shell): void {
  const words = call.argv.slice(2).flatMap((word) => (word.kind === 'known' ? [word.value] : []));
  const typed = words.filter((word) => !/^(?:-.*|Enter|C-m|C-c)$/.test(word) && /\s/.test(word));
  const frame = framed(through(call.frame, 'tmux'), { input: null, output: null });
  for (const text of typed) {
    runCommandString({ ...call, state: doubtful(call.state), frame }, shell, 'sh -c', knownWord(text), []);
  }
}

/** Programs whose input is a script, wholly (`at`) or by lines that start with `!` (`ed`). */
const inputScripts: ReadonlyMap<string, (text: string) => string> = new Map([
  ['at', (text: string) => text],
  ['batch', (text: string) => text],
  [
    'ed',
    (text: string) => Array.from(text.matchAll(/^[\d,$]*(?:[rwe]\s*)?!(.*)$/gm), (match) => match[1] ?? '').join('\n'),
  ],
  ...['ex', 'vim', 'vi', 'nvim', 'view'].map((name): [string, (text: string) => string] => [
    name,
    (text) => Array.from(text.matchAll(/^:?[\d,$%]*(?:[rwe]\s*)?!(.*)$/gm), (match) => match[1] ?? '').join('\n'),
  ]),
  ['dc', (text: string) => Array.from(text.matchAll(/!\s*([^<>=\n].*)$/gm), (match) => match[1] ?? '').join('\n')],
  [
    'sqlite3',
    (text: string) => Array.from(text.matchAll(/^\.(?:shell|system)\s+(.*)$/gm), (match) => match[1] ?? '').join('\n'),
  ],
]);

const readInputScript =
  (name: string): ProgramReader =>
  (call, shell) => {
    const finder = finders.get(name);
    const outcome = finder === undefined ? null : runOptionScripts(finder, call, shell);
    if (outcome === null) {
      shell.emitCommand(call);
    }
    const isRead = !/vi|view/.test(name) || call.argv.some((word) => /^-[eE]/.test(beginningOf(word)));
    const text = isRead ? (call.frame.input?.rest() ?? null) : null;
    const script = text === null ? '' : (inputScripts.get(name)?.(text) ?? '');
    if (script.trim() !== '') {
      shell.runProcess(call, script, { label: name, name: knownWord('sh'), positional: [], input: null });
    } else if (text === null && call.frame.input !== null && (name === 'at' || name === 'batch')) {
      shell.emitUnreadable(call, 'script', 'what it reads is not known');
    }
    return either(call.state);
  };

/** Rows for the table of carriers. */
export const optionScripts: readonly (readonly [string, ProgramReader])[] = [
  ...[...finders]
    .filter(([name]) => !inputScripts.has(name))
    .map(([name, finder]): [string, ProgramReader] => [name, (call, shell) => runOptionScripts(finder, call, shell)]),
  ...[...inputScripts.keys()].map((name): [string, ProgramReader] => [name, readInputScript(name)]),
];
