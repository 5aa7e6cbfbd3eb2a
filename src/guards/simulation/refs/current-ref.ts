import type { Repository } from '../../../git/repository.ts';

/** The branch that is checked out by its full name; `HEAD` where it is detached. */
export async function currentRef(repository: Repository): Promise<string> {
  const head = await repository.head();
  return head.kind === 'branch' ? head.ref : 'HEAD';
}
