import { mkdirSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { type Environment, Git, withoutRepositoryVariables } from './runner.ts';
import { type TransferOptions, transfer } from './transfer.ts';

/** The branch that a repository begins with where no remote says another. */
const firstBranch = 'main';

const originPrefix = 'refs/remotes/origin/';

/** Its commits are nobody's: an empty one that branches can start from. */
const identity: Environment = {
  GIT_AUTHOR_NAME: 'oxide-guard',
  GIT_AUTHOR_EMAIL: 'oxide-guard@localhost',
  GIT_COMMITTER_NAME: 'oxide-guard',
  GIT_COMMITTER_EMAIL: 'oxide-guard@localhost',
};

/** git in a bare repository, free of what a calling git left in the environment. */
export function gitIn(directory: string, env: Environment): Git {
  return new Git({ cwd: directory, env: withoutRepositoryVariables(env) });
}

/**
 * Makes a bare repository that work trees can be linked to, with the branches of `source` as its remote `origin`.
 * Its own branches are only those that are worked on, the default branch first. Without a source, or with an empty
 * one, the default branch starts at an empty commit.
 *
 * @param directory absolute; must not exist
 * @returns the default branch's name
 * @throws OxideError what {@link transfer} throws; `git-failed`
 */
export async function createBareStore(
  directory: string,
  source: string | null,
  env: Environment,
  options: TransferOptions = {},
): Promise<string> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const git = gitIn(directory, env);
  // No template: a person's template may carry hooks for repositories of their own.
  await git.text(['init', '--quiet', '--bare', '--template=', '.']);
  const branch = source === null ? null : await fetchSource(git, source, options);
  const name = branch ?? firstBranch;
  await git.text(['symbolic-ref', 'HEAD', `refs/heads/${name}`]);
  const start = branch === null ? await emptyCommit(directory, env) : `refs/remotes/origin/${name}`;
  await git.text(['update-ref', `refs/heads/${name}`, start]);
  if (branch !== null) {
    await git.text(['config', `branch.${name}.remote`, 'origin']);
    await git.text(['config', `branch.${name}.merge`, `refs/heads/${name}`]);
  }
  return name;
}

/** Fetches everything anew, as `git fetch --prune` does; nothing local moves. */
export function refreshStore(directory: string, env: Environment, options: TransferOptions = {}): Promise<void> {
  return transfer(['fetch', '--progress', '--prune', 'origin'], { cwd: directory, env }, options);
}

/** @returns the remote's default branch; null where it has no commits */
async function fetchSource(git: Git, source: string, options: TransferOptions): Promise<string | null> {
  await git.text(['remote', 'add', '--', 'origin', source]);
  await transfer(['fetch', '--progress', 'origin'], git.context, options);
  const branches = (await git.text(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/remotes/origin/']))
    .split('\n')
    .filter((name) => name !== '' && name !== 'HEAD');
  if (branches.length === 0) {
    return null;
  }
  // Asks the remote again: what HEAD names there is told only then.
  await transfer(['remote', 'set-head', 'origin', '--auto'], git.context, options).catch(() => undefined);
  const named = await remoteHead(git);
  const usual = [named, firstBranch, 'master'].find((name) => name !== null && branches.includes(name));
  return usual ?? branches[0] ?? null;
}

/** What the remote's HEAD was found to name; null where it named nothing. */
async function remoteHead(git: Git): Promise<string | null> {
  const output = await git.run(['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const name = output.stdout.toString('utf8').trim();
  return output.exitCode === 0 && name.startsWith(originPrefix) ? name.slice(originPrefix.length) : null;
}

async function emptyCommit(directory: string, env: Environment): Promise<string> {
  const git = gitIn(directory, { ...env, ...identity });
  const tree = (await git.text(['mktree'], { input: '' })).trim();
  return (await git.text(['commit-tree', tree, '-m', 'chore: start the project'])).trim();
}

/**
 * Refuses a source that git should not be given: one that is an option or names a program, and one with a password in
 * it, which would be kept in the configuration and shown.
 *
 * @throws OxideError `bad-source`, `source-has-password`
 */
export function checkSource(source: string): void {
  const isUrl = /^(https?|ssh|git|file):\/\/[^\s]+$/i.test(source);
  const isPath = source.startsWith('/');
  const isScpLike = /^[\w.-]+@[\w.-]+:[^\s:][^\s]*$/.test(source);
  if (!(isUrl || isPath || isScpLike) || [...source].some((character) => character < ' ')) {
    throw new OxideError('bad-source', `'${printable(source)}' is no URL or absolute path that git could clone.`, {
      remedy: 'source_url: "https://example.com/team/project.git"',
    });
  }
  // For http the name alone may be an access token.
  if (/^https?:\/\/[^/]*@/i.test(source) || /^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(source)) {
    throw new OxideError('source-has-password', 'The source URL has a name or password in it, which would be kept.', {
      remedy: 'Leave it out, and give it to git’s credential helper: git credential approve',
    });
  }
}

function printable(text: string): string {
  return JSON.stringify(text).slice(1, -1).slice(0, 200);
}
