import { ExitCode, OxideError } from '../errors.ts';
import type { Environment } from '../git/runner.ts';
import type { ModelChoice } from './models/catalogue.ts';
import type { SessionHeader } from './session/record.ts';
import {
  createSession,
  forkSession,
  listSessions,
  newSessionId,
  resumeSession,
  type StoredSession,
  sessionHeader,
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
 * What the session that the person wants to go on with began with; null: they want a new one.
 *
 * @throws OxideError `no-session` where there is none to continue, `unknown-session`
 */
export function sessionToGoOnWith(choice: SessionChoice, cwd: string, env: Environment): SessionHeader | null {
  const root = sessionsDirectory(env);
  const id = choice.resume ?? (choice.continue ? latest(root, cwd) : null);
  return id === null ? null : sessionHeader(root, id);
}

/** What a new session begins with. */
export interface NewSession {
  readonly cwd: string;
  /** The model's name. */
  readonly model: string;
  /** What the command line says of it. */
  readonly chosen: ModelChoice;
}

/**
 * Opens the session that the person wants.
 *
 * @param earlier the one to go on with; null: a new one
 * @throws OxideError what opening it throws
 */
export function openChosenSession(
  choice: SessionChoice,
  earlier: SessionHeader | null,
  { cwd, model, chosen: { provider, model: name, baseUrl } }: NewSession,
  env: Environment,
): StoredSession {
  const root = sessionsDirectory(env);
  if (earlier !== null) {
    return choice.fork ? forkSession(root, earlier.id, newSessionId()) : resumeSession(root, earlier.id);
  }
  return createSession(root, {
    type: 'session',
    version: 1,
    id: newSessionId(),
    cwd,
    created: new Date().toISOString(),
    mode: choice.virtual ? 'virtual' : 'disk',
    model,
    chosen: { provider, model: name, baseUrl },
  });
}

/**
 * The model for a session that goes on: what the command line leaves open is as it said when the session began, unless
 * it names another provider, to which neither the address nor the model's name need mean anything.
 */
export function chosenModel(now: ModelChoice, before: ModelChoice | undefined): ModelChoice {
  return before === undefined || now.provider !== null
    ? now
    : {
        provider: before.provider,
        model: now.model ?? before.model,
        baseUrl: now.baseUrl ?? before.baseUrl,
      };
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
