import { basename, dirname } from 'node:path';
import { quoteWord } from '../quote.ts';
import { gitDirectoryAround } from './files/git-directory.ts';
import { near } from './wording.ts';

/** What keeps a repository before its history goes: a copy beside its work tree, at whose top it has to run. */
export const mirrorHere = 'git clone --mirror . ../backup.git';

/**
 * The same from elsewhere.
 *
 * @param path absolute: a work tree, or something in a git directory
 * @param start where the line begins; absolute
 */
export function mirrorOf(path: string, start: string): string {
  const directory = gitDirectoryAround(path)?.gitDirectory ?? path;
  const top = basename(directory) === '.git' ? dirname(directory) : directory;
  const place = near(top, start);
  return place === '.' ? mirrorHere : mirrorHere.replace('git', `git -C ${quoteWord(place)}`);
}
