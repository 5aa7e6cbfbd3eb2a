import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** How deep repositories below a root are looked for, and how many directories are opened for it. */
const depthLimit = 4;
const directoryLimit = 3000;

/** Where nobody works on a repository of their own. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', 'vendor', 'target', 'dist', 'build']);

/**
 * Hooks and settings of the repositories that lie below a directory: git would run what a command writes there. The
 * nearest come first, and the search is bounded: what lies deeper, or after thousands of directories, is not found.
 *
 * @param root absolute; its own `.git` is not among them
 */
export function nestedRepositoryPaths(root: string): readonly string[] {
  const found: string[] = [];
  let level = [root];
  let opened = 0;
  for (let depth = 0; depth < depthLimit && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const directory of level) {
      opened += 1;
      if (opened > directoryLimit) {
        return found;
      }
      const entries = entriesOf(directory);
      const dotGit = directory === root ? undefined : entries.find(({ name }) => name === '.git');
      if (dotGit !== undefined) {
        const path = join(directory, '.git');
        const parts = ['hooks', 'config', 'config.worktree', 'oxide-guard', 'commondir'].map((name) =>
          join(path, name),
        );
        found.push(...(dotGit.isDirectory() ? parts : [path]));
      }
      next.push(
        ...entries
          .filter((entry) => entry.isDirectory() && !skipped.has(entry.name))
          .map(({ name }) => join(directory, name)),
      );
    }
    level = next;
  }
  return found;
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
