import { type GitConfiguration, withParameters } from '../../git/configuration.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import { Git, type GitContext, type GitOutput, type RunOptions } from '../../git/runner.ts';
import { readsHistory } from './remembering.ts';
import { replaced } from './replaced.ts';

/** git with one command's settings, which asks another one what doesn't depend on them. */
class CommandGit extends Git {
  readonly #shared: Git;

  constructor(context: GitContext, shared: Git) {
    super(context);
    this.#shared = shared;
  }

  override run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    return readsHistory(args, options) ? this.#shared.run(args, options) : super.run(args, options);
  }
}

/**
 * A repository as a command sees it that brings settings of its own which decide nothing that is read (`isForCommands`):
 * `git -c push.default=current push` shares the facts of `git push`.
 *
 * @param repository read without them
 * @param context with them
 * @param parameters those of `context` that `repository` was read without
 */
export function commandView(repository: Repository, context: GitContext, parameters: readonly string[]): Repository {
  let opened: Promise<Repository> | undefined;
  let config: Promise<GitConfiguration> | undefined;
  const own = () => {
    // What depends on them after all.
    opened ??= openRepository(context).then((found) => found ?? repository);
    return opened;
  };
  const asked = async (revisions: readonly string[]) =>
    revisions.some((revision) => revision.includes('@{')) ? own() : repository;
  return replaced(repository, {
    git: new CommandGit(context, repository.git),
    config: () => {
      config ??= repository
        .config()
        .then((shared) => withParameters(shared, parameters) ?? own().then((found) => found.config()));
      return config;
    },
    resolve: async (revision) => (await asked([revision])).resolve(revision),
    resolveAll: async (revisions) => (await asked(revisions)).resolveAll(revisions),
    commits: async (tips, except, limit) => (await asked([...tips, ...except])).commits(tips, except, limit),
  });
}
