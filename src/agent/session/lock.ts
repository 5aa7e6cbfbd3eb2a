import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { OxideError } from '../../errors.ts';

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
function owner(pid = process.pid): string {
  return `${pid} ${startOf(pid) ?? ''}`.trim();
}

/** Field 22 of /proc/PID/stat (proc(5)); null where there is none. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
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
  const [number = '', start] = held.split(' ');
  if (!/^[1-9]\d*$/.test(number)) {
    // A machine that lost its power may leave an empty file.
    return false;
  }
  const pid = Number(number);
  if (start !== undefined && process.platform === 'linux') {
    return startOf(pid) === start;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
