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
  let isWayTold = false;
  const tellWay = (rule: string) => {
    if (!isWayTold) {
      isWayTold = true;
      console.err(`  ${console.colors.yellow('!')} ${wayWithoutTerminal(rule)}`);
    }
  };
  return {
    ask: (request, signal) => {
      const answer = turn.then(() => askOne(request, console, signal, tellWay));
      turn = answer;
      return answer;
    },
  };
}

/** Only what the mode asks about: what the guard asks is allowed by `oxide-guard approve`. */
function wayWithoutTerminal(rule: string): string {
  const allowed = JSON.stringify({ permissions: { allow: [rule] } });
  return `Nobody can be asked here. To allow calls like this: "agent": ${printable(allowed)} in ~/.config/oxide-guard/config.json, or --permission-mode bypass, in which the guard judges all the same.`;
}

async function askOne(
  request: PermissionRequest,
  console: Console,
  signal: AbortSignal,
  tellWay: (rule: string) => void,
): Promise<PermissionAnswer> {
  if (signal.aborted) {
    return { kind: 'nobody', reason: 'the session was interrupted' };
  }
  const { tool, sessionRule, findings } = request;
  if (!hasTerminal()) {
    if (findings.length === 0 && sessionRule !== null) {
      tellWay(sessionRule);
    }
    return { kind: 'nobody', reason: 'there is no terminal' };
  }
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
