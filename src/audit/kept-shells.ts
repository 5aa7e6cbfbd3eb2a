import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf, makeDirectory, namesIn, removeRemains } from '../git/files.ts';

/** Directories of one session; more than these would make every call slow, and are not what anybody does. */
const most = 6;

/** Milliseconds after which a session has surely ended: a week. */
const lifetime = 7 * 24 * 3_600_000;

/**
 * Where a session's shell may stand, besides where it began: an agent that keeps one shell does not always say. Nothing
 * is ever taken back, because a command that was called off or goes on in the background moves nothing.
 *
 * @param state the user's state directory
 * @param session the agent's name of the session
 * @returns directories that are there, those it came to last first
 */
export function keptShellDirectories(state: string, session: string): readonly string[] {
  return read(fileOf(state, session)).filter((path) => kindOf(path) === 'directory');
}

/**
 * Adds where a command may have left the session's shell. Best effort: without it the next command is judged where the
 * shell began.
 *
 * @param state the user's state directory
 * @param now milliseconds since the epoch
 */
export function rememberKeptShell(
  state: string,
  session: string,
  directories: readonly string[],
  now = Date.now(),
): void {
  const path = fileOf(state, session);
  const known = read(path);
  if (directories.every((directory) => known.includes(directory))) {
    return;
  }
  const kept = [...new Set([...directories, ...known])].slice(0, most);
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  const written = `${path}.${randomUUID()}.tmp`;
  try {
    makeDirectory(directoryOf(state), 0o700);
    removeEnded(directoryOf(state), now);
    writeFileSync(written, JSON.stringify(kept), { flag: 'wx', mode: 0o600 });
    renameSync(written, path);
  } catch {
    removeRemains(written);
  }
}

function removeEnded(directory: string, now: number): void {
  for (const name of namesIn(directory)) {
    const path = join(directory, name);
    if (now - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? now) > lifetime) {
      rmSync(path, { force: true });
    }
  }
}

function read(path: string): readonly string[] {
  try {
    const stored = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string').slice(0, most) : [];
  } catch {
    return [];
  }
}

function directoryOf(state: string): string {
  return join(state, 'oxide-guard', 'kept-shells');
}

/** A session's name may be anything; that of its file is not. */
function fileOf(state: string, session: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return join(directoryOf(state), createHash('sha256').update(session).digest('hex').slice(0, 32));
}
