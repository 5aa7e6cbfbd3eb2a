import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRepository } from '../../src/git/open-repository.ts';
import type { Repository } from '../../src/git/repository.ts';
import { skipUnless } from '../skip.ts';

/** Runs git for real and gives its output without the last newline. */
export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(/\n$/, '');
}

/** Like {@link git}, for commands that may fail. */
export function tryGit(cwd: string, ...args: string[]): string | null {
  try {
    return git(cwd, ...args);
  } catch {
    return null;
  }
}

/** For `skipIf`: whether this machine's git lacks what came with a version; says what is skipped for it. */
export function gitOlderThan(major: number, minor: number, what: string): boolean {
  const [, hasMajor = '0', hasMinor = '0'] = /(\d+)\.(\d+)/.exec(git('.', 'version')) ?? [];
  const isNew = Number(hasMajor) > major || (Number(hasMajor) === major && Number(hasMinor) >= minor);
  return skipUnless(isNew, `${what}: git ${hasMajor}.${hasMinor} does not have it, ${major}.${minor} does`);
}

/** A fresh directory, symbolic links resolved. */
export function temporaryDirectory(name = 'oxide-guard-'): string {
  return realpathSync(mkdtempSync(join(tmpdir(), name)));
}

/** An empty repository on branch main. */
export function emptyRepository(directory = join(temporaryDirectory(), 'work'), ...options: string[]): string {
  mkdirSync(directory, { recursive: true });
  git(directory, 'init', '--quiet', '--initial-branch=main', ...options);
  return directory;
}

let clock = 1_700_000_000;

/** An empty commit, each a second after the one before; gives its object name. */
export function commit(cwd: string, message: string): string {
  clock += 1;
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '--no-verify', '-m', message], {
    cwd,
    env: { ...process.env, GIT_AUTHOR_DATE: `${clock} +0000`, GIT_COMMITTER_DATE: `${clock} +0000` },
  });
  return git(cwd, 'rev-parse', 'HEAD');
}

/** A repository on main with one commit. */
export function repositoryWithCommit(directory?: string, ...options: string[]): string {
  const work = emptyRepository(directory, ...options);
  commit(work, 'feat: begin');
  return work;
}

export function bareRepository(directory = join(temporaryDirectory(), 'remote.git'), ...options: string[]): string {
  mkdirSync(directory, { recursive: true });
  git(directory, 'init', '--quiet', '--bare', '--initial-branch=main', ...options);
  return directory;
}

/** A repository whose main was pushed to a bare `origin`, with upstream and origin/HEAD. */
export function repositoryWithRemote(): { readonly work: string; readonly remote: string } {
  const work = repositoryWithCommit();
  const remote = bareRepository(join(dirname(work), 'remote.git'));
  git(work, 'remote', 'add', 'origin', remote);
  git(work, 'push', '--quiet', '--set-upstream', 'origin', 'main');
  git(work, 'remote', 'set-head', 'origin', 'main');
  return { work, remote };
}

export function write(directory: string, path: string, content: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

/** Writes each of these files, with its name in it, and adds them all. */
export function addFiles(work: string, names: readonly string[]): void {
  for (const name of names) {
    write(work, name, name);
  }
  git(work, 'add', '--all');
}

/** The repository at a directory, which has to be one. */
export async function open(cwd: string, options: Parameters<typeof openRepository>[0] = {}): Promise<Repository> {
  const repository = await openRepository({ cwd, ...options });
  if (repository === null) {
    throw new Error(`no repository at ${cwd}`);
  }
  return repository;
}

/** What the guard keeps in a repository, besides git's configuration, which it may or may not remember. */
export function keptByGuard(root: string): readonly string[] {
  return readdirSync(join(root, '.git/oxide-guard')).filter((name) => name !== 'git-configuration.json');
}
