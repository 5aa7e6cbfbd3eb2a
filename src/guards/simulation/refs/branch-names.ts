import { isAncestorAsShown, replacementsIn } from '../../../git/history/replaced-commits.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';

/** The full name of the branch that `-` or `@{-1}` stands for: git-checkout(1); null for every other name. */
export async function branchNamed(name: string, repository: Repository, overlay: Overlay): Promise<string | null> {
  if (name !== '-' && !/^@\{-\d+\}$/.test(name)) {
    return null;
  }
  if (overlay.previousHead !== null) {
    return name === '-' || name === '@{-1}' ? refOf(overlay.previousHead) : null;
  }
  const revision = name === '-' ? '@{-1}' : name;
  const output = await repository.git.run(['rev-parse', '--verify', '--quiet', '--symbolic-full-name', revision]);
  const ref = output.stdout.toString('utf8').trim();
  return ref.startsWith('refs/heads/') ? ref : null;
}

/**
 * Does `git branch -d` delete this branch? Its upstream must have all that it has, or HEAD where there is none.
 *
 * @param ref by its full name
 */
export async function isMerged(ref: string, repository: Repository, { made }: Pick<Overlay, 'made'>): Promise<boolean> {
  const oid = await repository.ref(ref);
  const upstream = await repository.resolve(`${ref.slice('refs/heads/'.length)}@{upstream}`);
  const head = await repository.head();
  const holders =
    upstream === null ? [head.oid, ...made.mergedOn(head.kind === 'branch' ? head.ref : 'HEAD')] : [upstream];
  for (const holder of oid === null ? [] : holders) {
    if (holder !== null && (await repository.isAncestor(oid ?? '', holder)) === 'yes') {
      return true;
    }
  }
  return oid !== null && isMergedAsShown(oid, holders, repository, made);
}

/** The same where commits are shown with other parents, which git goes by: git-replace(1). */
async function isMergedAsShown(
  oid: string,
  holders: readonly (string | null)[],
  repository: Repository,
  made: Overlay['made'],
): Promise<boolean> {
  const replacements = await replacementsIn(repository);
  // Of a commit that the line gives other parents, which branches show it is not looked at.
  const shown = replacements.length === 0 ? [] : [...holders, ...replacements.flatMap((name) => made.mergedOn(name))];
  for (const holder of shown) {
    if (holder !== null && (await isAncestorAsShown(oid, holder, repository))) {
      return true;
    }
  }
  return false;
}

function refOf(head: NonNullable<Overlay['previousHead']>): string | null {
  return head.kind === 'branch' ? head.ref : null;
}

/** `git switch NAME` makes a branch of a remote-tracking branch of that name: git-switch(1) "--guess". */
export async function tracked(name: string, repository: Repository): Promise<string | null> {
  return (await guessed(name, repository))?.oid ?? null;
}

/** The same, with the remote that has it. */
export async function guessed(
  name: string,
  repository: Repository,
): Promise<{ readonly oid: string; readonly remote: string } | null> {
  if ((await repository.resolve(`${name}^{commit}`)) !== null) {
    return null;
  }
  for (const remote of (await repository.config()).subsections('remote')) {
    const oid = await repository.ref(`refs/remotes/${remote}/${name}`);
    if (oid !== null) {
      return { oid, remote };
    }
  }
  return null;
}
