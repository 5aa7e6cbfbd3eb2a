import { writeSync } from 'node:fs';

/**
 * Writes a text to a descriptor, at once and to its end. Node's own streams cost a hook some milliseconds. Where nobody
 * reads any more (EPIPE) there is nothing to be done.
 */
export function writeAll(descriptor: number, text: string): void {
  if (text === '') {
    return;
  }
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(descriptor, bytes, written);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        return;
      }
    }
  }
}
