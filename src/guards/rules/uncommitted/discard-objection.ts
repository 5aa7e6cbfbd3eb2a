import { literalPathspec } from '../../../git/contents/pathspec.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import { quotedPath } from '../../../git/quoted-path.ts';
import type { Repository } from '../../../git/repository.ts';
import { type Finding, findings, type LostWork } from '../../finding.ts';
import type { Scene } from '../../scene.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { count, keptBefore } from '../../wording.ts';

/** What is discarded, other than changed files of the work tree that the command runs in. */
interface Discarded {
  readonly noun?: string;
  /** Null: nobody can keep it before. */
  readonly loss?: LostWork | null;
}

/** What to say to a command that would discard these files; nothing where there are none. */
export async function objection(
  { policy, repository }: Scene,
  means: string,
  files: readonly string[],
  suggestion: string,
  { noun = 'file', loss = filesLost(repository, files) }: Discarded = {},
): Promise<readonly Finding[]> {
  // Before the first commit there is nothing that a stash could stand on.
  const isUnborn = files.length > 0 && (await repository.head()).oid === null;
  const way = isUnborn ? "git add --all && git commit -m 'chore: keep the work'" : suggestion;
  const made = noun === 'file' ? await changedByLine(files, repository) : [];
  const isOnlyMade = files.length > 0 && made.length === files.length;
  const where = isOnlyMade ? 'that only this command line puts into' : 'in';
  const number = count(files.length, noun);
  const what = noun === 'file' ? `uncommitted changes ${where} ${number}` : number;
  const rest = made.length === 0 || isOnlyMade ? '' : `; only this command line puts those into ${named(made)}`;
  return findings(
    'discard-changes',
    policy,
    files.length === 0
      ? null
      : {
          message: `${means} would discard ${what}: ${named(files)}${rest}.`,
          evidence: { files },
          suggestion: isOnlyMade && !way.includes('   #') ? keptBefore(means, way) : way,
          loss: loss ?? undefined,
        },
  );
}

/** Files that had no changes before the line, of those that git tracked then. @param files from the top of the work tree */
async function changedByLine(files: readonly string[], repository: Repository): Promise<readonly string[]> {
  const before = asOpened(repository);
  if (files.length === 0 || before === repository) {
    return [];
  }
  const changed = new Set([...(await before.status()), ...(await before.hiddenChanges())].map(({ path }) => path));
  const unchanged = files.filter((file) => !changed.has(file));
  return unchanged.length === 0 ? [] : trackedAt(before, unchanged.map(literalPathspec));
}

/** @param files from the top of the work tree */
function filesLost({ workTree }: Scene['repository'], files: readonly string[]): LostWork | null {
  return workTree === null ? null : { workTree, files };
}

/** A few files by name. */
export function named(files: readonly string[]): string {
  const [first, second, third, ...rest] = files;
  const shownFiles = [first, second, third].flatMap((file) => (file === undefined ? [] : quotedPath(file))).join(', ');
  return rest.length === 0 ? shownFiles : `${shownFiles} and ${rest.length} more`;
}
