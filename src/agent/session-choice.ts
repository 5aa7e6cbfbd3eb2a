import { ExitCode, OxideError } from '../errors.ts';
import type { Environment } from '../git/runner.ts';
import {
  createSession,
  forkSession,
  listSessions,
  newSessionId,
  resumeSession,
  type StoredSession,
  sessionsDirectory,
} from './session/store.ts';

/** Which session the person wants: a new one unless one of these is set. */
export interface SessionChoice {
  /** An id. */
  readonly resume: string | null;
  /** The one that was used last in this directory. */
  readonly continue: boolean;
  /** Go on in a copy. */
  readonly fork: boolean;
  /** Of a new session: nothing reaches the disk until it is applied. */
  readonly virtual: boolean;
}

/**
 * Opens the session that the person wants.
 *
 * @throws OxideError `no-session` where there is none to continue, and what opening it throws
 */
export function openChosenSession(choice: SessionChoice, cwd: string, model: string, env: Environment): StoredSession {
  const root = sessionsDirectory(env);
  const id = choice.resume ?? (choice.continue ? latest(root, cwd) : null);
  if (id !== null) {
    return choice.fork ? forkSession(root, id, newSessionId()) : resumeSession(root, id);
  }
  return createSession(root, {
    type: 'session',
    version: 1,
    id: newSessionId(),
    cwd,
    created: new Date().toISOString(),
    mode: choice.virtual ? 'virtual' : 'disk',
    model,
  });
}

function latest(root: string, cwd: string): string {
  const [session] = listSessions(root, cwd);
  if (session === undefined) {
    throw new OxideError('no-session', `There is no session of ${cwd} to continue.`, {
      remedy: 'oxide-guard agent "…"',
      exitCode: ExitCode.usage,
    });
  }
  return session.id;
}
