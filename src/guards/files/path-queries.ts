import { join, relative } from 'node:path';
import type { Environment } from '../../git/runner.ts';
import { hooksAt, hooksPathIn } from './configured-hooks.ts';
import { type GitDirectories, gitDirectoriesOf } from './git-directories.ts';

/** Parts of a git directory that linked work trees share. */
const shared =
  /^(?:hooks|objects|config|packed-refs|info|branches|remotes|worktrees|logs\/refs|refs\/(?!bisect|worktree|rewritten))(?:$|\/|\b)/;

/** Where git is asked. */
interface Asked {
  /** The top of the work tree. */
  readonly workTree: string;
  /** The directory in it, without symbolic links. */
  readonly cwd: string;
}

/**
 * What git answers to the questions where its own files and its hooks are: `git rev-parse`, and `git config
 * core.hooksPath`. Null for other questions, and where the answer is not known.
 *
 * @returns what it prints, without the end of the line; empty where it prints nothing
 */
export function answerPathQuery(words: readonly string[], asked: Asked, env: Environment): string | null {
  const [subcommand, ...rest] = words;
  switch (subcommand) {
    case 'rev-parse':
      return answerPlace(rest, asked, env);
    case 'config':
      return answerHooksPath(rest, asked.workTree, env);
    default:
      return null;
  }
}

function answerPlace(words: readonly string[], { workTree, cwd }: Asked, env: Environment): string | null {
  const [question, part = '', ...more] = words.filter((word) => !word.startsWith('--path-format='));
  const directories = more.length === 0 ? gitDirectoriesOf(workTree) : null;
  if (directories === null) {
    return null;
  }
  const { gitDir, commonDir } = directories;
  const isAbsolute = words.some((word) => word.startsWith('--path-format=')) || gitDir !== join(workTree, '.git');
  // Of a work tree that has its git directory in it, git shows where that is from here.
  const shown = (path: string | null) => (path === null || isAbsolute ? path : relative(cwd, path));
  switch (question) {
    case '--git-dir':
      return part !== '' ? null : cwd === workTree ? shown(gitDir) : gitDir;
    case '--absolute-git-dir':
      return part === '' ? gitDir : null;
    case '--git-common-dir':
      return part === '' ? shown(commonDir) : null;
    case '--git-path':
      return part === '' ? null : shown(pathOf(part, directories, workTree, env));
    default:
      return null;
  }
}

/** git-rev-parse(1) "--git-path": where `core.hooksPath` is set, the hooks lie there. */
function pathOf(
  part: string,
  { gitDir, commonDir }: GitDirectories,
  workTree: string,
  env: Environment,
): string | null {
  const isHooks = part === 'hooks' || part.startsWith('hooks/');
  const configured = isHooks ? hooksPathIn(workTree, env) : null;
  if (configured === undefined) {
    return null;
  }
  return configured === null
    ? join(shared.test(part) ? commonDir : gitDir, part)
    : join(hooksAt(configured, workTree, env), part.slice('hooks'.length));
}

/** git-config(1): `--path` and `--type=path` put the home directory in the place of its sign. */
function answerHooksPath(words: readonly string[], workTree: string, env: Environment): string | null {
  const [name, ...more] = words.filter((word) => !/^(?:get|--get|--path|--type=path)$/.test(word));
  const isAsked = name?.toLowerCase() === 'core.hookspath' && more.length === 0;
  const value = isAsked ? hooksPathIn(workTree, env) : undefined;
  if (value === undefined) {
    return null;
  }
  const isPath = words.includes('--path') || words.includes('--type=path');
  return isPath && value?.startsWith('~/') === true ? hooksAt(value, workTree, env) : (value ?? '');
}
