import { writeSync } from 'node:fs';
import { fitsFixedHashes, isStartedFast } from '../node-start.ts';
import { answerAgent, type FrontContext, refuse } from './agent-front.ts';
import { leadsNowhere, writeAll } from './descriptor-output.ts';
import { type AgentName, type Answer, agentNames, isAgentName } from './dialect.ts';
import { dialects } from './dialects.ts';
import { readPayload } from './payload-reader.ts';
import { startAgain } from './start-again.ts';

/** Milliseconds until the hook gives up and denies; shorter than the time-out it is installed with. */
const defaultTime = 8000;

/** Milliseconds for a payload that must lie there already. */
const timeForLeftPayload = 1000;

/**
 * One call of `oxide-guard hook --agent NAME`: reads the payload, answers on stdout, and ends the process. Whatever
 * happens, stdout gets one JSON object or nothing.
 *
 * @param args the words after the program
 */
export async function runAgentHook(args: readonly string[], context: FrontContext): Promise<never> {
  const name = args[args.indexOf('--agent') + 1] ?? '';
  if (!isAgentName(name)) {
    writeSync(2, `oxide-guard: '${name}' is no agent this guard knows. Choose from: ${agentNames.join(', ')}\n`);
    return process.exit(2);
  }
  // Started by what stands after `||` in the agents' settings: the hook before this one failed.
  const isAgain = args.includes('--again');
  const time = timeFrom(context);
  const stop = (why: string): never => end(refusal(name, why));
  // A configuration that ends the process, or never settles, must not pass for "no objection".
  process.on('exit', () => {
    if (!hasAnswered) {
      stop('It ended before it had judged. Does a configuration file end it?');
    }
  });
  process.on('uncaughtException', (error) => stop(error.message));
  process.on('unhandledRejection', (error) => stop(String(error)));
  const deadline = Date.now() + time;
  const payload = await readPayload(isAgain ? Date.now() + timeForLeftPayload : deadline);
  const isEmpty = typeof payload === 'object' && payload.text === '';
  if (isAgain && (isEmpty || payload === 'late')) {
    // The one before has read the payload, and said why it refuses; unless it was killed, and some agents take a refusal
    // without a word for a hook that failed, and run the command.
    return end({ stdout: '', stderr: 'oxide-guard: the call is refused\n', exitCode: 2 });
  }
  if (isEmpty && isStartedFast()) {
    // Some versions of Cursor write the call behind the line as a here-document, which only the program after `||` reads.
    return end({ stdout: '', stderr: 'oxide-guard: no call on standard input [guard-failure]\n', exitCode: 2 });
  }
  if (payload === 'late') {
    return stop(`It took longer than ${time / 1000} s to read its payload.`);
  }
  if (payload === 'too-large') {
    return stop('Its payload is larger than 10 MiB.');
  }
  if (!fitsFixedHashes(payload.text)) {
    return end(startAgain(args, payload.text));
  }
  void limitTime(deadline, () => stop(`It took longer than ${time / 1000} s. ${whenSlow}`));
  return end(await answerAgent(name, payload.text, context));
}

/** By the exit code where the answer can't be made either: when parts of the package are gone. */
function refusal(name: AgentName, why: string): Answer {
  try {
    return refuse(dialects[name], why);
  } catch {
    return { stdout: '', stderr: `oxide-guard: ${why} [guard-failure]\n`, exitCode: 2 };
  }
}

/** What was slow is mostly the disk, and git has to read the same again. */
const whenSlow =
  'Try the same once more: what has just been read is read faster. ' +
  'If it is refused again, ask the user to run it in a terminal of their own.';

/** A judgement that waits for no file and no process ends within these turns, and node's timers need not be started. */
const turnsWithoutTimer = 2000;

async function limitTime(deadline: number, stop: () => void): Promise<void> {
  for (let turn = 0; turn < turnsWithoutTimer; turn += 1) {
    await null;
  }
  setTimeout(stop, Math.max(1, deadline - Date.now()));
}

function timeFrom({ env }: FrontContext): number {
  const time = Number(env.OXIDE_GUARD_HOOK_TIMEOUT);
  return Number.isFinite(time) && time > 0 ? Math.min(time, defaultTime) : defaultTime;
}

/** One process answers once. */
let hasAnswered = false;

function end({ stdout, stderr, exitCode }: Answer): never {
  hasAnswered = true;
  if (stdout !== '' && (leadsNowhere(1) || !writeAll(1, stdout))) {
    // An answer that nobody gets would pass for none, and so for no objection.
    writeAll(2, 'oxide-guard: the answer to this call could not be written, so it is refused [guard-failure]\n');
    return process.exit(2);
  }
  writeAll(2, stderr);
  return process.exit(exitCode);
}
