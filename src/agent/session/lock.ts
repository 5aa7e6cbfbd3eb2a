import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { OxideError } from '../../errors.ts';
import { hasProcessEnded, startOf } from '../../tools/process-mark.ts';

/**
 * Takes a session for this process: two that appended to one transcript would tear it. The lock of a process that is
 * gone (it was killed) is taken over.
 *
 * @returns gives the session back
 * @throws OxideError `session-in-use`
 */
export function lockSession(path: string, id: string): () => void {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (take(path)) {
      return () => rmSync(path, { force: true });
    }
    breakAbandoned(path);
  }
  throw new OxideError('session-in-use', `Another process works in the session ${id}.`, {
    remedy: `End it, or go on beside it in a copy: oxide-guard agent --resume ${id} --fork "…"`,
  });
}

/** The process, and when it started: its number may be another one's after a restart. */
function owner(): string {
  return `${process.pid} ${startOf(process.pid) ?? ''}`.trim();
}

/** Linking a finished file into place means that a lock always names its owner, whenever its process is killed. */
function take(path: string): boolean {
  const own = `${path}.${process.pid}`;
  try {
    writeFileSync(own, owner());
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
      return false;
    }
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Of two who find the same dead lock, the one that renames it first takes it away; the other puts back what it took instead. */
function breakAbandoned(path: string): void {
  try {
    const held = readFileSync(path, 'utf8');
    if (isRunning(held)) {
      return;
    }
    const aside = `${path}.${process.pid}.abandoned`;
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== held) {
      linkSync(aside, path);
    }
    rmSync(aside, { force: true });
  } catch {
    // Somebody else was faster.
  }
}

function isRunning(held: string): boolean {
  const [number = '', start = ''] = held.split(' ');
  // A machine that lost its power may leave an empty file.
  return /^[1-9]\d*$/.test(number) && !hasProcessEnded(Number(number), start);
}
