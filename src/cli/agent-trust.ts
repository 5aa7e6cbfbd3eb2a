import type { TrustQuestion } from '../agent/trust/session-configuration.ts';
import type { Console } from '../ui/console.ts';
import { printable } from '../ui/findings.ts';
import { type Answer, askOnTerminal, hasTerminal } from '../ui/terminal-question.ts';

/** Asks on the controlling terminal, before anything of the session begins, whether a folder's own settings may act. */
export async function askForTrust({ folder, powers }: TrustQuestion, { err, colors }: Console): Promise<Answer> {
  if (!hasTerminal()) {
    // The session's notice says what is left out.
    return 'unanswered';
  }
  err(`The settings of ${colors.bold(printable(folder))} want this, without asking you each time:`);
  for (const power of powers) {
    err(`  ${colors.yellow('•')} ${printable(power).replaceAll('\n', '⏎')}`);
  }
  return askOnTerminal('Do you trust them, as they are now?');
}
