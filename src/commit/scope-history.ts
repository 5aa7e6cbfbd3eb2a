import type { Git } from '../git/runner.ts';
import { parseMessage } from './parse.ts';

/** The scopes that the latest 500 commits used, the most used first; none in a repository without commits. */
export async function usedScopes(git: Git): Promise<readonly string[]> {
  const log = await git.run(['log', '--max-count=500', '--no-merges', '--format=%s']);
  const counts = new Map<string, number>();
  for (const subject of log.exitCode === 0 ? log.stdout.toString('utf8').split('\n') : []) {
    const { scope } = parseMessage(subject);
    if (scope !== null) {
      counts.set(scope, (counts.get(scope) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, one], [, other]) => other - one).map(([scope]) => scope);
}
