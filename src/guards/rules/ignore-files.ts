import { join, resolve } from 'node:path';
import type { Repository } from '../../git/repository.ts';
import { isWithin } from '../files/guarded-file.ts';

/** Has the line written to an ignore file? @param written absolute paths */
export async function writesIgnores(written: readonly string[], repository: Repository): Promise<boolean> {
  return written.length > 0 && written.some(await ignoreFiles(repository));
}

/** Those that git looks at in a repository: gitignore(5). */
export async function ignoreFiles(repository: Repository): Promise<(path: string) => boolean> {
  const { commonDir, cwd, workTree } = repository;
  const top = workTree ?? cwd;
  const excludes = (await repository.config()).get('core.excludesfile');
  const named = [join(commonDir, 'info/exclude'), ...(excludes === null ? [] : [resolve(top, excludes)])];
  return (path) => named.includes(path) || (path.endsWith('/.gitignore') && isWithin(path, top));
}
