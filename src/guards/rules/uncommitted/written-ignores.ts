import { dirname, relative } from 'node:path';
import { literalPathspec } from '../../../git/contents/pathspec.ts';
import { readText } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { ignoreTextsThen } from '../../revealed-files.ts';
import type { Scene } from '../../scene.ts';
import { ignoreFiles } from './ignore-files.ts';
import { fromTop, patternsOf } from './ignore-patterns.ts';

/** What the line has made of an ignore file. */
interface WrittenIgnores {
  /** New patterns, as a file at the top of the work tree would name them; null: they are not known. */
  readonly added: readonly string[] | null;
}

/**
 * The arguments with which git has to be asked what `git clean` will remove: without what the line has ignored before. What
 * it has not ignored any more is told apart. With `-X` more is asked for than goes where that is not known.
 *
 * @param args options, `--` and pathspecs
 */
export async function cleanArguments(args: readonly string[], scene: Scene): Promise<readonly string[]> {
  if (args.includes('-x')) {
    return args;
  }
  const written = await writtenIgnores(scene);
  const added = written.flatMap((ignores) => (ignores.added ?? []).flatMap((pattern) => ['-e', pattern]));
  return args.includes('-X') && written.some((ignores) => ignores.added === null)
    ? args.map((word) => (word === '-X' ? '-x' : word))
    : [...added, ...args];
}

/** Git or a plain command may have taken away again what the line has written. */
async function writtenIgnores(scene: Scene): Promise<readonly WrittenIgnores[]> {
  const { repository, writtenTexts } = scene;
  const places = writtenTexts.size === 0 ? () => false : await ignoreFiles(repository);
  const written = [...writtenTexts].filter(([path]) => places(path));
  const textThen = written.length === 0 ? null : await ignoreTextsThen(scene);
  return written.map(([path, text]) => changes(path, text === null ? null : (textThen?.(path) ?? ''), repository));
}

/**
 * Which of these files are ignored, now that the line has written to ignore files. git-check-ignore(1) says of files that
 * are tracked that they are not, and knows nothing of what is still to be written.
 *
 * @param paths from the work tree's root
 * @param isTracked whether they are in the index as it is
 */
export async function ignoredAmong(
  paths: readonly string[],
  isTracked: boolean,
  scene: Scene,
): Promise<ReadonlySet<string>> {
  const { workTree, git } = scene.repository;
  if (workTree === null || paths.length === 0) {
    return new Set();
  }
  const ask = async (args: readonly string[], input?: string) => {
    const { stdout } = await git.run(['-C', workTree, ...args], input === undefined ? {} : { input });
    return stdout.toString('utf8').split('\0').filter(Boolean);
  };
  const added = (await writtenIgnores(scene)).flatMap((ignores) => ignores.added ?? []);
  const patterns = added.map((pattern) => `--exclude=${pattern}`);
  const listed = ['ls-files', '-z', '--ignored', ...patterns];
  const named = ['--', ...paths.map(literalPathspec)];
  if (isTracked) {
    return new Set(await ask([...listed, '--cached', '--exclude-standard', ...named]));
  }
  const before = await ask(['check-ignore', '-z', '--stdin'], paths.map((path) => `${path}\0`).join(''));
  return new Set([...before, ...(added.length === 0 ? [] : await ask([...listed, '--others', ...named]))]);
}

function changes(path: string, text: string | null, { cwd, workTree }: Repository): WrittenIgnores {
  if (text === null) {
    return { added: null };
  }
  const top = workTree ?? cwd;
  const below = path.endsWith('/.gitignore') ? relative(top, dirname(path)) : '';
  const before = patternsOf(readText(path) ?? '');
  const added = patternsOf(text).filter((pattern) => !before.includes(pattern));
  return { added: added.map((pattern) => fromTop(pattern, below)) };
}
