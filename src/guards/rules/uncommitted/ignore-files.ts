import { join, resolve } from 'node:path';
import type { Repository } from '../../../git/repository.ts';
import { configuredPath, excludesFile, personalDirectory } from '../../../git/settings/personal-files.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { isIgnoreFile } from '../../simulation/files/ignore-file.ts';

/** Has the line written to an ignore file? @param written absolute paths */
export async function writesIgnores(written: readonly string[], repository: Repository): Promise<boolean> {
  return written.length > 0 && written.some(await ignoreFiles(repository));
}

/** Those that git looks at in a repository: gitignore(5). */
export async function ignoreFiles(repository: Repository): Promise<(path: string) => boolean> {
  const outside = await outsideIgnoreFiles(repository);
  const top = repository.workTree ?? repository.cwd;
  return (path) => outside.includes(path) || (isIgnoreFile(path) && isWithin(path, top));
}

/** Ignore files that are none of the work tree's own, the least important first: gitignore(5). */
export async function outsideIgnoreFiles(repository: Repository): Promise<readonly string[]> {
  const { commonDir, cwd, workTree, git } = repository;
  const given = (await repository.config()).get(excludesFile);
  const { env } = git.context;
  const named = given === null ? join(personalDirectory(env), 'ignore') : configuredPath(given, env);
  return [...(named === '' ? [] : [resolve(workTree ?? cwd, named)]), join(commonDir, 'info/exclude')];
}
