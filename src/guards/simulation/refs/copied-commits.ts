import { tipsOf } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { drivesMerges } from '../../../git/settings/merge-drivers.ts';
import type { Overlay } from '../overlay.ts';
import type { MadeCommit } from './made-commit.ts';
import { beforeMade, madeBelow } from './made-commits.ts';

/** More commits than these are not followed. */
const mostCopied = 60;

/**
 * The commits of which `git cherry-pick` makes copies, by name. Of several words none may be a range: what one leaves out,
 * it leaves out of the others as well.
 */
export async function pickedCommits(
  sources: readonly string[],
  overlay: Overlay,
  repository: Repository,
): Promise<readonly string[]> {
  if (sources.some((source) => source.startsWith('^') || source.includes('...')) || (await drivesMerges(repository))) {
    return [];
  }
  const [only = ''] = sources;
  const [from = '', to] = only.split('..');
  if (to === undefined || sources.length > 1) {
    const isRange = sources.some((source) => source.includes('..'));
    const found = isRange ? [] : await Promise.all(sources.map((source) => commitNamed(source, overlay, repository)));
    return found.filter((oid) => oid !== null);
  }
  const ends = [from, to].map((end) => commitNamed(end === '' ? 'HEAD' : end, overlay, repository));
  const [base, tip] = await Promise.all(ends);
  return base == null || tip == null ? [] : commitsBetween(base, tip, repository);
}

/** Once the line has left what it was made from, a copy is the last commit that has these changes. */
export async function noteLastCopies({ made, shared }: Overlay, repository: Repository): Promise<void> {
  const isCopy = ({ copies, holdsWork }: MadeCommit) => !holdsWork && copies !== undefined && copies.length > 0;
  const open = shared.left.size === 0 || made.isEmpty ? [] : made.all.filter(isCopy);
  if (open.length === 0) {
    return;
  }
  const { kept } = await tipsOf([], repository);
  const { commits } = await repository.commits([...shared.left], kept, mostCopied);
  const gone = new Set(commits.map(({ oid }) => oid));
  for (const copy of open) {
    copy.holdsWork = copy.copies?.some((oid) => gone.has(oid)) === true;
  }
}

/** A commit that was there before the line; null: none is meant, or one that the line makes. */
async function commitNamed(revision: string, { made }: Overlay, repository: Repository): Promise<string | null> {
  const isMade = (await madeBelow(revision, made, repository)).length > 0;
  const isBefore = !isMade && (await beforeMade(revision, made, repository)) === revision;
  return isBefore ? repository.resolve(`${revision}^{commit}`) : null;
}

async function commitsBetween(base: string, tip: string, repository: Repository): Promise<readonly string[]> {
  const { commits, total } = await repository.commits([tip], [base], mostCopied);
  return total > commits.length ? [] : commits.map(({ oid }) => oid);
}
