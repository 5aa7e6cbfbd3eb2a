import { type SessionConfiguration, sessionConfiguration } from '../agent/trust/session-configuration.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';

/**
 * What holds in a repository under the control plane: what whoever runs the server has configured, the branches held
 * for all work trees, and of the repository's own configuration only what restricts. Nobody is there to trust more.
 *
 * @param repository null: what holds everywhere
 * @param notify takes what was left out
 */
export function operatorConfiguration(
  repository: Repository | null,
  env: Environment,
  notify: (text: string) => void,
): Promise<SessionConfiguration> {
  return sessionConfiguration(repository, { env, trusts: false, ask: async () => 'unanswered', notify });
}
