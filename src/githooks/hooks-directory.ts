import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { ExitCode, OxideError } from '../errors.ts';
import type { Location } from '../git/discovery.ts';
import { type Environment, Git } from '../git/runner.ts';
import { quoteWord } from '../quote.ts';

/** Where git looks for this repository's hooks. */
export interface HooksDirectory {
  /** Absolute, as git resolves it. */
  readonly path: string;
  /** The file that sets core.hooksPath (`file:.git/config`); null for the default. */
  readonly setBy: string | null;
  /** Is it below the work tree, and not in the git directory? Then others may get it by a commit. */
  readonly inWorkTree: boolean;
}

/** A git that stands where hooks stand: at the top of the work tree, or in the bare repository (githooks(5)). */
export function gitAtTop(repository: Location, env: Environment): Git {
  const top = repository.workTree ?? repository.gitDir;
  const named = env.GIT_DIR === undefined ? {} : { GIT_DIR: repository.gitDir };
  return new Git({ cwd: top, env: { ...env, ...named } });
}

/** Asks git for the path it would start for `hook`; an absolute path. */
export async function hookPathOfGit(git: Git, hook: string): Promise<string> {
  return resolve(git.context.cwd, withoutNewline(await git.text(['rev-parse', '--git-path', `hooks/${hook}`])));
}

/**
 * The directory in which git looks for hooks here: git-config(1) core.hooksPath.
 *
 * @throws OxideError `hooks-path-empty`, `hooks-path-outside` where a hook must not be written
 */
export async function findHooksDirectory(repository: Location, env: Environment): Promise<HooksDirectory> {
  const git = gitAtTop(repository, env);
  const [path, { setBy, value }] = await Promise.all([
    git.text(['rev-parse', '--git-path', 'hooks']).then((text) => resolve(git.context.cwd, withoutNewline(text))),
    readHooksPath(git),
  ]);
  if (setBy !== null && value === '') {
    throw new OxideError(
      'hooks-path-empty',
      `core.hooksPath is set but empty (${setBy}), so git runs no hook from the hooks directory.`,
      { remedy: 'git config --unset core.hooksPath', exitCode: ExitCode.usage },
    );
  }
  const homes = [repository.commonDir, repository.gitDir, repository.workTree, mainWorkTree(repository)];
  if (!homes.some((home) => home !== null && isBelow(realOf(path), home))) {
    throw outside(path, setBy, repository);
  }
  const inGitDir = isBelow(realOf(path), repository.commonDir) || isBelow(realOf(path), repository.gitDir);
  return { path, setBy, inWorkTree: !inGitDir };
}

/** What core.hooksPath is, and the file that says so (`file:.git/config`); null where it is not set. */
export async function readHooksPath(git: Git): Promise<{ readonly setBy: string | null; readonly value: string }> {
  const setting = await git.run(['config', '--null', '--show-origin', '--get', 'core.hooksPath']);
  const [origin = '', value = ''] = setting.stdout.toString('utf8').split('\0');
  return { setBy: setting.exitCode === 0 ? origin : null, value };
}

function outside(path: string, setBy: string | null, repository: Location): OxideError {
  const own = quoteWord(join(repository.commonDir, 'hooks'));
  const cause = setBy === null ? 'the hooks directory is a link' : `core.hooksPath is set (${setBy})`;
  return new OxideError(
    'hooks-path-outside',
    `git looks for this repository's hooks in ${path}, outside of the repository (${cause}): other repositories may use it too, so nothing is written there.`,
    {
      remedy:
        setBy === null
          ? `Replace the link by a directory of this repository's own: rm ${own} && mkdir ${own}`
          : `Give this repository hooks of its own (the shared ones stop running here): git config --local core.hooksPath ${own}\n` +
            '  → or let the shared hooks call the guard: npx oxide-guard hook commit-msg "$1" in commit-msg, npx oxide-guard hook pre-push "$@" in pre-push',
      exitCode: ExitCode.usage,
    },
  );
}

/** A linked worktree's hooks may lie in the main worktree. */
function mainWorkTree(repository: Location): string | null {
  return basename(repository.commonDir) === '.git' ? dirname(repository.commonDir) : null;
}

function isBelow(path: string, directory: string): boolean {
  const way = relative(realOf(directory), path);
  return way === '' || !(way === '..' || /^\.\.[\\/]/.test(way) || isAbsolute(way));
}

/** The real path, also of a directory that is yet to be made. */
function realOf(path: string): string {
  return existsSync(path) || path === dirname(path) ? realpathSync(path) : join(realOf(dirname(path)), basename(path));
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}
