import { gitFailure } from '../git-failure.ts';
import type { Git } from '../runner.ts';

/** Yes, no, or it can't be told here (an object is missing, or history is cut off). */
export type Ancestry = 'yes' | 'no' | 'unknown';

/**
 * Is `ancestor` reachable from `descendant`? In a shallow repository a "no" stands only if the walk met no cut: had
 * it met none, nothing is missing below `descendant` that isn't below `ancestor` too.
 */
export async function readAncestry(
  git: Git,
  ancestor: string,
  descendant: string,
  shallowCommits: ReadonlySet<string>,
): Promise<Ancestry> {
  const { exitCode } = await git.run(['merge-base', '--is-ancestor', ancestor, descendant]);
  if (exitCode === 0) {
    return 'yes';
  }
  if (exitCode !== 1) {
    return 'unknown';
  }
  return shallowCommits.size > 0 && (await meetsCut(git, descendant, ancestor, shallowCommits)) ? 'unknown' : 'no';
}

/** The commit from which two have gone apart; null: none, or several. */
export async function onlyMergeBase(git: Git, one: string, other: string): Promise<string | null> {
  const { stdout, exitCode } = await git.run(['merge-base', '--all', one, other]);
  const bases = exitCode === 0 ? stdout.toString('latin1').trim() : '';
  return bases === '' || bases.includes('\n') ? null : bases;
}

async function meetsCut(git: Git, tip: string, except: string, shallowCommits: ReadonlySet<string>): Promise<boolean> {
  const args = ['rev-list', tip, `^${except}`];
  const output = await git.run(args);
  if (output.exitCode !== 0) {
    throw gitFailure(args, output);
  }
  return output.stdout
    .toString('latin1')
    .split('\n')
    .some((oid) => shallowCommits.has(oid));
}
