import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Location } from './discovery.ts';
import { readText } from './files.ts';

/**
 * Where a repository is at home, and its configuration files with it: its work tree, whatever `--work-tree`, `GIT_DIR`
 * or the directory say that a command chooses for the moment; a bare repository itself.
 */
export function ownDirectory({ gitDir, commonDir, workTree }: Location): string {
  if (gitDir !== commonDir) {
    // gitrepository-layout(5) `worktrees/<id>/gitdir`: the `.git` file of the linked work tree.
    const linked = dirname(resolve(gitDir, readText(join(gitDir, 'gitdir'))?.trim() ?? ''));
    return existsSync(join(linked, '.git')) ? linked : (workTree ?? gitDir);
  }
  const isNested = basename(gitDir) === '.git';
  if (isNested && workTree !== null) {
    return dirname(gitDir);
  }
  const settings = readText(join(gitDir, 'config')) ?? '';
  if (/^\s*bare\s*=\s*(?:true|yes|on|1)\s*$/im.test(settings)) {
    return gitDir;
  }
  if (isNested) {
    return dirname(gitDir);
  }
  const [, set] = /^\s*worktree\s*=\s*(.+?)\s*$/im.exec(settings) ?? [];
  const own = set === undefined ? null : resolve(gitDir, set);
  return own !== null && existsSync(own) ? own : (workTree ?? gitDir);
}
