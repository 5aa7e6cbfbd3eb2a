import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

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
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(temporary, mode);
  renameSync(temporary, path);
}

/** Takes away what a killed installation left behind. Call it under the lock only. */
export function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (name.endsWith(temporarySuffix)) {
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
