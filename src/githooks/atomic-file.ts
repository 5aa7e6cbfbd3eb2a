import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../git/files.ts';

const temporarySuffix = '.oxide-guard-tmp';

/**
 * Replaces a file in one step: whoever reads it, or starts it, finds the old or the new one whole.
 *
 * @param mode permission bits, whatever the umask is: a hook that others may not execute is silently ignored by git
 */
export function writeAtomically(path: string, content: string, mode: number): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}${temporarySuffix}`);
  const file = openSync(temporary, 'w', mode);
  try {
    try {
      // To its end: on a disk that is nearly full a single write may write a part and say so.
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    chmodSync(temporary, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Takes away what a killed installation left behind. Call it under the lock only.
 *
 * @param of only of the file of this name
 */
export function removeLeftovers(directory: string, of = ''): void {
  for (const name of namesIn(directory)) {
    if (name.endsWith(temporarySuffix) && name.startsWith(of === '' ? '' : `.${of}.`)) {
      unlinkSync(join(directory, name));
    }
  }
}

/** Removes a directory only when nothing is in it. */
export function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch {
    // Not empty, or gone: either way it stays as it is.
  }
}
