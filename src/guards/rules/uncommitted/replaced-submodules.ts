import { join, relative } from 'node:path';
import { readTreeEntries } from '../../../git/contents/tree-entries.ts';
import { quoteWord } from '../../../quote.ts';
import { submodulesOf } from '../../files/submodules.ts';
import type { Finding } from '../../finding.ts';
import { ignoredFiles, onlyCopies } from '../../ignored-files.ts';
import type { BringFilesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import type { OverlaidTree } from '../../simulation/line-changes.ts';
import { commitNamed } from './brought-files.ts';
import { objection } from './discard-objection.ts';
import { mayBeMeant } from './open-pathspecs.ts';

/**
 * `git switch X`, `git reset --hard X`, `git restore -s X lib`, where X has a file in the place of a submodule: git takes the
 * submodule's work tree away for it, with all that was never committed there, forced or not.
 */
export async function judgeReplacedSubmodules(intent: BringFilesIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const { workTree, cwd } = repository;
  const places = overlay.isAdded ? [] : submodulesOf(repository);
  const commit = places.length === 0 ? null : await comingCommit(intent, scene);
  if (workTree === null || commit === null) {
    return [];
  }
  const found: Finding[] = [];
  for (const place of await replacedBy(commit, places, intent, scene)) {
    const trees = await scene.treesBefore(join(workTree, place));
    const lost = new Set((await Promise.all(trees.map((tree) => lostWith(tree, scene)))).flat());
    const here = relative(cwd, join(workTree, place));
    const files = [...lost].map((path) => join(place, path));
    const way = `git -C ${quoteWord(here)} stash --all`;
    found.push(...(await objection(scene, intent.means, files, way, { noun: 'uncommitted file' })));
  }
  return found;
}

/** The commit that is checked out; null: it is not known, or what is merged stops at a conflict. */
async function comingCommit({ source }: BringFilesIntent, scene: Scene): Promise<string | null> {
  const { repository } = scene;
  switch (source.kind) {
    case 'commit':
      return source.below === undefined ? commitNamed(source.commit, source.mayBePath === true, scene) : null;
    case 'merge': {
      const [only, another] = source.commits;
      const to = only === undefined || another !== undefined ? null : await commitNamed(only, false, scene);
      const { oid } = await repository.head();
      const isForward = to !== null && oid !== null && (await repository.isAncestor(oid, to)) === 'yes';
      return isForward ? to : null;
    }
    default:
      return null;
  }
}

/** Those in whose place the commit has a file or a link. @returns paths from the work tree's root */
async function replacedBy(
  commit: string,
  places: readonly string[],
  { source }: BringFilesIntent,
  { repository }: Scene,
): Promise<readonly string[]> {
  const { workTree, git } = repository;
  const paths = places.map((place) => relative(workTree ?? '/', place));
  const given = source.kind === 'commit' ? (source.paths ?? []) : [];
  const isMeant = given.length === 0 ? () => true : mayBeMeant(given, repository);
  const listed = await git.run(['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths]);
  return readTreeEntries(listed.stdout).flatMap(({ path, mode }) =>
    paths.includes(path) && mode !== '160000' && isMeant(path) ? [path] : [],
  );
}

/** All that a submodule's work tree alone has. @returns paths from its root */
async function lostWith(tree: OverlaidTree, scene: Scene): Promise<readonly string[]> {
  const { repository } = tree;
  const changed = [...(await repository.status()), ...(await repository.hiddenChanges())].map(({ path }) => path);
  const unkept = await scene.patches.without(changed, 'both', { repository, command: scene.command });
  return [...unkept, ...(await onlyCopies(await ignoredFiles(tree, scene), tree, [], scene))];
}
