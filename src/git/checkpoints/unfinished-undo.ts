import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { breakAbandoned, takeLock } from '../../lock-file.ts';
import { quoteWord } from '../../quote.ts';

/** An undo that has begun to write and was not seen to end: it failed, or was killed. */
export interface UnfinishedUndo {
  /** The checkpoint that it was going to. */
  readonly to: string;
  /** The checkpoint of what was there before it wrote anything. */
  readonly before: string;
  /** ISO 8601, UTC. */
  readonly started: string;
}

function notePath(gitDir: string): string {
  return join(gitDir, 'oxide-guard', 'undo.json');
}

/** What a work tree's last undo has left half done; null: nothing. */
export function unfinishedUndo(gitDir: string): UnfinishedUndo | null {
  try {
    const { to, before, started } = JSON.parse(readFileSync(notePath(gitDir), 'utf8')) as Partial<UnfinishedUndo>;
    return typeof to === 'string' && typeof before === 'string' && typeof started === 'string'
      ? { to, before, started }
      : null;
  } catch {
    return null;
  }
}

/** Notes an undo as long as it writes. Where it fails the note stays. */
export async function whileNoted<Result>(
  gitDir: string,
  undo: UnfinishedUndo,
  write: () => Promise<Result>,
): Promise<Result> {
  const path = notePath(gitDir);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.new`, JSON.stringify(undo));
  renameSync(`${path}.new`, path);
  const result = await write();
  rmSync(path, { force: true });
  return result;
}

/**
 * One undo at a time in a work tree. The lock of one that was killed is taken over.
 *
 * @throws OxideError `undo-under-way`
 */
export async function withUndoLock<Result>(gitDir: string, undo: () => Promise<Result>): Promise<Result> {
  const path = join(gitDir, 'oxide-guard', 'undo.lock');
  if (!takeLock(path) && !(breakAbandoned(path) && takeLock(path))) {
    throw new OxideError('undo-under-way', 'Another undo is under way in this work tree. Nothing was changed.', {
      remedy: `oxide-guard undo   # once it has ended; if nothing runs any more, first rm ${quoteWord(path)}`,
    });
  }
  try {
    return await undo();
  } finally {
    rmSync(path, { force: true });
  }
}

/**
 * What git would only find after the first file is written.
 *
 * @param places of which git writes to each with a lock beside it: gitrepository-layout(5)
 * @throws OxideError `git-locked`
 */
export function refuseLocks(places: readonly string[]): void {
  const lock = places.map((path) => `${path}.lock`).find((path) => existsSync(path));
  if (lock !== undefined) {
    throw new OxideError('git-locked', `Another git process is at work here: ${lock} is there. Nothing was changed.`, {
      remedy: `rm ${quoteWord(lock)}   # if no git is running, then undo again`,
    });
  }
}
