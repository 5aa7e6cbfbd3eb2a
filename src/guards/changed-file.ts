import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDirectory } from '../git/files.ts';
import { switchesHooksOff } from './files/agent-hooks.ts';
import { keepsHooks } from './files/agent-settings.ts';
import type { FileChange } from './files/file-change.ts';
import { type GuardedFile, guardedFile, isWithin, mayBeGuarded, workTreeAbove } from './files/guarded-file.ts';
import { hooksDirectoryOf } from './files/hooks-directory.ts';
import { type Aftermath, changesKey, keyOfManifest, mayHoldKey } from './files/manifest.ts';
import type { Finding } from './finding.ts';
import { mirrorOf } from './mirror-of.ts';
import { judgeGuardedFile } from './rules/checks/guarded-files.ts';
import { near } from './wording.ts';
import type { World } from './world.ts';

/** What a change of one file, by its absolute path, does to hooks, the guard and what git or agents are configured by. */
export async function judgeChangedFile(
  absolute: string,
  change: FileChange,
  world: World,
): Promise<readonly Finding[]> {
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
