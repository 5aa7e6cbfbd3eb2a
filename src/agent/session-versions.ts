import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSessionFiles, type FileVersion, type SessionFiles } from '../tools/session-files.ts';
import { type KeptVersion, restoreSession } from './session/restore.ts';
import type { StoredSession } from './session/store.ts';

/** The files of a stored session: its versions so far, and every new one kept before it counts. */
export function openSessionFiles(stored: StoredSession): SessionFiles {
  const { header, transcript } = stored;
  const { versions, marks } = restoreSession(stored.records);
  return createSessionFiles({
    mode: header.mode,
    versions: versions.map((version) => keptVersion(version, stored)),
    marks,
    onVersion: ({ path, version, content, author, reason }) => {
      const hash = stored.keepContent(content);
      const base = header.mode === 'virtual' && version === 1 ? { base: hashOfFile(path) } : {};
      transcript.append({ type: 'version', path, version, hash, author, reason, ...base });
      return keptVersion({ path, version, hash, author, reason }, stored);
    },
    onMark: (authored) => transcript.append({ type: 'mark', ...authored }),
  });
}

/** Its content is read when it is asked for: a long session has more of them than fit into memory. */
function keptVersion({ path, version, hash, author, reason }: KeptVersion, stored: StoredSession): FileVersion {
  return {
    path,
    version,
    author,
    reason,
    get content() {
      return stored.readContent(hash);
    },
  };
}

/** SHA-256 of a file's bytes, as its versions are named; null for none. */
export function hashOfFile(path: string): string | null {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}
