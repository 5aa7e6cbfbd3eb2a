import type { Console } from '../ui/console.ts';
import { findingLines, printable } from '../ui/findings.ts';
import type { PermissionPort } from '../ui/permission.ts';
import { answerTime, askOnTerminal } from '../ui/terminal-question.ts';

/** Asks yes or no on the controlling terminal; without one, nobody answers. Questions wait for each other. */
export function terminalPermissions(console: Console): PermissionPort {
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask: (request, signal) => {
      const answer = turn.then(async () => {
        if (signal.aborted) {
          return { kind: 'nobody', reason: 'the session was interrupted' } as const;
        }
        const { tool, findings, reason } = request;
        const told = findings.length > 0 ? findingLines(findings, console.colors) : [printable(reason)];
        for (const line of told) {
          console.err(`  ${line}`);
        }
        switch (await askOnTerminal(`  Run ${tool}?`, answerTime, signal)) {
          case 'yes':
            return { kind: 'once' } as const;
          case 'no':
            return { kind: 'deny', reason: '' } as const;
          case 'unanswered':
            return {
              kind: 'nobody',
              reason: signal.aborted
                ? 'the session was interrupted'
                : 'there is no terminal, or no answer came in time',
            } as const;
        }
      });
      turn = answer;
      return answer;
    },
  };
}
