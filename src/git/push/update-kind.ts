import { type ObjectName, resolveRevisions } from '../refs/revision.ts';
import type { Repository } from '../repository.ts';
import type { RefUpdateKind } from './push-plan.ts';

/** In a shallow clone a "no" costs two processes to confirm: beyond this many updates it is left open. */
const pairsAskedOneByOne = 8;

/** A ref that changes on the remote; null: absent there, or to be deleted. */
export interface RefChange {
  readonly remoteRef: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

/** Bytes of arguments for one process: far below what Linux and macOS allow; Windows allows 32 KiB. */
const argumentBytes = process.platform === 'win32' ? 24 * 1024 : 384 * 1024;

/**
 * Tells what each change does to its ref, by git's own rules for "would need force" (git-push(1), "Refspec").
 * One change that may rewrite history costs one process, any number of them two (more only where the argument list is
 * too long: every 4,000 on Linux and macOS, every 280 on Windows).
 */
export async function classifyChanges(
  repository: Repository,
  changes: readonly RefChange[],
): Promise<readonly RefUpdateKind[]> {
  const kinds = changes.map(kindByNames);
  const open = changes.flatMap((change, index) => {
    const { oldOid, newOid } = change;
    return kinds[index] === null && oldOid !== null && newOid !== null ? [{ index, oldOid, newOid }] : [];
  });
  const found = await classifyPairs(repository, open);
  open.forEach(({ index }, position) => {
    kinds[index] = found[position] ?? 'unknown';
  });
  return kinds.map((kind) => kind ?? 'unknown');
}

/** Null where only history can tell. */
function kindByNames({ remoteRef, oldOid, newOid }: RefChange): RefUpdateKind | null {
  if (newOid === null) {
    return 'delete';
  }
  if (oldOid === null) {
    return 'create';
  }
  if (oldOid === newOid) {
    return 'up-to-date';
  }
  // A tag is never updated without force, wherever it goes: git-push(1).
  return remoteRef.startsWith('refs/tags/') ? 'forced' : null;
}

interface Pair {
  readonly oldOid: string;
  readonly newOid: string;
}

async function classifyPairs(repository: Repository, pairs: readonly Pair[]): Promise<readonly RefUpdateKind[]> {
  const [only] = pairs;
  if (only !== undefined && pairs.length === 1) {
    const divergence = await repository.divergence(only.oldOid, only.newOid);
    if (divergence !== null) {
      return [kindOf(divergence.ancestry)];
    }
  }
  if (only === undefined) {
    return [];
  }
  const peeled = await peel(repository, pairs);
  const areCommits = (pair: Pair) => isCommit(peeled.get(pair.oldOid)) && isCommit(peeled.get(pair.newOid));
  const bases = await readMergeBases(repository, pairs.filter(areCommits), peeled);
  return Promise.all(
    pairs.map(async (pair) => {
      const [older, newer] = [peeled.get(pair.oldOid), peeled.get(pair.newOid)];
      if (!older || !newer) {
        return 'unknown';
      }
      if (!areCommits(pair)) {
        return 'forced';
      }
      const isFastForward = bases.get(pair)?.includes(older.oid) ?? false;
      if (isFastForward || repository.shallowCommits().size === 0) {
        return isFastForward ? 'fast-forward' : 'forced';
      }
      if (pairs.length > pairsAskedOneByOne) {
        return 'unknown';
      }
      return kindOf(await repository.isAncestor(older.oid, newer.oid));
    }),
  );
}

function kindOf(ancestry: 'yes' | 'no' | 'unknown'): RefUpdateKind {
  return ancestry === 'yes' ? 'fast-forward' : ancestry === 'no' ? 'forced' : 'unknown';
}

/** What annotated tags point to, in the end; null for what is not here. */
async function peel(
  repository: Repository,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, ObjectName | null | undefined>> {
  const oids = pairs.flatMap(({ oldOid, newOid }) => [oldOid, newOid]);
  const found = await resolveRevisions(
    repository.git,
    oids.map((oid) => `${oid}^{}`),
  );
  return new Map(oids.map((oid) => [oid, found.get(`${oid}^{}`)]));
}

function isCommit(name: ObjectName | null | undefined): boolean {
  return name?.type === 'commit';
}

/**
 * `git rev-parse A...B` prints B, A and `^` before each merge base. It takes any number of pairs, each on its own:
 * the one way to learn the ancestry of thousands of pairs in one process.
 */
async function readMergeBases(
  repository: Repository,
  pairs: readonly Pair[],
  peeled: ReadonlyMap<string, ObjectName | null | undefined>,
): Promise<ReadonlyMap<Pair, readonly string[]>> {
  const bases = new Map<Pair, string[]>();
  const size = (pairs[0]?.newOid.length ?? 40) * 2 + 4;
  const chunkLength = Math.max(1, Math.floor(argumentBytes / size));
  for (let start = 0; start < pairs.length; start += chunkLength) {
    const chunk = pairs.slice(start, start + chunkLength);
    const ranges = chunk.map((pair) => `${peeled.get(pair.oldOid)?.oid}...${peeled.get(pair.newOid)?.oid}`);
    const lines = (await repository.git.text(['rev-parse', ...ranges, '--'])).split('\n');
    let position = -1;
    lines
      .filter((line) => line !== '' && line !== '--')
      .reduce((tips, line) => {
        if (!line.startsWith('^')) {
          position = Math.floor(tips / 2);
          return tips + 1;
        }
        const pair = chunk[position];
        if (pair !== undefined) {
          bases.set(pair, [...(bases.get(pair) ?? []), line.slice(1)]);
        }
        return tips;
      }, 0);
  }
  return bases;
}
