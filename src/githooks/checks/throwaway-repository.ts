import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Environment, Git, withoutRepositoryVariables } from '../../git/runner.ts';

/** A repository for trying hooks on: what they write stays in it. */
export interface ThrowawayRepository {
  readonly gitDir: string;
  /** Two commits without a common ancestor: moving a branch from one to the other is a forced push. */
  readonly commits: readonly [string, string];
}

/** Makes one for the time of `work`. */
export async function withThrowawayRepository<Result>(
  env: Environment,
  work: (repository: ThrowawayRepository) => Promise<Result>,
): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-doctor-'));
  try {
    const identity = { NAME: 'oxide-guard doctor', EMAIL: 'doctor@oxide-guard.invalid', DATE: '1700000000 +0000' };
    const signed = Object.entries(identity).flatMap(([key, value]) => [
      [`GIT_AUTHOR_${key}`, value],
      [`GIT_COMMITTER_${key}`, value],
    ]);
    const git = new Git({ cwd: directory, env: { ...withoutRepositoryVariables(env), ...Object.fromEntries(signed) } });
    await git.text(['init', '--quiet', '--template=', '.']);
    const tree = (await git.text(['mktree'], { input: '' })).trim();
    const commit = async (subject: string) => (await git.text(['commit-tree', tree, '-m', subject])).trim();
    return await work({
      gitDir: join(directory, '.git'),
      commits: [await commit('feat: try the guard'), await commit('feat: try the guard again')],
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
