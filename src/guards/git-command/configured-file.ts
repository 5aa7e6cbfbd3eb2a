import { resolve } from 'node:path';
import { isDirectory } from '../../git/files.ts';
import type { Invocation } from './invocation.ts';
import { known, textOf } from './words.ts';

/**
 * `git config --file ../app/.git/config`: by the file that it names, what is configured for that repository or for the
 * person, as `git -C ../app config --local` and `git config --global` would say it.
 *
 * @param invocation of `git config`
 * @param home the person's own directory; undefined: not known
 */
export function throughFile(invocation: Invocation, home: string | undefined): Invocation {
  const { words, directory } = invocation;
  if (directory.kind !== 'known') {
    return invocation;
  }
  const texts = words.map((word) => textOf(word) ?? '');
  const at = texts.findIndex((text) => /^(?:-f|--file(?:=|$))/.test(text));
  const attached = /^(?:-f|--file=)(.+)$/s.exec(texts[at] ?? '')?.[1];
  const named = attached ?? texts[at + 1];
  if (at < 0 || named === undefined || named === '') {
    return invocation;
  }
  const path = resolve(directory.path, named);
  const scoped = (scope: string) => [
    ...words.slice(0, at),
    known(scope),
    ...words.slice(at + (attached === undefined ? 2 : 1)),
  ];
  if (home !== undefined && (path === resolve(home, '.gitconfig') || path === resolve(home, '.config/git/config'))) {
    return { ...invocation, words: scoped('--global') };
  }
  const top = /^(.*)\/\.git\/config$/s.exec(path)?.[1];
  return top !== undefined && top !== directory.path && isDirectory(`${top}/.git`)
    ? { ...invocation, words: scoped('--local'), directory: { ...directory, path: top } }
    : invocation;
}
