import { basename, dirname, join, relative, resolve } from 'node:path';
import { readIndexedPaths } from '../git/contents/index-file.ts';
import { filesInTree } from '../git/contents/tree-entries.ts';
import { linkedWorktree } from './files/work-trees.ts';
import { textOf, textsOf } from './git-command/words.ts';
import type { Discarded, Intent } from './intent.ts';
import { isExcluded } from './rules/uncommitted/still-untracked.ts';
import { ignoredAmong } from './rules/uncommitted/written-ignores.ts';
import type { Scene } from './scene.ts';
import { isInIndex } from './simulation/files/indexed-entry.ts';
import { isPlain, roots } from './simulation/files/meant-paths.ts';

/** Files in which the line keeps changes, and that go with what a command discards: absolute paths. */
export async function takenPatches(intents: readonly Intent[], scene: Scene): Promise<ReadonlySet<string>> {
  const taken = await Promise.all(
    intents.map((intent) => (intent.kind === 'discard' ? takenWith(intent.what, scene) : [])),
  );
  return new Set(taken.flat());
}

async function takenWith(what: Discarded, scene: Scene): Promise<readonly string[]> {
  const { repository, patches, overlay } = scene;
  const top = repository.workTree;
  if (what.kind === 'worktree') {
    const directory = what.path.kind === 'known' ? await linkedWorktree(textOf(what.path) ?? '.', scene) : null;
    return directory === null || isTakenUp(scene) ? [] : patches.in(directory).map((path) => join(directory, path));
  }
  if (top === null || (overlay.isAdded && isTakenUp(scene))) {
    return [];
  }
  const paths = patches.in(top).filter((path) => !path.startsWith('.git/') && !overlay.committed.has(path));
  const taken = paths.length === 0 ? [] : await takenAmong(paths, what, scene);
  return taken.map((path) => join(top, path));
}

/** In a work tree that the line adds, a commit or a stash may have all that came into it. */
function isTakenUp({ overlay }: Scene): boolean {
  return overlay.made.all.length > 0 || overlay.shared.stashes.pushes > 0;
}

/** @param paths from the work tree's root */
async function takenAmong(paths: readonly string[], what: Discarded, scene: Scene): Promise<readonly string[]> {
  switch (what.kind) {
    case 'untracked':
      return cleanedAmong(paths, textsOf(what.arguments) ?? ['-f', '-f', '-d', '-x', '--', ':/'], scene);
    case 'tracked':
      return trackedAmong(paths, 'work tree and index', scene);
    case 'paths':
    case 'branch-or-path': {
      const texts = textsOf(what.kind === 'paths' ? what.paths : what.words);
      const isMeant = texts?.every(isPlain) === true ? roots(texts, scene.repository) : () => true;
      const from = what.kind === 'paths' ? what.from : 'index';
      const takes = from === 'commit' && what.overlays !== true ? 'work tree and index' : 'work tree';
      return from === 'conflicts' ? [] : trackedAmong(paths.filter(isMeant), takes, scene);
    }
    case 'overwritten': {
      const { cwd, workTree } = scene.repository;
      const target = relative(workTree ?? cwd, resolve(cwd, textOf(what.target) ?? '.'));
      const names = what.sources.map((source) => basename(textOf(source) ?? '.'));
      return paths.filter((path) => path === target || (dirname(path) === target && names.includes(basename(path))));
    }
    default:
      return [];
  }
}

/** Where the index stays as it is, so does a file that the line has added to it. */
async function trackedAmong(
  paths: readonly string[],
  takes: 'work tree' | 'work tree and index',
  { repository, overlay }: Scene,
): Promise<readonly string[]> {
  const { oid } = await repository.head();
  const tracked = paths.length === 0 || oid === null ? null : await filesInTree(oid, paths, repository);
  const isStaged = (path: string) => {
    const indexed = overlay.index.get(path);
    return indexed !== undefined && isInIndex(indexed);
  };
  return paths.filter((path) => (isStaged(path) ? takes !== 'work tree' : tracked?.has(path) === true));
}

/** git-clean(1). @param texts its arguments */
async function cleanedAmong(
  paths: readonly string[],
  texts: readonly string[],
  scene: Scene,
): Promise<readonly string[]> {
  const { repository, overlay } = scene;
  const pathspecs = texts.slice(texts.indexOf('--') + 1);
  const options = texts.slice(0, texts.indexOf('--'));
  const [all, onlyIgnored] = [options.includes('-x'), options.includes('-X')];
  const isForced = options.includes('-f') || !(await repository.config()).getBoolean('clean.requireforce', true);
  if (!isForced || (!overlay.isAdded && overlay.saved === 'everything' && !all && !onlyIgnored)) {
    return [];
  }
  const places = pathspecs.length === 0 ? ['.'] : pathspecs;
  const isMeant = places.every(isPlain) ? roots(places, repository) : () => true;
  const takesDirectories = options.includes('-d') || pathspecs.length > 0;
  const indexed = takesDirectories ? [] : await readIndexedPaths(repository);
  const isReached = (path: string) =>
    takesDirectories || dirname(path) === '.' || indexed?.some((other) => other.startsWith(`${dirname(path)}/`));
  const isStaged = (path: string) => isInIndex(overlay.index.get(path) ?? 'nothing');
  const meant = paths.filter((path) => isMeant(path) && isReached(path) && !isStaged(path));
  const ignored = all ? new Set<string>() : await ignoredAmong(meant, false, scene);
  return meant.filter((path) => ignored.has(path) === onlyIgnored && !isExcluded(path, { texts }));
}
