import { join } from 'node:path';
import { namesIn } from './files.ts';
import { type RefFile, readRefFile } from './ref-files.ts';
import type { Repository } from './repository.ts';

/**
 * The commits at which worktrees other than this one have a detached HEAD: no ref names them, and yet they are in use.
 * gitrepository-layout(5), `worktrees/<id>/HEAD`. Reads files only, unless the repository keeps its refs elsewhere.
 */
export async function readOtherDetachedHeads(repository: Repository): Promise<readonly string[]> {
  const heads = otherHeads(repository);
  return heads.some(({ kind }) => kind === 'unreadable') ? askForHeads(repository) : heads.flatMap(oidOf);
}

/**
 * The branches (by full name) that worktrees other than this one have checked out: git refuses to delete them. Where
 * the refs are kept elsewhere than in files, none.
 */
export function readBranchesInUse(repository: Repository): ReadonlySet<string> {
  return new Set(otherHeads(repository).flatMap((head) => (head.kind === 'symref' ? [head.target] : [])));
}

function otherHeads({ commonDir, gitDir, workTree }: Repository): readonly RefFile[] {
  const names = namesIn(join(commonDir, 'worktrees'));
  const linked = names.map((name) => join(commonDir, 'worktrees', name));
  const others = [...(workTree === null ? [] : [commonDir]), ...linked].filter((directory) => directory !== gitDir);
  return others.map((directory) => readRefFile({ gitDir: directory, commonDir }, 'HEAD'));
}

function oidOf(head: RefFile): readonly string[] {
  return head.kind === 'oid' ? [head.oid] : [];
}

/** `git worktree list --porcelain`: each worktree has a line `HEAD <oid>`, a detached one also a line `detached`. */
async function askForHeads(repository: Repository): Promise<readonly string[]> {
  const text = await repository.git.text(['worktree', 'list', '--porcelain']);
  return text.split('\n\n').flatMap((worktree) => {
    const path = /^worktree (.*)$/m.exec(worktree)?.[1];
    const oid = /^HEAD ([0-9a-f]+)$/m.exec(worktree)?.[1];
    const isOther = path !== repository.workTree && /^detached$/m.test(worktree);
    return isOther && oid !== undefined && !/^0+$/.test(oid) ? [oid] : [];
  });
}
