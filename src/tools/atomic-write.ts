import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  ftruncateSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDirectory } from '../git/files.ts';
import { isErrnoException } from './file-failure.ts';
import { openResolved } from './resolved-file.ts';

let serial = 0;

/**
 * Writes a file so that whoever looks, whenever, sees the old or the new content: a new file beside it takes its place.
 * Mode is kept, owner and group as far as the system allows; further hard links keep the old content, and extended
 * attributes are lost. Where the directory forbids a new file, or the file is a mount point, it is written in place.
 * Missing directories are made. Survives `kill -9`; it does not wait for the disk, so not a power failure.
 *
 * @param target absolute, symbolic links resolved
 * @param before the file's state, or null when there is none
 * @throws ErrnoException of the call that failed, with the target as its path
 */
export function writeAtomically(target: string, content: Buffer, before: Stats | null): void {
  try {
    if (before === null) {
      makeDirectory(dirname(target));
    } else {
      // Replacing a file needs the directory's permission only; a file that is read-only means to stay as it is.
      if (!isPlainlyWritable(before)) {
        accessSync(target, constants.W_OK);
      }
    }
    if (!replace(target, content, before)) {
      writeInPlace(target, content);
    }
  } catch (error) {
    if (isErrnoException(error)) {
      error.path = target;
    }
    throw error;
  }
}

function writeInPlace(target: string, content: Buffer): void {
  const descriptor = openResolved(target, constants.O_WRONLY);
  try {
    ftruncateSync(descriptor);
    writeAll(descriptor, content);
  } finally {
    closeSync(descriptor);
  }
}

function writeAll(descriptor: number, content: Buffer): void {
  for (let offset = 0; offset < content.length; ) {
    offset += writeSync(descriptor, content, offset);
  }
}

/** Most files are one's own and writable by their owner: that needs no question. */
function isPlainlyWritable({ uid, mode }: Stats): boolean {
  return (mode & constants.S_IWUSR) !== 0 && uid === process.geteuid?.();
}

/** False when the file can only be written in place. */
function replace(target: string, content: Buffer, before: Stats | null): boolean {
  serial += 1;
  const temporary = join(dirname(target), `.${basename(target).slice(0, 200)}.${process.pid}-${serial}.tmp`);
  const mayWriteInPlace = (error: unknown) =>
    before !== null && isErrnoException(error) && ['EACCES', 'EPERM', 'EBUSY', 'EROFS'].includes(error.code);
  let descriptor: number;
  try {
    descriptor = openResolved(temporary, 'wx', before === null ? 0o666 : before.mode & 0o777);
  } catch (error) {
    if (mayWriteInPlace(error)) {
      return false;
    }
    throw error;
  }
  try {
    fill(descriptor, content, before);
    renameSync(temporary, target);
    return true;
  } catch (error) {
    unlinkSync(temporary);
    if (mayWriteInPlace(error)) {
      return false;
    }
    throw error;
  }
}

function fill(descriptor: number, content: Buffer, before: Stats | null): void {
  try {
    writeAll(descriptor, content);
    if (before !== null) {
      keepOwner(descriptor, before);
      const mode = before.mode & 0o7777;
      // After the owner: changing that clears the set-user-ID bits. What opening has given already needs no change.
      if ((mode & (process.umask() | 0o7000)) !== 0) {
        fchmodSync(descriptor, mode);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

function keepOwner(descriptor: number, { uid, gid }: Stats): void {
  if (uid === process.geteuid?.() && gid === process.getegid?.()) {
    return;
  }
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // Only root may give a file away: it stays ours, with the same mode.
  }
}
