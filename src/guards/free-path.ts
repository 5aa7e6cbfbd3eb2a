import { isThere } from '../git/files.ts';

/** A path at which nothing is: the one given, or with a number at its end. */
export function freePath(path: string): string {
  let free = path;
  for (let number = 2; isThere(free); number += 1) {
    free = `${path}-${number}`;
  }
  return free;
}
