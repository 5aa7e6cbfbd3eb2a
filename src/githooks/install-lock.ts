import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { removeIfEmpty } from './atomic-file.ts';
import { stateDirectory } from './front.ts';

const patience = 10_000;

/**
 * Runs `work` while no other installation works on this repository. A lock whose process is gone (it was killed) is
 * taken over. Nothing of it stays, nor does an empty directory.
 *
 * @param options.onFullDisk `work` writes nothing and goes on without the lock where the disk has no room for it: then
 * nobody else can install either (default: it fails)
 * @throws OxideError `install-locked` after 10 s
 */
export async function withInstallLock<Result>(
  commonDir: string,
  work: () => Result,
  options: { readonly onFullDisk?: 'go on' } = {},
): Promise<Result> {
  const path = join(stateDirectory({ commonDir }), 'hooks.lock');
  const deadline = Date.now() + patience;
  const isWithout = (error: unknown) => options.onFullDisk === 'go on' && isFullDisk(error);
  while (!take(path, isWithout)) {
    if (!breakAbandoned(path) && Date.now() > deadline) {
      throw new OxideError('install-locked', 'Another installation has been working on this repository for 10 s.', {
        remedy: `rm ${quoteWord(path)}`,
      });
    }
    await sleep(20);
  }
  try {
    removeClaimsOfTheDead(path);
    return work();
  } finally {
    rmSync(path, { force: true });
    removeIfEmpty(dirname(path));
  }
}

/**
 * Linking a finished file into place means that a lock always names its owner, whenever its process is killed. Where the
 * file system has no links the file is created in place.
 */
function take(path: string, isWithout: (error: unknown) => boolean): boolean {
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
    // ENOENT: an uninstallation took the empty directory away in between.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') {
      return false;
    }
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Of two who find the same dead lock, the one that renames it first takes it away; the other puts back what it took instead. */
function breakAbandoned(path: string): boolean {
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

/** What a process leaves that was killed while it reached for the lock. Those that still wait keep theirs. */
function removeClaimsOfTheDead(path: string): void {
  for (const name of existsSync(dirname(path)) ? readdirSync(dirname(path)) : []) {
    const owner = /^hooks\.lock\.(\d+)(?:\.abandoned)?$/.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) {
      rmSync(join(dirname(path), name), { force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
