import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { OxideError } from '../errors.ts';
import { directoryMissing, type Environment, Git, type GitContext } from './runner.ts';

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
  const cwd = await realpath(context.cwd).catch((error) => {
    throw directoryMissing(context.cwd, error);
  });
  const found = await discoverByFiles(cwd, context);
  return found === 'ask' ? askGit(context) : found;
}

async function discoverByFiles(cwd: string, { env, parameters = [] }: GitContext): Promise<Discovery> {
  const needsGit =
    env.GIT_IMPLICIT_WORK_TREE !== undefined ||
    env.GIT_TEST_ASSUME_DIFFERENT_OWNER !== undefined ||
    parameters.some((parameter) => /^(?:core\.(?:bare|worktree)|safe\.)/i.test(parameter));
  if (needsGit) {
    return 'ask';
  }
  const named = env.GIT_DIR;
  if (named !== undefined) {
    return named === '' ? 'ask' : locateNamed(resolve(cwd, named), cwd, env);
  }
  return env.GIT_WORK_TREE === undefined ? walkUp(cwd, env) : 'ask';
}

async function locateNamed(named: string, cwd: string, env: Environment): Promise<Discovery> {
  const gitDir = await gitDirAt(named);
  if (gitDir === null) {
    return 'ask';
  }
  const commonDir = await commonDirOf(gitDir, env, cwd);
  const workTree = env.GIT_WORK_TREE;
  if (workTree !== undefined) {
    const real = await realpath(resolve(cwd, workTree)).catch(() => null);
    return real === null || workTree === '' ? 'ask' : { gitDir, commonDir, workTree: real };
  }
  return locate(gitDir, commonDir, cwd);
}

async function walkUp(cwd: string, env: Environment): Promise<Discovery> {
  const ceilings = await ceilingsOf(env);
  const device = (await stat(cwd)).dev;
  const staysOnDevice = !/^(?:1|true|yes|on)$/i.test(env.GIT_DISCOVERY_ACROSS_FILESYSTEM ?? '');
  for (let directory = cwd; ; directory = dirname(directory)) {
    const found = await repositoryIn(directory, env);
    if (found !== null) {
      return found;
    }
    const parent = dirname(directory);
    if (parent === directory || ceilings.includes(parent)) {
      return null;
    }
    if (staysOnDevice && (await stat(parent)).dev !== device) {
      return null;
    }
  }
}

/** git looks for `.git` first, then whether the directory itself is a (bare) repository. */
async function repositoryIn(directory: string, env: Environment): Promise<Discovery> {
  const dotGit = join(directory, '.git');
  if ((await kindOf(dotGit)) !== null) {
    const gitDir = await gitDirAt(dotGit);
    if (gitDir !== null) {
      const isOwn = await ownedByUser([dotGit, directory, gitDir]);
      return isOwn ? locate(gitDir, await commonDirOf(gitDir, env, directory), directory) : 'ask';
    }
    if ((await kindOf(dotGit)) === 'file') {
      return 'ask'; // git stops at a broken `.git` file, with its own words
    }
  }
  if (!(await isGitDir(directory))) {
    return null;
  }
  return (await ownedByUser([directory]))
    ? locate(directory, await commonDirOf(directory, env, directory), null)
    : 'ask';
}

/**
 * What core.bare, core.worktree and extensions.worktreeConfig change: git-config(1). Read from the file only where it
 * is written plainly.
 */
async function locate(gitDir: string, commonDir: string, workTree: string | null): Promise<Discovery> {
  const config = await readFile(join(commonDir, 'config'), 'utf8').catch(() => null);
  const isPlain = config !== null && !/^\s*\[\s*include|worktreeconfig/im.test(config);
  if (!isPlain) {
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
  const real = isReadable ? await realpath(resolve(gitDir, path)).catch(() => null) : null;
  return real === null ? 'ask' : { gitDir, commonDir, workTree: real };
}

/** The values of a variable, whatever its section: more than the wanted ones only makes git be asked. */
function settingsNamed(variable: string, config: string): readonly string[] {
  const pattern = new RegExp(`^(?:\\s*|.*\\]\\s*)${variable}\\s*(?:=\\s*(.*?)\\s*)?$`, 'gim');
  return [...config.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The repository at a path that is one, or a `.git` file naming one: gitrepository-layout(5). */
async function gitDirAt(path: string): Promise<string | null> {
  const kind = await kindOf(path);
  if (kind === 'directory') {
    return (await isGitDir(path)) ? realpath(path) : null;
  }
  if (kind === 'file') {
    const content = await readFile(path, 'utf8').catch(() => '');
    const target = /^gitdir: (.*?)[\r\n]*$/s.exec(content)?.[1];
    const gitDir = target === undefined ? null : resolve(dirname(path), target);
    return gitDir !== null && (await isGitDir(gitDir)) ? realpath(gitDir) : null;
  }
  return null;
}

async function isGitDir(path: string): Promise<boolean> {
  const [head, commonDir] = await Promise.all([kindOf(join(path, 'HEAD')), readCommonDir(path)]);
  if (head !== 'file') {
    return false;
  }
  const shared = commonDir ?? path;
  const kinds = await Promise.all([kindOf(join(shared, 'objects')), kindOf(join(shared, 'refs'))]);
  return kinds.every((kind) => kind === 'directory');
}

async function commonDirOf(gitDir: string, env: Environment, cwd: string): Promise<string> {
  const named = env.GIT_COMMON_DIR;
  const path = named === undefined || named === '' ? await readCommonDir(gitDir) : resolve(cwd, named);
  return path === null ? gitDir : realpath(path).catch(() => path);
}

async function readCommonDir(gitDir: string): Promise<string | null> {
  const content = await readFile(join(gitDir, 'commondir'), 'utf8').catch(() => null);
  return content === null ? null : resolve(gitDir, content.replace(/[\r\n]+$/, ''));
}

async function kindOf(path: string): Promise<'file' | 'directory' | null> {
  try {
    const found = await stat(path);
    return found.isDirectory() ? 'directory' : 'file';
  } catch {
    return null;
  }
}

/** git-config(1) safe.directory: what another user owns, git must judge. */
async function ownedByUser(paths: readonly string[]): Promise<boolean> {
  const user = process.geteuid?.();
  if (user === undefined) {
    return true;
  }
  const owners = await Promise.all(paths.map(async (path) => (await stat(path)).uid));
  return owners.every((owner) => owner === user);
}

/** git(1) GIT_CEILING_DIRECTORIES: an empty entry stops the resolving of symbolic links. */
async function ceilingsOf(env: Environment): Promise<readonly string[]> {
  const ceilings: string[] = [];
  let resolvesLinks = true;
  for (const path of (env.GIT_CEILING_DIRECTORIES ?? '').split(':')) {
    if (path === '') {
      resolvesLinks = false;
    } else if (isAbsolute(path)) {
      const plain = resolve(path);
      ceilings.push(resolvesLinks ? await realpath(plain).catch(() => plain) : plain);
    }
  }
  return ceilings;
}

async function askGit(context: GitContext): Promise<Location | null> {
  const git = new Git(context);
  try {
    const [gitDir, commonDir, workTree] = await Promise.all([
      git.text(['rev-parse', '--absolute-git-dir']),
      git.text(['rev-parse', '--git-common-dir']),
      git.run(['rev-parse', '--show-toplevel']),
    ]);
    const real = (path: string) => realpath(resolve(context.cwd, withoutNewline(path)));
    return {
      gitDir: await real(gitDir),
      commonDir: await real(commonDir),
      workTree: workTree.exitCode === 0 ? withoutNewline(workTree.stdout.toString('utf8')) : null,
    };
  } catch (error) {
    if (error instanceof OxideError && error.code === 'not-a-repository') {
      return null;
    }
    throw error;
  }
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}
