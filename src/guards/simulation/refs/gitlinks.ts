import { relative } from 'node:path';
import type { Repository } from '../../../git/repository.ts';
import type { OverlaidTree } from '../line-changes.ts';
import type { Past } from '../pasts.ts';

/** Where HEAD of a submodule stands, with what the line has made on it. */
export async function standOf({ repository, overlay }: OverlaidTree): Promise<Past> {
  const head = await repository.head();
  return { oid: head.oid, made: overlay.made.on(head.kind === 'branch' ? head.ref : 'HEAD') };
}

/**
 * Does a submodule stand elsewhere than its superproject's index says?
 *
 * @param isMoved what git-status(1) tells, where the line has not moved it
 */
export async function hasLeft(tree: OverlaidTree, isMoved: boolean): Promise<boolean> {
  const { head, gitlink } = tree.overlay;
  const now = await standOf(tree);
  if (head === null && now.made.length === 0) {
    return isMoved;
  }
  return gitlink === null || now.oid !== gitlink.oid || now.made.at(-1) !== gitlink.made.at(-1);
}

/**
 * The commit that a superproject records of a submodule: its index, or what the line has checked out since.
 *
 * @param place of the submodule, absolute
 * @returns null: none, or not one that is known before the line has run
 */
export async function recordedIn(place: string, repository: Repository): Promise<string | null> {
  const { workTree, cwd, git } = repository;
  const path = relative(workTree ?? cwd, place);
  const [{ oid }, indexed] = await Promise.all([repository.head(), git.run(['rev-parse', '--verify', 'HEAD'])]);
  const isElsewhere = oid !== null && oid !== textIn(indexed.stdout);
  const found = await git.run(['rev-parse', '--quiet', '--verify', `${isElsewhere ? oid : ''}:${path}`]);
  return found.exitCode === 0 ? textIn(found.stdout) : null;
}

function textIn(output: Buffer): string {
  return output.toString('utf8').trim();
}
