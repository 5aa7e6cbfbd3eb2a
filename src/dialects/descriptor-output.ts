import { fstatSync, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';

/**
 * Writes a text to a descriptor, at once and to its end. Node's own streams cost a hook some milliseconds.
 *
 * @returns whether all of it was written: not where nobody reads any more (EPIPE), a disk is full, or it is closed
 */
export function writeAll(descriptor: number, text: string): boolean {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        return false;
      }
    }
  }
  return true;
}

/** Does a descriptor lead nowhere? One that was closed when node started does so, too. */
export function leadsNowhere(descriptor: number): boolean {
  const { rdev } = fstatSync(descriptor);
  return rdev !== 0 && rdev === statSync(devNull, { throwIfNoEntry: false })?.rdev;
}
