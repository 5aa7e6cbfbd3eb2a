import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Repository } from '../../git/repository.ts';

/** Where git looks for hooks, absolute: `core.hooksPath`, relative to the top of the work tree (git-config(1)). */
export async function hooksDirectoryOf(repository: Repository): Promise<string> {
  return hooksDirectoryFor((await repository.config()).get('core.hookspath'), repository);
}

/**
 * The same for a value of `core.hooksPath`.
 *
 * @param configured null where it is not set. An empty one leads git to the top itself.
 */
export function hooksDirectoryFor(configured: string | null, { workTree, gitDir, commonDir, git }: Repository): string {
  const home = git.context.env.HOME ?? '~';
  return configured === null
    ? resolve(commonDir, 'hooks')
    : resolve(workTree ?? gitDir, configured.replace(/^~(?=\/)/, home));
}

/** Is there a hook in a directory, besides the examples that git puts there? */
export function hasHooks(directory: string): boolean {
  try {
    return readdirSync(directory).some((name) => !name.endsWith('.sample'));
  } catch {
    return false;
  }
}
