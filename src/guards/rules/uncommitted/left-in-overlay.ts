import { filesInTree } from '../../../git/contents/tree-entries.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { known, orPrevious, textOf } from '../../git-command/words.ts';
import type { Scene } from '../../scene.ts';

/**
 * Of changed files, those that checking out paths of a commit may change: "in overlay mode" git never removes files from
 * the index or the work tree, so that what the commit does not have stays as it is, staged or not (git-checkout(1)).
 *
 * @param paths from the top of the work tree
 * @param to none: HEAD
 */
export async function withoutLeft(
  paths: readonly string[],
  to: Word | undefined,
  scene: Scene,
): Promise<readonly string[]> {
  const name = textOf(orPrevious(to ?? known('HEAD')));
  const commit =
    name === null || paths.length === 0 || isMovedByLine(name, scene)
      ? null
      : await scene.repository.resolve(`${name}^{commit}`);
  return commit === null ? paths : presentIn(commit, paths, scene.repository);
}

/** The commit that it names now may be another one by then, or the changes lie at other paths. */
function isMovedByLine(name: string, { overlay, moved }: Scene): boolean {
  const isOpen = !overlay.made.isEmpty || overlay.headIsOpen || moved.entriesIn('/').length > 0;
  return isOpen || (name === 'HEAD' || name === '@' ? overlay.head !== null : overlay.refs.size > 0);
}

/** Those that a commit has something of: the file itself, one in the place of a directory above it, or one below it. */
async function presentIn(commit: string, paths: readonly string[], repository: Repository): Promise<readonly string[]> {
  const tops = new Set(paths.map((path) => path.split('/', 1)[0] ?? path));
  const found = await filesInTree(commit, [...tops], repository);
  const names = [...(found ?? [])];
  const isInPlace = (path: string) =>
    names.some((name) => name === path || name.startsWith(`${path}/`) || path.startsWith(`${name}/`));
  return found === null ? paths : paths.filter(isInPlace);
}
