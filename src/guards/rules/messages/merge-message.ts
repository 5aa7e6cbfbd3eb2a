import { join } from 'node:path';
import { readText } from '../../../git/files.ts';
import { isStopped } from '../../../git/history/stopped-operations.ts';
import type { Finding } from '../../finding.ts';
import { textsOf } from '../../git-command/words.ts';
import type { CommitIntent, GrowIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';

/**
 * Does a merge make a commit, which gets the message that it is given? Not where there is nothing to merge, nor where the
 * branch just follows: git-merge(1) "FAST-FORWARD MERGE". What can't be known is left to the commit-msg hook.
 */
export async function makesMergeCommit(
  { commits, fastForwards }: GrowIntent,
  { repository, overlay }: Scene,
): Promise<boolean> {
  const sources = textsOf(commits);
  const { oid: head } = await repository.head();
  const oids = await Promise.all((sources ?? []).map((name) => repository.resolve(`${name}^{commit}`)));
  const [only, another] = oids;
  if (head === null || only == null || oids.includes(null)) {
    return false;
  }
  const made = await Promise.all((sources ?? []).map((name) => madeBelow(name, overlay.made, repository)));
  if (made.some((below) => below.length > 0)) {
    return !fastForwards;
  }
  const isAncestor = async (oid: string, of: string) => (await repository.isAncestor(oid, of)) === 'yes';
  for (const oid of oids) {
    if (oid !== null && !(await isAncestor(oid, head))) {
      return another !== undefined || !fastForwards || !(await isAncestor(head, only));
    }
  }
  return false;
}

/**
 * The commit that ends a stopped merge is no change of its own kind: what git has prepared to say of it is proposed, where
 * that keeps to the convention.
 *
 * @param found of its message
 */
export async function preparedInstead(
  found: readonly Finding[],
  { around, amend }: CommitIntent,
  { repository, judgeMessage }: Scene,
): Promise<readonly Finding[]> {
  if (found.length === 0 || around === null || amend || !isStopped('merge', repository.gitDir)) {
    return found;
  }
  const prepared = (readText(join(repository.gitDir, 'MERGE_MSG')) ?? '').replace(/^#.*\n?/gm, '').trim();
  if (prepared === '' || !(await judgeMessage(prepared)).valid) {
    return found;
  }
  const suggestion = ['git', around.subcommand, '--no-edit', ...around.before, ...around.after].join(' ');
  return found.map((finding) => ({ ...finding, suggestion }));
}
