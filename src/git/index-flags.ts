/** What is said of an entry of the index, besides what it holds. */
const assumeValid = 0x8000;
const isExtended = 0x4000;
const skipWorktree = 0x4000;

/** Bytes of an entry's times, mode, owner and size: gitformat-index(5) "Index entry". */
const statLength = 40;

/**
 * Does an index say of any file that git shall not look at it in the work tree: git-update-index(1)
 * `--assume-unchanged`, `--skip-worktree`? Looked up in the file, because hardly any index does and asking git costs a
 * process.
 *
 * @param content of the file, gitformat-index(5)
 * @param hashLength of an object's name, in bytes
 * @returns true as well where the file can't be read that way
 */
export function mayHideChanges(content: Buffer, hashLength: number): boolean {
  const version = content.length < 12 ? 0 : content.readUInt32BE(4);
  if (content.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) {
    return true;
  }
  let at = 12;
  for (let left = content.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + statLength + hashLength;
    if (flagsAt + 4 > content.length) {
      return true;
    }
    const flags = content.readUInt16BE(flagsAt);
    const hasMore = version > 2 && (flags & isExtended) !== 0;
    if ((flags & assumeValid) !== 0 || (hasMore && (content.readUInt16BE(flagsAt + 2) & skipWorktree) !== 0)) {
      return true;
    }
    const nameAt = flagsAt + (hasMore ? 4 : 2);
    at = version === 4 ? endOfSuffix(content, nameAt) : endOfEntry(content, at, nameAt);
  }
  // A split index has the other entries in another file.
  return content.indexOf('link', at, 'latin1') === at;
}

/** The name ends with NUL, and fills up to a multiple of eight bytes with them. */
function endOfEntry(content: Buffer, start: number, nameAt: number): number {
  const length = content.indexOf(0, nameAt) - start;
  return start + ((length + 8) & ~7);
}

/** How much of the name before it goes, as a number of variable length, and what comes in its place, up to NUL. */
function endOfSuffix(content: Buffer, nameAt: number): number {
  let at = nameAt;
  while (((content[at] ?? 0) & 0x80) !== 0) {
    at += 1;
  }
  return content.indexOf(0, at + 1) + 1;
}
