import { basename, join } from 'node:path';
import { userState } from '../audit/user-state.ts';
import type { Environment } from '../git/runner.ts';
import { guardedFile } from '../guards/files/guarded-file.ts';
import { changesKey, mayHoldKey } from '../guards/files/manifest.ts';
import { contains, targetOf } from '../tools/place.ts';
import type { FileAccess } from '../tools/tool.ts';
import { agentSettings } from './sandbox/repository-paths.ts';
import { userConfiguration } from './trust/user-settings.ts';

/**
 * Why a person must confirm that a tool writes a file, whatever the mode; null: there is no reason. Both the path and
 * what its symbolic links lead to are looked at.
 *
 * @param hooks directories of the work tree in which git looks for hooks, absolute
 */
export function reasonToGuard(
  { path, text, edited = '' }: FileAccess,
  hooks: readonly string[],
  env: Environment,
): string | null {
  for (const place of new Set([path, targetOf(path)])) {
    const own = [userConfiguration(env), join(userState(env), 'oxide-guard')];
    // Also a configuration that is not there yet: making one could switch rules off.
    const isConfiguration = /^oxide-guard\.config\.\w+$/i.test(basename(place));
    if (isConfiguration || own.some((directory) => contains(directory, place)) || isGuarded(place, env)) {
      return `${path} decides what the guard lets through.`;
    }
    if (mayHoldKey(place) && changesKey(place, 'write', { text: text ?? null, writer: edited })) {
      return `The key "oxide-guard" of ${path} decides what the guard lets through.`;
    }
    const names = [...agentSettings, '.husky'];
    const isOfPrograms = names.some((name) => `${place}/`.toLowerCase().includes(`/${name}/`));
    if (isOfPrograms || hooks.some((directory) => contains(directory, place))) {
      return `${path} names programs that run outside of the sandbox.`;
    }
  }
  return null;
}

function isGuarded(path: string, env: Environment): boolean {
  return guardedFile(path, null, env) !== null;
}
