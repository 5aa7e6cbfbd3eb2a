import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** The environment of measured programs: a home of their own, and no settings of this machine. */
export function benchEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
}

/**
 * Makes a repository with one commit, on a `main` that is pushed to a bare one beside it.
 *
 * @returns git in its directory
 */
export function prepareRepository(work: string, env: NodeJS.ProcessEnv): (...args: string[]) => Buffer {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, env, stdio: 'pipe' });
  const remote = join(work, '..', 'remote.git');
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  git('commit', '-q', '--allow-empty', '-m', 'feat: begin');
  git('init', '-q', '--bare', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '-q', '-u', 'origin', 'main');
  return git;
}
