import { type Finding, findings } from '../finding.ts';
import type { VersionIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { count } from '../wording.ts';

/** Uncommitted changes during a merge, rebase, pull or tag: a notice, unless the policy makes more of it. */
export async function judgeUncommitted(
  { operation }: VersionIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  if (policy.rules['uncommitted-changes'] === 'off') {
    return [];
  }
  const files = (await repository.status()).map(({ path }) => path);
  return findings(
    'uncommitted-changes',
    policy,
    files.length === 0
      ? null
      : {
          message: `${count(files.length, 'file')} with uncommitted changes will not be part of this ${operation}.`,
          evidence: { files },
          suggestion: 'git stash push --include-untracked',
        },
  );
}
