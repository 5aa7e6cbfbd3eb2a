import { join, resolve } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import type { SimpleCommand } from '../../shell/simple-command.ts';
import { textOf } from './words.ts';

/** Does a command have variables of its own that change what git does, or which git it is? git(1) "ENVIRONMENT VARIABLES" */
export function hasGitVariables({ env }: Pick<SimpleCommand, 'env'>): boolean {
  return env.size > 0 && [...env.keys()].some((name) => /^(?:GIT_.*|HOME|XDG_CONFIG_HOME|PATH)$/.test(name));
}

/** Has a command an index of its own? The work tree's stays as it is then: git(1) "GIT_INDEX_FILE". */
export function usesOtherIndex({ env }: Pick<SimpleCommand, 'env'>, { cwd, gitDir, workTree }: Repository): boolean {
  const word = env.get('GIT_INDEX_FILE');
  const path = textOf(word ?? undefined);
  return word != null && (path === null || resolve(workTree ?? cwd, path) !== join(gitDir, 'index'));
}
