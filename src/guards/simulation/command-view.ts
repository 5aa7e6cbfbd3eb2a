import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { GitContext, GitOutput, RunOptions } from '../../git/runner.ts';
import { type GitConfiguration, withParameters } from '../../git/settings/configuration.ts';
import { RememberingGit, type RememberingRepository, readsHistory } from './remembering.ts';
import { ReplacedRepository } from './replaced.ts';

/** git with one command's settings, which asks another one what doesn't depend on them. */
class CommandGit extends RememberingGit {
  readonly #shared: RememberingGit;
  readonly #parameters: readonly string[];

  constructor(context: GitContext, shared: RememberingGit, parameters: readonly string[]) {
    super(context, shared.answers);
    this.#shared = shared;
    this.#parameters = parameters;
  }

  override run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    return this.#parameters.length === 0 || readsHistory(args, options)
      ? this.#shared.run(args, options)
      : this.remembered([this.#parameters, args, options], false, () => this.ask(args, options));
  }
}

/**
 * A repository as a command sees it that brings settings of its own which decide nothing that is read (`isForCommands`):
 * `git -c push.default=current push` shares the facts of `git push`.
 *
 * @param repository read without them
 * @param context with them
 * @param parameters what `repository` was read without: words of `-c`
 */
export function commandView(
  repository: RememberingRepository,
  context: GitContext,
  parameters: readonly string[],
): RememberingRepository {
  let opened: Promise<Repository> | undefined;
  let config: Promise<GitConfiguration> | undefined;
  const own = () => {
    // What depends on them after all.
    opened ??= openRepository(context).then((found) => found ?? repository);
    return opened;
  };
  const asked = async (revisions: readonly string[]) =>
    parameters.length > 0 && revisions.some((revision) => revision.includes('@{')) ? own() : repository;
  return new ReplacedRepository(repository, new CommandGit(context, repository.git, parameters), {
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
