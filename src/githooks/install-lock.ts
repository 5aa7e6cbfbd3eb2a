import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OxideError } from '../errors.ts';
import { breakAbandoned, isRunning, takeLock } from '../lock-file.ts';
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
  while (!takeLock(path, isWithout)) {
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

function isFullDisk(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
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
