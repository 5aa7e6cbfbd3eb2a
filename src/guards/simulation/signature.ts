import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '../../git/repository.ts';

/** More directories of refs than this are not looked at one by one. */
const maxDirectories = 200;

/**
 * What tells that a repository's refs, HEAD and configuration may have changed: the times of the files and directories
 * that hold them (gitrepository-layout(5)). git replaces such files by renaming, which also touches their directory.
 * Files that a configuration includes are not looked at.
 *
 * @returns null where there are too many to look at
 */
export function signatureOf({ gitDir, commonDir, git }: Repository): string | null {
  const home = git.context.env.HOME ?? '';
  const xdg = git.context.env.XDG_CONFIG_HOME ?? join(home, '.config');
  const directories = directoriesBelow(join(commonDir, 'refs'));
  if (directories === null) {
    return null;
  }
  const files = [
    join(gitDir, 'HEAD'),
    join(gitDir, 'config.worktree'),
    join(commonDir, 'config'),
    join(commonDir, 'packed-refs'),
    join(commonDir, 'shallow'),
    join(commonDir, 'reftable', 'tables.list'),
    join(home, '.gitconfig'),
    join(xdg, 'git', 'config'),
  ];
  return [...files, ...directories].map(timeOf).join(' ');
}

function timeOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '-' : `${stat.mtimeMs}:${stat.size}:${stat.ino}`;
}

function directoriesBelow(root: string): readonly string[] | null {
  const found = [root];
  for (const directory of found) {
    if (found.length > maxDirectories) {
      return null;
    }
    found.push(...subdirectories(directory));
  }
  return found;
}

function subdirectories(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [join(directory, entry.name)] : [],
    );
  } catch {
    return [];
  }
}
