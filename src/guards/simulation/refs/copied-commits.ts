import { tipsOf } from '../../../git/history/reachability.ts';
import type { Repository } from '../../../git/repository.ts';
import { drivesMerges } from '../../../git/settings/merge-drivers.ts';
import type { Overlay } from '../overlay.ts';
import { type MadeCommit, reachedFrom } from './made-commit.ts';
import { beforeMade, madeBelow } from './made-commits.ts';

/** More commits than these are not followed. */
const mostCopied = 60;

/** Of what `git cherry-pick` makes copies: commits that were there, by name, and others of the line. */
interface PickedCommits {
  readonly copies: readonly string[];
  readonly copiesMade: readonly MadeCommit[];
}

/** Of several words none may be a range: what one leaves out, it leaves out of the others as well. */
export async function pickedCommits(
  sources: readonly string[],
  overlay: Overlay,
  repository: Repository,
): Promise<PickedCommits> {
  const isOpen = sources.some(
    (source) => source.startsWith('^') || source.includes('...') || (sources.length > 1 && source.includes('..')),
  );
  if (isOpen || (await drivesMerges(repository))) {
    return { copies: [], copiesMade: [] };
  }
  const made = await Promise.all(sources.map((source) => madeAmong(source, overlay, repository)));
  return {
    copies: await openedAmong(sources, overlay, repository),
    // git refuses to pick a merge.
    copiesMade: made
      .flat()
      .filter(({ merged, mergedMade, takesTheirPlace }) =>
        takesTheirPlace === true ? true : merged.length + mergedMade.length === 0,
      ),
  };
}

/** Those that were there before the line. */
async function openedAmong(
  sources: readonly string[],
  overlay: Overlay,
  repository: Repository,
): Promise<readonly string[]> {
  const [only = ''] = sources;
  const [from = '', to] = only.split('..');
  if (to === undefined || sources.length > 1) {
    const found = await Promise.all(sources.map((source) => commitNamed(source, overlay, repository)));
    return found.filter((oid) => oid !== null);
  }
  const ends = [from, to].map((end) => commitNamed(end === '' ? 'HEAD' : end, overlay, repository));
  const [base, tip] = await Promise.all(ends);
  return base == null || tip == null ? [] : commitsBetween(base, tip, repository);
}

/** Those of the line that a revision names, or a range has. */
export async function madeAmong(
  source: string,
  { made }: Overlay,
  repository: Repository,
): Promise<readonly MadeCommit[]> {
  const [from = '', to] = source.split('..');
  if (to === undefined) {
    return (await madeBelow(source, made, repository)).slice(-1);
  }
  const [out, all] = await Promise.all([from, to].map((end) => madeBelow(end === '' ? 'HEAD' : end, made, repository)));
  const left = reachedFrom(out ?? []);
  return (all ?? []).filter((commit) => !left.has(commit));
}

/** Once the line has left what it was made from, a copy is the last commit that has these changes. */
export async function noteLastCopies({ made, shared }: Overlay, repository: Repository): Promise<void> {
  const open = made.isEmpty ? [] : made.all.filter(({ holdsWork }) => !holdsWork);
  noteLastOfMade(open, reachedFrom(made.all));
  const copies = shared.left.size === 0 ? [] : open.filter((commit) => (commit.copies ?? []).length > 0);
  if (copies.length === 0) {
    return;
  }
  const { kept } = await tipsOf([], repository);
  const { commits } = await repository.commits([...shared.left], kept, mostCopied);
  const gone = new Set(commits.map(({ oid }) => oid));
  for (const copy of copies) {
    copy.holdsWork ||= copy.copies?.some((oid) => gone.has(oid)) === true;
  }
}

/** @param kept of the line */
function noteLastOfMade(open: readonly MadeCommit[], kept: ReadonlySet<MadeCommit>): void {
  for (const copy of open) {
    copy.holdsWork = copy.copiesMade?.some((commit) => commit.holdsWork && !kept.has(commit)) === true;
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
