import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSessionFiles, type SessionFiles } from '../tools/session-files.ts';
import { restoreSession } from './session/restore.ts';
import type { StoredSession } from './session/store.ts';

/** The files of a stored session: its versions so far, and every new one kept before it counts. */
export function openSessionFiles(stored: StoredSession): SessionFiles {
  const { header, transcript } = stored;
  const { versions, marks } = restoreSession(stored.records);
  return createSessionFiles({
    mode: header.mode,
    versions: versions.map(({ hash, base: _, ...version }) => ({ ...version, content: stored.readContent(hash) })),
    marks,
    onVersion: ({ path, version, content, author, reason }) => {
      const hash = stored.keepContent(content);
      const base = header.mode === 'virtual' && version === 1 ? { base: hashOfFile(path) } : {};
      transcript.append({ type: 'version', path, version, hash, author, reason, ...base });
    },
    onMark: (authored) => transcript.append({ type: 'mark', ...authored }),
  });
}

/** SHA-256 of a file's bytes, as its versions are named; null for none. */
export function hashOfFile(path: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}
