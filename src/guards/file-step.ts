import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDirectory } from '../git/files.ts';
import { quoteWord } from '../quote.ts';
import type { Directory, Origin } from '../shell/simple-command.ts';
import { broughtContents, comes } from './brought-contents.ts';
import { judgeChangedFile } from './changed-file.ts';
import { couldBeTheTop, isBareValue, mayNameGitsFiles, pathsOf } from './changed-paths.ts';
import type { FileChange } from './files/file-change.ts';
import { submoduleHistories } from './files/submodules.ts';
import { worktreesOf } from './files/work-trees.ts';
import { type Finding, findings } from './finding.ts';
import { shown } from './git-command/words.ts';
import { mirrorOf } from './mirror-of.ts';
import { judgeGuardedFile } from './rules/checks/guarded-files.ts';
import { isOwnHistory, judgeRemovedDirectory, type Removal } from './rules/uncommitted/removed-directory.ts';
import { unreadable } from './rules/unreadable-command.ts';
import { near } from './wording.ts';
import type { World } from './world.ts';

/** Changes of files by one command. */
export interface FileChanges {
  readonly changes: readonly FileChange[];
  /** What the paths are relative to. */
  readonly cwd: Directory;
  /** What is removed is gone with everything in it, by this command; null: it is elsewhere, or git keeps its repository. */
  readonly destroyedBy: Origin | null;
}

/** Files that a command changes: the guard's own, git's, and repositories that go with their directory. */
export async function judgeFileChanges(
  { changes, cwd, destroyedBy }: FileChanges,
  world: World,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const each = changes.flatMap((change) => broughtContents(change, cwd, world) ?? [change]);
  for (const change of each.filter((one) => comes(one, cwd, world))) {
    const { path, kind } = change;
    if (destroyedBy !== null && kind === 'remove' && path.kind === 'unknown' && path.names === 'work trees') {
      found.push(...(await judgeRemovedWorktrees({ cwd, by: destroyedBy }, world)));
    }
    const could = couldBe(change, { cwd, destroyedBy });
    if (could !== null) {
      const { policy } = await world.conventionAt(cwd);
      found.push(...unreadable(policy, could));
      continue;
    }
    for (const absolute of pathsOf(change, cwd, world).filter((path) => !isBelowFile(path))) {
      found.push(...(await judgePath(absolute, change, { cwd, destroyedBy }, world)));
    }
  }
  return found;
}

/** What a path without a known value could be that matters; null: nothing. */
function couldBe({ path, kind, isShallow }: FileChange, { cwd, destroyedBy }: Omit<FileChanges, 'changes'>) {
  if (path.kind !== 'unknown') {
    return null;
  }
  const { source, reason } = path;
  if (mayNameGitsFiles(path)) {
    return { source, reason, could: 'a hook, or the git directory' };
  }
  const takesAll = kind === 'remove' && destroyedBy !== null && isShallow !== true;
  return takesAll && isBareValue(path) && couldBeTheTop(path, cwd)
    ? { source, reason, could: 'the git directory, or the whole work tree' }
    : null;
}

/**
 * `cp x .git/hooks/pre-push`: only if that were a directory, `pre-push/x` would be written. In a linked work tree `.git`
 * itself is a file: below it there is nothing.
 */
function isBelowFile(path: string): boolean {
  try {
    return statSync(dirname(path), { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR';
  }
}

/** One path that a change is about. */
async function judgePath(
  absolute: string,
  change: FileChange,
  { cwd, destroyedBy }: Omit<FileChanges, 'changes'>,
  world: World,
): Promise<readonly Finding[]> {
  const { path, kind, isShallow } = change;
  if (kind === 'write') {
    world.written.push(absolute);
  }
  const name = path.kind === 'known' ? shown(path) : near(absolute, world.start);
  const isLost = (destroyedBy !== null || kind === 'write') && world.patches.lostWith(absolute) !== null;
  const found = isLost ? [...(await judgeLostPatch(name, absolute, cwd, world))] : [];
  forgetPatch(absolute, change, { cwd, destroyedBy }, world);
  if (kind === 'remove' && isShallow !== true) {
    found.push(...(await judgeRemoval(absolute, name, { cwd, destroyedBy }, world)));
    if (destroyedBy !== null && submoduleHistories(absolute).length > 0) {
      return found;
    }
  }
  return [...found, ...(await judgeChangedFile(absolute, change, world))];
}

/** A file may hold changes no more that the line had kept there. */
function forgetPatch(
  absolute: string,
  { kind, isShallow, mayStay }: FileChange,
  { cwd, destroyedBy }: Omit<FileChanges, 'changes'>,
  { patches }: World,
): void {
  const isGone = kind === 'remove' && !(isShallow === true && isDirectory(absolute));
  // In a container it may be another file.
  const isElsewhere = cwd.kind === 'known' && cwd.isMounted === true;
  const removed = destroyedBy === null ? 'moved' : { by: destroyedBy, mayStay: mayStay === true || isElsewhere };
  patches.forget(absolute, isGone ? removed : 'changed');
}

/** A path that goes with everything in it. @param name as it is told */
async function judgeRemoval(
  absolute: string,
  name: string,
  { cwd, destroyedBy }: Omit<FileChanges, 'changes'>,
  world: World,
): Promise<readonly Finding[]> {
  if (destroyedBy !== null) {
    return judgeRemovedDirectory(absolute, name, { cwd, by: destroyedBy }, world);
  }
  if (!isOwnHistory(absolute, cwd, world)) {
    return [];
  }
  const { policy } = await world.conventionAt(cwd);
  const mirror = mirrorOf(absolute, world.start);
  return judgeGuardedFile({ kind: 'git-directory' }, name, 'remove', policy, { mirror });
}

/** `git worktree list | awk '{print $1}' | xargs rm -rf`: any of the linked ones may be meant. */
async function judgeRemovedWorktrees(removal: Removal, world: World): Promise<readonly Finding[]> {
  const { cwd } = removal;
  const repository = cwd.kind === 'known' ? await world.open(cwd.path).catch(() => null) : null;
  const linked = repository === null ? [] : (await worktreesOf(repository)).slice(1);
  const judged = linked.map((worktree) => judgeRemovedDirectory(worktree, near(worktree, world.start), removal, world));
  return (await Promise.all(judged)).flat();
}

/** `git diff > a.patch && git checkout . && rm a.patch` @param name as it is told */
export async function judgeLostPatch(
  name: string,
  absolute: string,
  cwd: Directory,
  world: World,
): Promise<readonly Finding[]> {
  const { policy } = await world.conventionAt(cwd);
  const source = world.patches.copiedFrom(absolute);
  return findings('discard-changes', policy, {
    message: `${name} holds changes that this command line has taken back, and nothing else does.`,
    evidence: { files: [name] },
    suggestion:
      source === null
        ? `git apply ${quoteWord(name)}`
        : `cp -r ${quoteWord(name)} ${quoteWord(near(source, world.start))}`,
  });
}
