import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checkpoint, type CheckpointRecord, checkpointOf } from './checkpoint-record.ts';
import type { SnapshotGit } from './snapshot-git.ts';

interface LastCheckpoint extends Pick<Checkpoint, 'ref' | 'oid' | 'tree'> {
  readonly record: CheckpointRecord;
}

/** Beside the refs, so that a session in which nothing changes need not ask git for them. Lost or stale, git is asked. */
function lastPath({ places }: SnapshotGit, session: string): string {
  return join(places.gitDir, 'oxide-guard', `checkpoint-${session}.json`);
}

/** The session's newest checkpoint, if it is still there. */
export function readLast(git: SnapshotGit, session: string): Checkpoint | null {
  try {
    const last = JSON.parse(readFileSync(lastPath(git, session), 'utf8')) as LastCheckpoint;
    const present = readFileSync(join(git.places.commonDir, last.ref), 'utf8').trim();
    return present === last.oid && last.record.version === 1 ? checkpointOf(last.record, last) : null;
  } catch {
    return null;
  }
}

export function writeLast(git: SnapshotGit, session: string, last: LastCheckpoint): void {
  try {
    const path = lastPath(git, session);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.${process.pid}`, JSON.stringify(last));
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // Only a shortcut.
  }
}
