import { type Call, framed, type Shell, through } from '../call.ts';
import { doubtful, either, type Outcome } from '../shell-state.ts';
import { knownWord } from '../simple-command.ts';

/**
 * A call of a program that does what a script would do, if it does anything: both are reported, the call first.
 *
 * @param label names the program for people: `gh pr checkout`
 */
export function runAsScript(script: string, label: string, call: Call, shell: Shell): Outcome {
  shell.emitCommand(call);
  const frame = framed(through(call.frame, label), { input: null, output: null });
  const process = { label, name: knownWord('sh'), positional: [], input: null };
  shell.runProcess({ ...call, state: doubtful(call.state), frame }, script, process);
  return either(call.state);
}
