import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The git directories of a work tree: gitrepository-layout(5). */
export interface GitDirectories {
  readonly gitDir: string;
  readonly commonDir: string;
}

/** Read from the files that name them; null where they can't be read. */
export function gitDirectoriesOf(workTree: string): GitDirectories | null {
  const place = join(workTree, '.git');
  try {
    if (statSync(place).isDirectory()) {
      return { gitDir: place, commonDir: place };
    }
    const text = readFileSync(place, 'utf8');
    const gitDir = resolve(workTree, text.replace(/^gitdir: /, '').trim());
    const common = statSync(join(gitDir, 'commondir'), { throwIfNoEntry: false });
    return {
      gitDir,
      commonDir:
        common === undefined ? gitDir : resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim()),
    };
  } catch {
    return null;
  }
}

/** Parts of a git directory that linked work trees share. */
const shared =
  /^(?:hooks|objects|config|packed-refs|info|branches|remotes|worktrees|logs\/refs|refs\/(?!bisect|worktree|rewritten))(?:$|\/|\b)/;

/**
 * What `git rev-parse` answers to the questions where its own files are, as absolute paths; null for other questions.
 * `--git-path hooks` is answered for the default place alone.
 */
export function answerPathQuery(words: readonly string[], workTree: string): string | null {
  const [subcommand, question, part = '', ...more] = words.filter((word) => !word.startsWith('--path-format='));
  const directories = subcommand === 'rev-parse' && more.length === 0 ? gitDirectoriesOf(workTree) : null;
  if (directories === null) {
    return null;
  }
  const { gitDir, commonDir } = directories;
  switch (question) {
    case '--git-dir':
    case '--absolute-git-dir':
      return part === '' ? gitDir : null;
    case '--git-common-dir':
      return part === '' ? commonDir : null;
    case '--git-path':
      return part === '' || (part.startsWith('hooks') && setsHooksPath(commonDir))
        ? null
        : join(shared.test(part) ? commonDir : gitDir, part);
    default:
      return null;
  }
}

function setsHooksPath(commonDir: string): boolean {
  try {
    return /hookspath/i.test(readFileSync(join(commonDir, 'config'), 'utf8'));
  } catch {
    return true;
  }
}
