import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';

/** gitrevisions(7): what may stand around a commit's name, and a range. */
const decorated = /^(\^?)(.*?)((?:\^[!@]|\^-\d*)?)$/s;
const range = /^(.*?)(\.{2,3})(.*)$/s;

/**
 * Revisions and ranges with the names of commits that they have where the line has come to: HEAD is another one behind
 * `git switch`. Without those that name what the line itself makes, which git does not know yet.
 */
export async function revisionsBefore(
  revisions: readonly string[],
  { repository, overlay }: { readonly repository: Repository; readonly overlay: Overlay },
): Promise<readonly string[]> {
  if (overlay.isEmpty) {
    return revisions;
  }
  const found = await Promise.all(revisions.map((revision) => revisionBefore(revision, repository)));
  return found.filter((revision) => revision !== null);
}

async function revisionBefore(revision: string, repository: Repository): Promise<string | null> {
  const [, excluding = '', name = '', parents = ''] = decorated.exec(revision) ?? [];
  const [, from, dots = '', to = ''] = range.exec(name) ?? [];
  if (from === undefined) {
    const oid = await repository.resolve(name);
    return oid === null ? null : excluding + oid + parents;
  }
  const [first, last] = await Promise.all([from, to].map((end) => repository.resolve(end === '' ? 'HEAD' : end)));
  return first == null || last == null ? null : `${first}${dots}${last}`;
}
