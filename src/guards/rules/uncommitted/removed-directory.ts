import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusEntry } from '../../../git/contents/status.ts';
import { isDirectory } from '../../../git/files.ts';
import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Directory, Origin } from '../../../shell/simple-command.ts';
import { gitDirectoriesOf } from '../../files/git-directories.ts';
import { isBareRepository } from '../../files/git-directory.ts';
import { containsRepository, isWithin, workTreeAbove } from '../../files/guarded-file.ts';
import { remoteAt } from '../../files/remote-at.ts';
import { repositoriesBelow } from '../../files/repositories-below.ts';
import { lossesInSubmodules } from '../../files/submodule-losses.ts';
import { submoduleHistories } from '../../files/submodules.ts';
import { type Finding, findings } from '../../finding.ts';
import { type Before, hasLeftTree } from '../../gone-files.ts';
import { mirrorOf } from '../../mirror-of.ts';
import type { OverlaidTree } from '../../simulation/line-changes.ts';
import { located } from '../../simulation/scratch-repositories.ts';
import { count } from '../../wording.ts';
import { isOnlyGone, stashEntries } from '../../work-at-stake.ts';
import type { World } from '../../world.ts';
import { holdingsOf, keepsAutostash, withHoldings } from '../commits/worktree-holdings.ts';

/** Where and by which command something is removed. */
export interface Removal {
  readonly cwd: Directory;
  readonly by: Origin;
}

/**
 * Removing a directory takes the repositories in it along. The one that the command or the session stands in must stay,
 * unless the command has gone over to another clone; that one, as others, may go when nothing in it exists nowhere else.
 *
 * @param path absolute
 * @param shownPath as it was written
 */
export async function judgeRemovedDirectory(
  path: string,
  shownPath: string,
  removal: Removal,
  world: World,
): Promise<readonly Finding[]> {
  const { cwd } = removal;
  const own = [cwd.kind === 'known' ? cwd.path : world.start, world.start].flatMap(
    (place) => workTreeAbove(place) ?? [],
  );
  const { policy } = await world.conventionAt(cwd);
  const top = own.find((workTree) =>
    isLinked(workTree) ? isWithin(historyOf(workTree), path) : containsRepository(path, workTree),
  );
  if (top !== undefined && !(await isLeftForAnotherClone(top, path, cwd, world))) {
    return findings('destroy-recovery', policy, {
      message: `This command removes ${shownPath}, and with it the repository at ${top}: its history, stashes and reflog.`,
      evidence: { files: [shownPath] },
      suggestion: mirrorOf(top, world.start),
    });
  }
  const histories = submoduleHistories(path);
  const judged = isDirectory(path)
    ? (histories.length > 0 ? histories : repositoriesBelow(path)).map(async (workTree) => {
        if (await world.places.isNobodys(workTree)) {
          return [];
        }
        const lost = await (histories.length > 0
          ? onlyInSubmodule(workTree, world)
          : onlyIn(workTree, own, removal, world));
        const rule = isLinked(workTree) ? 'discard-changes' : 'destroy-recovery';
        return findings(
          rule,
          policy,
          lost.length === 0
            ? null
            : {
                message: `This command removes ${shownPath}, and with it the ${isBareRepository(workTree) ? 'repository' : 'work tree'} at ${workTree}: ${lost.join(', ')}.`,
                evidence: { files: [shownPath] },
                suggestion: `git -C ${quoteWord(workTree)} ${isBareRepository(workTree) ? 'branch --verbose' : 'status'}`,
              },
        );
      })
    : [];
  return (await Promise.all(judged)).flat();
}

/** Does a path hold the history of the work tree that the session or the command stands in, at another place than `.git`? */
export function isOwnHistory(path: string, cwd: Directory, world: World): boolean {
  return [cwd.kind === 'known' ? cwd.path : world.start, world.start].some((place) => {
    const top = workTreeAbove(place);
    return top !== null && isLinked(top) && historyOf(top) === path;
  });
}

/** Where the history of a work tree is: with a `.git` that is a file, elsewhere. */
function historyOf(workTree: string): string {
  return (isLinked(workTree) ? gitDirectoriesOf(workTree)?.commonDir : null) ?? workTree;
}

/**
 * A clone made for a while, which the session stands in and the line leaves as it is: the command itself stands in what
 * was cloned, or in its sibling.
 */
async function isLeftForAnotherClone(top: string, path: string, cwd: Directory, world: World): Promise<boolean> {
  const here = cwd.kind === 'known' ? workTreeAbove(cwd.path) : null;
  if (here === null || containsRepository(path, here) || isLinked(top)) {
    return false;
  }
  const [left, stays] = await Promise.all([top, here].map((workTree) => world.open(workTree).catch(() => null)));
  if (left == null || stays == null || left.commonDir === stays.commonDir || world.trees.hasTouched(left)) {
    return false;
  }
  const theirs = await remoteUrls(stays);
  return (await remoteAt(here, left)) !== null || (await remoteUrls(left)).some((url) => theirs.includes(url));
}

async function remoteUrls(repository: Repository): Promise<readonly string[]> {
  const config = await repository.config();
  const urls = config.subsections('remote').flatMap((name) => config.get(`remote.${name}.url`) ?? []);
  const from = repository.workTree ?? repository.cwd;
  return urls.map((url) => located(url, from));
}

/** A linked work tree's or a submodule's history is kept elsewhere: its `.git` is a file. */
function isLinked(workTree: string): boolean {
  try {
    return lstatSync(join(workTree, '.git')).isFile();
  } catch {
    return false;
  }
}

/** What goes with a repository, or with a work tree, and is nowhere else, in words. */
function onlyIn(place: string, own: readonly string[], removal: Removal, world: World): Promise<readonly string[]> {
  return isBareRepository(place) ? onlyInBare(place, own, world) : onlyThere(place, removal, world);
}

/**
 * Of a submodule's history, which `git submodule update` clones again: what its remotes don't have, even if only a
 * stash or a reflog leads there, and what is changed where it is still checked out.
 */
async function onlyInSubmodule(gitDir: string, world: World): Promise<readonly string[]> {
  const repository = await world.open(gitDir).catch(() => null);
  if (repository === null || world.trees.hasTouched(repository)) {
    return ['what is only there can’t be known'];
  }
  const args = ['rev-list', '--count', '--all', '--reflog', '--not', '--remotes'];
  const commits = Number(await repository.git.text(args));
  const isCheckedOut = repository.workTree !== null && isLinked(repository.workTree);
  const changes = isCheckedOut ? (await repository.status()).length + (await repository.hiddenChanges()).length : 0;
  return [
    ...(changes > 0 ? [`uncommitted changes in ${count(changes, 'file')}`] : []),
    ...(commits > 0 ? [`${count(commits, 'commit')} that no remote has`] : []),
  ];
}

/** What is in a work tree and nowhere else, in words. */
async function onlyThere(workTree: string, { by }: Removal, world: World): Promise<readonly string[]> {
  const repository = await world.open(workTree).catch(() => null);
  if (repository === null) {
    return [];
  }
  if (isLinked(workTree)) {
    // Its commits and stashes stay where its history is: what the line has kept by them is not lost.
    const possible = await world.trees.worktreesBefore(repository, by);
    const before = { patches: world.patches, moved: world.moved, command: { origin: by } };
    const told = await Promise.all(possible.map((tree) => onlyInLinked(tree, before)));
    const below = await commitsInSubmodules(repository, by, world);
    return [
      ...(told.find((lost) => lost.length > 0) ?? []),
      ...(below > 0 ? [`${count(below, 'commit')} of its submodules that no remote has`] : []),
    ];
  }
  const changes = (await repository.status()).length + (await repository.hiddenChanges()).length;
  const [commits, stashes] = [await unpublished(repository), (await stashEntries(repository)).length];
  return [
    ...(changes > 0 ? [`uncommitted changes in ${count(changes, 'file')}`] : []),
    ...(commits > 0 ? [`${count(commits, 'commit')} that no remote has`] : []),
    ...(stashes > 0 ? [count(stashes, 'stash', 'stashes')] : []),
  ];
}

/** Of a linked work tree, whose HEAD git forgets with it. A submodule's is in its repository. */
async function onlyInLinked({ repository, overlay }: OverlaidTree, before: Before): Promise<readonly string[]> {
  const { workTree } = repository;
  const isThere = (entry: StatusEntry) =>
    workTree === null ||
    !(isOnlyGone(entry, workTree) || (/[.?]/.test(entry.index) && hasLeftTree(entry.path, workTree, before)));
  const changes = (await repository.status()).filter(isThere).length + (await repository.hiddenChanges()).length;
  const holdings = repository.gitDir === repository.commonDir ? null : holdingsOf(repository, overlay);
  const isOwnHead = holdings !== null && (await repository.head()).kind === 'detached';
  const names = [...(isOwnHead ? ['HEAD'] : []), ...(holdings?.refs.keys() ?? [])];
  const moves = names.map((ref) => ({ ref, to: null, keeps: [] }));
  const seen = holdings === null ? repository : withHoldings(repository, repository.gitDir, holdings);
  const loose =
    moves.length === 0 ? 0 : (await commitsOnlyReachableFrom(moves, seen)).total + overlay.made.lostBy(moves).withWork;
  const isPutAway = holdings !== null && (await keepsAutostash(holdings, repository));
  return [
    ...(isPutAway ? ['uncommitted changes that --autostash has put away'] : []),
    ...(changes > 0 ? [`uncommitted changes in ${count(changes, 'file')}`] : []),
    ...(loose > 0 ? [`${count(loose, 'commit')} that no branch or tag has`] : []),
  ];
}

/** Commits that only the repositories have which a linked work tree has of its submodules: git forgets them with it. */
async function commitsInSubmodules({ gitDir, commonDir, git }: Repository, by: Origin, world: World): Promise<number> {
  const asLeft = (path: string) => world.trees.treesBefore(path, by);
  const losses = gitDir === commonDir ? [] : await lossesInSubmodules(gitDir, git.context.env, asLeft);
  return losses.reduce((sum, { commits }) => sum + commits.total, 0);
}

/** What a bare repository means to those where the command and the session stand, in words. */
async function onlyInBare(directory: string, own: readonly string[], world: World): Promise<readonly string[]> {
  const bare = await world.open(directory).catch(() => null);
  const tips = [...new Set([...((await bare?.refs()) ?? [])].map(([, { oid }]) => oid))];
  if (tips.length === 0) {
    return [];
  }
  const [here] = await Promise.all([...new Set(own)].map((workTree) => world.open(workTree).catch(() => null)));
  const remote = here == null ? null : await remoteAt(directory, here);
  if (remote !== null) {
    return [`it is the remote ${remote}`];
  }
  const known = here == null ? new Map() : await here.resolveAll(tips.map((oid) => `${oid}^{commit}`));
  const missing = tips.filter((oid) => (known.get(`${oid}^{commit}`) ?? null) === null);
  return missing.length === 0 ? [] : [`${count(missing.length, 'ref')} whose commits are not in this repository`];
}

/** Commits of branches, tags and HEAD that no remote-tracking branch reaches. */
async function unpublished(repository: Repository): Promise<number> {
  const refs = [...(await repository.refs())];
  const head = (await repository.head()).oid;
  const local = refs.filter(([name]) => /^refs\/(?:heads|tags)\//.test(name)).map(([, { oid }]) => oid);
  const tips = [...new Set([...local, ...(head === null ? [] : [head])])];
  return tips.length === 0 ? 0 : (await repository.commits(tips, ['--remotes'])).total;
}
