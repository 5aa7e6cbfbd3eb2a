import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../repository.ts';

/** Bytes. To list the paths of more than this takes as long as to ask git. */
const maximumSize = 4 * 1024 * 1024;
/** What stands before an entry's object name: its times, mode, owner and size. */
const statLength = 40;
/** The flags of an entry, and those that follow where it has more. */
const assumeValid = 0x8000;
const isExtended = 0x4000;
const skipWorktree = 0x4000;

/** An entry as it stands in the file. */
interface Entry {
  /** Has git been told not to look at the file: git-update-index(1) `--assume-unchanged`, `--skip-worktree`? */
  readonly isHidden: boolean;
  /** Bytes at the end of the path before it that are not in this one; null: it shares nothing with that. */
  readonly dropped: number | null;
  /** Where its own part of the path stands. */
  readonly begin: number;
  readonly end: number;
}

/**
 * Paths of all entries of a repository's index.
 *
 * @returns null where only git can tell
 */
export async function readIndexedPaths(repository: Repository): Promise<readonly string[] | null> {
  const path = indexPath(repository);
  const length = await oidLength(repository);
  if (path === null || length === null) {
    return null;
  }
  if (!existsSync(path)) {
    return [];
  }
  try {
    return statSync(path).size > maximumSize ? null : pathsIn(readFileSync(path), length);
  } catch {
    // It may not be read, or not be understood.
    return null;
  }
}

/**
 * Does a repository's index say of any file that git shall not look at it in the work tree? Looked up in the file,
 * because hardly any index does and asking git costs a process.
 *
 * @returns true as well where only git can tell
 */
export async function mayHideChanges(repository: Repository): Promise<boolean> {
  const path = indexPath(repository);
  const length = await oidLength(repository);
  if (path === null || length === null) {
    return true;
  }
  try {
    return existsSync(path) && entriesOf(readFileSync(path), length).some(({ isHidden }) => isHidden);
  } catch {
    return true;
  }
}

/** Null: another index is named, which may lie anywhere. */
function indexPath({ git, gitDir }: Repository): string | null {
  return git.context.env.GIT_INDEX_FILE === undefined ? join(gitDir, 'index') : null;
}

/** Bytes of an object's name: git-config(1) `extensions.objectFormat`; null for a format that is not known here. */
async function oidLength(repository: Repository): Promise<number | null> {
  const format = (await repository.config()).get('extensions.objectformat')?.toLowerCase() ?? 'sha1';
  return format === 'sha1' ? 20 : format === 'sha256' ? 32 : null;
}

function pathsIn(index: Buffer, length: number): readonly string[] {
  // In Latin-1, because version 4 shares bytes and not letters.
  let path = '';
  return entriesOf(index, length).map(({ dropped, begin, end }) => {
    path = (dropped === null ? '' : path.slice(0, path.length - dropped)) + index.toString('latin1', begin, end);
    return Buffer.from(path, 'latin1').toString('utf8');
  });
}

/**
 * The entries of an index: gitformat-index(5), versions 2 to 4.
 *
 * @param length of an object's name, in bytes
 * @throws {RangeError} the file is none of these, ends too early, or has not all of the entries
 */
function entriesOf(index: Buffer, length: number): Entry[] {
  const version = index.readUInt32BE(4);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) {
    throw new RangeError('not an index of version 2 to 4');
  }
  const entries: Entry[] = [];
  let position = 12;
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = position + statLength + length;
    const flags = index.readUInt16BE(flagsAt);
    const hasMore = version > 2 && (flags & isExtended) !== 0;
    const isSkipped = hasMore && (index.readUInt16BE(flagsAt + 2) & skipWorktree) !== 0;
    const pathAt = flagsAt + (hasMore ? 4 : 2);
    const { dropped, begin } = version === 4 ? readDropped(index, pathAt) : { dropped: null, begin: pathAt };
    const end = index.indexOf(0, begin);
    if (end < 0) {
      throw new RangeError('a path without an end');
    }
    entries.push({ isHidden: (flags & assumeValid) !== 0 || isSkipped, dropped, begin, end });
    // Before version 4 one to eight NULs make an entry's length a multiple of eight.
    position = version === 4 ? end + 1 : position + ((end - position + 8) & ~7);
  }
  refuseOtherEntries(index, position, index.length - length);
  return entries;
}

/** How many bytes of the path before it an entry of version 4 does without, a number of variable length. */
function readDropped(index: Buffer, start: number): { dropped: number; begin: number } {
  let begin = start;
  let byte = index.readUInt8(begin);
  let dropped = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    begin += 1;
    byte = index.readUInt8(begin);
    dropped = (dropped + 1) * 0x80 + (byte & 0x7f);
  }
  return { dropped, begin: begin + 1 };
}

/**
 * Extensions can say that these are not all entries (`link`: a split index, `sdir`: one with whole directories). What is
 * written in small letters must be understood.
 *
 * @throws {RangeError} there is one
 */
function refuseOtherEntries(index: Buffer, start: number, end: number): void {
  for (let position = start; position < end; ) {
    if (!/[A-Z]/.test(index.toString('latin1', position, position + 1))) {
      throw new RangeError('an extension that must be understood');
    }
    position += 8 + index.readUInt32BE(position + 4);
  }
}
