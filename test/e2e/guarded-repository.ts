import { execFileSync, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { commit, git, repositoryWithRemote } from '../git/fixture.ts';

/** The built command line, as `npx oxide-guard` starts it. */
export const oxideGuard = resolve('bin/oxide-guard.js');

export function guard(cwd: string, ...args: string[]): string {
  return execFileSync(process.execPath, [oxideGuard, ...args], { cwd, encoding: 'utf8' });
}

/** Runs the command line to its end, whatever that is. */
export function runOxideGuard(
  words: readonly string[],
  { cwd, env, input = '' }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string },
) {
  const options = { cwd, env, input, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [oxideGuard, ...words], options);
  return { status, stdout, stderr };
}

export interface GuardedRepository {
  readonly work: string;
  /** A bare repository on a local path. */
  readonly remote: string;
}

/** A repository on main, in sync with its bare origin, its hooks installed from the built package. */
export function guardedRepository(): GuardedRepository {
  const repository = repositoryWithRemote();
  guard(repository.work, 'install');
  return repository;
}

/** Somebody else pushes commits to a branch of the remote, which this repository has not fetched. */
export function pushFromElsewhere({ remote, work }: GuardedRepository, branch: string, ...messages: string[]): void {
  const elsewhere = `${work}-elsewhere`;
  git(resolve(work, '..'), 'clone', '--quiet', '--branch', branch, remote, elsewhere);
  for (const message of messages) {
    commit(elsewhere, message);
  }
  git(elsewhere, 'push', '--quiet', 'origin', branch);
}
