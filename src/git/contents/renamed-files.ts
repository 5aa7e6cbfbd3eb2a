import type { Repository } from '../repository.ts';
import { readTreeEntries } from './tree-entries.ts';

/** More files than these are not named to git. */
const maximumFiles = 500;

/**
 * Of files that HEAD does not have, those of which the index has what HEAD has of a file that is gone: `git mv`.
 *
 * @param added paths from the work tree's root, as the others are
 * @param removed from the index as well
 */
export async function renamedFiles(
  added: readonly string[],
  removed: readonly string[],
  { git, workTree }: Repository,
): Promise<ReadonlySet<string>> {
  const isNone = added.length === 0 || removed.length === 0;
  if (isNone || added.length + removed.length > maximumFiles) {
    return new Set();
  }
  const listed = (...words: readonly string[]) => git.run(['-C', workTree ?? '.', '--literal-pathspecs', ...words]);
  const [before, now] = await Promise.all([
    listed('ls-tree', '-r', '-z', '--full-tree', 'HEAD', '--', ...removed),
    listed('ls-files', '--stage', '-z', '--', ...added),
  ]);
  const oids = new Set(readTreeEntries(before.stdout).map(({ oid }) => oid));
  const staged = now.stdout.toString('utf8').matchAll(/(?:^|\0)\d+ ([\da-f]+) 0\t([^\0]+)/g);
  return new Set([...staged].flatMap(([, oid = '', path = '']) => (oids.has(oid) ? [path] : [])));
}
