import { type Finding, findings } from '../../finding.ts';
import type { VersionIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { count } from '../../wording.ts';
import { adding, conflictsBefore } from './ways-to-keep.ts';

/** Uncommitted changes during a merge, rebase, pull or tag: a notice, unless the policy makes more of it. */
export async function judgeUncommitted(
  { operation }: VersionIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  if (policy.rules['uncommitted-changes'] === 'off') {
    return [];
  }
  const entries = await repository.status();
  const files = entries.map(({ path }) => path);
  return findings(
    'uncommitted-changes',
    policy,
    files.length === 0
      ? null
      : {
          message: `${count(files.length, 'file')} with uncommitted changes will not be part of this ${operation}.`,
          evidence: { files },
          // git stashes nothing while a file is in conflict.
          suggestion:
            (await conflictsBefore(repository)).length > 0
              ? 'git status   # which files are in conflict?'
              : `${await adding([], repository)}git stash push --include-untracked`,
        },
  );
}
