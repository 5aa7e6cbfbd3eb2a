import { type Call, expandingAliases, framed, type ProgramReader, type Shell, through } from './call.ts';
import { merge, mergeOutcome } from './merged-states.ts';
import { unknownWord } from './parameter.ts';
import { resolvePath } from './path-resolution.ts';
import { codeOf } from './read-again.ts';
import { type FileText, machineCode } from './script-files.ts';
import { changed, either, inScript, type Outcome, type ShellState } from './shell-state.ts';
import { knownWord, programName, type Word } from './simple-command.ts';
import { type ShellStart, startupFiles } from './startup-files.ts';
import type { InputStream } from './stream.ts';

interface ShellOptions {
  /** Words after the options. */
  readonly operands: readonly Word[];
  readonly command: boolean;
  readonly fromInput: boolean;
  /** `-n`: the shell reads and runs nothing. */
  readonly readOnly: boolean;
  readonly interactive: boolean;
  readonly login: boolean;
  /** Aliases hold though the shell is not interactive. */
  readonly expandsAliases: boolean;
  /** `--rcfile` */
  readonly startup: Word | null;
  /** An option that can't be read. */
  readonly open: Word | null;
}

const valuedOptions = new Set(['--rcfile', '--init-file']);

/** A shell's own options: bundled (`-euxc`), with values (`-o pipefail`), long ones, up to `--` or the first operand. */
function readOptions(args: readonly Word[]): ShellOptions {
  let letters = '';
  let expandsAliases = false;
  let startup: Word | null = null;
  let open: Word | null = null;
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index];
    if (word?.kind === 'unknown') {
      open = letters.includes('c') ? null : openOption(word);
      break;
    }
    const text = word?.value ?? '';
    if (text === '--' || text === '-') {
      index += 1;
      break;
    }
    if (!/^[-+]./.test(text)) {
      break;
    }
    if (valuedOptions.has(text)) {
      startup = args[index + 1] ?? null;
      index += 1;
    } else {
      letters += lettersOf(text);
      expandsAliases ||= isAliasOption(text, args[index + 1]);
      index += /^[-+](?!-).*[oO]$|^[-+][oO]$/.test(text) ? 1 : 0;
    }
  }
  return {
    operands: args.slice(index),
    command: letters.includes('c'),
    fromInput: letters.includes('s'),
    readOnly: letters.includes('n'),
    interactive: letters.includes('i'),
    login: letters.includes('l'),
    expandsAliases: expandsAliases || letters.includes('i'),
    startup,
    open,
  };
}

/** The options that a word turns on, by their letters. */
function lettersOf(text: string): string {
  if (text.startsWith('--')) {
    return text === '--login' ? 'l' : '';
  }
  return text.startsWith('-') ? text : '';
}

/** `bash -O expand_aliases`, `bash -o posix`, `bash --posix`. */
function isAliasOption(text: string, next: Word | undefined): boolean {
  const value = next?.kind === 'known' ? next.value : '';
  return text === '--posix' || (text === '-O' && value === 'expand_aliases') || (text === '-o' && value === 'posix');
}

/** A word that may be an option is none where its start says so. */
function openOption(word: Word & { kind: 'unknown' }): Word | null {
  return word.mayExpandToSeveral || word.prefix === '' || word.prefix.startsWith('-') ? word : null;
}

const runShell: ProgramReader = (call, shell) => {
  const program = programName(call.argv[0]) ?? 'sh';
  const options = readOptions(call.argv.slice(1));
  const { operands, command, fromInput, readOnly, open } = options;
  const label = options.expandsAliases ? `${program} ${expandingAliases}` : program;
  if (readOnly) {
    return null;
  }
  if (open !== null && open.kind === 'unknown') {
    return unreadableScript(call, shell, open.reason);
  }
  const [first, ...others] = operands;
  readStartupFiles(call, shell, { ...options, label: program });
  if (command) {
    return first === undefined ? null : runCommandString(call, shell, `${label} -c`, first, others);
  }
  if (fromInput || first === undefined) {
    return runInput(call, shell, label, operands);
  }
  return runFile(call, shell, label, first, others);
};

function readStartupFiles(call: Call, shell: Shell, start: ShellStart): void {
  for (const { label, file } of startupFiles(start, call, shell)) {
    runFile(call, shell, label, file, []);
  }
}

function unreadableScript(call: Call, shell: Shell, reason: string): Outcome {
  shell.emitUnreadable(call, 'script', reason);
  call.frame.output?.append(unknownWord(call.source, 'the output of a script that can’t be read'), call.state.path);
  return either(call.state);
}

/** `sh -c script $0 $1…`. */
export function runCommandString(
  call: Call,
  shell: Shell,
  label: string,
  script: Word,
  args: readonly Word[],
): Outcome {
  const code = codeOf(script);
  if (code === null) {
    return unreadableScript(call, shell, script.kind === 'unknown' ? script.reason : '');
  }
  const [name = knownWord(label.split(' ')[0] ?? 'sh'), ...positional] = args;
  return shell.runProcess(call, code, { label, name, positional });
}

/** A shell that reads its commands from standard input. */
function runInput(call: Call, shell: Shell, label: string, positional: readonly Word[]): Outcome {
  const { input } = call.frame;
  if (input === null) {
    return noScript(call, shell);
  }
  const description = input.describe();
  const text = input.drain();
  if (text !== null) {
    return shell.runProcess(call, text, { label, name: knownWord(label), positional, input: null });
  }
  const reason = description.kind === 'unknown' ? description.reason : 'what it reads is not known';
  return unreadableScript(call, shell, reason);
}

/** A shell without a script and without known input: an interactive or a waiting one. */
function noScript(call: Call, shell: Shell): Outcome {
  shell.emitCommand(call);
  return either(call.state);
}

/** `sh file args`, `source file args`. */
function runFile(call: Call, shell: Shell, label: string, file: Word, positional: readonly Word[]): Outcome {
  const path = resolvePath(file, call.state.cwd);
  if (file.kind === 'unknown' || path === null) {
    const reason = file.kind === 'unknown' ? file.reason : 'the directory of the script is not known';
    return unreadableScript(call, shell, reason);
  }
  const input = openedInput(path, call);
  if (input !== undefined) {
    return runInput({ ...call, frame: framed(call.frame, { input }) }, shell, label, positional);
  }
  return eachText(path, call, shell, (text) =>
    shell.runProcess(call, text, { label: `${label} ${file.value}`, name: file, positional, file }),
  );
}

/** What a descriptor by its path leads to; undefined for any other file, and for one that nobody knows. */
function openedInput(path: string, { state, frame }: Call): InputStream | null | undefined {
  const number = path === '/dev/stdin' ? '0' : /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === '0' ? frame.input : state.descriptors.get(Number(number ?? Number.NaN));
}

/** Runs every text that a file may have. */
function eachText(path: string, call: Call, shell: Shell, run: (text: string, state: ShellState) => Outcome): Outcome {
  let outcome: Outcome | null = null;
  const texts = shell.overlay.texts(path);
  // Where the line writes it on one of two ways, it is not read on the other one: nothing is there.
  const there = texts.filter(({ kind }) => kind !== 'missing');
  for (const content of there.length > 0 ? there : texts) {
    const next = content.kind === 'text' ? run(content.text, call.state) : withoutText(content, path, call, shell);
    outcome = outcome === null ? next : mergeOutcome(outcome, next);
  }
  return outcome ?? either(call.state);
}

/** What tools are started with that set up the shell that reads them, and run nothing else: `. "$NVM_DIR/nvm.sh"`. */
const environmentFiles =
  /(?:^|\/)(?:bin\/activate|nvm\.sh|sdkman-init\.sh|asdf\.sh|conda\.sh|oh-my-zsh\.sh|\.cargo\/env|emsdk_env\.sh|bash_completion(?:\.sh|\.d\/[^/]+)?)$/;

/** Is it one of those, in a directory that is not known, and none that the line writes? */
function isEnvironmentFile(file: Word, { overlay }: Shell): boolean {
  const ending = file.kind === 'known' ? file.value : file.suffix;
  return environmentFiles.test(ending) && !overlay.hasWritten(ending.slice(ending.lastIndexOf('/') + 1));
}

function withoutText(content: Exclude<FileText, { kind: 'text' }>, path: string, call: Call, shell: Shell): Outcome {
  if (content.kind === 'missing') {
    // A virtual environment that this line makes sets variables, and runs nothing.
    const isEnvironment = /\/bin\/activate(?:\.\w+)?$/.test(path);
    // Where nothing matches, a pattern stays as it is: `for i in /etc/profile.d/*.sh; do [ -r $i ] && . $i; done`.
    const isPattern = path.includes('*');
    return isEnvironment || isPattern || !shell.overlay.mayCreate
      ? noScript(call, shell)
      : unreadableScript(call, shell, `${path} does not exist yet`);
  }
  // Of what was there before, only what it says in so many words counts where it can't be followed.
  const isHarmless = content.text !== undefined && !commandOfGit.test(content.text);
  return isHarmless ? noScript(call, shell) : unreadableScript(call, shell, content.reason);
}

/** git with a subcommand that does more than look. */
const commandOfGit =
  /\bgit(?:\.exe)?["']?[ \t]+(?!(?:grep|log|status|diff|show|rev-parse|ls-files|describe|--version)\b)[\w$"'-]/;

/** `source file args` and `. file args`: the script runs in this very shell. */
export function runSource(call: Call, shell: Shell): Outcome {
  const [, file, ...args] = call.argv;
  if (file === undefined) {
    return either(call.state);
  }
  const path = resolvePath(file, call.state.cwd);
  if ((file.kind === 'unknown' || path === null) && isEnvironmentFile(file, shell)) {
    return noScript(call, shell);
  }
  if (file.kind === 'unknown' || path === null) {
    const reason = file.kind === 'unknown' ? file.reason : 'the directory of the script is not known';
    return unreadableScript(call, shell, reason);
  }
  const frame = through(call.frame, `source ${file.value}`);
  const input = openedInput(path, call);
  if (input !== undefined) {
    const text = input?.drain() ?? null;
    return text === null
      ? unreadableScript(call, shell, 'what it reads is not known')
      : shell.runText(text, call.state, framed(frame, { input: null }));
  }
  return eachText(path, call, shell, (text, state) => {
    const returns = { state: null };
    const positional = args.length === 0 ? state.positional : args;
    const inside = changed(state, { positional, variables: inScript(state.variables, file) });
    const outcome = shell.runText(text, inside, framed(frame, { returns }));
    return restored({ ...outcome, success: merge(outcome.success, returns.state) }, state, args.length > 0);
  });
}

/** What the sourced text had for itself alone. */
function restored(outcome: Outcome, before: ShellState, replaced: boolean): Outcome {
  const restore = (state: ShellState | null) => {
    if (state === null) {
      return null;
    }
    const variables = new Map(state.variables);
    const source = before.variables.get('BASH_SOURCE');
    if (source === undefined) {
      variables.delete('BASH_SOURCE');
    } else {
      variables.set('BASH_SOURCE', source);
    }
    return changed(state, { variables, positional: replaced ? before.positional : state.positional });
  };
  return { success: restore(outcome.success), failure: restore(outcome.failure) };
}

const shellNames = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'rbash']);
const shebang = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)/;

/** The name of the program that a script's first line asks for. */
function interpreterOf(text: string): string | null {
  return shebang.exec(text)?.[1]?.replace(/^.*\//, '') ?? null;
}

/** `./script.sh`: a file that a shell would run. Null for every other program. */
export function runScriptFile(call: Call, shell: Shell): Outcome | null {
  const [program, ...args] = call.argv;
  const path = program?.kind === 'known' && program.value.includes('/') ? resolvePath(program, call.state.cwd) : null;
  if (path === null || program?.kind !== 'known') {
    return null;
  }
  const texts = shell.overlay.texts(path).filter((content) => content.kind === 'text');
  const scripts = texts.filter(({ text }) => {
    const interpreter = interpreterOf(text);
    return interpreter === null ? !text.startsWith(machineCode) : shellNames.has(interpreter);
  });
  if (scripts.length === 0) {
    const interpreter = texts.map(({ text }) => interpreterOf(text)).find((name) => name !== null) ?? null;
    if (interpreter !== null) {
      return shell.run({ ...call, argv: [knownWord(interpreter), knownWord(path), ...args], lookup: 'programs' });
    }
    if (shell.overlay.wasWritten(path) && texts.length === 0) {
      return unreadableScript(call, shell, `what was written to ${path} is not known`);
    }
    return null;
  }
  if (texts.some(({ text }) => interpreterOf(text) === 'bash')) {
    readStartupFiles(call, shell, { label: 'bash', interactive: false, login: false, startup: null });
  }
  const run = ({ text }: { text: string }) =>
    shell.runProcess(call, text, { label: program.value, name: program, positional: args, file: program });
  return scripts.map(run).reduce(mergeOutcome);
}

/** One program that is many: the next word says which. */
const runApplet: ProgramReader = (call, shell) =>
  call.argv.length > 1 ? shell.run({ ...call, argv: call.argv.slice(1), lookup: 'programs' }) : null;

export const shellPrograms: ReadonlyMap<string, ProgramReader> = new Map([
  ...[...shellNames].map((name): [string, ProgramReader] => [name, runShell]),
  ...['busybox', 'toybox'].map((name): [string, ProgramReader] => [name, runApplet]),
]);
