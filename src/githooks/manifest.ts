import { existsSync, mkdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { removeLeftovers, writeAtomically } from './atomic-file.ts';
import { stateDirectory } from './front.ts';
import { type HookName, isHookName } from './hook-name.ts';
import type { HookFile } from './kept-hook.ts';

/** One hook that `install` wrote. */
export interface ManifestEntry {
  readonly hook: HookName;
  /** Absolute hooks directory. In the file it is relative to the common directory: repositories move. */
  readonly directory: string;
  /** Digest of the script as it was written: tells whether somebody changed it since. */
  readonly sha256: string;
  /** What was at the hook's path; null: nothing. */
  readonly before: HookFile | null;
  readonly createdDirectory: boolean;
}

interface ManifestFile {
  readonly version: 1;
  readonly hooks: readonly ManifestEntry[];
}

/** @param commonDir absolute */
export function manifestPath(commonDir: string): string {
  return join(stateDirectory({ commonDir }), 'hooks.json');
}

/** The hooks that were written in this repository. A manifest that can't be read counts as empty: the hooks' own marks remain. */
export function readManifest(commonDir: string): readonly ManifestEntry[] {
  try {
    if (!statSync(manifestPath(commonDir)).isFile()) {
      return []; // Opening a named pipe would wait for a writer.
    }
    const file = JSON.parse(readFileSync(manifestPath(commonDir), 'utf8')) as Partial<ManifestFile>;
    const entries = Array.isArray(file.hooks) ? (file.hooks as readonly ManifestEntry[]) : [];
    return entries
      .filter((entry) => isHookName(entry.hook) && typeof entry.directory === 'string')
      .map((entry) => ({ ...entry, directory: resolve(commonDir, entry.directory) }));
  } catch {
    return [];
  }
}

/** Writes the manifest in one step; without entries it is taken away, and its directory with it when nothing else is in there. */
export function writeManifest(commonDir: string, entries: readonly ManifestEntry[]): void {
  const path = manifestPath(commonDir);
  if (entries.length === 0) {
    if (existsSync(path)) {
      unlinkSync(path);
    }
    return;
  }
  mkdirSync(stateDirectory({ commonDir }), { recursive: true });
  removeLeftovers(stateDirectory({ commonDir }));
  const hooks = entries.map((entry) => ({ ...entry, directory: portable(commonDir, entry.directory) }));
  writeAtomically(path, `${JSON.stringify({ version: 1, hooks } satisfies ManifestFile, null, 2)}\n`, 0o644);
}

function portable(commonDir: string, directory: string): string {
  const path = relative(commonDir, directory);
  return isAbsolute(path) ? directory : path || '.';
}
