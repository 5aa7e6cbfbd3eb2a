import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { doubtful, either, type Outcome } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';

/** Runs what a program runs in the place of an interpreter. */
function runAs(argv: readonly Word[], label: string, call: Call, shell: Shell): Outcome {
  return shell.run({ ...call, argv, frame: through(call.frame, label), lookup: 'programs' });
}

/** `--no-banner --simple-prompt`: options of a console's own that take nothing else. What follows a file is that file's. */
function withoutOwnOptions(words: readonly Word[]): readonly Word[] {
  const at = words.findIndex((word) => !beginningOf(word).startsWith('-'));
  const own = words.slice(0, at < 0 ? undefined : at).filter((word) => !beginningOf(word).startsWith('--'));
  return [...own, ...(at < 0 ? [] : words.slice(at))];
}

/** `!COMMAND`, `out = !COMMAND`, `%sx COMMAND`: IPython's own means to start a shell; a cell may be one as a whole. */
function shellScriptIn(text: string): string {
  const [, cell] = /^\s*%%(?:bash|sh|system|sx|script\s+(?:\S*\/)?(?:ba|z|da)?sh)\b[^\n]*\n([\s\S]*)$/.exec(text) ?? [];
  const lines = text.matchAll(/^[ \t]*(?:[\w, ]+=[ \t]*)?(?:!!?|%(?:sx|system)[ \t]+)(.*)$/gm);
  return cell ?? Array.from(lines, ([, command = '']) => command).join('\n');
}

/** The program that a console is given by `-c`; null where it is none, or not known. */
function givenProgram(words: readonly Word[]): string | null {
  const at = words.findIndex((word) => beginningOf(word) === '-c');
  const program = at < 0 ? undefined : words[at + 1];
  return program?.kind === 'known' ? program.value : null;
}

/** A console takes the options of the interpreter and reads its input, in which `!COMMAND` is a shell's. */
const pythonConsole: ProgramReader = (call, shell) => {
  const [program, ...words] = call.argv;
  const label = beginningOf(program);
  const rest = withoutOwnOptions(words);
  const input = rest.length === 0 ? (call.frame.input?.known() ?? null) : null;
  const text = rest.length > 0 ? givenProgram(rest) : input === null ? (call.frame.input?.rest() ?? null) : null;
  const script = shellScriptIn(text ?? '');
  if (script.trim() !== '') {
    const frame = framed(through(call.frame, label), { input: null, output: null });
    const process = { label: 'sh', name: knownWord('sh'), positional: [], input: null };
    shell.runProcess({ ...call, state: doubtful(call.state), frame }, script, process);
  }
  return runAs([knownWord('python3'), ...rest], label, call, shell);
};

const rubyConsole: ProgramReader = (call, shell) => {
  const [program, ...words] = call.argv;
  const rest = withoutOwnOptions(words);
  return runAs([knownWord('ruby'), ...rest], beginningOf(program), call, shell);
};

/** `rails runner FILE|CODE|-`, `rails console`: what runs in the application (its own `--help`). */
const readRails: ProgramReader = (call, shell) => {
  const [, verb, ...words] = call.argv;
  const name = beginningOf(verb);
  if (name === 'console' || name === 'c') {
    return runAs([knownWord('ruby')], 'rails console', call, shell);
  }
  const at = words.findIndex((word, index) => !/^-./.test(beginningOf(word)) && beginningOf(words[index - 1]) !== '-e');
  const given = words[at];
  if ((name !== 'runner' && name !== 'r') || given === undefined) {
    return null;
  }
  const path = resolvePath(given, call.state.cwd);
  const isFile = beginningOf(given) === '-' || (path !== null && shell.overlay.exists(path));
  const program = isFile ? [given] : [knownWord('-e'), given];
  return runAs([knownWord('ruby'), ...program, ...words.slice(at + 1)], 'rails runner', call, shell);
};

/** `shell [-c CODE]` of Django and Flask: a console of the application. */
function runApplicationShell(words: readonly Word[], label: string, call: Call, shell: Shell): Outcome {
  const at = words.findIndex((word) => /^(?:-c|--command)(?:=|$)/.test(beginningOf(word)));
  const [, attached] = /^--command=([\s\S]*)$/.exec(beginningOf(words[at])) ?? [];
  const code = attached === undefined ? words[at + 1] : knownWord(attached);
  const program = at < 0 || code === undefined ? [] : [knownWord('-c'), code];
  return runAs([knownWord('python3'), ...program], label, call, shell);
}

const readApplication: ProgramReader = (call, shell) => {
  const at = call.argv.findIndex((word) => /^shell(?:_plus)?$/.test(beginningOf(word)));
  return at < 1 ? null : runApplicationShell(call.argv.slice(at + 1), 'shell', call, shell);
};

/** `python manage.py shell`: the file itself only starts Django. */
const readManagement: ProgramReader = (call, shell) => {
  const at = call.argv.findIndex((word) => /(?:^|\/)manage\.py$/.test(beginningOf(word)));
  const isShell = at > 0 && at <= 2 && /^shell(?:_plus)?$/.test(beginningOf(call.argv[at + 1]));
  return isShell ? runApplicationShell(call.argv.slice(at + 2), 'manage.py shell', call, shell) : null;
};

const readJupyter: ProgramReader = (call, shell) => {
  const [, verb] = call.argv;
  if (beginningOf(verb) !== 'console') {
    return null;
  }
  shell.emitCommand(call);
  pythonConsole({ ...call, argv: [knownWord('ipython')] }, shell);
  return either(call.state);
};

/** Rows for the table of carriers. */
export const consolePrograms: readonly (readonly [string, ProgramReader])[] = [
  ...['ipython', 'ipython3', 'bpython', 'ptpython', 'ptipython'].map((name) => [name, pythonConsole] as const),
  ...['irb', 'pry'].map((name) => [name, rubyConsole] as const),
  ['rails', readRails],
  ['flask', readApplication],
  ['django-admin', readApplication],
  ...['python', 'python3'].map((name) => [name, readManagement] as const),
  ['jupyter', readJupyter],
];
