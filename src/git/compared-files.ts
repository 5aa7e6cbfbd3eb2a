import { join } from 'node:path';
import { filtersOff, ownFilterNames } from './own-filters.ts';
import type { Repository } from './repository.ts';
import { statsOf } from './work-tree-state.ts';

/** A file as a commit or a stash has it. */
export interface StoredFile {
  /** From the work tree's root. */
  readonly path: string;
  /** Null: it is deleted there. */
  readonly oid: string | null;
}

/** Those of the files that are otherwise in the work tree: with other contents, absent, or no plain files. */
export async function unlikeWorkTree<File extends StoredFile>(
  files: readonly File[],
  workTree: string,
  repository: Repository,
): Promise<readonly File[]> {
  const there = files.filter(({ path }) => statsOf(join(workTree, path))?.isFile() === true);
  const settings = filtersOff(await ownFilterNames(repository)).flatMap((setting) => ['-c', setting]);
  // By their names from the root, by which git knows their attributes.
  const hash = ['-C', workTree, ...settings, 'hash-object', '--', ...there.map(({ path }) => path)];
  const hashed = there.length === 0 ? [] : (await repository.git.run(hash)).stdout.toString('utf8').split('\n');
  const oids = new Map(there.map((file, at) => [file, hashed[at]]));
  return files.filter((file) => (oids.get(file) ?? null) !== file.oid);
}
