import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Location } from '../git/discovery.ts';
import type { PackagePlace } from './hook-script.ts';
import type { HooksDirectory } from './hooks-directory.ts';
import type { InstalledHook } from './installed-hook.ts';

/** Another tool that writes git hooks, and what its own installation does to hooks it did not write. */
interface HookManager {
  readonly name: string;
  /** Its own installation, as a `prepare` script runs it. */
  readonly command: string;
  readonly effect: string;
  readonly files: readonly string[];
  /** Key in package.json. */
  readonly key: string | null;
}

const managers: readonly HookManager[] = [
  {
    name: 'husky',
    command: 'husky',
    effect: 'writes its hooks directory anew each time it is installed',
    files: ['.husky'],
    key: null,
  },
  {
    name: 'lefthook',
    command: 'lefthook install',
    effect: "puts its own script in the guard's place each time it is installed, and when its configuration changes",
    files: ['yml', 'yaml', 'json', 'toml'].flatMap((end) => [`lefthook.${end}`, `.lefthook.${end}`]),
    key: null,
  },
  {
    name: 'simple-git-hooks',
    command: 'simple-git-hooks',
    effect: 'overwrites or deletes hooks that are not its own each time it is installed',
    files: ['', '.'].flatMap((dot) => ['json', 'js', 'cjs', 'mjs'].map((end) => `${dot}simple-git-hooks.${end}`)),
    key: 'simple-git-hooks',
  },
];

/** What a person should know after an installation: who may undo it, and what is fragile. */
export function noticesAbout(
  repository: Location,
  directory: HooksDirectory,
  hooks: readonly InstalledHook[],
  place: PackagePlace,
): readonly string[] {
  const notices: string[] = [];
  if (repository.workTree !== null) {
    for (const manager of managersIn(repository.workTree)) {
      notices.push(
        `${manager.name} ${manager.effect}. Let the guard follow it, in package.json: "prepare": "${manager.command} && oxide-guard install"`,
      );
    }
  }
  if (directory.inWorkTree && !existsSync(join(directory.path, '.gitignore'))) {
    notices.push(
      `${directory.path} is part of the work tree (${directory.setBy ?? 'core.hooksPath'}). The scripts name this machine's node: let everybody run the installation, and keep them out of commits.`,
    );
  }
  if (/[\\/]_npx[\\/]/.test(place.recorded)) {
    notices.push(
      "The package is in npx's cache, which npm may empty; then the hooks refuse. Make it part of the project: npm install --save-dev oxide-guard",
    );
  }
  for (const { hook, retired } of hooks) {
    if (retired !== null) {
      notices.push(
        `An older ${hook} hook, which another tool had already replaced, is now ${retired}. It does not run.`,
      );
    }
  }
  return notices;
}

function managersIn(workTree: string): readonly HookManager[] {
  const manifest = readText(join(workTree, 'package.json'));
  return managers.filter(
    ({ files, key }) =>
      files.some((file) => existsSync(join(workTree, file))) || (key !== null && holdsObject(manifest, key)),
  );
}

/** A dependency of that name has a text for its version. */
function holdsObject(manifest: string, key: string): boolean {
  return new RegExp(`"${key}"\\s*:\\s*\\{`).test(manifest);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
