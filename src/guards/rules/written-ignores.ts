import { dirname, join, relative, resolve } from 'node:path';
import { readText } from '../../git/files.ts';
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
export async function cleanArguments(
  args: readonly string[],
  { repository, writtenTexts }: Scene,
): Promise<readonly string[]> {
  if (args.includes('-x') || writtenTexts.size === 0) {
    return args;
  }
  const places = await ignoreFiles(repository);
  const written = [...writtenTexts].flatMap(([path, text]) => (places(path) ? [changes(path, text, repository)] : []));
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
