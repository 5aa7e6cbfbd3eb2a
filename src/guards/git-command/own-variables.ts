import type { SimpleCommand } from '../../shell/simple-command.ts';

/** Does a command have variables of its own that change what git does, or which git it is? git(1) "ENVIRONMENT VARIABLES" */
export function hasGitVariables({ env }: Pick<SimpleCommand, 'env'>): boolean {
  return env.size > 0 && [...env.keys()].some((name) => /^(?:GIT_.*|HOME|XDG_CONFIG_HOME|PATH)$/.test(name));
}
