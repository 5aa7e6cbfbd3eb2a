import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../checkpoints/work-tree-state.ts';
import type { Repository } from '../repository.ts';
import { filtersOff, ownFilterNames } from './own-filters.ts';

/** A file as a commit or a stash has it. */
export interface StoredFile {
  /** From the work tree's root. */
  readonly path: string;
  /** Null: it is deleted there. */
  readonly oid: string | null;
}

/** Those of the files that are otherwise in the work tree: with other contents, absent, or directories. */
export async function unlikeWorkTree<File extends StoredFile>(
  files: readonly File[],
  workTree: string,
  repository: Repository,
): Promise<readonly File[]> {
  const paths = files.map(({ path }) => path);
  const oids = await contentsOf(paths, workTree, repository);
  return files.filter(({ path, oid }) => (oids.get(path) ?? null) !== oid);
}

/** The names that git would give to what these files and links hold; none of what is neither. */
export async function contentsOf(
  paths: readonly string[],
  workTree: string,
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  const stats = new Map(paths.map((path) => [path, statsOf(join(workTree, path))]));
  const there = paths.filter((path) => stats.get(path)?.isFile() === true);
  const settings = filtersOff(await ownFilterNames(repository)).flatMap((setting) => ['-c', setting]);
  // By their names from the root, by which git knows their attributes.
  const hash = ['-C', workTree, ...settings, 'hash-object', '--', ...there];
  const hashed = there.length === 0 ? [] : (await repository.git.run(hash)).stdout.toString('utf8').split('\n');
  const links = paths.filter((path) => stats.get(path)?.isSymbolicLink() === true);
  const format = links.length === 0 ? null : (await repository.config()).get('extensions.objectformat');
  return new Map([
    ...there.map((path, at): [string, string] => [path, hashed[at] ?? '']),
    ...links.map((path): [string, string] => [path, linkName(join(workTree, path), format ?? 'sha1')]),
  ]);
}

/** Bytes; larger files are not compared. */
const maximumCompared = 8 * 1024 * 1024;

/** Are both files with the same contents? */
export function haveSameContents(path: string, other: string): boolean {
  const [stats, others] = [statsOf(path), statsOf(other)];
  const areAlike = stats?.isFile() === true && others?.isFile() === true && stats.size === others.size;
  try {
    return areAlike && stats.size <= maximumCompared && readFileSync(path).equals(readFileSync(other));
  } catch {
    return false;
  }
}

/** A link is a blob that says where it leads. */
function linkName(path: string, format: string): string {
  const target = readlinkSync(path, 'buffer');
  return createHash(format).update(`blob ${target.length}\0`).update(target).digest('hex');
}
