import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { submodulesOf } from '../files/submodules.ts';
import { isUnmerged } from '../work-in-conflict.ts';

/** git can't stash what is in conflict: what brought the conflict is called off instead. Submodules have their own. */
export async function wayOut(repository: Repository, lost: readonly string[]): Promise<string> {
  const top = repository.workTree ?? repository.cwd;
  const below = new Set(submodulesOf(repository).map((path) => relative(top, path)));
  const [first] = lost;
  if (first !== undefined && lost.every((path) => below.has(path))) {
    const place = relative(repository.cwd, join(top, first));
    return lost.length === 1
      ? `git -C ${quoted(place)} stash --include-untracked`
      : "git submodule foreach 'git stash --include-untracked'";
  }
  const isInConflict = (await repository.status()).some(isUnmerged);
  const [, ending = 'git stash'] = isInConflict
    ? (operations.find(([file]) => existsSync(join(repository.gitDir, file))) ?? [])
    : [];
  return ending;
}

/** Files that git keeps while an operation is stopped, and what calls it off: git-status(1). */
const operations = [
  ['MERGE_HEAD', 'git merge --abort'],
  ['rebase-merge', 'git rebase --abort'],
  ['rebase-apply', 'git rebase --abort'],
  ['CHERRY_PICK_HEAD', 'git cherry-pick --abort'],
  ['REVERT_HEAD', 'git revert --abort'],
] as const;

/** git stashes nothing while a file is in conflict: a copy keeps it. */
export async function wayToKeep(
  repository: Repository,
  lost: readonly string[],
  pathspecs: readonly string[],
): Promise<string> {
  const { cwd, workTree } = repository;
  const inConflict = new Set((await repository.status()).filter(isUnmerged).map(({ path }) => path));
  const [first] = inConflict.size === 0 ? [] : [...lost.filter((path) => inConflict.has(path)), ...lost];
  if (first !== undefined) {
    const path = quoted(relative(cwd, join(workTree ?? cwd, first)));
    return `cp ${path} ${path}.kept`;
  }
  // `git checkout --patch HEAD`: what stands beside the whole work tree may be a commit.
  const meant = pathspecs.includes(':/') ? [':/'] : pathspecs;
  return `git stash push -- ${meant.map(quoted).join(' ')}`;
}

/** A path as a shell reads it. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
