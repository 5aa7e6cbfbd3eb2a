import { join } from 'node:path';
import { statsOf } from '../checkpoints/work-tree-state.ts';
import type { HiddenChange, Repository } from '../repository.ts';
import { mayHideChanges } from './index-file.ts';
import { filtersOff, ownFilterNames } from './own-filters.ts';

/** Files that git has been told not to look at, and that are not as the index has them. */
export async function readHiddenChanges(repository: Repository): Promise<readonly HiddenChange[]> {
  const { workTree, git } = repository;
  if (workTree === null || !(await mayHideChanges(repository))) {
    return [];
  }
  const output = await git.run(['ls-files', '-v', '--stage', '-z', '--full-name', '--', ':/']);
  const hidden = output.stdout
    .toString('utf8')
    .split('\0')
    .flatMap((record) => {
      const { tag, oid, path } = entry.exec(record)?.groups ?? {};
      const isHere = path !== undefined && statsOf(join(workTree, path))?.isFile() === true;
      const kind = tag?.toUpperCase() === 'S' ? ('skipped' as const) : ('assumed' as const);
      return isHere && oid !== undefined ? [{ path, oid, kind }] : [];
    });
  if (hidden.length === 0) {
    return [];
  }
  const settings = filtersOff(await ownFilterNames(repository)).flatMap((setting) => ['-c', setting]);
  const paths = hidden.map(({ path }) => path);
  // By their names from the root, by which git knows their attributes.
  const hashed = await git.run(['-C', workTree, ...settings, 'hash-object', '--', ...paths]);
  const oids = hashed.stdout.toString('utf8').split('\n');
  return hidden.flatMap(({ path, oid, kind }, at) => (oids[at] === oid ? [] : [{ path, kind }]));
}

/** git-ls-files(1) `-v`: a small letter for what is assumed to be unchanged, `S` for what is skipped. */
const entry = /^(?<tag>[a-zS]) 100\d{3} (?<oid>[\da-f]+) 0\t(?<path>.*)$/s;
