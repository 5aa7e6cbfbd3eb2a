import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realPath } from '../../git/files.ts';

/** More links than this in a row are a circle. */
const maximumLinks = 8;

/**
 * Where a path leads, symbolic links followed.
 *
 * @param path absolute
 * @param follows the last part as well: what `rm` removes is the link itself, what `chmod` changes is where it leads
 * @param links that the command line has made before: where each leads, absolute
 */
export function truePath(path: string, follows: boolean, links: ReadonlyMap<string, string>): string {
  let current = path;
  for (let count = 0; count < maximumLinks; count += 1) {
    const link = [...links].find(([from]) => current.startsWith(`${from}/`) || (follows && current === from));
    if (link === undefined) {
      break;
    }
    current = link[1] + current.slice(link[0].length);
  }
  return follows ? real(current) : join(real(dirname(current)), basename(current));
}

/** With as much of it resolved as is there. */
function real(path: string): string {
  const found = existsSync(path) ? realPath(path) : null;
  const above = dirname(path);
  return found ?? (above === path ? path : join(real(above), basename(path)));
}
