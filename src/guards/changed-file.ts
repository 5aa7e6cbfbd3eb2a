import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readIndexedPaths } from '../git/contents/index-file.ts';
import { isDirectory } from '../git/files.ts';
import { switchesHooksOff } from './files/agent-hooks.ts';
import { keepsHooks } from './files/agent-settings.ts';
import type { FileChange } from './files/file-change.ts';
import { type GuardedFile, guardedFile, isWithin, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { mayBeManagers } from './files/hook-managers.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { type Aftermath, changesKey, keyOfManifest, mayHoldKey } from './files/manifest.ts';
import type { Finding } from './finding.ts';
import { mirrorOf } from './mirror-of.ts';
import { judgeGuardedFile } from './rules/checks/guarded-files.ts';
import { asOpened } from './simulation/replaced.ts';
import type { ScratchRepository } from './simulation/scratch-repositories.ts';
import { near } from './wording.ts';
import type { World } from './world.ts';

/** What a change of one file, by its absolute path, does to hooks, the guard and what git or agents are configured by. */
export async function judgeChangedFile(changed: string, change: FileChange, world: World): Promise<readonly Finding[]> {
  const made = madeAround(changed, world);
  if (made !== null) {
    await noteInCopy(changed, change, made, world);
    return [];
  }
  const { path, kind } = change;
  if (mayBeManagers(changed)) {
    world.noteManagersFile(changed, kind);
  }
  const absolute = (await likeInOther(changed, world)) ?? changed;
  const matter = await matterOf(absolute, { ...change, changed }, world);
  if (matter === null) {
    return [];
  }
  const { policy } = await world.conventionAt({ kind: 'known', path: workTreeAbove(absolute) ?? '/' });
  const name = path.kind === 'known' ? path.value : near(changed, world.start);
  return judgeGuardedFile(matter, name, kind, policy, { mirror: mirrorOf(absolute, world.start) });
}

/** The repository that the line makes in which it is. Of one in another work tree, the files are still that one's. */
function madeAround(absolute: string, { scratch }: World): ScratchRepository | null {
  const made = scratch.madeAt(absolute, null);
  return made !== null && (made.inOther === undefined || isWithin(absolute, join(made.directory, '.git')))
    ? made
    : null;
}

/** Nothing in a copy is anybody's, but what it pushes is to be checked by the hooks that were copied as well. */
async function noteInCopy(absolute: string, change: FileChange, made: ScratchRepository, world: World): Promise<void> {
  const original = originalOf(absolute, made);
  if (original !== null && (await matterOf(original, { ...change, changed: absolute }, world))?.kind === 'hooks') {
    world.scratch.changeHook(absolute);
  }
}

/** The file that was copied to a path; null where that is not known. */
function originalOf(path: string, { directory, copyOf }: ScratchRepository): string | null {
  if (copyOf === undefined) {
    return null;
  }
  const below = relative(directory, path);
  // `cp -r .git ../copy/`: the directory is made for it.
  const isBeside = basename(copyOf) === '.git' && isWithin(below, '.git');
  return join(isBeside ? dirname(copyOf) : copyOf, below);
}

/**
 * What a change matters to; null: to nothing that is watched.
 *
 * @param absolute what the file is like that is changed: itself, or the one of which it is a copy
 */
async function matterOf(
  absolute: string,
  change: FileChange & { readonly changed: string },
  world: World,
): Promise<GuardedFile | null> {
  const { kind, changed } = change;
  const top = workTreeAbove(absolute);
  const after = { text: world.writtenTexts.get(changed) ?? null, writer: world.writers.of(changed) };
  const concerns = concernsOf(absolute, change, { top, after }, world);
  const isLeft = kind === 'mode' && change.isShallow === true && isDirectory(absolute);
  if (isLeft || !Object.values(concerns).includes(true) || (top !== null && (await world.places.isNobodys(top)))) {
    return null;
  }
  const hooks = concerns.hooks ? await hooksDirectory(top ?? nearestDirectory(absolute), world) : null;
  const guarded = concerns.key
    ? keyOfManifest
    : (guardedFile(absolute, hooks, world.env) ?? agentSettings(absolute, kind, after) ?? byConcern(concerns));
  const file = guarded?.kind === 'agent-settings' && kind === 'write' && keepsHooks(absolute, after) ? null : guarded;
  const isHistory = kind === 'remove' && file?.kind === 'git-directory';
  const isHooks = hooks !== null && !isHistory && takesAlong(change, { absolute, hooks, top });
  return isHooks ? { kind: 'hooks' } : file;
}

/**
 * A work tree that the line adds gets the files that git tracks: what such a file is to the guard, the same file is in the
 * work tree from which it is added.
 *
 * @returns its path there; null: it is in no such work tree, or git does not track it
 */
async function likeInOther(path: string, world: World): Promise<string | null> {
  const added = world.trees.addedAround(path);
  const other = added === null ? null : asOpened(added.from);
  if (added === null || other === null || other.workTree === null) {
    return null;
  }
  const place = relative(added.top, path);
  const tracked = place === '' ? [] : ((await readIndexedPaths(other)) ?? [place]);
  return tracked.some((name) => name === place || name.startsWith(`${place}/`)) ? join(other.workTree, place) : null;
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
