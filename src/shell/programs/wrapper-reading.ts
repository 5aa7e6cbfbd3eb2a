import { directoryNamed } from '../builtins/presumed-directory.ts';
import { type Call, type Shell, through, throughPassing } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { knownOutput } from '../outputs/known-output.ts';
import { resolvePath } from '../path-resolution.ts';
import { writeUnread } from '../redirection.ts';
import { changed, either, ended, fails, type Outcome, parted, type ShellState, withPath } from '../shell-state.ts';
import { beginningOf, knownWord, programName, type Word } from '../simple-command.ts';
import { joinWords } from '../words/read-again.ts';
import { givenVariables } from './given-variables.ts';
import { runCommandString } from './shell-invocation.ts';
import type { Wrapper } from './wrapper.ts';
import { readWrapperWords, type WrapperWords } from './wrapper-words.ts';

/** Looks through a wrapper: the program it runs is called in its place. */
export function readWrapper(name: string, wrapper: Wrapper, call: Call, shell: Shell): Outcome {
  const words = readWrapperWords(wrapper, call);
  const isPassing = wrapper.endsAlone !== true;
  const frame = (isPassing ? throughPassing : through)(call.frame, name);
  const { environment } = wrapper;
  const variables = environment === undefined ? null : givenVariables(environment, words.given, call, shell);
  const given = variables === null ? call.state : withAssignments(call.state, variables);
  const state = enterDirectory(withAssignments(given, words.assignments), words.directory, shell);
  if (wrapper.outputs !== undefined) {
    writeOutputs(wrapper, words, call, shell);
  }
  const inner: Call = { ...call, argv: words.command, state, frame, lookup: wrapper.lookup ?? 'programs' };
  const outcome = runInner(wrapper, words, inner, call, shell);
  const keeps = name === 'builtin' || name === 'command';
  const back = (after: ShellState | null) =>
    after && (keeps ? after : withPath(call.state, isPassing ? after.path : call.state.path));
  return { success: back(outcome.success), failure: back(outcome.failure) };
}

/** `strace -o FILE`, `script FILE`: files that the wrapper itself makes, before the program runs. */
function writeOutputs({ outputs, writesOperand }: Wrapper, words: WrapperWords, call: Call, shell: Shell): void {
  const named = words.given.filter(({ name }) => outputs?.includes(name) === true).flatMap(({ values }) => values);
  for (const file of writesOperand === true ? [...named, ...words.operands] : named) {
    writeUnread(file, call, shell);
  }
}

function runInner(wrapper: Wrapper, words: WrapperWords, inner: Call, call: Call, shell: Shell): Outcome {
  if (words.script !== null) {
    return runCommandString(inner, shell, 'sh -c', words.script, []);
  }
  if (words.command.length === 0 && wrapper.shell?.some((name) => words.named.has(name))) {
    return runNothing(inner, words.options, shell);
  }
  if (words.ends || (words.command.length === 0 && typeof wrapper.run !== 'function')) {
    shell.emitCommand(call, knownOutput(programName(call.argv[0]) ?? '', call, shell));
    return either(call.state);
  }
  if (typeof wrapper.run === 'function') {
    return wrapper.run(inner, words.options, shell);
  }
  return wrapper.run === 'joined' ? runJoined(inner, shell) : shell.run(inner);
}

function runJoined(call: Call, shell: Shell): Outcome {
  return runCommandString(call, shell, 'sh -c', joinWords(call.argv), []);
}

/** A wrapper without a command (`su`, `nix-shell`) starts a shell, which reads what it is fed. */
export function runNothing(call: Call, _options: readonly Word[], shell: Shell): Outcome {
  return shell.run({ ...call, argv: [knownWord('sh')] });
}

/** `script` without a command starts a shell, too. */
export function runOrShell(call: Call, options: readonly Word[], shell: Shell): Outcome {
  return call.argv.length === 0 ? runNothing(call, options, shell) : shell.run(call);
}

/** `dotenv run -- program` of the one for Python; the one for Node has no such word. */
export function runDotenv(call: Call, _options: readonly Word[], shell: Shell): Outcome {
  const words = call.argv.map(beginningOf);
  const start = words[0] === 'run' ? words.findIndex((word, at) => at > 0 && !word.startsWith('-')) : 0;
  return start === -1 ? either(call.state) : shell.run({ ...call, argv: call.argv.slice(start) });
}

/** `watch` joins its words for `sh -c`, unless `-x` is given. */
export function runWatch(call: Call, options: readonly Word[], shell: Shell): Outcome {
  const exact = options.some((word) => word.kind === 'known' && /^(?:-[a-z]*x|--exec$)/.test(word.value));
  return exact ? shell.run(call) : runJoined(call, shell);
}

/** screen(1): `-X stuff TEXT` types a text into a shell that runs already. */
export function runScreen(call: Call, options: readonly Word[], shell: Shell): Outcome {
  const at = options.findIndex((word) => beginningOf(word) === '-X');
  const [text] = call.argv;
  const isTyped = at >= 0 && beginningOf(options[at + 1]) === 'stuff' && text?.kind === 'known';
  return isTyped
    ? runCommandString(
        call,
        shell,
        'screen -X stuff',
        knownWord(text.value.replaceAll(/\\(?:n|r|01[25])|\^M/g, '\n')),
        [],
      )
    : shell.run(call);
}

/** `setarch x86_64 -R program`: the architecture may be left out, and options may stand behind it. */
export function runArchitecture(call: Call, _options: readonly Word[], shell: Shell): Outcome {
  const isArchitecture = /^(?:linux(?:32|64)|uname26|i[3-6]86|x86_64|aarch64|arm\w*|mips\w*|ppc\w*|riscv\w*|s390x?)$/;
  const [first] = call.argv;
  const rest = first?.kind === 'known' && isArchitecture.test(first.value) ? call.argv.slice(1) : call.argv;
  const start = rest.findIndex((word) => !beginningOf(word).startsWith('-'));
  return start === -1 ? either(call.state) : shell.run({ ...call, argv: rest.slice(start) });
}

/** `exec program` takes the shell's place; without a program it only redirects. */
export function runExec(call: Call, _options: readonly Word[], shell: Shell): Outcome {
  if (call.argv.length === 0) {
    return either(call.state);
  }
  const { success, failure } = call.state.options.execfail ? parted(either(call.state)) : fails(call.state);
  shell.exit(shell.run({ ...call, state: success ?? call.state }));
  return success === null ? ended : { success: null, failure };
}

/** A state in another directory; null: it stays where it is. */
export function enterDirectory(state: ShellState, directory: Word | null, shell: Shell): ShellState {
  if (directory === null) {
    return state;
  }
  if (directory.kind === 'unknown') {
    return changed(state, { cwd: directoryNamed(directory, state.cwd, shell) });
  }
  const path = resolvePath(directory, state.cwd);
  return path === null ? state : changed(state, { cwd: { ...state.cwd, kind: 'known', path } });
}
