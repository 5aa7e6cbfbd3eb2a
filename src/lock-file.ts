import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Takes a lock that names its owner's process. Linking a finished file into place means that it always does, whenever the
 * owner is killed. Where the file system has no links the file is created in place.
 *
 * @param isWithout is it an error with which the work goes on without the lock?
 * @returns false: somebody else has it
 */
export function takeLock(path: string, isWithout: (error: unknown) => boolean = () => false): boolean {
  const own = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(own, String(process.pid));
    try {
      linkSync(own, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') {
        throw error;
      }
      writeFileSync(path, String(process.pid), { flag: 'wx' });
    }
    return true;
  } catch (error) {
    if (isWithout(error)) {
      return true;
    }
    // ENOENT: somebody took the empty directory away in between.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') {
      return false;
    }
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Takes away a lock whose process is gone. Of two who find the same dead lock, the one that renames it first takes it
 * away; the other puts back what it took instead.
 */
export function breakAbandoned(path: string): boolean {
  try {
    const owner = readFileSync(path, 'utf8');
    if (isRunning(Number(owner))) {
      return false;
    }
    const aside = `${path}.${process.pid}.abandoned`;
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') !== owner) {
      linkSync(aside, path);
    }
    rmSync(aside, { force: true });
    return true;
  } catch {
    return false; // somebody else was faster
  }
}

/** Is there a process of this number? */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
