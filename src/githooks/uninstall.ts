import { chmodSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../git/runner.ts';
import { removeIfEmpty, removeLeftovers } from './atomic-file.ts';
import { hookNames } from './hook-name.ts';
import { asideNames, digestOf, isOurHookAt } from './hook-state.ts';
import { gitAtTop, hookPathOfGit } from './hooks-directory.ts';
import { openForHooks } from './install.ts';
import { withInstallLock } from './install-lock.ts';
import { inspectHook, isSameHook, keptPath, removeAlias } from './kept-hook.ts';
import { type ManifestEntry, readManifest, writeManifest } from './manifest.ts';

export interface UninstallRequest {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Environment;
  readonly dryRun: boolean;
}

/** What was done at one path (or would be, in a dry run). */
export interface UninstalledHook {
  readonly path: string;
  /**
   * `removed`: there was no hook before. `restored`: the hook that was there before is back.
   * `left`: another tool has written its own hook since; it stays.
   * `absent`: the guard's was recorded and is not there: its installation failed, or somebody took it away.
   */
  readonly change: 'removed' | 'restored' | 'left' | 'absent';
  /** What else a person should know: a kept hook that stays, a changed script that was put aside. */
  readonly note: string | null;
}

/**
 * Takes the guard's hooks away and puts back what was there, byte for byte, mode and links included.
 *
 * @throws OxideError `not-a-repository`, `outside-work-tree`, `install-locked`
 */
export async function uninstall(request: UninstallRequest): Promise<readonly UninstalledHook[]> {
  const repository = await openForHooks(request.cwd, request.env);
  const git = gitAtTop(repository, request.env);
  const entries = readManifest(repository.commonDir);
  // Without a manifest the scripts' own marks tell; they can only be where git looks now.
  const present = await Promise.all(hookNames.map((hook) => hookPathOfGit(git, hook)));
  const recorded = entries.map((entry) => join(entry.directory, entry.hook));
  const found = present.filter(
    (path) => isOurHookAt(path) || asideNames.some((name) => isOurHookAt(`${path}.${name}`)),
  );
  const paths = [...new Set([...recorded, ...found])];
  const work = () =>
    paths.map((path) =>
      removeHook(path, entries.find((entry) => join(entry.directory, entry.hook) === path) ?? null, request.dryRun),
    );
  if (request.dryRun) {
    return work();
  }
  const removeAll = () => {
    const result = work();
    paths.forEach(removeAlias);
    writeManifest(repository.commonDir, []);
    for (const { directory, createdDirectory } of entries) {
      removeLeftovers(directory);
      if (createdDirectory) {
        removeIfEmpty(directory);
      }
    }
    return result;
  };
  return withInstallLock(repository.commonDir, removeAll, { onFullDisk: 'go on' });
}

function removeHook(path: string, entry: ManifestEntry | null, dryRun: boolean): UninstalledHook {
  const place = [path, ...asideNames.map((name) => `${path}.${name}`)].find(isOurHookAt) ?? null;
  if (place === null && inspectHook(path) !== null) {
    return leave(path, dryRun);
  }
  const target = place ?? path;
  const notes = [
    place !== null && entry !== null && entry.sha256 !== digestOf(place) ? putAside(place, dryRun) : null,
    target === path ? null : `${path} was written by another tool since: it stays.`,
    noteOnKept(path, entry),
  ];
  const hasKept = inspectHook(keptPath(path)) !== null;
  if (!dryRun && hasKept) {
    renameSync(keptPath(path), target);
  } else if (!dryRun && place !== null) {
    rmSync(place, { force: true });
  }
  const note = notes.filter((line) => line !== null).join(' ');
  const change = hasKept ? 'restored' : place === null ? 'absent' : 'removed';
  return { path: target, change, note: note || null };
}

/** A script of ours that somebody has changed is not lost. */
function putAside(script: string, dryRun: boolean): string {
  const aside = `${script}.edited`;
  if (!dryRun) {
    // Needs no room, unlike a copy.
    renameSync(script, aside);
    chmodSync(aside, 0o644);
  }
  return `The guard's script had been changed: it is kept as ${aside}.`;
}

function noteOnKept(path: string, entry: ManifestEntry | null): string | null {
  const before = entry?.before ?? null;
  if (before === null) {
    return null;
  }
  const kept = inspectHook(keptPath(path));
  if (kept === null) {
    return `The hook that was there before is gone: ${keptPath(path)} does not exist any more.`;
  }
  const isAsRecorded = kept !== 'directory' && isSameHook(kept, before);
  return isAsRecorded ? null : 'It has been changed since the installation: the changed one is put back.';
}

/** Another tool's hook stands in the place. If it is the very hook that was kept, one of the two is enough. */
function leave(path: string, dryRun: boolean): UninstalledHook {
  const kept = keptPath(path);
  const now = inspectHook(path);
  const before = inspectHook(kept);
  if (before === null || before === 'directory' || now === null || now === 'directory') {
    return { path, change: 'left', note: 'Another tool has written it since the installation.' };
  }
  if (isSameHook(now, before)) {
    if (!dryRun) {
      unlinkSync(kept);
    }
    return { path, change: 'restored', note: null };
  }
  return {
    path,
    change: 'left',
    note: `Another tool has written it since the installation. The hook that was there before the guard is ${kept}`,
  };
}
