import type { Repository } from '../repository.ts';
import { drivesMerges } from '../settings/merge-drivers.ts';

/** More merges than these are not made again. */
const maximumMerges = 20;
/** Milliseconds: where git takes longer, nothing is known. */
const timeout = 5000;

/** git-log(1) "--remerge-diff", since git 2.35: what a merge has beside what git makes of its parents by itself. */
const remerge = ['log', '--no-walk=unsorted', '--stdin', '--remerge-diff', '--no-ext-diff', '--no-textconv'];

/**
 * Would git make each of these merges again, by itself, of the same two parents? Then nobody has solved or changed anything
 * in them. What somebody has written about one, beyond a line, counts as well.
 *
 * @param merges names of commits with two parents
 */
export async function areRemade(merges: readonly string[], repository: Repository): Promise<boolean> {
  if (merges.length > maximumMerges || (await drivesMerges(repository))) {
    return false;
  }
  const input = `${merges.join('\n')}\n`;
  const found = await repository.git.run([...remerge, '--format=%x00%B'], { timeout, input }).catch(() => null);
  const told = found?.exitCode === 0 ? found.stdout.toString('latin1').split('\0').slice(1) : [];
  return told.length === merges.length && told.every((text) => !text.trim().includes('\n'));
}
