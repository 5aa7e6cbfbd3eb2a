import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** How many refused messages are kept, the newest. */
const kept = 20;

/**
 * Keeps a refused commit message: git overwrites its own copy (COMMIT_EDITMSG) at the next commit.
 *
 * @param gitDir of the worktree the commit was made in
 * @returns the file's path; null when it could not be written
 */
export function keepMessage(gitDir: string, message: Uint8Array, now = new Date()): string | null {
  const directory = join(gitDir, 'oxide-guard', 'rejected');
  try {
    mkdirSync(directory, { recursive: true });
    const names = readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort();
    const newest = names.at(-1);
    if (newest !== undefined && readFileSync(join(directory, newest)).equals(message)) {
      return join(directory, newest);
    }
    const path = join(directory, `${now.toISOString().replaceAll(':', '-')}.txt`);
    writeWhole(path, message);
    for (const old of names.slice(0, Math.max(0, names.length + 1 - kept))) {
      rmSync(join(directory, old), { force: true });
    }
    return path;
  } catch {
    return null;
  }
}

/** Half a message would pass for the whole one. */
function writeWhole(path: string, message: Uint8Array): void {
  try {
    writeFileSync(path, message, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      rmSync(path, { force: true });
    }
    throw error;
  }
}
