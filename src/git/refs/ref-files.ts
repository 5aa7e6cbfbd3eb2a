import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSymbolicLink, kindOf, tryReadText } from '../files.ts';

/** What a ref's file says; `unreadable` where only git can tell (reftable, a symbolic link, something odd). */
export type RefFile =
  | { readonly kind: 'oid'; readonly oid: string }
  | { readonly kind: 'symref'; readonly target: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' };

/** The directories that hold a repository's refs. */
export interface RefDirectories {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** A ref that exists. */
export interface RefValue {
  readonly oid: string;
  /** For a symbolic ref, what it points to. */
  readonly symref: string | null;
}

const absent: RefFile = { kind: 'absent' };
const unreadable: RefFile = { kind: 'unreadable' };

/** gitglossary(7) "per-worktree ref". */
export const perWorktree: readonly string[] = ['refs/bisect', 'refs/worktree', 'refs/rewritten'];

/** Only HEAD and friends, and these hierarchies, belong to a single worktree. */
function isPerWorktree(ref: string): boolean {
  return !ref.startsWith('refs/') || perWorktree.some((hierarchy) => ref.startsWith(`${hierarchy}/`));
}

/** In a reftable repository HEAD's file names this branch, which cannot exist: gitformat-reftable. */
const reftableMarker = 'refs/heads/.invalid';

/**
 * Reads one ref from the files backend without starting git: a loose file, else packed-refs. Symbolic refs are not
 * followed. A process costs a hook 5 ms, a file nothing.
 *
 * @param ref full name: `HEAD`, `refs/heads/main`
 */
export function readRefFile(directories: RefDirectories, ref: string): RefFile {
  const path = looseFile(directories, ref);
  const loose = tryReadText(path);
  if (loose === 'error') {
    return unreadable;
  }
  if (loose !== null) {
    return isSymbolicLink(path) ? unreadable : parseLooseRef(loose);
  }
  if (kindOf(join(directories.commonDir, 'reftable')) !== null) {
    return unreadable;
  }
  return isPerWorktree(ref) ? absent : readPackedRef(directories.commonDir, ref);
}

/** The same for a ref that has just been found to be a regular file: it is not looked at again before it is read. */
export function readRegularRef(directories: RefDirectories, ref: string): RefFile {
  try {
    return parseLooseRef(readFileSync(looseFile(directories, ref), 'utf8'));
  } catch {
    // Gone, or packed, in the meantime.
    return readRefFile(directories, ref);
  }
}

/** git-worktree(1) "REFS": other work trees' are named from everywhere. */
function looseFile({ gitDir, commonDir }: RefDirectories, ref: string): string {
  const isElsewhere = /^(?:main-worktree|worktrees)\//.test(ref);
  return isElsewhere
    ? join(commonDir, ref.replace(/^main-worktree\//, ''))
    : join(isPerWorktree(ref) ? gitDir : commonDir, ref);
}

function parseLooseRef(content: string): RefFile {
  if (content.startsWith('ref:')) {
    const target = content.slice('ref:'.length).trim();
    return target === reftableMarker || target.includes('\n') ? unreadable : { kind: 'symref', target };
  }
  const oid = content.trimEnd();
  return isObjectName(oid) ? { kind: 'oid', oid } : unreadable;
}

/** 40 hexadecimal digits, or 64 in a repository with SHA-256. */
export function isObjectName(text: string): boolean {
  return (text.length === 40 || text.length === 64) && /^[0-9a-f]+$/.test(text);
}

function readPackedRef(commonDir: string, ref: string): RefFile {
  const content = tryReadText(join(commonDir, 'packed-refs'));
  if (content === null || content === 'error') {
    return content === null ? absent : unreadable;
  }
  const line = content.indexOf(` ${ref}\n`);
  if (line === -1) {
    return absent;
  }
  const oid = content.slice(content.lastIndexOf('\n', line) + 1, line);
  return /^[0-9a-f]+$/.test(oid) ? { kind: 'oid', oid } : unreadable;
}
