import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { kindOf } from '../../../git/files.ts';
import { quoteCommand } from '../../../quote.ts';
import { readCommandLine } from '../../../shell/command-line.ts';
import type { FileChange } from '../../files/file-change.ts';
import { gitDirectoryAround } from '../../files/git-directory.ts';
import { mayBeGuarded } from '../../files/guarded-file.ts';
import type { Finding } from '../../finding.ts';
import type { JudgeSteps } from '../../git-call.ts';
import type { World } from '../../world.ts';

/**
 * `rm .git/index && git reset`, `rm -rf .git/refs/remotes/origin`: what such a change of git's own files does is judged as
 * if git did it.
 *
 * @param path absolute
 * @see gitrepository-layout(5)
 */
export async function judgeChangedGitFile(
  path: string,
  kind: FileChange['kind'],
  world: World,
  judgeSteps: JudgeSteps,
): Promise<readonly Finding[]> {
  const around = kind !== 'mode' && mayBeGuarded(path) ? gitDirectoryAround(path) : null;
  if (around === null || basename(around.gitDirectory) !== '.git') {
    return [];
  }
  const commands = sameByGit(around.gitDirectory, around.inside, { kind, text: world.writtenTexts.get(path) ?? null });
  return commands.length === 0
    ? []
    : judgeSteps(readCommandLine(commands.join('\n'), { cwd: dirname(around.gitDirectory), env: world.env }).steps);
}

/**
 * Which commands of git do the same? It takes an index that isn't there for an empty one, and so is one that is written
 * over: which files it has is not known, and those that it lacks are untracked from then on.
 */
function sameByGit(gitDirectory: string, inside: string, { kind, text }: Changed): readonly string[] {
  if (inside === 'index') {
    return ['git read-tree --empty'];
  }
  if (inside === 'info/sparse-checkout' && kind === 'write' && text !== null) {
    // git-sparse-checkout(1): git leaves out the rest with the next thing that it checks out.
    return [quoteCommand(['git', 'sparse-checkout', 'set', '--no-cone', '--', ...patternsIn(text)])];
  }
  const isTracking = kind === 'remove' && /^refs\/remotes(?:$|\/)/.test(inside);
  return isTracking
    ? looseRefs(gitDirectory, inside).map((ref) => quoteCommand(['git', 'update-ref', '--no-deref', '-d', ref]))
    : [];
}

/** What becomes of a file. */
interface Changed {
  readonly kind: FileChange['kind'];
  /** Null: it is not known. */
  readonly text: string | null;
}

/** gitignore(5) "PATTERN FORMAT". */
function patternsIn(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** The refs that are files at or below a path in a git directory. */
function looseRefs(gitDirectory: string, inside: string): readonly string[] {
  const path = join(gitDirectory, inside);
  const found = kindOf(path);
  if (found !== 'directory') {
    return found === null ? [] : [inside];
  }
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(gitDirectory.length + 1));
}
