import { framed, type ProgramReader, type Shell, type Trap, through } from '../call.ts';
import { stateAfter } from '../merged-states.ts';
import { doubtful, either, type Outcome, type ShellState, succeeds, withVariable } from '../shell-state.ts';
import type { Word } from '../simple-command.ts';
import type { Capture } from '../stream.ts';
import { codeOf } from '../words/read-again.ts';

/** `trap 'commands' EXIT`: they run when the shell ends; those for a signal may run at any time from now on. */
export const trap: ProgramReader = (call, shell) => {
  const [script, ...names] = call.argv.slice(1).filter((word) => !(word.kind === 'known' && word.value === '--'));
  const isSet = script !== undefined && names.length > 0 && !(script.kind === 'known' && /^-|^$/.test(script.value));
  if (!isSet) {
    shell.traps = trapsWithout(shell.traps, names, call.state);
    return succeeds(call.state);
  }
  if (!names.every((name) => signals.test(signalName(name)))) {
    return either(call.state);
  }
  const code = codeOf(script);
  if (code === null) {
    shell.emitUnreadable(call, 'script', script.kind === 'unknown' ? script.reason : '');
  } else {
    // It runs later: in no condition, in no function or loop that it could leave, and output may lead elsewhere by then.
    const outside = { returns: null, breaks: null, continues: null, inCondition: false };
    const frame = framed(through(call.frame, 'trap'), { ...outside, printsPlainly: false, output: null });
    const set = names.map((name) => ({ code, signal: signalName(name), path: call.state.path, frame }));
    shell.traps = [...trapsWithout(shell.traps, names, call.state), ...set];
    if (set.some(({ signal }) => signal !== 'EXIT')) {
      const after = stateAfter(shell.runText(code, doubtful(call.state), frame));
      return succeeds(
        set.some(({ signal }) => comesBetween.test(signal)) ? withTrapped(call.state, after) : call.state,
      );
    }
  }
  return succeeds(call.state);
};

/** These come without any signal, between the commands of the shell. */
const comesBetween = /^(?:DEBUG|ERR|RETURN)$/;

/** What such a trap sets is not known from then on. */
function withTrapped(state: ShellState, after: ShellState | null): ShellState {
  const changes = [...(after?.variables ?? [])].filter(([name, variable]) => state.variables.get(name) !== variable);
  return changes.reduce((current, [name, variable]) => {
    const isScalar = variable.kind === 'scalar' || variable.kind === 'array';
    return isScalar ? withVariable(current, name, { ...variable, trapped: true }) : current;
  }, state);
}

/** Those that stay where others are set for these signals, or none: not what was set on a way that leads here surely. */
function trapsWithout(traps: readonly Trap[], signals: readonly Word[], { path }: ShellState): readonly Trap[] {
  const names = signals.map(signalName);
  return traps.filter((trap) => trap.path !== path || !names.includes(trap.signal));
}

/** What a shell can be told to wait for: bash(1) "trap", signal(7). Another name is an error. */
const signals =
  /^(?:EXIT|ERR|DEBUG|RETURN|\d+|HUP|INT|QUIT|ILL|TRAP|ABRT|BUS|FPE|KILL|USR[12]|SEGV|PIPE|ALRM|TERM|STKFLT|CHLD|CONT|STOP|TSTP|TTIN|TTOU|URG|XCPU|XFSZ|VTALRM|PROF|WINCH|IO|PWR|SYS|INFO|RTM(?:IN|AX).*)$/;

/** `SIGINT` and `int` are `INT`, 0 is `EXIT`. */
function signalName(word: Word): string {
  const name = (word.kind === 'known' ? word.value : word.source).toUpperCase().replace(/^SIG/, '');
  return name === '0' ? 'EXIT' : name;
}

/**
 * bash(1) "trap": those for other signals may also come when all else has run.
 *
 * @param outcome how the shell ends
 * @param output what reads what they print, if the shell itself leads it nowhere else
 */
export function runTraps(outcome: Outcome, shell: Pick<Shell, 'traps' | 'runText'>, output: Capture | null): void {
  const end = stateAfter(outcome);
  const run = new Set<string>();
  // One of them may set another.
  const next = () => shell.traps.find(({ code }) => !run.has(code));
  for (let trap = next(); trap !== undefined && end !== null; trap = next()) {
    run.add(trap.code);
    shell.runText(trap.code, doubtful(end), framed(trap.frame, { output }));
  }
}
