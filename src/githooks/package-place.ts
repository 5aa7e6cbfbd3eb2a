import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OxideError } from '../errors.ts';
import type { PackagePlace } from './hook-script.ts';

const packageName = 'oxide-guard';
const usualPlace = `node_modules/${packageName}`;

/**
 * The root directory of the running package: its own files are found from there, bundled or not.
 *
 * @throws OxideError `package-root-missing`
 */
export function packageRoot(from = fileURLToPath(import.meta.url)): string {
  for (let directory = dirname(from); ; directory = dirname(directory)) {
    if (nameOfPackageIn(directory) === packageName) {
      return directory;
    }
    if (directory === dirname(directory)) {
      throw new OxideError(
        'package-root-missing',
        `The package ${packageName} is incomplete: its package.json is gone.`,
        {
          remedy: `npm install --save-dev ${packageName}`,
        },
      );
    }
  }
}

/**
 * Where a hook will find the package: in the `node_modules` that leads to it, above where the installation stands;
 * a package manager's store (`node_modules/.pnpm/oxide-guard@1.0.0/…`) changes with every version.
 *
 * @param root the running package's root
 * @param cwd where the installation stands
 * @param workTree null in a bare repository
 */
export function findPackagePlace(root: string, cwd: string, workTree: string | null): PackagePlace {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const place = join(directory, 'node_modules', packageName);
    if (existsSync(place) && realpathSync(place) === realpathSync(root)) {
      return { local: pathInside(workTree, place) ?? usualPlace, recorded: place };
    }
    if (directory === dirname(directory)) {
      return { local: pathInside(workTree, root) ?? usualPlace, recorded: root };
    }
  }
}

function pathInside(workTree: string | null, path: string): string | null {
  if (workTree === null) {
    return null;
  }
  const found = relative(workTree, path).replaceAll('\\', '/');
  return found.startsWith('../') || /^(?:\w:)?\//.test(found) ? null : found || '.';
}

function nameOfPackageIn(directory: string): string | null {
  try {
    return (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { name?: string }).name ?? null;
  } catch {
    return null;
  }
}
