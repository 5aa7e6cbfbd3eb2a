import { relative, resolve } from 'node:path';
import { isWithin } from '../../files/guarded-file.ts';
import { isGone } from '../../gone-files.ts';
import type { Scene } from '../../scene.ts';
import { isInIndex } from '../../simulation/files/indexed-entry.ts';

/** A call of `git clean`. */
export interface Cleaning {
  readonly texts: readonly string[];
  readonly takesIgnored: boolean;
}

/**
 * Without what the line has added to the index, has committed, put away, taken away or copied, and what a stash has as well.
 *
 * @param listed as git-clean(1) names them: from where it stands, directories with a slash at the end
 */
export async function stillUntracked(
  listed: readonly string[],
  { takesIgnored }: Cleaning,
  scene: Scene,
): Promise<readonly string[]> {
  const { repository, overlay } = scene;
  const { cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const added = [...overlay.index].flatMap(([path, indexed]) => (isInIndex(indexed) ? [path] : []));
  const kept = [...overlay.restored, ...overlay.inStash, ...added];
  if (listed.length === 0) {
    return listed;
  }
  const entries = kept.length === 0 ? [] : await repository.status();
  const untracked = entries.flatMap(({ path, index }) => (index === '?' && !overlay.inStash.has(path) ? [path] : []));
  const isAmong = (paths: readonly string[], place: string) => paths.some((path) => isWithin(path, place));
  const left = listed
    .map((path) => ({ path, place: relative(top, resolve(cwd, path)) }))
    .filter(({ path, place }) => {
      // With ignored files a directory may go that git-status(1) tells only a part of.
      const isTold = !(takesIgnored && path.endsWith('/'));
      const isKept = isTold && isAmong(kept, place) && !isAmong(untracked, place);
      const slash = path.endsWith('/') ? '/' : '';
      return !isKept && !(takesIgnored && overlay.hasPutAway(place)) && !isGone(`${place}${slash}`, top, scene);
    });
  const uncopied = await scene.patches.without(
    left.map(({ place }) => place),
    'both',
    scene,
  );
  return left.filter(({ place }) => uncopied.includes(place)).map(({ path }) => path);
}

/** `git clean -e NAME`: is a path left that has this name, or is in a directory that has it? */
export function isExcluded(path: string, { texts }: Pick<Cleaning, 'texts'>): boolean {
  const patterns = texts.filter((_, at) => texts[at - 1] === '-e').filter((text) => /^[\w.*-]+\/?$/.test(text));
  const [name = '', ...directories] = path.split('/').reverse();
  const fits = (text: string, pattern: string) =>
    new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text);
  const isNamed = (pattern: string) =>
    pattern.endsWith('/')
      ? directories.some((directory) => fits(directory, pattern.slice(0, -1)))
      : [name, ...directories].some((text) => fits(text, pattern));
  return !texts.includes('-X') && patterns.some(isNamed);
}
