import { boundedGlob } from '../../shell/words/pattern.ts';

/** Names of a pattern's path, one by one: a part of the pattern, or `**`, which stands for any number of names. */
export type PathGlob = readonly (RegExp | '**')[];

/**
 * A pattern of paths whose stars stay within a name, but for `**` between slashes: gitignore(5), rsync(1).
 *
 * @param pattern without a slash at either end
 * @returns null where it can't be tried
 */
export function readPathGlob(pattern: string): PathGlob | null {
  const parts = pattern.split('/').map((part) => (part === '**' ? part : boundedGlob(part, { over: 'names' })));
  const read = parts.filter((part) => part !== null);
  const isBounded = parts.filter((part) => part === '**').length <= mostDeep;
  return isBounded && read.length === parts.length ? read : null;
}

/** A pattern that goes down any number of directories more often takes too long to be tried. */
const mostDeep = 3;

/** @param names of a path. `**` at the end is about what is in a directory, not about that itself. */
export function fitsNames([first, ...rest]: PathGlob, [name, ...below]: readonly string[]): boolean {
  if (name === undefined) {
    return first === undefined;
  }
  if (first === '**') {
    return rest.length === 0 || fitsNames(rest, [name, ...below]) || fitsNames([first, ...rest], below);
  }
  return first?.test(name) === true && fitsNames(rest, below);
}
