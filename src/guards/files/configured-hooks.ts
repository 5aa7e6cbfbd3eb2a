import { join, resolve } from 'node:path';
import { readText } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { gitDirectoriesOf } from './git-directories.ts';

/** A line that sets `core.hooksPath`, whatever its section: one more only makes the configuration be read. */
const setting = /(?:^|\])\s*hookspath\s*=\s*"?([^"\n#;]*)/gim;

/**
 * Directories in which git may look for the hooks of a work tree besides its usual one, absolute. Read from the texts of
 * the repository's and the person's configuration (git-config(1) "FILES"), without a process: what changes files may be
 * none of git's business. What only an included file or the system's says is not seen.
 *
 * @param workTree absolute
 */
export function configuredHooks(workTree: string, env: Environment): readonly string[] {
  const directories = gitDirectoriesOf(workTree);
  const home = env.HOME ?? '/';
  const files = [
    ...(directories === null
      ? []
      : [join(directories.commonDir, 'config'), join(directories.gitDir, 'config.worktree')]),
    join(home, '.gitconfig'),
    join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'config'),
  ];
  return files
    .flatMap((file) => [...(readText(file) ?? '').matchAll(setting)])
    .map(([, value = '']) => resolve(workTree, value.trim().replace(/^~(?=\/)/, home)));
}
