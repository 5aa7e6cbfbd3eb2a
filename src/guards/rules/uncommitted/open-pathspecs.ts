import { relative, resolve } from 'node:path';
import { plainPathspecs } from '../../../git/contents/pathspec.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { beginningOf, textOf, type UnknownWord } from '../../git-command/words.ts';

/** Which files words may mean as pathspecs. @returns a test of paths from the work tree's root */
export function mayBeMeant(words: readonly Word[], repository: Repository): (path: string) => boolean {
  const { cwd, workTree } = repository;
  const known = words.flatMap((word) => textOf(word) ?? []);
  const isKnown = plainPathspecs(known, repository) ?? (() => true);
  return (path) => {
    const absolute = resolve(workTree ?? cwd, path);
    const here = relative(cwd, absolute);
    const mayName = (word: Word) =>
      word.kind === 'unknown' &&
      (word.fits === undefined
        ? !isPlainPath(beginningOf(word)) || here.startsWith(beginningOf(word))
        : mayBeAmong(word, [path, here, `./${here}`, absolute]));
    return isKnown(path) || words.some(mayName);
  };
}

/** What means every file, should a listing name it. */
const wholeTree = ['.', './', '..', '../', '*', '/', ':/'];

/** May a listing have a file in it, by one of the names that it goes by, or a directory above it? */
function mayBeAmong({ prefix, fits }: UnknownWord, names: readonly string[]): boolean {
  const directories = names.flatMap((name) =>
    name.split('/').flatMap((_, at, parts) => {
      const above = parts.slice(0, at + 1).join('/');
      return [above, `${above}/`];
    }),
  );
  return [...wholeTree, ...directories].some((value) => value.startsWith(prefix) && fits?.(value) !== false);
}

/** Neither magic nor a pattern, and nothing that leads up: gitglossary(7) "pathspec". */
function isPlainPath(beginning: string): boolean {
  return /^[\w@%+,][\w@%+,/.-]*$/.test(beginning) && !beginning.includes('..');
}
