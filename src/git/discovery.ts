import { realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { OxideError } from '../errors.ts';
import { kindOf, readText, realPath } from './files.ts';
import { directoryMissing } from './git-failure.ts';
import { type Environment, Git, type GitContext } from './runner.ts';
import { parseBoolean } from './settings/configuration-entry.ts';

/** Where a repository's parts are. All absolute. */
export interface Location {
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | null;
}

/** `ask`: the layout is out of the ordinary, git itself must say. */
type Discovery = Location | null | 'ask';

/**
 * Finds the repository a directory belongs to, as git would: gitrepository-layout(5), git(1) "The Git Repository".
 * Ordinary layouts (`.git` directories, linked worktrees, submodules, bare repositories, GIT_DIR and friends) are read
 * from files, because a process costs a hook 5 ms; anything else is asked from `git rev-parse`.
 *
 * @returns null outside of a repository
 * @throws OxideError `directory-missing`, `dubious-ownership`, and what git says about a broken repository
 */
export async function discoverRepository(context: GitContext): Promise<Location | null> {
  const cwd = realDirectory(context.cwd);
  const found = discoverByFiles(cwd, context);
  return found === 'ask' ? askGit(context) : found;
}

function discoverByFiles(cwd: string, { env, parameters = [] }: GitContext): Discovery {
  const needsGit =
    env.GIT_TEST_ASSUME_DIFFERENT_OWNER !== undefined ||
    parameters.some((parameter) => /^(?:core\.(?:bare|worktree)|safe\.)/i.test(parameter));
  if (needsGit) {
    return 'ask';
  }
  const named = env.GIT_DIR;
  if (named !== undefined) {
    return named === '' ? 'ask' : locateNamed(resolve(cwd, named), cwd, env);
  }
  return withNamedWorkTree(walkUp(cwd, env), cwd, env);
}

/** git(1) GIT_WORK_TREE: wherever the repository was found, and whatever it says itself. */
function withNamedWorkTree(found: Discovery, cwd: string, { GIT_WORK_TREE: named }: Environment): Discovery {
  if (named === undefined || found === null || found === 'ask') {
    return found;
  }
  const place = resolve(cwd, named);
  const workTree = named === '' ? null : realPath(place);
  if (workTree === null) {
    // git stops at once where not even the directory is there that it would be in.
    return named === '' || kindOf(dirname(place)) === 'directory' ? 'ask' : null;
  }
  return { ...found, workTree };
}

function locateNamed(named: string, cwd: string, env: Environment): Discovery {
  const gitDir = gitDirAt(named);
  if (gitDir === null) {
    return 'ask';
  }
  const commonDir = commonDirOf(gitDir, env, cwd);
  if (env.GIT_WORK_TREE !== undefined) {
    return withNamedWorkTree({ gitDir, commonDir, workTree: null }, cwd, env);
  }
  // `git --bare`, and the hooks of a bare repository, set it to 0: the directory is no work tree then.
  const isImplied = env.GIT_IMPLICIT_WORK_TREE === undefined || parseBoolean(env.GIT_IMPLICIT_WORK_TREE) !== false;
  return locate(gitDir, commonDir, isImplied ? cwd : null);
}

function walkUp(cwd: string, env: Environment): Discovery {
  const ceilings = ceilingsOf(env);
  const device = statSync(cwd).dev;
  const staysOnDevice = parseBoolean(env.GIT_DISCOVERY_ACROSS_FILESYSTEM ?? '') !== true;
  for (let directory = cwd; ; directory = dirname(directory)) {
    const found = repositoryIn(directory, env);
    if (found !== null) {
      return found;
    }
    const parent = dirname(directory);
    if (parent === directory || ceilings.includes(parent)) {
      return null;
    }
    if (staysOnDevice && statSync(parent).dev !== device) {
      return null;
    }
  }
}

/** git looks for `.git` first, then whether the directory itself is a (bare) repository. */
function repositoryIn(directory: string, env: Environment): Discovery {
  const dotGit = join(directory, '.git');
  if (kindOf(dotGit) !== null) {
    const gitDir = gitDirAt(dotGit);
    if (gitDir !== null) {
      const isOwn = ownedByUser([dotGit, directory, gitDir]);
      return isOwn ? locate(gitDir, commonDirOf(gitDir, env, directory), directory) : 'ask';
    }
    if (kindOf(dotGit) === 'file') {
      return 'ask'; // git stops at a broken `.git` file, with its own words
    }
  }
  if (!isGitDir(directory)) {
    return null;
  }
  return ownedByUser([directory]) ? locate(directory, commonDirOf(directory, env, directory), null) : 'ask';
}

/**
 * What core.bare, core.worktree and extensions.worktreeConfig change: git-config(1). Read from the file only where it
 * is written plainly. Includes don't matter: git itself reads these settings without them.
 */
function locate(gitDir: string, commonDir: string, workTree: string | null): Discovery {
  const config = readText(join(commonDir, 'config'));
  if (config === null || hasWorktreeSettings(gitDir, config)) {
    return 'ask';
  }
  const isLinked = gitDir !== commonDir;
  if (isLinked) {
    return { gitDir, commonDir, workTree };
  }
  const bare = settingsNamed('bare', config);
  const worktree = settingsNamed('worktree', config);
  if (worktree.length === 0 && bare.length === 1) {
    const isBare = bare[0] === 'true';
    return isBare || bare[0] === 'false' ? { gitDir, commonDir, workTree: isBare ? null : workTree } : 'ask';
  }
  const [path, ...more] = worktree;
  const isReadable = path !== undefined && more.length === 0 && !/["\\#;]/.test(path) && !bare.includes('true');
  const real = isReadable ? realPath(resolve(gitDir, path)) : null;
  return real === null ? 'ask' : { gitDir, commonDir, workTree: real };
}

/** With extensions.worktreeConfig each worktree may override what the shared file says. */
function hasWorktreeSettings(gitDir: string, config: string): boolean {
  const own = config.toLowerCase().includes('worktreeconfig') ? (readText(join(gitDir, 'config.worktree')) ?? '') : '';
  return settingsNamed('bare', own).length > 0 || settingsNamed('worktree', own).length > 0;
}

/** The values of a variable, whatever its section: more than the wanted ones only makes git be asked. */
function settingsNamed(variable: string, config: string): readonly string[] {
  const text = config.toLowerCase();
  const at = text.indexOf(variable);
  if (at === -1) {
    return [];
  }
  // As git itself writes it, once: compiling the pattern costs a hook more than all its reading of the file.
  const setting = `\n\t${variable} = `;
  const start = config.indexOf(setting);
  const end = config.indexOf('\n', start + 1);
  const value = config.slice(start + setting.length, end).trim();
  if (start !== -1 && end !== -1 && value !== '' && at === start + 2 && at === text.lastIndexOf(variable)) {
    return [value];
  }
  const pattern = new RegExp(`^(?:\\s*|.*\\]\\s*)${variable}\\s*(?:=\\s*(.*?)\\s*)?$`, 'gim');
  return [...config.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The repository at a path that is one, or a `.git` file naming one: gitrepository-layout(5). */
function gitDirAt(path: string): string | null {
  const kind = kindOf(path);
  if (kind === 'directory') {
    return isGitDir(path) ? realPath(path) : null;
  }
  if (kind === 'file') {
    const content = readText(path) ?? '';
    const target = /^gitdir: (.*?)[\r\n]*$/s.exec(content)?.[1];
    const gitDir = target === undefined ? null : resolve(dirname(path), target);
    return gitDir !== null && isGitDir(gitDir) ? realPath(gitDir) : null;
  }
  return null;
}

function isGitDir(path: string): boolean {
  if (kindOf(join(path, 'HEAD')) !== 'file') {
    return false;
  }
  const shared = readCommonDir(path) ?? path;
  return kindOf(join(shared, 'objects')) === 'directory' && kindOf(join(shared, 'refs')) === 'directory';
}

function commonDirOf(gitDir: string, env: Environment, cwd: string): string {
  const named = env.GIT_COMMON_DIR;
  const path = named === undefined || named === '' ? readCommonDir(gitDir) : resolve(cwd, named);
  return path === null ? gitDir : (realPath(path) ?? path);
}

function readCommonDir(gitDir: string): string | null {
  const content = readText(join(gitDir, 'commondir'));
  return content === null ? null : resolve(gitDir, content.replace(/[\r\n]+$/, ''));
}

/** git-config(1) safe.directory: what another user owns, git must judge. */
function ownedByUser(paths: readonly string[]): boolean {
  const user = process.geteuid?.();
  if (user === undefined) {
    return true;
  }
  return paths.every((path) => statSync(path).uid === user);
}

/** git(1) GIT_CEILING_DIRECTORIES: an empty entry stops the resolving of symbolic links. */
function ceilingsOf(env: Environment): readonly string[] {
  const ceilings: string[] = [];
  let resolvesLinks = true;
  for (const path of (env.GIT_CEILING_DIRECTORIES ?? '').split(':')) {
    if (path === '') {
      resolvesLinks = false;
    } else if (isAbsolute(path)) {
      const plain = resolve(path);
      ceilings.push(resolvesLinks ? (realPath(plain) ?? plain) : plain);
    }
  }
  return ceilings;
}

async function askGit(context: GitContext): Promise<Location | null> {
  const git = new Git(context);
  try {
    const [gitDir, commonDir, workTree] = (await askTogether(git)) ?? (await askOneByOne(git));
    const real = (path: string) => realpathSync.native(resolve(context.cwd, path));
    return { gitDir: real(gitDir), commonDir: real(commonDir), workTree };
  } catch (error) {
    if (error instanceof OxideError && error.code === 'not-a-repository') {
      return null;
    }
    throw error;
  }
}

type Answers = readonly [gitDir: string, commonDir: string, workTree: string | null];

/** One process: git answers in order, and stops at the last question where there is no work tree. Null: ask again. */
async function askTogether(git: Git): Promise<Answers | null> {
  const { exitCode, stdout } = await git.run([
    'rev-parse',
    '--absolute-git-dir',
    '--git-common-dir',
    '--show-toplevel',
  ]);
  const [gitDir, commonDir, ...rest] = stdout.toString('utf8').split('\n').slice(0, -1);
  const isWhole = rest.length === (exitCode === 0 ? 1 : 0);
  return gitDir === undefined || commonDir === undefined || !isWhole ? null : [gitDir, commonDir, rest[0] ?? null];
}

/** For paths with a newline in them, and for git's own words about what is wrong. */
async function askOneByOne(git: Git): Promise<Answers> {
  const [gitDir, commonDir, workTree] = await Promise.all([
    git.text(['rev-parse', '--absolute-git-dir']),
    git.text(['rev-parse', '--git-common-dir']),
    git.run(['rev-parse', '--show-toplevel']),
  ]);
  const top = workTree.exitCode === 0 ? withoutNewline(workTree.stdout.toString('utf8')) : null;
  return [withoutNewline(gitDir), withoutNewline(commonDir), top];
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function realDirectory(path: string): string {
  try {
    // No directory is in a file, not even this one.
    return realpathSync.native(`${path}/.`);
  } catch (error) {
    throw directoryMissing(path, error);
  }
}
