import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readText } from '../../git/files.ts';
import { literalPathspec } from '../../git/pathspec.ts';
import type { Repository } from '../../git/repository.ts';
import { isWithin } from '../files/guarded-file.ts';
import type { Scene } from '../scene.ts';

/** What the line has made of an ignore file. */
interface WrittenIgnores {
  /** Patterns as they are now, as a file at the top of the work tree would name them; null: they are not known. */
  readonly patterns: readonly string[] | null;
  readonly added: readonly string[];
  /** Something that was ignored may not be any more. */
  readonly removes: boolean;
}

/**
 * The arguments with which git has to be asked what `git clean` will remove: as it will be ignored then, where the line
 * writes to ignore files before (gitignore(5)). Where that is not known, more is asked for than goes.
 *
 * @param args options, `--` and pathspecs
 */
export async function cleanArguments(args: readonly string[], scene: Scene): Promise<readonly string[]> {
  if (args.includes('-x')) {
    return args;
  }
  const written = [...(await writtenIgnores(scene)), ...removedIgnores(scene)];
  if (written.length === 0) {
    return args;
  }
  const isOpen = written.some(({ patterns }) => patterns === null);
  const excluding = (patterns: readonly string[]) => patterns.flatMap((pattern) => ['-e', pattern]);
  if (args.includes('-X')) {
    return isOpen
      ? args.map((word) => (word === '-X' ? '-x' : word))
      : [...excluding(written.flatMap(({ added }) => added)), ...args];
  }
  return isOpen || written.some(({ removes }) => removes)
    ? ['-x', ...excluding(written.flatMap(({ patterns }) => patterns ?? [])), ...args]
    : [...excluding(written.flatMap(({ added }) => added)), ...args];
}

async function writtenIgnores({ repository, writtenTexts }: Scene): Promise<readonly WrittenIgnores[]> {
  const places = writtenTexts.size === 0 ? () => false : await ignoreFiles(repository);
  return [...writtenTexts].flatMap(([path, text]) => (places(path) ? [changes(path, text, repository)] : []));
}

/** `rm .gitignore`: what a removed file below the top has had ignored is not looked for. */
function removedIgnores({ repository: { commonDir, cwd, workTree }, patches }: Scene): readonly WrittenIgnores[] {
  const files = [join(workTree ?? cwd, '.gitignore'), join(commonDir, 'info/exclude')];
  return files
    .filter((path) => patches.isRemoved(path) && existsSync(path))
    .map(() => ({ patterns: [], added: [], removes: true }));
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
  const added = (await writtenIgnores(scene)).flatMap((ignores) => ignores.added);
  const patterns = added.map((pattern) => `--exclude=${pattern}`);
  const listed = ['ls-files', '-z', '--ignored', ...patterns];
  const named = ['--', ...paths.map(literalPathspec)];
  if (isTracked) {
    return new Set(await ask([...listed, '--cached', '--exclude-standard', ...named]));
  }
  const before = await ask(['check-ignore', '-z', '--stdin'], paths.map((path) => `${path}\0`).join(''));
  return new Set([...before, ...(added.length === 0 ? [] : await ask([...listed, '--others', ...named]))]);
}

/** Has the line written to an ignore file? @param written absolute paths */
export async function writesIgnores(written: readonly string[], repository: Repository): Promise<boolean> {
  return written.length > 0 && written.some(await ignoreFiles(repository));
}

async function ignoreFiles(repository: Repository): Promise<(path: string) => boolean> {
  const { commonDir, cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const excludes = (await repository.config()).get('core.excludesfile');
  const named = [join(commonDir, 'info/exclude'), ...(excludes === null ? [] : [resolve(top, excludes)])];
  return (path) => named.includes(path) || (path.endsWith('/.gitignore') && isWithin(path, top));
}

function changes(path: string, text: string | null, { cwd, workTree }: Repository): WrittenIgnores {
  if (text === null) {
    return { patterns: null, added: [], removes: true };
  }
  const top = workTree ?? cwd;
  const below = path.endsWith('/.gitignore') ? relative(top, dirname(path)) : '';
  const before = patternsOf(readText(path) ?? '');
  const now = patternsOf(text);
  const added = now.filter((pattern) => !before.includes(pattern));
  return {
    patterns: now.map((pattern) => fromTop(pattern, below)),
    added: added.map((pattern) => fromTop(pattern, below)),
    removes: before.some((pattern) => !now.includes(pattern)) || added.some((pattern) => pattern.startsWith('!')),
  };
}

function patternsOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** gitignore(5): with a slash in it, a pattern begins where its file is; without one it counts anywhere below. */
function fromTop(pattern: string, below: string): string {
  if (below === '') {
    return pattern;
  }
  const [, not = '', path = ''] = /^(!?)(.*)$/s.exec(pattern) ?? [];
  const isAnchored = path.replace(/\/$/, '').includes('/');
  return `${not}/${below}/${isAnchored ? path.replace(/^\//, '') : `**/${path}`}`;
}
