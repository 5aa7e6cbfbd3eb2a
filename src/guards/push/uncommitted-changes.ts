import { type Finding, findings } from '../finding.ts';
import { count } from '../wording.ts';
import type { PushFacts } from './push-facts.ts';

/** Work that is not in the push because it is not committed. */
export async function judgeUncommittedChanges({
  policy,
  plan,
  uncommitted,
  alternative,
}: PushFacts): Promise<readonly Finding[]> {
  const publishes = plan.updates.some(({ kind }) => kind !== 'delete');
  if (!publishes || policy.rules['uncommitted-changes'] === 'off') {
    return [];
  }
  const entries = await uncommitted();
  if (entries.length === 0) {
    return [];
  }
  const isUntracked = ({ index }: { index: string }): boolean => index === '?';
  const untracked = entries.filter(isUntracked).length;
  const changed = entries.length - untracked;
  const parts = [
    changed > 0 ? `${count(changed, 'file')} with uncommitted changes` : null,
    untracked > 0 ? count(untracked, 'untracked file') : null,
  ];
  // Before the first commit there is nothing that a stash could stand on.
  const { isUnborn } = await alternative();
  return findings('uncommitted-changes', policy, {
    message: `The work tree has ${parts.filter(Boolean).join(' and ')}, not a part of this push.`,
    evidence: { files: entries.map(({ path }) => path) },
    suggestion: isUnborn
      ? 'git add --all && git commit'
      : untracked > 0
        ? 'git stash push --include-untracked   # or commit them first'
        : 'git commit -a   # or: git stash push',
  });
}
