import type { Repository } from '../git/repository.ts';

/**
 * A name that no branch and no tag has, for a command that makes one: `kept-work`, else `kept-work-2`.
 *
 * @param remote on which it must be free as well
 * @param given what the command makes already
 */
export async function freeName(
  name: string,
  repository: Repository,
  remote: string | null = null,
  given: ReadonlySet<string> = new Set(),
): Promise<string> {
  const refs = await repository.refs();
  const spaces = ['refs/heads/', 'refs/tags/', ...(remote === null ? [] : [`refs/remotes/${remote}/`])];
  const isTaken = (candidate: string) => given.has(candidate) || spaces.some((space) => refs.has(space + candidate));
  let free = name;
  for (let number = 2; isTaken(free); number += 1) {
    free = `${name}-${number}`;
  }
  return free;
}
