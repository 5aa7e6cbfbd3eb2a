import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
import { type PermissionAnswer, type PermissionPort, type PermissionRequest, sessionOffer } from '../ui/permission.ts';
import { answerTime, hasTerminal, isYes, readOnTerminal } from '../ui/terminal-question.ts';
import { matterLines } from '../ui/tui/permission-dialog.ts';

/**
 * Asks on the controlling terminal: once, for the session where that may be offered, or no; without a terminal nobody
 * answers. Questions wait for each other.
 */
export function terminalPermissions(console: Console): PermissionPort {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask: (request, signal) => {
      const answer = turn.then(() => askOne(request, console, signal));
      turn = answer;
      return answer;
    },
  };
}

async function askOne(request: PermissionRequest, console: Console, signal: AbortSignal): Promise<PermissionAnswer> {
  if (signal.aborted) {
    return { kind: 'nobody', reason: 'the session was interrupted' };
  }
  if (!hasTerminal()) {
    return { kind: 'nobody', reason: 'there is no terminal' };
  }
  const { tool, sessionRule } = request;
  matterLines(request, console.colors).forEach(console.err);
  if (sessionRule !== null) {
    console.err(`  ${console.colors.dim(`a allows it for the session: ${printable(sessionOffer(sessionRule))}`)}`);
  }
  const choices = sessionRule === null ? 'y/N' : 'y/a/N';
  const line = await readOnTerminal(`  Run ${printable(tool)}? [${choices}] `, answerTime, signal);
  if (line === null) {
    const reason = signal.aborted ? 'the session was interrupted' : 'no answer came in time';
    return { kind: 'nobody', reason };
  }
  if (sessionRule !== null && /^\s*a\s*$/i.test(line)) {
    return { kind: 'session' };
  }
  return isYes(line) ? { kind: 'once' } : { kind: 'deny', reason: '' };
}
