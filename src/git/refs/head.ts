import { askAtOnce, type Git } from '../runner.ts';
import { type RefDirectories, readRefFile } from './ref-files.ts';
import { shortBranchName } from './refspec.ts';

/** Where HEAD stands. An unborn branch has no oid. */
export type Head =
  | { readonly kind: 'branch'; readonly ref: string; readonly branch: string; readonly oid: string | null }
  | { readonly kind: 'detached'; readonly oid: string };

/** Symbolic refs may point to symbolic refs; git gives up after five. */
export const maxSymrefDepth = 5;

/** Reads HEAD from its file, asking git only where the file can't tell. */
export async function readHead(git: Git, directories: RefDirectories): Promise<Head> {
  const head = readRefFile(directories, 'HEAD');
  if (head.kind === 'oid') {
    return { kind: 'detached', oid: head.oid };
  }
  if (head.kind === 'symref') {
    const found = followRef(directories, head.target);
    if (found !== null) {
      return branchHead(found.name, found.oid);
    }
  }
  return askForHead(git);
}

/** gitrevisions(7) "<refname>": where a short name is looked for, in this order. */
const namePatterns = ['%', 'refs/%', 'refs/tags/%', 'refs/heads/%', 'refs/remotes/%', 'refs/remotes/%/HEAD'] as const;

/** What a name is known to stand for without asking git; no oid: nothing. */
export interface NamedObject {
  readonly oid: string | null;
}

/**
 * The object that a plain name stands for as a ref, or the commit of a branch (`main^{commit}`), read from files; null
 * where only git can tell.
 */
export function resolveRefName(directories: RefDirectories, revision: string): NamedObject | null {
  return revision.endsWith(peeling) ? resolveBranchName(directories, revision) : findRef(directories, revision);
}

/**
 * The commit that a revision stands for, read from files: `HEAD` or a branch, by itself or with `^{commit}`, because
 * git lets nothing but commits be there. Null where it is something else, or only git can tell.
 */
export function resolveBranchName(directories: RefDirectories, revision: string): NamedObject | null {
  const found = findRef(directories, revision.endsWith(peeling) ? revision.slice(0, -peeling.length) : revision);
  const isCommit = found !== null && (found.name === 'HEAD' || found.name.startsWith('refs/heads/'));
  return isCommit || found?.oid === null ? found : null;
}

/** gitrevisions(7) "<rev>^{<type>}". */
const peeling = '^{commit}';

/** gitrevisions(7): a name that is no ref may still be an object's, abbreviated or as git-describe(1) writes it. */
const mayBeObject = /^[0-9a-f]{4,}$|-g[0-9a-f]+$/i;
/** git-worktree(1) "REFS": the refs of other work trees. Their files lie elsewhere. */
const ofOtherWorktree = /^(?:main-worktree|worktrees)\//;
const plainName = /^\w(?:[\w/-]|\.(?!\.))*$/;

function findRef(directories: RefDirectories, name: string): FollowedRef | null {
  if (mayBeObject.test(name) || ofOtherWorktree.test(name) || !plainName.test(name)) {
    return null;
  }
  for (const pattern of namePatterns) {
    const found = followRef(directories, pattern.replace('%', name));
    if (found === null || found.oid !== null) {
      return found;
    }
  }
  return { name, oid: null };
}

/** A ref where symbolic refs end; without an oid it does not exist. */
export interface FollowedRef {
  readonly name: string;
  readonly oid: string | null;
}

/** Follows symbolic refs to the end; null where only git can tell. */
export function followRef(directories: RefDirectories, ref: string): FollowedRef | null {
  let name = ref;
  for (let depth = 0; depth < maxSymrefDepth; depth += 1) {
    const file = readRefFile(directories, name);
    switch (file.kind) {
      case 'oid':
        return { name, oid: file.oid };
      case 'absent':
        return { name, oid: null };
      case 'unreadable':
        return null;
      case 'symref':
        name = file.target;
    }
  }
  return null;
}

/**
 * The full name of the branch that is checked out in a work tree, at once; `detached` where none is, null where it can't be
 * known. Starts git only where refs are kept elsewhere than in files.
 */
export function branchCheckedOut(directories: RefDirectories, workTree: string): string | 'detached' | null {
  const head = readRefFile(directories, 'HEAD');
  switch (head.kind) {
    case 'symref':
      return head.target;
    case 'oid':
      return 'detached';
    case 'absent':
      return null;
    case 'unreadable':
      return askForBranch(workTree);
  }
}

function askForBranch(cwd: string): string | 'detached' | null {
  const { exitCode, text } = askAtOnce(['symbolic-ref', '--quiet', 'HEAD'], cwd);
  return exitCode === 0 ? text : exitCode === 1 ? 'detached' : null;
}

async function askForHead(git: Git): Promise<Head> {
  const [symref, commit] = await Promise.all([
    git.run(['symbolic-ref', '--quiet', 'HEAD']),
    git.run(['rev-parse', '--verify', '--quiet', 'HEAD']),
  ]);
  const oid = commit.exitCode === 0 ? commit.stdout.toString('utf8').trim() : null;
  if (symref.exitCode === 0) {
    return branchHead(symref.stdout.toString('utf8').trim(), oid);
  }
  return { kind: 'detached', oid: oid ?? '' };
}

function branchHead(ref: string, oid: string | null): Head {
  return { kind: 'branch', ref, branch: shortBranchName(ref), oid };
}
