import type { RefUpdate } from '../push/push-plan.ts';
import type { Repository } from '../repository.ts';
import type { CommitList } from './commit.ts';

/** gitrevisions(7), git-replace(1): `refs/replace/OBJECT` names what takes the object's place. */
const replacements = 'refs/replace/';

/** A replacement that the line is going to make, of a commit that is not known before: no real one is called so. */
export const plannedReplacement = `${replacements}planned`;

/**
 * A branch that seems to go forward to git, because a commit has been given other parents here, needs no force: the push
 * sends what is stored, and the remote has never heard of other parents.
 *
 * @param updates by what is stored
 */
export async function withoutNeedOfForce(
  updates: readonly RefUpdate[],
  repository: Repository,
): Promise<readonly RefUpdate[]> {
  const names = updates.some(isRejected) ? await replacementsIn(repository) : [];
  if (names.length === 0) {
    return updates;
  }
  const isPlanned = names.includes(plannedReplacement);
  return Promise.all(
    updates.map(async (update) => {
      const passes = isRejected(update) && (isPlanned || (await seemsForward(update, repository)));
      return passes ? { ...update, force: 'undetermined' } : update;
    }),
  );
}

/**
 * Without commits that take the place of others and hold the same: `git replace --graft` gives only other parents.
 *
 * @param refs full names of refs that reach them
 */
export async function withoutGrafts(
  lost: CommitList,
  refs: readonly string[],
  repository: Repository,
): Promise<CommitList> {
  const replaced = refs.filter((ref) => ref.startsWith(replacements)).map((ref) => ref.slice(replacements.length));
  const grafts = await Promise.all(
    replaced.map(async (object) => {
      const oid = await repository.ref(replacements + object);
      const [before, after] = oid === null ? [] : await storedTrees([object, oid], repository);
      return before !== undefined && before === after ? oid : null;
    }),
  );
  const commits = lost.commits.filter(({ oid }) => !grafts.includes(oid));
  return { commits, total: lost.total - (lost.commits.length - commits.length) };
}

/** What commits hold, whatever is shown in their place. @param oids of commits */
async function storedTrees(oids: readonly string[], { git }: Repository): Promise<readonly string[]> {
  const { stdout } = await git.run(['rev-list', '--no-walk=unsorted', '--format=%T', ...oids]);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((line) => /^[0-9a-f]+$/.test(line));
}

/** By git itself: git-push(1) "Refspec". */
function isRejected({ kind, force, remoteRef }: RefUpdate): boolean {
  return kind === 'forced' && force === 'none' && remoteRef.startsWith('refs/heads/');
}

function seemsForward({ localOid, remoteOid }: RefUpdate, repository: Repository): Promise<boolean> {
  return isAncestorAsShown(remoteOid ?? '', localOid ?? '', repository);
}

/** Is it reachable where each commit has the parents that git shows? */
export async function isAncestorAsShown(
  ancestor: string,
  descendant: string,
  { git }: Pick<Repository, 'git'>,
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', ancestor, descendant];
  return (await git.run(args, { withReplacements: true })).exitCode === 0;
}

/** Full names of what is shown in the place of something else. */
export async function replacementsIn(repository: Repository): Promise<readonly string[]> {
  return [...(await repository.refs()).keys()].filter((name) => name.startsWith(replacements));
}
