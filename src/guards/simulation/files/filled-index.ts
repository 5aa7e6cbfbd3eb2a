import { join } from 'node:path';
import { contentsOf } from '../../../git/contents/compared-files.ts';
import { addedFiles } from '../../../git/contents/incoming-files.ts';
import { isPlainFile } from '../../../git/contents/tree-entries.ts';
import { isThere } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { isGenerated } from '../../generated-files.ts';
import type { Overlay } from '../overlay.ts';

/**
 * The index gets the files of another commit, and the work tree stays as it is: what lies untracked at the path of one of
 * them is a change of a tracked file from then on. `git reset OTHER`, `git symbolic-ref HEAD refs/heads/x && git reset`.
 *
 * @param from the commit whose files it had
 * @param to the one whose files it gets
 * @param isMeant of which paths, from the work tree's root
 */
export async function trackUntracked(
  { from, to, isMeant = () => true }: FilledIndex,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { workTree } = repository;
  const added = workTree === null || from === null || from === to ? [] : await addedFiles(from, to, repository);
  const lying = added.filter(
    (file) => isPlainFile(file) && isMeant(file.path) && isThere(join(workTree ?? '', file.path)),
  );
  if (workTree === null || lying.length === 0) {
    return;
  }
  const entries = new Map((await repository.status()).map((entry) => [entry.path, entry]));
  const contents = await contentsOf(
    lying.map(({ path }) => path),
    workTree,
    repository,
  );
  for (const { path } of lying.filter((file) => contents.get(file.path) !== file.oid)) {
    const entry = entries.get(path);
    if (entry?.index === '?') {
      overlay.index.set(path, 'other');
    } else if (entry === undefined && !isGenerated(path) && !overlay.hasPutAway(path)) {
      // It was ignored.
      overlay.written.add(path);
    }
  }
}

interface FilledIndex {
  readonly from: string | null;
  readonly to: string;
  readonly isMeant?: (path: string) => boolean;
}
