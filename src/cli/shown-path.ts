import { relative } from 'node:path';

/** A path for a person: as it is, or from here where that is shorter. */
export function shownPath(path: string): string {
  const way = relative(process.cwd(), path);
  return way !== '' && way.length < path.length ? way : path;
}
