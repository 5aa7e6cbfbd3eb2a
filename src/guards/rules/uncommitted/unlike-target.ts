import { filtersOff, ownFilterNames } from '../../../git/contents/own-filters.ts';
import type { StatusEntry } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { namesHead } from '../../git-command/discards.ts';
import { orPrevious, textOf } from '../../git-command/words.ts';
import type { Scene } from '../../scene.ts';

/**
 * Of changed files, those that checking out a commit changes: the others are byte for byte as it has them, in the work
 * tree and in the index, so that nothing happens to them (`git reset --soft HEAD~2`, then `git reset --hard ORIG_HEAD`).
 *
 * @param paths from the top of the work tree
 * @param to none: what is checked out is not known, or HEAD's
 */
export async function unlikeTarget(
  paths: readonly string[],
  to: Word | undefined,
  scene: Scene,
): Promise<readonly string[]> {
  const name = to === undefined || namesHead(to) ? null : textOf(orPrevious(to));
  const changed = new Set((await scene.repository.status()).filter((entry) => hasOneContent(entry)).map(pathOf));
  const compared = paths.filter((path) => changed.has(path) && isAsBefore(path, scene));
  const commit =
    name === null || compared.length === 0 || isMovedByLine(name, scene)
      ? null
      : await scene.repository.resolve(`${name}^{commit}`);
  if (commit === null) {
    return paths;
  }
  const differing = await unlike(commit, compared, scene);
  return paths.filter((path) => differing.has(path) || !compared.includes(path));
}

function pathOf({ path }: StatusEntry): string {
  return path;
}

/** Neither in conflict nor staged in another form: what the work tree has is all that there is of it. */
function hasOneContent({ index, worktree }: StatusEntry): boolean {
  return /^[MADT.]$/.test(index) && /^[MADT.]$/.test(worktree) && (index === '.' || worktree === '.');
}

/** Neither written nor staged by the line: git sees it as the command will find it. */
function isAsBefore(path: string, { overlay }: Scene): boolean {
  return !overlay.written.has(path) && !overlay.index.has(path);
}

/** What git remembers by itself is another commit by then. */
function isMovedByLine(name: string, { overlay }: Scene): boolean {
  return /^(?:[A-Z]+_)?HEAD\b|@\{/.test(name) && !overlay.isEmpty;
}

async function unlike(commit: string, paths: readonly string[], { repository }: Scene): Promise<ReadonlySet<string>> {
  const settings = filtersOff(await ownFilterNames(repository)).flatMap((setting) => ['-c', setting]);
  const output = await repository.git.run([
    ...[...settings, 'diff', '--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=dirty'],
    ...['--no-relative', '--name-only', '-z', commit, '--', ...paths.map((path) => `:(top,literal)${path}`)],
  ]);
  return new Set(output.exitCode === 0 ? output.stdout.toString('utf8').split('\0') : paths);
}
