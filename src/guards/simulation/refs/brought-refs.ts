import type { Repository } from '../../../git/repository.ts';
import { withUpstreamNamed } from '../../../git/settings/upstreams.ts';
import type { Overlay } from '../overlay.ts';
import { madeBelow, partsOf } from './made-commits.ts';

/**
 * May a revision lead to a commit that the line brings, so that nobody can tell here which one it is: what FETCH_HEAD
 * names, or a ref that a fetch of the line makes? No repository has a ref before it is fetched for the first time.
 *
 * @param repository as the line leaves it
 */
export async function mayBeBrought(revision: string, repository: Repository, overlay: Overlay): Promise<boolean> {
  if (revision.startsWith('FETCH_HEAD')) {
    return overlay.fetchHead === null;
  }
  // After a pull it may be what was merged.
  const isMerged = overlay.fetchHead !== undefined && /^(?:HEAD|@)\^[2-9]/.test(revision);
  if (!isMerged && !overlay.shared.bringsRefs) {
    return false;
  }
  return (
    (await repository.resolve(revision)) === null &&
    (await madeBelow(revision, overlay.made, repository)).length === 0 &&
    (isMerged || mayBegin(await withUpstreamNamed(revision, repository), repository))
  );
}

/** Not from what is there: a fetch makes no branch longer than `HEAD~99` would need it to be, and no upstream. */
async function mayBegin(revision: string | null, repository: Repository): Promise<boolean> {
  if (revision === null || /^@\{|^(?:HEAD|@|ORIG_HEAD)(?![\w./-])/.test(revision)) {
    return false;
  }
  const { name, rest } = partsOf(revision);
  return rest === '' || (await repository.resolve(name)) === null;
}

/**
 * A ref moves to a commit that nobody can tell here: what it had is not kept by it any more.
 *
 * @param name by its full name; HEAD, where it is detached
 */
export async function setAdrift(name: string, overlay: Overlay, repository: Repository): Promise<void> {
  const oid = await standOf(name, repository);
  overlay.made.set(name, []);
  if (oid !== null) {
    overlay.shared.adrift.set(name, oid);
  }
}

/** The refs that have moved so, and have not been put elsewhere since. */
export async function refsAdrift({ shared }: Overlay, repository: Repository): Promise<readonly string[]> {
  const all = [...shared.adrift];
  const stands = await Promise.all(all.map(([name]) => standOf(name, repository)));
  return all.flatMap(([name, oid], at) => (stands[at] === oid ? [name] : []));
}

async function standOf(name: string, repository: Repository): Promise<string | null> {
  if (name !== 'HEAD') {
    return repository.ref(name);
  }
  const head = await repository.head();
  return head.kind === 'detached' ? head.oid : null;
}
