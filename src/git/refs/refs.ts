import type { Git } from '../runner.ts';
import type { RefDirectories, RefValue } from './ref-files.ts';
import { readRefTree } from './ref-tree.ts';

/** Every ref by full name: from the files that hold them, or, where these can't tell, in one process. */
export async function readRefs(git: Git, directories: RefDirectories): Promise<ReadonlyMap<string, RefValue>> {
  return readRefTree(directories) ?? askForRefs(git);
}

async function askForRefs(git: Git): Promise<ReadonlyMap<string, RefValue>> {
  const text = await git.text(['for-each-ref', '--format=%(refname)%00%(objectname)%00%(symref)']);
  const refs = new Map<string, RefValue>();
  for (const line of text.split('\n')) {
    const [name, oid, symref] = line.split('\0');
    if (name !== undefined && oid !== undefined) {
      refs.set(name, { oid, symref: symref || null });
    }
  }
  return refs;
}
