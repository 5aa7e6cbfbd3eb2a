import type { StatusEntry } from '../../../git/contents/status.ts';
import { quoteWord } from '../../../quote.ts';
import { linkedWorktree, mainWorkTree, worktreesOf } from '../../files/work-trees.ts';
import type { Finding } from '../../finding.ts';
import { discard } from '../../git-command/discards.ts';
import { known } from '../../git-command/words.ts';
import { ignoredFiles, onlyCopies } from '../../ignored-files.ts';
import type { RemoveWorktreeIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { showsUntracked } from '../../simulation/files/known-clean.ts';
import type { OverlaidTree } from '../../simulation/line-changes.ts';
import { judgeMoves } from '../commits/lose-commits.ts';
import { holdingsOf, judgeAutostashOf, withHoldings } from '../commits/worktree-holdings.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeDiscard } from './discard-changes.ts';
import { objection } from './discard-objection.ts';
import { judgeSubmodulesOf } from './submodules-of-worktree.ts';
import { stashThere } from './ways-to-keep.ts';

const means = 'git worktree remove';

/** `git worktree remove`: what goes with the work tree. */
export async function judgeRemovedWorktree(
  { path, forced }: RemoveWorktreeIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { cwd, workTree } = scene.repository;
  const main = mainWorkTree(scene.repository);
  if (path.kind === 'known') {
    return judgeNamed(path.value, { forced, staying: [main, workTree ?? cwd] }, scene);
  }
  const linked = (await worktreesOf(scene.repository)).slice(1);
  const losses = await Promise.all(linked.map((one) => judgeNamed(one, { forced, staying: [main] }, scene)));
  const { source, reason } = path;
  return losses.flat().length === 0
    ? []
    : unreadable(scene.policy, {
        source,
        reason,
        could: 'a work tree with commits or ignored files that nothing else has',
      });
}

interface Removal {
  readonly forced: boolean;
  /** Work trees that are not removed as well. */
  readonly staying: readonly (string | null)[];
}

async function judgeNamed(name: string, { forced, staying }: Removal, scene: Scene): Promise<readonly Finding[]> {
  const directory = await linkedWorktree(name, scene);
  const added = scene.addedWorktree(directory);
  const linked = added ?? (await scene.linkedWorktree(directory));
  if (linked === null) {
    return [];
  }
  // Without force git goes by `git status`, which may be told to look for no untracked files, or not at some that are.
  const hidesUntracked =
    !forced && !((await showsUntracked(scene.repository)) && (await showsUntracked(linked.repository)));
  const isRefused = (entry: StatusEntry) => !(hidesUntracked && entry.index === '?');
  if (!forced && (await linked.repository.status()).some(isRefused)) {
    return [];
  }
  const hidesChanges = !forced && added === null && (await linked.repository.hiddenChanges()).length > 0;
  const hidden =
    hidesUntracked || hidesChanges
      ? await judgeDiscard(discard({ kind: 'worktree', path: known(name) }, means), scene)
      : [];
  const to = added === null || scene.repository.workTree === directory ? null : await detachedHead(scene);
  const ignored = await judgeIgnored(linked, staying, scene);
  const lost = await judgeLostCommits(linked, to, scene);
  const { gitDir } = linked.repository;
  const others = staying.filter((place) => place !== null).filter((place) => place !== directory);
  // Without force git refuses where it has any.
  const below =
    forced && added === null
      ? await judgeSubmodulesOf({ gitDir, workTree: directory, staying: others }, means, scene)
      : [];
  // What is not there yet has its HEAD in its own place.
  const there = `git -C ${quoteWord(name)} branch`;
  return added === null
    ? [...hidden, ...ignored, ...lost, ...below]
    : lost.map((one) => ({ ...one, suggestion: one.suggestion?.replace(/^git branch/, there) ?? null }));
}

/** git-worktree(1) "remove": a work tree is clean, whatever it has of ignored files. */
async function judgeIgnored(
  linked: OverlaidTree,
  staying: Removal['staying'],
  scene: Scene,
): Promise<readonly Finding[]> {
  const { workTree, cwd } = linked.repository;
  const others = staying.filter((place) => place !== null).filter((place) => place !== workTree);
  const lost = await onlyCopies(await ignoredFiles(linked, scene), linked, others, scene);
  return objection(scene, means, lost, stashThere(workTree ?? cwd, lost), { noun: 'ignored file' });
}

/** A HEAD that is detached there, or a mark of a bisection, is the only name of the commits that were made on it. */
async function judgeLostCommits(linked: OverlaidTree, to: string | null, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = linked;
  const head = (await repository.head()).kind === 'detached' ? [{ ref: 'HEAD', to }] : [];
  if (overlay.isAdded) {
    return head.length === 0 ? [] : judgeMoves(head, means, { ...scene, ...linked });
  }
  const holdings = holdingsOf(repository, overlay);
  const moves = [...head, ...[...holdings.refs.keys()].map((ref) => ({ ref, to: null }))];
  const seen = { ...scene, ...linked, repository: withHoldings(repository, repository.gitDir, holdings) };
  return [
    ...(moves.length === 0 ? [] : await judgeMoves(moves, means, seen)),
    ...(await judgeAutostashOf(holdings, means, scene)),
  ];
}

/** What a work tree that the line adds shares with the one it is added from: that one's HEAD keeps its commits. */
async function detachedHead({ repository }: Scene): Promise<string | null> {
  const head = await repository.head();
  return head.kind === 'detached' ? head.oid : null;
}
