import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDirectory, readText } from '../git/files.ts';
import { quoteWord } from '../quote.ts';
import { anyPath } from '../shell/listed-files.ts';
import type { Directory, Origin, Word } from '../shell/simple-command.ts';
import { absolutePath } from './files/absolute-path.ts';
import { switchesHooksOff } from './files/agent-hooks.ts';
import { keepsHooks } from './files/agent-settings.ts';
import { namesBelow } from './files/copied-contents.ts';
import type { FileChange } from './files/file-change.ts';
import { isBareRepository } from './files/git-directory.ts';
import { type GuardedFile, guardedFile, isWithin, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { guardedPathsNear } from './files/guarded-paths.ts';
import { otherNames } from './files/hard-links.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { type Aftermath, changesKey, keyOfManifest, mayHoldKey } from './files/manifest.ts';
import { isSubmoduleHistory } from './files/submodules.ts';
import { truePath } from './files/true-path.ts';
import { worktreesOf } from './files/work-trees.ts';
import { type Finding, findings } from './finding.ts';
import { known, shown, textOf, type UnknownWord } from './git-command/words.ts';
import { mirrorOf } from './mirror-of.ts';
import { judgeGuardedFile } from './rules/guarded-files.ts';
import { isOwnHistory, judgeRemovedDirectory, type Removal } from './rules/removed-directory.ts';
import { unreadable } from './rules/unreadable-command.ts';
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
    if (path.kind === 'unknown' && mayNameGitsFiles(path)) {
      const { policy } = await world.conventionAt(cwd);
      const { source, reason } = path;
      found.push(...unreadable(policy, { source, reason, could: 'a hook, or the git directory' }));
      continue;
    }
    if (destroyedBy !== null && kind === 'remove' && path.kind === 'unknown' && path.names === 'work trees') {
      found.push(...(await judgeRemovedWorktrees(path, { cwd, by: destroyedBy }, world)));
    }
    if (
      kind === 'remove' &&
      destroyedBy !== null &&
      change.isShallow !== true &&
      isBareValue(path) &&
      couldBeTheTop(path, cwd)
    ) {
      const { policy } = await world.conventionAt(cwd);
      const { source, reason } = path;
      found.push(...unreadable(policy, { source, reason, could: 'the git directory, or the whole work tree' }));
      continue;
    }
    for (const absolute of pathsOf(change, cwd, world).filter((path) => !isBelowFile(path))) {
      found.push(...(await judgePath(absolute, change, { cwd, destroyedBy }, world)));
    }
  }
  return found;
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
  const { path, kind } = change;
  const found: Finding[] = [];
  const isRemoved = kind === 'remove' && change.isShallow !== true;
  if (kind === 'write') {
    world.written.push(absolute);
  }
  if ((destroyedBy !== null || kind === 'write') && world.patches.lostWith(absolute) !== null) {
    found.push(
      ...(await judgeLostPatch(
        { shownPath: path.kind === 'known' ? shown(path) : near(absolute, world.start), absolute },
        cwd,
        world,
      )),
    );
  }
  const isLeft = change.isShallow === true && isDirectory(absolute);
  // In a container it may be another file.
  const mayStay = change.mayStay === true || (cwd.kind === 'known' && cwd.isMounted === true);
  const isGone = kind === 'remove' && !isLeft;
  const removed = destroyedBy === null ? 'moved' : { by: destroyedBy, mayStay };
  world.patches.forget(absolute, isGone ? removed : 'changed');
  if (destroyedBy !== null && isRemoved) {
    found.push(...(await judgeRemovedDirectory(absolute, shown(path), { cwd, by: destroyedBy }, world)));
    if (isSubmoduleHistory(absolute)) {
      return found;
    }
  } else if (isRemoved && isOwnHistory(absolute, cwd, world)) {
    const { policy } = await world.conventionAt(cwd);
    found.push(
      ...judgeGuardedFile({ kind: 'git-directory' }, shown(path), kind, policy, {
        mirror: mirrorOf(absolute, world.start),
      }),
    );
  }
  return [...found, ...(await judgeChange(absolute, change, world))];
}

/** `cp -r DIRECTORY/. .`: is there a repository in either, or does the line make the one that is copied? */
function comes({ path, broughtFrom }: FileChange, cwd: Directory, world: World): boolean {
  if (broughtFrom === undefined) {
    return true;
  }
  const [from, to] = [absolutePath(broughtFrom, cwd), absolutePath(path, cwd)];
  return (
    from !== null &&
    to !== null &&
    existsSync(to) &&
    (existsSync(from) || world.scratch.madeAt(dirname(from), null) !== null)
  );
}

/**
 * `cp -r template/. .`: the files that come along and may be guarded where they land, and are others than those there;
 * null: no directory is copied.
 */
function broughtContents({ path, contents }: FileChange, cwd: Directory, world: World): readonly FileChange[] | null {
  if (contents === undefined) {
    return null;
  }
  const [from, target] = [absolutePath(contents.from, cwd), absolutePath(path, cwd)];
  if (from === null || target === null) {
    return [];
  }
  const to = contents.keepsName && isDirectory(target) ? join(target, basename(from)) : target;
  // What comes of a repository's own files is told by `broughtFrom`.
  const own = [...world.writtenTexts.keys()].filter(
    (file) => file.startsWith(`${from}/`) && !/\/\.git(?:\/|$)/.test(file.slice(from.length)),
  );
  const names = new Set([...namesBelow(from), ...own.map((file) => relative(from, file))]);
  const mattering = [...names].filter((name) => !contents.leavesOut(name) && mayMatter(join(to, name), world));
  return mattering.flatMap((name): FileChange[] => {
    const file = join(to, name);
    const written = world.writtenTexts.get(join(from, name));
    const text = written === undefined ? readText(join(from, name)) : written;
    if (text !== null && text === readText(file)) {
      return [];
    }
    world.writtenTexts.set(file, text);
    return [{ path: known(file), kind: 'write' }];
  });
}

function mayMatter(path: string, world: World): boolean {
  const top = workTreeAbove(path);
  return (
    mayBeGuarded(path) ||
    mayHoldKey(path) ||
    (top !== null && world.configuredHooks(top).some((hooks) => isWithin(path, hooks)))
  );
}

/** Nothing tells what it is but its beginning and its end: no listing, no pattern. */
function isBareValue(path: Word): path is UnknownWord {
  return path.kind === 'unknown' && path.fits === undefined && path.names === undefined && textOf(path) === null;
}

/** `rm -rf "$PWD/$NAME"`: without a name, all of it goes. `"$PWD/try.$NAME"` is neither that nor `.git`. */
function couldBeTheTop(path: UnknownWord, cwd: Directory): boolean {
  const top = directoryOf(path, cwd);
  const name = path.prefix.slice(path.prefix.lastIndexOf('/') + 1);
  return top !== null && '.git'.startsWith(name) && path.suffix === '' && existsSync(join(top, '.git'));
}

/** The directory in which it surely is; null where neither its beginning nor a listing tells. */
function directoryOf({ prefix, fits }: UnknownWord, cwd: Directory): string | null {
  const directory = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  const isListed = fits !== undefined && fits !== anyPath;
  return directory === '' && !isListed ? null : absolutePath(known(directory || '.'), cwd);
}

/** `git worktree list | awk '{print $1}' | xargs rm -rf`: any of the linked ones may be meant. */
async function judgeRemovedWorktrees(path: Word, removal: Removal, world: World): Promise<readonly Finding[]> {
  const { cwd } = removal;
  const repository = cwd.kind === 'known' ? await world.open(cwd.path).catch(() => null) : null;
  const linked = repository === null ? [] : (await worktreesOf(repository)).slice(1);
  const judged = linked.map((worktree) => judgeRemovedDirectory(worktree, shown(path), removal, world));
  return (await Promise.all(judged)).flat();
}

/** `git diff > a.patch && git checkout . && rm a.patch` */
async function judgeLostPatch(
  { shownPath, absolute }: { readonly shownPath: string; readonly absolute: string },
  cwd: Directory,
  world: World,
): Promise<readonly Finding[]> {
  const { policy } = await world.conventionAt(cwd);
  const source = world.patches.copiedFrom(absolute);
  return findings('discard-changes', policy, {
    message: `${shownPath} holds changes that this command line has taken back, and nothing else does.`,
    evidence: { files: [shownPath] },
    suggestion:
      source === null
        ? `git apply ${quoteWord(shownPath)}`
        : `cp -r ${quoteWord(shownPath)} ${quoteWord(near(source, world.start))}`,
  });
}

/** The absolute paths that a change is about, as written and where links lead; of a pattern, those that matter and fit. */
function pathsOf(
  { path, kind, isShallow, leaves, spares = [] }: FileChange,
  cwd: Directory,
  world: World,
): readonly string[] {
  if (path.kind === 'unknown' && textOf(path) === null) {
    const fitting = [...fittingPaths(path, cwd, world), ...(kind === 'remove' ? fittingPatches(path, cwd, world) : [])];
    const top = directoryOf(path, cwd) ?? '/';
    const sparing = spares.flatMap((word) => absolutePath(word, cwd) ?? []);
    const isSpared = (file: string) => sparing.some((directory) => existsSync(join(directory, relative(top, file))));
    const isLeft = (file: string) => {
      const written = world.writtenTexts.get(file);
      const text = leaves === undefined ? null : written === undefined ? readText(file) : written;
      return text !== null && leaves?.(text) === true;
    };
    return fitting.filter((one) => (isShallow !== true || !isDirectory(one)) && !isLeft(one) && !isSpared(one));
  }
  const absolute = absolutePath(path, cwd);
  if (absolute === null) {
    return [];
  }
  const before = [world.moved.before(absolute), ...(kind === 'remove' ? world.moved.into(absolute) : [])];
  const linked = kind === 'remove' ? [] : otherNames(absolute, () => guardedAround(absolute, world));
  return [...new Set([absolute, truePath(absolute, kind !== 'remove', world.links), ...before, ...linked])];
}

/** Guarded files of the repositories in which a path is, and in which the line starts. */
function guardedAround(path: string, world: World): readonly string[] {
  const places = new Set([path, world.start].map((place) => workTreeAbove(place)).filter((top) => top !== null));
  return [...places].flatMap((top) => guardedPathsNear(top, (workTree) => world.configuredHooks(workTree)));
}

/** What the guard watches and a word could name, of which only beginning and end are known. */
function fittingPaths(path: Extract<Word, { kind: 'unknown' }>, cwd: Directory, world: World): readonly string[] {
  const directory = path.prefix.slice(0, path.prefix.lastIndexOf('/') + 1);
  const top = directoryOf(path, cwd);
  if (top === null) {
    return [];
  }
  const root = truePath(top, true, world.links);
  const near = guardedPathsNear(root, (workTree) => world.configuredHooks(workTree));
  // A value that is put together could be anything. Only where it leads is evidence.
  const leadsThere =
    near.some((guarded) => dirname(guarded) === root && !isTop(guarded) && !isBareRepository(guarded)) && !isTop(root);
  return isBareValue(path) && !leadsThere
    ? []
    : near.filter(
        (guarded) => guarded.startsWith(`${root}/`) && fits(directory + guarded.slice(root.length + 1), path),
      );
}

/** `find . -name '*.patch' -delete`: what holds the only copy of changes, where a listing or a pattern could name it. */
function fittingPatches(path: UnknownWord, cwd: Directory, world: World): readonly string[] {
  const directory = path.prefix.slice(0, path.prefix.lastIndexOf('/') + 1);
  const top = directoryOf(path, cwd);
  return top === null || path.fits === undefined
    ? []
    : world.patches
        .needed(top)
        .filter((below) => fits(directory + below, path))
        .map((below) => join(top, below));
}

/** Could a word have this value? */
function fits(text: string, { prefix, suffix, fits }: UnknownWord): boolean {
  return text.startsWith(prefix) && text.endsWith(suffix) && fits?.(text) !== false;
}

function isTop(directory: string): boolean {
  return existsSync(join(directory, '.git'));
}

/** `"$DIRECTORY/.git"`, `"$(git rev-parse --git-path hooks)/pre-push"`, `"$HOOKS"/pre-push` */
function mayNameGitsFiles({ source, suffix }: UnknownWord): boolean {
  const isNamed = /\.git(?:["'/]|$)|--git-(?:path|dir|common-dir)|\/hooks\//.test(source);
  return (isNamed && !/\.lock["']?$/.test(source)) || hookFile.test(suffix);
}

/** githooks(5): hooks that may refuse what is done. */
const hookFile =
  /^\/(?:pre-(?:commit|push|merge-commit|rebase|receive|applypatch)|(?:prepare-)?commit-msg|applypatch-msg)$/;

async function judgeChange(absolute: string, change: FileChange, world: World): Promise<readonly Finding[]> {
  const { path, kind } = change;
  const top = workTreeAbove(absolute);
  const after = { text: world.writtenTexts.get(absolute) ?? null, writer: world.writers.of(absolute) };
  const concerns = concernsOf(absolute, change, { top, after }, world);
  const isLeft = kind === 'mode' && change.isShallow === true && isDirectory(absolute);
  if (isLeft || !Object.values(concerns).includes(true)) {
    return [];
  }
  if (isOfMade(absolute, world) || (top !== null && (await world.isNobodys(top)))) {
    return [];
  }
  const hooks = concerns.hooks ? await hooksDirectory(top ?? nearestDirectory(absolute), world) : null;
  const guarded = concerns.key
    ? keyOfManifest
    : (guardedFile(absolute, hooks, world.env) ?? agentSettings(absolute, kind, after) ?? byConcern(concerns));
  const file = guarded?.kind === 'agent-settings' && kind === 'write' && keepsHooks(absolute, after) ? null : guarded;
  const isHistory = kind === 'remove' && file?.kind === 'git-directory';
  const isHooks = hooks !== null && !isHistory && takesAlong(change, { absolute, hooks, top });
  const matter = isHooks ? ({ kind: 'hooks' } as const) : file;
  if (matter === null) {
    return [];
  }
  const { policy } = await world.conventionAt({ kind: 'known', path: top ?? '/' });
  const name = path.kind === 'known' ? path.value : near(absolute, world.start);
  return judgeGuardedFile(matter, name, kind, policy, { mirror: mirrorOf(absolute, world.start) });
}

/** Is it in a repository that the line makes? Of one in another work tree, the files are still that one's. */
function isOfMade(absolute: string, { scratch }: World): boolean {
  const made = scratch.madeAt(absolute, null);
  return made !== null && (made.inOther === undefined || isWithin(absolute, join(made.directory, '.git')));
}

/** What a change may be about, as far as it can be told without a process. */
interface Concerns {
  readonly hooks: boolean;
  /** The guard's key in a package.json. */
  readonly key: boolean;
  /** Settings that git includes. */
  readonly included: boolean;
  /** The program that agents start. */
  readonly program: boolean;
  readonly other: boolean;
}

function concernsOf(
  absolute: string,
  change: FileChange,
  { top, after }: { readonly top: string | null; readonly after: Aftermath },
  world: World,
): Concerns {
  return {
    hooks:
      change.disarms === true ||
      /hook|husky/i.test(absolute) ||
      (top !== null &&
        world.configuredHooks(top).some((hooks) => isWithin(absolute, hooks) || isWithin(hooks, absolute))),
    key: mayHoldKey(absolute) && changesKey(absolute, change.kind, after),
    included: world.isIncluded(absolute, top),
    program: isOwnProgram(absolute, change, world),
    other: mayBeGuarded(absolute),
  };
}

/** What a file is that no name tells. */
function byConcern({ program, included }: Concerns): GuardedFile | null {
  if (program) {
    return { kind: 'guard', part: 'package' };
  }
  return included ? { kind: 'included-configuration' } : null;
}

/** Does it concern the program that an agent starts as the guard's hook? A directory takes it along, unless it is worked on. */
function isOwnProgram(path: string, { kind, isShallow }: FileChange, world: World): boolean {
  const takes = kind === 'remove' && isShallow !== true;
  // Settings are read where they can matter: the programs lie in a directory of that name.
  if (!takes && !/\/hook(?:$|\/)/.test(path)) {
    return false;
  }
  const top = workTreeAbove(world.start);
  return world
    .ownPrograms()
    .some(
      (programs) =>
        isWithin(path, programs) || (takes && isWithin(programs, path) && (top === null || !isWithin(programs, top))),
    );
}

function agentSettings(path: string, kind: FileChange['kind'], { text, writer }: Aftermath): GuardedFile | null {
  return kind === 'write' && switchesHooksOff(path, text ?? writer) ? { kind: 'agent-settings' } : null;
}

function near(path: string, start: string): string {
  return isWithin(path, start) ? relative(start, path) : path;
}

/** Does a change of a directory concern the hooks in it? They go with their repository, which is another matter. */
function takesAlong(
  { kind, isShallow, disarms }: FileChange,
  { absolute, hooks, top }: { readonly absolute: string; readonly hooks: string; readonly top: string | null },
): boolean {
  const isTaken =
    kind === 'remove' && isShallow !== true && top !== null && isWithin(absolute, top) && absolute !== top;
  return (isTaken || disarms === true) && isWithin(hooks, absolute) && isDirectory(hooks);
}

async function hooksDirectory(directory: string, world: World): Promise<string | null> {
  const repository = await world.open(directory).catch(() => null);
  return repository === null ? null : hooksDirectoryOf(repository);
}

/** The nearest directory above a path that exists: a bare repository may be there. */
function nearestDirectory(path: string): string {
  const above = dirname(path);
  return existsSync(above) || above === path ? above : nearestDirectory(above);
}
