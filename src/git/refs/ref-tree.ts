import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { kindOf, tryReadText } from '../files.ts';
import { followRef } from './head.ts';
import { isObjectName, perWorktree, type RefDirectories, type RefValue, readRegularRef } from './ref-files.ts';

/** More loose refs, or larger packed ones, are read sooner by git: a process takes as long as some hundred files. */
const maxLoose = 300;
const maxPackedLength = 512 * 1024;

/** Only git can tell, or is faster. */
class AskGit extends Error {}

/**
 * Every ref of the files backend, read without starting git, by name as `git for-each-ref` sorts and lists them: loose
 * files before packed-refs, because `git pack-refs` writes the latter before it removes the former.
 *
 * @returns null where git must be asked: reftable, broken or very many refs
 */
export function readRefTree(directories: RefDirectories): ReadonlyMap<string, RefValue> | null {
  const { gitDir, commonDir } = directories;
  if (kindOf(join(commonDir, 'reftable')) !== null) {
    return null;
  }
  try {
    const names = [
      ...looseNames(commonDir, 'refs', (name) => gitDir === commonDir || !perWorktree.includes(name)),
      ...(hasOwnRefs(directories) ? looseNames(gitDir, 'refs', (name) => perWorktree.includes(name)) : []),
    ];
    const refs = new Map(names.map((name) => [name, looseValue(directories, name)]));
    for (const [name, oid] of packedRefs(commonDir)) {
      if (!refs.has(name)) {
        refs.set(name, { oid, symref: null });
      }
    }
    return new Map([...refs].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])).sort(byName));
  } catch (error) {
    if (error instanceof AskGit) {
      return null;
    }
    throw error;
  }
}

/** A linked work tree has this directory only once it has had such refs: a bisection, a rebase of merges. */
function hasOwnRefs({ gitDir, commonDir }: RefDirectories): boolean {
  return gitDir !== commonDir && kindOf(join(gitDir, 'refs')) !== null;
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);

function looseNames(directory: string, root: string, isWanted: (name: string) => boolean): readonly string[] {
  const found: string[] = [];
  const directories = [root];
  for (const parent of directories) {
    for (const entry of entriesOf(join(directory, parent))) {
      const name = `${parent}/${entry}`;
      if (parent === root && !isWanted(name)) {
        continue;
      }
      const file = whatIsAt(join(directory, name));
      if (file?.isDirectory() === true) {
        directories.push(name);
      } else if (file?.isFile() === false || !isPlainName(entry)) {
        throw new AskGit();
      } else {
        found.push(name);
      }
      if (found.length + directories.length > maxLoose) {
        throw new AskGit();
      }
    }
  }
  return found;
}

/** Undefined where it is gone again. */
function whatIsAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    throw new AskGit();
  }
}

/** Names alone: to read them with their kinds costs a hook more than to look at each of some refs. */
function entriesOf(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    throw new AskGit();
  }
}

/** What is surely a ref's name: git-check-ref-format(1). A lock, or a name that git would refuse, is for git to judge. */
function isPlainName(name: string): boolean {
  return (
    /^[\w+#%=,-][\w+#%=,.-]*$/.test(name) && !name.endsWith('.lock') && !name.includes('..') && !name.endsWith('.')
  );
}

/** Null for a symbolic ref to nothing, which git leaves out, and for one that was deleted meanwhile. */
function looseValue(directories: RefDirectories, name: string): RefValue | null {
  const file = readRegularRef(directories, name);
  switch (file.kind) {
    case 'oid':
      if (file.oid === '0'.repeat(file.oid.length)) {
        throw new AskGit();
      }
      return { oid: file.oid, symref: null };
    case 'symref': {
      const end = followRef(directories, file.target);
      if (end === null) {
        throw new AskGit();
      }
      return end.oid === null ? null : { oid: end.oid, symref: end.name };
    }
    case 'absent':
      return null;
    case 'unreadable':
      throw new AskGit();
  }
}

function packedRefs(commonDir: string): readonly (readonly [string, string])[] {
  const content = tryReadText(join(commonDir, 'packed-refs'));
  if (content === 'error' || (content ?? '').length > maxPackedLength) {
    throw new AskGit();
  }
  return (content ?? '').split('\n').flatMap((line) => {
    if (line === '' || line.startsWith('#') || line.startsWith('^')) {
      return [];
    }
    const [oid = '', name = '', ...more] = line.split(' ');
    if (!isObjectName(oid) || !name.startsWith('refs/') || more.length > 0 || /\s/.test(name)) {
      throw new AskGit();
    }
    return [[name, oid] as const];
  });
}
