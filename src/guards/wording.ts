import { relative } from 'node:path';
import type { CommitList } from '../git/history/commit.ts';

/** How many names of files, commits or refs a finding shows; its message says how many there are. */
export const evidenceLimit = 20;

/** `1 commit`, `3 commits`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `main` for `refs/heads/main`, `tag v1` for `refs/tags/v1`, any other ref in full. */
export function refName(ref: string): string {
  if (ref.startsWith('refs/heads/')) {
    return ref.slice('refs/heads/'.length);
  }
  return ref.startsWith('refs/tags/') ? `tag ${ref.slice('refs/tags/'.length)}` : ref;
}

/** A branch, a tag or what is replaced as its own commands call it; any other ref in full. */
export function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|tags|replace)\//, '');
}

/** The newest of the commits by name: `1a2b3c4 "fix: x" and 2 more`. */
export function nameCommits({ commits, total }: CommitList): string {
  const [newest] = commits;
  if (newest === undefined) {
    return count(total, 'commit');
  }
  const rest = total - 1;
  return `${newest.oid.slice(0, 7)} "${newest.subject}"${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** The first of the refs by name: `main, tag v1, topic and 9 more`. */
export function nameRefs(refs: readonly string[], shown = 3): string {
  const rest = refs.length - shown;
  return `${refs.slice(0, shown).map(refName).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Of what is not there yet: the line itself has to keep it, at the right moment. @param keeping a command */
export function keptBefore(means: string, keeping: string): string {
  return `${keeping}   # before ${means.startsWith('git ') ? means : 'that'}`;
}

/** The shorter one of the ways to a path, as whoever stands in a directory would write it. Both absolute. */
export function near(path: string, directory: string): string {
  const way = relative(directory, path) || '.';
  return way.length < path.length ? way : path;
}
