import { basename, dirname, join, resolve } from 'node:path';
import { namesIn, readText } from '../files.ts';
import type { Repository } from '../repository.ts';
import { type RefFile, readRefFile } from './ref-files.ts';

/**
 * The commits at which worktrees other than this one have a detached HEAD, by its name (git-worktree(1) "REFS"): no other
 * ref names them, and yet they are in use. Reads files only, unless the repository keeps its refs elsewhere.
 */
export async function readOtherDetachedHeads(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const heads = [...otherHeads(repository)];
  return heads.some(([, { kind }]) => kind === 'unreadable')
    ? askForHeads(repository)
    : new Map(heads.flatMap(([name, head]) => (head.kind === 'oid' ? [[name, head.oid] as const] : [])));
}

/** The branches (by full name) that worktrees other than this one have checked out: git refuses to delete them. */
export async function readBranchesInUse(repository: Repository): Promise<ReadonlySet<string>> {
  const heads = [...otherHeads(repository).values()];
  return heads.some(({ kind }) => kind === 'unreadable')
    ? askForBranches(repository)
    : new Set(heads.flatMap((head) => (head.kind === 'symref' ? [head.target] : [])));
}

/** Where the work tree is, other than this one, that has a branch checked out; null: none has. @param branch a short name */
export async function worktreeOf(branch: string, repository: Repository): Promise<string | null> {
  const text = await repository.git.text(['worktree', 'list', '--porcelain']);
  const worktree = text.split('\n\n').find((one) => one.split('\n').includes(`branch refs/heads/${branch}`));
  const path = /^worktree (.*)$/m.exec(worktree ?? '')?.[1] ?? null;
  return path === repository.workTree ? null : path;
}

/** What the HEAD of the work tree at hand is called from others: git-worktree(1) "REFS". */
export function ownHeadName({ gitDir, commonDir }: Repository): string {
  return gitDir === commonDir ? 'main-worktree/HEAD' : `worktrees/${basename(gitDir)}/HEAD`;
}

function otherHeads({ commonDir, gitDir, workTree }: Repository): ReadonlyMap<string, RefFile> {
  const linked = namesIn(join(commonDir, 'worktrees')).map((name) => `worktrees/${name}`);
  const places = [
    ...(workTree === null ? [] : [['main-worktree', commonDir] as const]),
    ...linked.map((name) => [name, join(commonDir, name)] as const),
  ];
  const others = places.filter(([, directory]) => directory !== gitDir);
  return new Map(
    others.map(([name, directory]) => [`${name}/HEAD`, readRefFile({ gitDir: directory, commonDir }, 'HEAD')]),
  );
}

/** `git worktree list --porcelain`: each worktree has a line `branch <ref>`, where one is checked out. */
async function askForBranches(repository: Repository): Promise<ReadonlySet<string>> {
  const text = await repository.git.text(['worktree', 'list', '--porcelain']);
  const others = text
    .split('\n\n')
    .filter((worktree) => /^worktree (.*)$/m.exec(worktree)?.[1] !== repository.workTree);
  return new Set(others.flatMap((worktree) => /^branch (.*)$/m.exec(worktree)?.[1] ?? []));
}

/** `git worktree list --porcelain`: each worktree has a line `HEAD <oid>`, a detached one also a line `detached`. */
async function askForHeads(repository: Repository): Promise<ReadonlyMap<string, string>> {
  const text = await repository.git.text(['worktree', 'list', '--porcelain']);
  const names = namesByPath(repository.commonDir);
  const found = text.split('\n\n').flatMap((worktree) => {
    const path = /^worktree (.*)$/m.exec(worktree)?.[1] ?? '';
    const oid = /^HEAD ([0-9a-f]+)$/m.exec(worktree)?.[1];
    const isOther = path !== repository.workTree && /^detached$/m.test(worktree);
    const name = names.get(path) ?? 'main-worktree';
    return isOther && oid !== undefined && !/^0+$/.test(oid) ? [[`${name}/HEAD`, oid] as const] : [];
  });
  return new Map(found);
}

/** What linked worktrees are called among refs, by where they are: gitrepository-layout(5) "worktrees/<id>/gitdir". */
export function namesByPath(commonDir: string): ReadonlyMap<string, string> {
  return new Map(
    namesIn(join(commonDir, 'worktrees')).map((id) => {
      const administration = join(commonDir, 'worktrees', id);
      const file = readText(join(administration, 'gitdir'))?.trim() ?? '';
      return [dirname(resolve(administration, file)), `worktrees/${id}`];
    }),
  );
}
