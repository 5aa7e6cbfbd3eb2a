import type { ShellOptions } from '../builtins/shell-options.ts';
import { type Call, framed, type ProgramReader, printedAs, type Shell, type ShellProcess } from '../call.ts';
import { mayChangeByGit } from '../command-of-git.ts';
import { mergeOutcome } from '../merged-states.ts';
import { listedFiles } from '../outputs/listed-files.ts';
import { ownHookScript } from '../own-hook.ts';
import { resolvePath } from '../path-resolution.ts';
import { type FileText, machineCode } from '../script-files.ts';
import { doubtful, either, type Outcome, type ShellState } from '../shell-state.ts';
import { knownWord, type Printed, programName, type Word } from '../simple-command.ts';
import type { InputStream } from '../stream.ts';
import { unknownWord } from '../words/parameter.ts';
import { codeOf } from '../words/read-again.ts';
import { readShellArguments } from './shell-arguments.ts';
import { type ShellStart, startupFiles } from './startup-files.ts';

/** A shell that is started, whatever it is going to read. */
type Start = Pick<ShellProcess, 'label' | 'options' | 'startup'>;

const runShell: ProgramReader = (call, shell) => {
  const program = programName(call.argv[0]) ?? 'sh';
  const given = readShellArguments(call.argv.slice(1));
  const { operands, command, fromInput, readOnly, options, open } = given;
  if (readOnly) {
    return noScript(call, shell);
  }
  if (open !== null) {
    return unreadableScript(call, shell, open.reason);
  }
  const [first, ...others] = operands;
  const startup = readStartupFiles(call, shell, { ...given, label: program });
  if (command) {
    return first === undefined
      ? null
      : runCode(call, shell, { label: `${program} -c`, options, startup }, first, others);
  }
  const start = { label: program, options, startup };
  return fromInput || first === undefined
    ? runInput(call, shell, start, operands)
    : runFile(call, shell, start, first, others);
};

/** @returns the texts of those that are known, for the shell to read; others run by themselves */
function readStartupFiles(call: Call, shell: Shell, start: ShellStart): string {
  return startupFiles(start, call, shell)
    .map(({ label, file }) => {
      const path = resolvePath(file, call.state.cwd);
      const [only, another] = path === null ? [] : shell.overlay.scripts(path);
      if (only?.kind === 'text' && another === undefined) {
        return only.text;
      }
      runFile(call, shell, { label }, file, []);
      return '';
    })
    .filter((text) => text !== '')
    .join('\n');
}

/** Reports that a script is run which nobody can follow. */
export function unreadableScript(call: Call, shell: Shell, reason: string, printed: Printed | null = null): Outcome {
  shell.emitUnreadable(call, 'script', reason, printed);
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
  return runCode(call, shell, { label }, script, args);
}

function runCode(call: Call, shell: Shell, start: Start, script: Word, args: readonly Word[]): Outcome {
  const code = codeOf(script);
  if (code === null) {
    return unreadableScript(call, shell, script.kind === 'unknown' ? script.reason : '', printedAs(script, null));
  }
  const [name = knownWord(start.label.split(' ')[0] ?? 'sh'), ...positional] = args;
  return shell.runProcess(call, code, { ...start, name, positional });
}

/** A shell that reads its commands from standard input. */
function runInput(call: Call, shell: Shell, start: Start, positional: readonly Word[]): Outcome {
  const { input } = call.frame;
  if (input === null) {
    return noScript(call, shell);
  }
  const description = input.describe();
  const open = input.known();
  const text = input.drain() ?? (open === null ? null : codeOf(open));
  if (text !== null) {
    return shell.runProcess(call, text, { ...start, name: knownWord(start.label), positional, input: null });
  }
  const reason = description.kind === 'unknown' ? description.reason : 'what it reads is not known';
  return unreadableScript(call, shell, reason, printedAs(open ?? undefined, null));
}

/** A shell that runs nothing: an interactive or a waiting one, or one that only looks for errors of syntax. */
export function noScript(call: Call, shell: Shell): Outcome {
  shell.emitCommand(call);
  return either(call.state);
}

/** `sh file args`, `source file args`; of a listing, each file may be the one. */
function runFile(call: Call, shell: Shell, start: Start, file: Word, positional: readonly Word[]): Outcome {
  const path = resolvePath(file, call.state.cwd);
  const listed = file.kind === 'unknown' ? listedFiles(file, call.state.cwd, shell.overlay, 'all') : null;
  if (listed !== null && listed.length > 0) {
    const one = { ...call, state: doubtful(call.state) };
    return listed.map((name) => runFile(one, shell, start, knownWord(name), positional)).reduce(mergeOutcome);
  }
  if (file.kind === 'unknown' || path === null) {
    return unreadableScript(call, shell, unknownPlace(file));
  }
  const input = openedInput(path, call);
  if (input !== undefined) {
    return runInput({ ...call, frame: framed(call.frame, { input }) }, shell, start, positional);
  }
  return eachText(path, call, shell, (text) =>
    shell.runProcess(call, ownHookScript(text, path, shell) ?? text, {
      ...start,
      label: `${start.label} ${file.value}`,
      name: file,
      positional,
      file,
    }),
  );
}

/** Why nobody knows where a script lies. */
export function unknownPlace(file: Word): string {
  return file.kind === 'unknown' ? file.reason : 'the directory of the script is not known';
}

/** What a descriptor by its path leads to; undefined for any other file, and for one that nobody knows. */
export function openedInput(path: string, { state, frame }: Call): InputStream | null | undefined {
  const number = path === '/dev/stdin' ? '0' : /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1];
  return number === '0' ? frame.input : state.descriptors.get(Number(number ?? Number.NaN));
}

/** Runs every text that a file may have. */
export function eachText(
  path: string,
  call: Call,
  shell: Shell,
  run: (text: string, state: ShellState) => Outcome,
): Outcome {
  let outcome: Outcome | null = null;
  const texts = shell.overlay.scripts(path);
  // Where the line writes it on one of two ways, it is not read on the other one: nothing is there.
  const there = texts.filter(({ kind }) => kind !== 'missing');
  for (const content of there.length > 0 ? there : texts) {
    const next = content.kind === 'text' ? run(content.text, call.state) : withoutText(content, path, call, shell);
    outcome = outcome === null ? next : mergeOutcome(outcome, next);
  }
  return outcome ?? either(call.state);
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
  const isHarmless = content.text !== undefined && !mayChangeByGit(content.text);
  return isHarmless
    ? noScript(call, shell)
    : unreadableScript(call, shell, content.reason, printedAs(content.open, path));
}

const shellNames = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'mksh', 'rbash']);
const shebang = /^#!\s*(?:\S*\/env\s+(?:-S\s+)?)?(\S+)(.*)/;

/** The name of the program that a script's first line asks for. */
function interpreterOf(text: string): string | null {
  return shebang.exec(text)?.[1]?.replace(/^.*\//, '') ?? null;
}

/** Those that the first line gives to the shell: `#!/bin/bash -e`. */
function optionsOf(text: string): ShellOptions {
  const words = (shebang.exec(text)?.[2] ?? '').split(/\s+/).filter((word) => word !== '');
  return readShellArguments(words.map(knownWord)).options;
}

/** `./script.sh`: a file that a shell would run. Null for every other program. */
export function runScriptFile(call: Call, shell: Shell): Outcome | null {
  const [program, ...args] = call.argv;
  const path = program?.kind === 'known' && program.value.includes('/') ? resolvePath(program, call.state.cwd) : null;
  if (path === null || program?.kind !== 'known') {
    return null;
  }
  const texts = shell.overlay.scripts(path).filter((content) => content.kind === 'text');
  const scripts = texts.filter(({ text }) => {
    const interpreter = interpreterOf(text);
    return interpreter === null ? !text.startsWith(machineCode) : shellNames.has(interpreter);
  });
  if (scripts.length === 0) {
    const interpreter = texts.map(({ text }) => interpreterOf(text)).find((name) => name !== null) ?? null;
    if (interpreter !== null) {
      return shell.run({ ...call, argv: [knownWord(interpreter), knownWord(path), ...args], lookup: 'programs' });
    }
    const [written] = shell.overlay.wasWritten(path) ? shell.overlay.texts(path) : [];
    return written?.kind === 'unreadable' ? withoutText(written, path, call, shell) : null;
  }
  const isBash = texts.some(({ text }) => interpreterOf(text) === 'bash');
  const start = { label: 'bash', interactive: false, login: false, startup: null };
  const startup = isBash ? readStartupFiles(call, shell, start) : '';
  const run = ({ text }: { text: string }) =>
    shell.runProcess(call, ownHookScript(text, path, shell) ?? text, {
      label: program.value,
      options: optionsOf(text),
      startup,
      name: program,
      positional: args,
      file: program,
    });
  return scripts.map(run).reduce(mergeOutcome);
}

/** One program that is many: the next word says which. */
const runApplet: ProgramReader = (call, shell) =>
  call.argv.length > 1 ? shell.run({ ...call, argv: call.argv.slice(1), lookup: 'programs' }) : null;

export const shellPrograms: ReadonlyMap<string, ProgramReader> = new Map([
  ...[...shellNames].map((name): [string, ProgramReader] => [name, runShell]),
  ...['busybox', 'toybox'].map((name): [string, ProgramReader] => [name, runApplet]),
]);
