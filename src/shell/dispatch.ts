import { stopsForDirectory } from './absent-directory.ts';
import { builtins } from './builtins/builtins.ts';
import { noteNewDirectories } from './builtins/presumed-directory.ts';
import { printsState } from './builtins/printing-builtins.ts';
import { type Call, framed, type ScriptShell, through } from './call.ts';
import { runFunction } from './function-call.ts';
import { mergeOutcome } from './merged-states.ts';
import { appendErrors } from './outputs/errors.ts';
import { afterPrinting } from './outputs/printing.ts';
import { resolvePath } from './path-resolution.ts';
import { presumedCalls } from './presumed-calls.ts';
import { plantedProgram, plantedSubcommand } from './program-lookup.ts';
import { endOfProgram } from './program-success.ts';
import { findCarrier } from './programs/carriers.ts';
import { changesFiles, emitProgram } from './programs/file-changes.ts';
import { runFoundTexts } from './programs/kept-texts.ts';
import { ordinaryPrograms } from './programs/ordinary-programs.ts';
import { runScriptFile, shellPrograms } from './programs/shell-invocation.ts';
import { runUnknownProgram } from './programs/unknown-program.ts';
import { runUnknownWrapper } from './programs/unknown-wrapper.ts';
import { readWrapper } from './programs/wrapper-reading.ts';
import { wrappers } from './programs/wrappers.ts';
import { changed, doubtful, either, fails, type Outcome, parted, withVariable } from './shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from './simple-command.ts';
import { possibleCommands, runOneOf } from './word-choices.ts';
import { unknownWord } from './words/parameter.ts';
import { runSubscripts } from './words/subscripts.ts';

/** Runs a call: a function, a builtin, a program that runs others, a script file, or an ordinary program. */
export function dispatch(call: Call, shell: ScriptShell): Outcome {
  const [first] = call.argv;
  if (first === undefined) {
    return either(call.state);
  }
  const name = first.kind === 'known' ? first.value : null;
  if (name !== null && call.lookup !== 'programs' && !name.includes('/')) {
    const own = runOwn(name, call, shell);
    if (own !== null) {
      return own;
    }
  }
  const program = programName(first);
  if (program === null) {
    return first.kind === 'unknown' ? runUnknownProgram(first, call, shell) : reported(call, shell);
  }
  const isOpen = call.argv.some(({ kind }) => kind === 'unknown');
  if (isOpen) {
    noteNewDirectories(call, shell);
  }
  const possible = possibleCommands(call.argv);
  if (possible !== null) {
    return runPossible(possible, call, shell);
  }
  const outcome = afterPrinting(call, runProgram(program, call, shell));
  if (isOpen || call.state.cwd.kind === 'unknown') {
    runPresumed(program, call, shell);
  }
  return outcome;
}

/** The call in the directories in which it may well be made: of programs that run others, those are. */
function runPresumed(program: string, call: Call, shell: ScriptShell): void {
  if (!wrappers.has(program) && !shellPrograms.has(program)) {
    for (const presumed of presumedCalls(program, call, shell)) {
      shell.run(presumed);
    }
  }
}

/** One command of several. What reads the output learns of the command as it stands there. */
function runPossible(possible: readonly (readonly Word[])[], call: Call, shell: ScriptShell): Outcome {
  const { output } = call.frame;
  if (output === null) {
    return runOneOf(possible, call.state, (argv, state) => shell.run({ ...call, argv, state }));
  }
  const itself = runProgram(programName(call.argv[0]) ?? '', call, shell);
  const frame = framed(call.frame, { output: null });
  runOneOf(possible, doubtful(call.state), (argv, state) => shell.run({ ...call, argv, state, frame }));
  return itself;
}

function reported(call: Call, shell: ScriptShell): Outcome {
  shell.emitCommand(call);
  return either(call.state);
}

/** Functions come before builtins (bash(1) "COMMAND EXECUTION"). */
function runOwn(name: string, call: Call, shell: ScriptShell): Outcome | null {
  const definition = call.lookup === 'any' ? call.state.functions.get(name) : undefined;
  if (definition !== undefined) {
    if (definition.certain) {
      return runFunction(definition, call, shell);
    }
    const { success, failure } = parted(either(call.state));
    const outcome = runFunction(definition, { ...call, state: success ?? call.state }, shell);
    const otherwise = changed(failure ?? call.state, { functions: new Map() });
    return mergeOutcome(outcome, dispatch({ ...call, state: otherwise }, shell));
  }
  runSubscripts(name, call, shell);
  const outcome = ordinaryPrograms.has(name) ? null : (builtins.get(name)?.(call, shell) ?? null);
  if (outcome !== null && call.frame.output !== null && printsState(name, call.argv.slice(1))) {
    call.frame.output.append(unknownWord(call.source, `what ${name} prints is not known`), call.state.path);
  }
  if (outcome?.failure != null && !answering.has(name)) {
    appendErrors(call, null);
  }
  return outcome;
}

/** Builtins that fail without a word, or run what says something itself. */
const answering = new Set(['[', 'test', 'false', 'let', 'read', 'eval', '.', 'source']);

/** The program that a copy or a link goes back to: one that the line has made, or a link to git that is there. */
function originalName(call: Call, shell: ScriptShell): string | null {
  const [program] = call.argv;
  if (program === undefined || !(shell.overlay.hasLinks || isPath(program))) {
    return null;
  }
  const path = resolvePath(program, call.state.cwd);
  const made = path === null ? null : shell.overlay.original(path);
  return made ?? (path !== null && isPath(program) ? linkedGit(path, shell) : null);
}

/** Not `/usr/bin/git` itself, nor `git-push` beside git's other programs: their names say what they do. */
function linkedGit(path: string, { files }: ScriptShell): string | null {
  return !/\/git(?:-[\w-]+)?$/.test(path) && files.realPath(path).endsWith('/git') ? 'git' : null;
}

function isPath(word: Word | undefined): boolean {
  return word?.kind === 'known' && word.value.includes('/');
}

/** The dynamic linker under its own name runs the program that it is given: ld.so(8). */
const isLoader = /^ld(?:-linux|-musl)?[\w.-]*\.so(?:\.\d+)*$/;

/** A program that runs others; null where it runs none, or none this time. */
function runCarrier(program: string, call: Call, shell: ScriptShell): Outcome | null {
  const wrapper = wrappers.get(isLoader.test(program) ? 'ld.so' : program);
  if (wrapper !== undefined) {
    return readWrapper(program, wrapper, call, shell);
  }
  const reader = shellPrograms.get(program) ?? findCarrier(program);
  return reader?.(call, shell) ?? null;
}

/** Variables in which programs look for what edits, shows or opens something: environ(7), less(1), gh(1). */
const namingVariables = [
  ...['EDITOR', 'VISUAL', 'SUDO_EDITOR', 'GH_EDITOR', 'PAGER', 'MANPAGER', 'GH_PAGER', 'BROWSER'],
  ...['LESSOPEN', 'LESSCLOSE', 'SYSTEMD_PAGER', 'AWS_PAGER'],
];

/** What such a variable of the line names may be started by any program: `EDITOR='git push -f #' crontab -e`. */
function runNamedPrograms(call: Call, shell: ScriptShell): void {
  const { variables } = call.state;
  for (const name of variables.size === 0 ? [] : namingVariables) {
    const variable = variables.get(name);
    const value = variable?.kind === 'scalar' && variable.exported ? variable.value : null;
    if (value?.kind === 'known' && /\bgit\b/.test(value.value)) {
      const frame = framed(through(call.frame, name), { input: null, output: null });
      const process = { label: name, name: knownWord('sh'), positional: [], input: null };
      shell.runProcess(
        { ...call, state: doubtful(withVariable(call.state, name, { kind: 'unset' })), frame },
        value.value.replace(/^[|-]+/, ''),
        process,
      );
    }
  }
}

function runProgram(program: string, call: Call, shell: ScriptShell): Outcome {
  const original = originalName(call, shell);
  if (original !== null) {
    return dispatch({ ...call, argv: [knownWord(original), ...call.argv.slice(1)] }, shell);
  }
  const planted = plantedProgram(call, shell);
  const script = planted === null ? null : runScriptFile({ ...call, argv: [planted, ...call.argv.slice(1)] }, shell);
  if (script !== null) {
    return script;
  }
  if (planted !== null && programName(planted) !== program) {
    return dispatch({ ...call, argv: [planted, ...call.argv.slice(1)] }, shell);
  }
  const subcommand = program === 'git' ? plantedSubcommand(call, shell) : null;
  if (subcommand !== null) {
    runScriptFile({ ...call, argv: subcommand, state: doubtful(call.state) }, shell);
  }
  if (program !== 'git') {
    if (shell.overlay.keptTexts.length > 0) {
      runFoundTexts(program, call, shell);
    }
    runNamedPrograms(call, shell);
  } else if (beginningOf(call.argv[1]).startsWith('-') && stopsForDirectory(call, shell)) {
    return fails(call.state);
  }
  const carried = ordinaryPrograms.has(program) ? null : runCarrier(program, call, shell);
  const read = carried ?? (isPath(call.argv[0]) ? runScriptFile(call, shell) : null);
  if (read !== null) {
    return read;
  }
  emitProgram(program, call, shell);
  if (!ordinaryPrograms.has(program) && !wrappers.has(program) && findCarrier(program) === null) {
    runUnknownWrapper(program, call, shell);
  }
  if (changesFiles(program, call.argv)) {
    shell.overlay.mayCreate = true;
  }
  return endOfProgram(program, call, shell);
}
