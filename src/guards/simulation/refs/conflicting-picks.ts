import { type CommitList, noCommits } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import { mostPicked } from '../../../git/history/stopped-operations.ts';
import type { Repository } from '../../../git/repository.ts';
import { textOf } from '../../git-command/words.ts';
import type { Intent, RewriteRange } from '../../intent.ts';
import { pullRebases } from '../../rules/commits/edits-todo.ts';
import type { Overlay } from '../overlay.ts';
import type { PickedRange } from './begun-rebase.ts';

/** Notes a rebase that may stop at a commit: git-rebase(1). @param isFetched what it is put on may come with the call */
export async function beginRebase(
  range: RewriteRange,
  isFetched: boolean,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const picked = await rebaseOf(range, repository);
  const isOpen = isFetched || overlay.fetchHead !== undefined || range.anew;
  overlay.begunRebase = picked === null ? null : { ...picked, isOpen };
  overlay.putBackPicks = null;
}

/** Which commits a rebase picks, and what it puts them on; null: there are none. */
export async function rebaseOf(range: RewriteRange, repository: Repository): Promise<PickedRange | null> {
  const { branch } = range;
  const head = await repository.head();
  const name = branch === null || branch === 'containing' ? null : textOf(branch);
  const named = name === null ? null : await repository.ref(`refs/heads/${name}`);
  const isNamed = name !== null && named !== null;
  const ref = isNamed ? `refs/heads/${name}` : head.kind === 'branch' ? head.ref : 'HEAD';
  const tip = isNamed ? named : head.oid;
  return tip === null || branch === 'containing' ? null : { ref, tip, ...(await endsOf(range, repository)) };
}

/** What a call would rebase; null: nothing. @param intents all of the call */
export async function rebasedRange(intents: readonly Intent[], repository: Repository): Promise<RewriteRange | null> {
  for (const intent of intents) {
    if (intent.kind === 'rewrite' && intent.range !== 'head' && intent.range.branch !== 'containing') {
      return intent.range;
    }
    if (intent.kind === 'version' && intent.rebasesAsConfigured === true && intent.from !== undefined) {
      const [config, head] = [await repository.config(), await repository.head()];
      const mode = pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null);
      if (mode !== null && !/^(?:false|no|off|0)$/i.test(mode)) {
        return { start: intent.from, branch: null, onto: null, anew: false };
      }
    }
  }
  return null;
}

async function endsOf(
  { start, onto }: RewriteRange,
  repository: Repository,
): Promise<Pick<PickedRange, 'upstream' | 'onto'>> {
  const commit = (name: string | null) => (name === null ? null : repository.resolve(`${name}^{commit}`));
  const behind = start.kind === 'upstream' ? '@{upstream}' : start.kind === 'after' ? textOf(start.commit) : null;
  const upstream = await commit(behind);
  return { upstream, onto: onto === null ? upstream : await commit(textOf(onto)) };
}

/** What the commits of a rebase change that may stop at them. */
interface Conflicting extends CommitList {
  /** By the commit's object name. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
}

/**
 * Of the commits that a rebase picks and that nothing else has, those that change a file which the other side has changed
 * as well. Where no file is shared nothing can conflict.
 */
export async function conflictingCommits(
  { ref, tip, upstream, onto, isOpen = false }: PickedRange & { readonly isOpen?: boolean },
  repository: Repository,
): Promise<Conflicting> {
  const moves = [{ ref, to: onto }, ...(upstream === null ? [] : [{ ref, to: upstream }])];
  const own = await commitsOnlyReachableFrom(moves, repository, { limit: mostPicked });
  if (own.total <= 0) {
    return { ...noCommits, paths: new Map() };
  }
  const picked = upstream === null ? null : await pickedCommits(upstream, tip, repository);
  const left = own.commits.filter(({ oid }) => picked?.includes(oid) !== false);
  const paths = await changedPaths(
    left.map(({ oid }) => oid),
    repository,
  );
  const theirs = isOpen ? null : await otherSide({ upstream, onto, tip }, repository);
  const isShared = ({ oid }: { readonly oid: string }) =>
    theirs === null || (paths.get(oid) ?? []).some((path) => theirs.has(path));
  const commits = left.filter(isShared);
  return { commits, total: commits.length, paths };
}

/** git-rebase(1): neither merges, nor what the upstream has with the same changes. */
async function pickedCommits(upstream: string, tip: string, repository: Repository): Promise<readonly string[]> {
  return lines(['rev-list', '--cherry-pick', '--right-only', '--no-merges', `${upstream}...${tip}`], repository);
}

/** Has the other side changed anything that commits could conflict with? */
export async function isMet(picked: PickedRange, repository: Repository): Promise<boolean> {
  return (await otherSide(picked, repository))?.size !== 0;
}

/** Files that the other side has changed; null: which it has is not known. */
async function otherSide(
  { upstream, onto, tip }: Omit<PickedRange, 'ref'>,
  repository: Repository,
): Promise<ReadonlySet<string> | null> {
  if (upstream === null || onto === null) {
    return null;
  }
  const [base] = await lines(['merge-base', upstream, tip], repository);
  return base === undefined
    ? null
    : new Set(await lines(['diff-tree', '-r', '--name-only', '--no-renames', base, onto], repository));
}

/** What each of some commits changes. @param oids full object names */
async function changedPaths(
  oids: readonly string[],
  { git }: Repository,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = new Map<string, string[]>(oids.map((oid) => [oid, []]));
  const args = ['diff-tree', '--stdin', '--root', '-r', '--name-only', '--no-renames'];
  const output = await git.run(args, { input: `${oids.join('\n')}\n` });
  let changed: string[] = [];
  for (const line of output.stdout.toString('utf8').split('\n').filter(Boolean)) {
    const next = paths.get(line);
    if (next === undefined) {
      changed.push(line);
    } else {
      changed = next;
    }
  }
  return paths;
}

async function lines(args: readonly string[], { git }: Repository): Promise<readonly string[]> {
  return (await git.run(args)).stdout.toString('utf8').split('\n').filter(Boolean);
}

/** `git rebase --quit` leaves out what conflicted, and HEAD with what was picked before. */
export async function endBegunRebase(way: 'abort' | 'quit', overlay: Overlay, repository: Repository): Promise<void> {
  const { begunRebase: begun } = overlay;
  overlay.begunRebase = null;
  const isLeft = way === 'quit' && begun !== null && begun.onto !== null;
  if (isLeft && (await conflictingCommits(begun, repository)).total > 0) {
    overlay.head = { kind: 'detached', oid: begun.onto };
  }
}
