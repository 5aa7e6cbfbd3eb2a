import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** githooks(5): names of hooks that may refuse what is done. */
const hookName =
  /^(?:pre-(?:commit|push|merge-commit|rebase|receive|applypatch)|(?:prepare-)?commit-msg|applypatch-msg|reference-transaction|update)$/;

/**
 * Is a file the hook that husky's own one starts? Since its version 9 git looks into `.husky/_`, and what is there goes on
 * to the file of the same name beside it. One that is not there yet skips nothing.
 *
 * @param path absolute
 * @param hooksDirectory where git looks for hooks, absolute
 */
export function isHuskyHook(path: string, hooksDirectory: string): boolean {
  return (
    basename(hooksDirectory) === '_' &&
    dirname(path) === dirname(hooksDirectory) &&
    hookName.test(basename(path)) &&
    existsSync(join(hooksDirectory, basename(path))) &&
    existsSync(path)
  );
}
