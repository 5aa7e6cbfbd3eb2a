import { join } from 'node:path';
import { readText } from '../files.ts';
import { type ReflogEntry, readReflog } from '../refs/reflog.ts';
import type { Repository } from '../repository.ts';
import type { StoppedOperation } from './stopped-operations.ts';

/** Commits that somebody has made while an operation was stopped, and that go with it when it is called off. */
export interface CommitsByHand {
  /** The commit that the operation began on. */
  readonly begin: string;
  /** Object names; those that were replaced since, too. */
  readonly oids: ReadonlySet<string>;
}

const originalHead = 'ORIG_HEAD';

/** Where git keeps what an operation began on, and at which commit it has stopped, below its directory. */
const places: Readonly<Partial<Record<StoppedOperation, readonly Place[]>>> = {
  // It goes back wherever HEAD is.
  rebase: [
    { begin: 'rebase-merge/onto', stop: null },
    { begin: 'rebase-apply/onto', stop: null },
  ],
  'cherry-pick': [{ begin: 'sequencer/head', stop: 'sequencer/abort-safety' }],
  revert: [{ begin: 'sequencer/head', stop: 'sequencer/abort-safety' }],
  am: [{ begin: originalHead, stop: 'rebase-apply/abort-safety' }],
};

interface Place {
  readonly begin: string;
  /** Null: it does not matter. Otherwise git stays where HEAD is, if that has moved since: "You seem to have moved HEAD". */
  readonly stop: string | null;
}

/**
 * The commits that a stopped operation has on top of what it began on and that it did not make alone: those of `git
 * commit`, and conflicts that somebody has resolved and that `--continue` has committed. HEAD's log tells them apart
 * from what was picked, which is elsewhere as well.
 *
 * @returns null where there are none, or calling it off would not move HEAD
 */
export async function readCommitsByHand(
  operation: StoppedOperation,
  repository: Repository,
): Promise<CommitsByHand | null> {
  const { gitDir } = repository;
  const read = (file: string) => readText(join(gitDir, file))?.trim() ?? null;
  const place = places[operation]?.find(({ begin }) => begin === originalHead || read(begin) !== null);
  if (place === undefined) {
    return null;
  }
  const begin = read(place.begin) ?? (await repository.resolve(place.begin));
  if (begin === null) {
    return null;
  }
  if (place.stop !== null && read(place.stop) !== (await repository.head()).oid) {
    return null;
  }
  const oids = byHand(await readReflog('HEAD', repository), begin);
  return oids.size === 0 ? null : { begin, oids };
}

/** @param begin the newest entry that leads there is the first one */
function byHand(log: readonly ReflogEntry[], begin: string): ReadonlySet<string> {
  const first = log.findLastIndex(({ oid }) => oid === begin);
  const made = log.slice(first + 1).filter(({ message }) => /^(?:commit\b[^:]*|[^:]* \(continue\)): /.test(message));
  return new Set(first === -1 ? [] : made.map(({ oid }) => oid));
}
