import { quotedPath } from '../../git/quoted-path.ts';
import { type Finding, findings, type LostWork } from '../finding.ts';
import type { Scene } from '../scene.ts';
import { count } from '../wording.ts';

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
  const what = noun === 'file' ? `uncommitted changes in ${count(files.length, 'file')}` : count(files.length, noun);
  return findings(
    'discard-changes',
    policy,
    files.length === 0
      ? null
      : {
          message: `${means} would discard ${what}: ${named(files)}.`,
          evidence: { files },
          suggestion: way,
          loss: loss ?? undefined,
        },
  );
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
