import type { Repository } from '../git/repository.ts';

/** A name that no branch and no tag has, for a command that makes one: `kept-work`, else `kept-work-2`. */
export async function freeName(name: string, repository: Repository): Promise<string> {
  const refs = await repository.refs();
  const isTaken = (candidate: string) => ['refs/heads/', 'refs/tags/'].some((space) => refs.has(space + candidate));
  let free = name;
  for (let number = 2; isTaken(free); number += 1) {
    free = `${name}-${number}`;
  }
  return free;
}
