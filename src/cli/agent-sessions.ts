import type { SessionHeader, SessionRecord } from '../agent/session/record.ts';
import { listSessions, readSession, sessionsDirectory } from '../agent/session/store.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { printableLine } from '../ui/findings.ts';
import { localTime } from '../ui/local-time.ts';

/** What the person has asked in a session. */
export function promptsIn(records: readonly SessionRecord[]): readonly string[] {
  return records.flatMap((record) =>
    record.type === 'message' && record.message.role === 'user' ? [record.message.text] : [],
  );
}

/** A session goes on where it began: its files, its repository and its rules are there. */
export function elsewhere({ id, cwd }: SessionHeader): OxideError {
  return new OxideError('session-elsewhere', `The session ${id} works in ${cwd}.`, {
    remedy: `cd ${quoteWord(cwd)} && oxide-guard agent --resume ${id} "…"`,
    exitCode: ExitCode.usage,
  });
}

/** By which a person knows a session again. */
function firstPrompt(root: string, id: string): string {
  const [prompt = '(no prompt yet)'] = promptsIn(readSession(root, id));
  const [line = ''] = prompt.trim().split('\n');
  return line === prompt.trim() && line.length <= 60 ? line : `${line.slice(0, 60).trimEnd()}…`;
}

/** For `--resume` without an id. */
export function whichSession(cwd: string): OxideError {
  const root = sessionsDirectory(process.env);
  const sessions = listSessions(root, null).slice(0, 10);
  const lines = sessions.map(({ id, used, cwd: place }) =>
    [id, localTime(new Date(used).toISOString()), firstPrompt(root, id), ...(place === cwd ? [] : [`in ${place}`])]
      .map(printableLine)
      .join('  '),
  );
  return new OxideError('which-session', sessions.length === 0 ? 'There is no session yet.' : 'Which session?', {
    remedy:
      sessions.length === 0 ? 'oxide-guard agent "…"' : `oxide-guard agent --resume ID "…"\n  ${lines.join('\n  ')}`,
    exitCode: ExitCode.usage,
  });
}
