import { lstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import type { Directory } from '../../shell/simple-command.ts';
import { containsRepository, workTreeAbove } from '../files/guarded-file.ts';
import { repositoriesBelow } from '../files/repositories-below.ts';
import { type Finding, findings } from '../finding.ts';
import { count } from '../wording.ts';
import { stashEntries } from '../work-at-stake.ts';
import type { World } from '../world.ts';

/**
 * Removing a directory takes the repositories in it along. The one that the command or the session stands in must stay;
 * another one may go when nothing in it exists nowhere else.
 *
 * @param path absolute
 * @param shownPath as it was written
 */
export async function judgeRemovedDirectory(
  path: string,
  shownPath: string,
  cwd: Directory,
  world: World,
): Promise<readonly Finding[]> {
  const own = [cwd.kind === 'known' ? cwd.path : world.start, world.start].flatMap(
    (place) => workTreeAbove(place) ?? [],
  );
  const { policy } = await world.conventionAt(cwd);
  const top = own.find((workTree) => containsRepository(path, workTree));
  if (top !== undefined) {
    return findings('destroy-recovery', policy, {
      message: `This command removes ${shownPath}, and with it the repository at ${top}: its history, stashes and reflog.`,
      evidence: { files: [shownPath] },
      suggestion: 'git clone --mirror . ../backup.git',
    });
  }
  const judged = isDirectory(path)
    ? repositoriesBelow(path).map(async (workTree) => {
        const lost = await onlyThere(workTree, world);
        const rule = isLinked(workTree) ? 'discard-changes' : 'destroy-recovery';
        return findings(
          rule,
          policy,
          lost.length === 0
            ? null
            : {
                message: `This command removes ${shownPath}, and with it the work tree at ${workTree}: ${lost.join(', ')}.`,
                evidence: { files: [shownPath] },
                suggestion: `git -C ${workTree} status`,
              },
        );
      })
    : [];
  return (await Promise.all(judged)).flat();
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A linked work tree's or a submodule's history is kept elsewhere: its `.git` is a file. */
function isLinked(workTree: string): boolean {
  return lstatSync(join(workTree, '.git'), { throwIfNoEntry: false })?.isFile() === true;
}

/** What is in a work tree and nowhere else, in words. */
async function onlyThere(workTree: string, world: World): Promise<readonly string[]> {
  const repository = await world.open(workTree).catch(() => null);
  if (repository === null) {
    return [];
  }
  const changes = (await repository.status()).length;
  const others = isLinked(workTree) ? [0, 0] : [await unpublished(repository), (await stashEntries(repository)).length];
  const [commits = 0, stashes = 0] = others;
  return [
    ...(changes > 0 ? [`uncommitted changes in ${count(changes, 'file')}`] : []),
    ...(commits > 0 ? [`${count(commits, 'commit')} that no remote has`] : []),
    ...(stashes > 0 ? [count(stashes, 'stash', 'stashes')] : []),
  ];
}

/** Commits of branches, tags and HEAD that no remote-tracking branch reaches. */
async function unpublished(repository: Repository): Promise<number> {
  const refs = [...(await repository.refs())];
  const head = (await repository.head()).oid;
  const local = refs.filter(([name]) => /^refs\/(?:heads|tags)\//.test(name)).map(([, { oid }]) => oid);
  const tips = [...new Set([...local, ...(head === null ? [] : [head])])];
  return tips.length === 0 ? 0 : (await repository.commits(tips, ['--remotes'])).total;
}
