import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { writeAtomically } from '../tools/atomic-write.ts';
import { targetOf } from '../tools/place.ts';
import { type KeptVersion, restoreSession } from './session/restore.ts';
import type { StoredSession } from './session/store.ts';
import { hashOfFile } from './session-versions.ts';

/** A virtual file, and what writing it to the disk would do. */
export interface PendingFile {
  readonly path: string;
  readonly version: number;
  /** `same`: the disk has this content already. `conflict`: the disk has changed there since the session read it. */
  readonly state: 'create' | 'replace' | 'same' | 'conflict';
}

/**
 * Writes the newest version of every file of a virtual session to the disk. All are checked before the first is
 * written; each is written atomically, and a run that was cut short is finished by the next.
 *
 * @throws OxideError `apply-failed` for a file that can't be written; `apply-conflict` naming the files that have changed
 *   on disk, and `session-damaged` where a content is gone: then nothing is written
 */
export function applySession(stored: StoredSession): readonly PendingFile[] {
  const files = planned(stored);
  const conflicts = files.filter(({ state }) => state === 'conflict');
  if (conflicts.length > 0) {
    const paths = conflicts.map(({ path }) => path).join(', ');
    throw new OxideError(
      'apply-conflict',
      `Changed on disk since the session read them: ${paths}; nothing was written.`,
      {
        remedy: `Go on with the session, so that it reads them again: oxide-guard agent --resume ${stored.header.id} "…"`,
      },
    );
  }
  for (const { hash, state } of files) {
    if (state !== 'same') {
      stored.readContent(hash);
    }
  }
  files.forEach(({ path, version, hash, state }, index) => {
    if (state !== 'same') {
      try {
        writeAtomically(path, stored.readContent(hash), existsSync(path) ? statSync(path) : null);
      } catch (cause) {
        throw notWritten(path, index, files.length, cause);
      }
    }
    stored.transcript.append({ type: 'applied', path, version, hash });
  });
  return files.map(({ hash: _, ...file }) => file);
}

function notWritten(path: string, done: number, all: number, cause: unknown): OxideError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  return new OxideError(
    'apply-failed',
    `'${path}' can't be written (${code}); ${done} of ${all} files are written, the session keeps the rest.`,
    { remedy: `ls -ld ${quoteWord(dirname(path))}   # then go on: oxide-guard agent apply`, cause },
  );
}

function planned(stored: StoredSession): readonly (PendingFile & { readonly hash: string })[] {
  const { versions, applied } = restoreSession(stored.records);
  const newest = new Map<string, KeptVersion>();
  const bases = new Map<string, string | null>();
  for (const version of versions) {
    newest.set(version.path, version);
    if (version.version === 1) {
      bases.set(version.path, version.base ?? null);
    }
  }
  return [...newest.values()].flatMap(({ path, version, hash }) => {
    const done = applied.get(path);
    if (done?.version === version) {
      return [];
    }
    const expected = done?.hash ?? bases.get(path) ?? null;
    const state = isBlocked(path) ? 'conflict' : stateOf(hashOfFile(path), hash, expected);
    return [{ path, version, hash, state }];
  });
}

/** No file can be there, or it would be another one: a directory, a file in place of one, or a link has come to be. */
function isBlocked(path: string): boolean {
  try {
    return targetOf(path) !== path || !statSync(path).isFile();
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function stateOf(now: string | null, wanted: string, expected: string | null): PendingFile['state'] {
  if (now === wanted) {
    return 'same';
  }
  if (now !== expected) {
    return 'conflict';
  }
  return now === null ? 'create' : 'replace';
}
