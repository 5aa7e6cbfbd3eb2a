import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes. To read more than this takes as long as to ask git. */
const maximumSize = 4 * 1024 * 1024;
/** What stands before an entry's object name: its times and what `stat` says. */
const statLength = 40;
const isExtended = 0x4000;

/**
 * Paths of all entries of a work tree's index: gitformat-index(5), versions 2 to 4.
 *
 * @param oidLength bytes of an object name
 * @returns null where only git can tell
 */
export function readIndexedPaths(gitDir: string, oidLength: number): readonly string[] | null {
  const path = join(gitDir, 'index');
  if (!existsSync(path)) {
    return [];
  }
  if (statSync(path).size > maximumSize) {
    return null;
  }
  try {
    return pathsIn(readFileSync(path), oidLength);
  } catch {
    // It ends too early, or may not be read.
    return null;
  }
}

function pathsIn(index: Buffer, oidLength: number): readonly string[] | null {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) {
    return null;
  }
  // In Latin-1, because version 4 shares bytes and not letters.
  const paths: string[] = [];
  let position = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flags = position + statLength + oidLength;
    const start = flags + ((index.readUInt16BE(flags) & isExtended) === 0 ? 2 : 4);
    const { kept, begin } = version === 4 ? sharedWith(paths.at(-1) ?? '', index, start) : { kept: '', begin: start };
    const end = index.indexOf(0, begin);
    if (end < 0) {
      return null;
    }
    paths.push(kept + index.toString('latin1', begin, end));
    // Before version 4 one to eight NULs make an entry's length a multiple of eight.
    position = version === 4 ? end + 1 : position + ((end - position + 8) & ~7);
  }
  return hasOtherEntries(index, position, index.length - oidLength)
    ? null
    : paths.map((path) => Buffer.from(path, 'latin1').toString('utf8'));
}

/** What an entry of version 4 takes over from the path before it, and where its own part begins. */
function sharedWith(before: string, index: Buffer, start: number): { kept: string; begin: number } {
  let begin = start;
  let byte = index.readUInt8(begin);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    begin += 1;
    byte = index.readUInt8(begin);
    dropped = (dropped + 1) * 0x80 + (byte & 0x7f);
  }
  return { kept: before.slice(0, before.length - dropped), begin: begin + 1 };
}

/**
 * Does an extension say that these are not all entries (`link`: a split index, `sdir`: one with whole directories)? What
 * is written in small letters must be understood.
 */
function hasOtherEntries(index: Buffer, start: number, end: number): boolean {
  for (let position = start; position < end; ) {
    if (!/[A-Z]/.test(index.toString('latin1', position, position + 1))) {
      return true;
    }
    position += 8 + index.readUInt32BE(position + 4);
  }
  return false;
}
