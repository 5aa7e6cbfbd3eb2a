import type { Repository } from '../../../git/repository.ts';
import type { RefName } from '../../intent.ts';

/** The refs that are there which a name that can't be known may mean: full names. */
async function refsMeantBy({ namespace, name }: RefName, repository: Repository): Promise<readonly string[]> {
  if (name.kind === 'known') {
    return [namespace + name.value];
  }
  const { prefix, suffix, fits } = name;
  return [...(await repository.refs()).keys()].filter((ref) => {
    const short = ref.slice(namespace.length);
    return ref.startsWith(namespace + prefix) && short.endsWith(suffix) && fits?.(short) !== false;
  });
}

/** Branches that nobody means to forget by a list of tracking refs. */
const staying = /\/(?:HEAD|main|master)$/;

/** The tracking refs that may be gone where such a list is deleted; none where all names are known. */
export async function forgottenBy(refs: readonly RefName[], repository: Repository): Promise<readonly string[]> {
  const open = refs.filter(({ namespace, name }) => namespace === 'refs/remotes/' && name.kind === 'unknown');
  const meant = (await Promise.all(open.map((ref) => refsMeantBy(ref, repository)))).flat();
  return meant.filter((ref) => !staying.test(ref));
}
