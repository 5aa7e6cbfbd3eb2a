import { anyPath } from '../../shell/listed-files.ts';
import type { UnknownWord } from '../git-command/words.ts';

/** Options with which git prints nothing but paths, one a line. */
const printingPaths: ReadonlyMap<string, RegExp> = new Map([
  [
    'ls-files',
    /^-[cdmoz]+$|^--(?:cached|deleted|modified|others|exclude-standard|full-name|directory|no-empty-directory|exclude=.*)$/,
  ],
  ['diff', /^-z$|^--(?:name-only|cached|staged|relative|no-renames|merge-base|diff-filter=\w+)$/],
]);

/**
 * Which paths `git ls-files` or `git diff --name-only` may print, by the pathspecs that it is given; null: it prints
 * something else, or may do so.
 *
 * @param words the subcommand and what follows it
 */
export function listedBy([subcommand = '', ...rest]: readonly string[]): UnknownWord['fits'] | null {
  const plain = printingPaths.get(subcommand);
  const end = rest.indexOf('--');
  const [before, behind] = end < 0 ? [rest, []] : [rest.slice(0, end), rest.slice(end + 1)];
  const options = before.filter((word) => word.startsWith('-'));
  const isNaming = subcommand === 'ls-files' || options.includes('--name-only');
  if (plain === undefined || !isNaming || !options.every((option) => plain.test(option))) {
    return null;
  }
  // git-diff(1): what stands before the separator may be a revision.
  const pathspecs = subcommand === 'ls-files' ? [...before.filter((word) => !word.startsWith('-')), ...behind] : behind;
  const expressions = pathspecs.map(expressionOf);
  const isOpen = pathspecs.length === 0 || expressions.includes(null);
  return isOpen ? anyPath : (path) => expressions.some((expression) => expression?.test(path) === true);
}

/** A pattern with more stars takes too long to be tried, and nobody writes it. */
const mostStars = 6;

/**
 * gitglossary(7) "pathspec": a path, a directory above it, or a pattern whose stars go over slashes. Where git names
 * paths from the root, they may begin before that. Null: any path may match.
 */
function expressionOf(pathspec: string): RegExp | null {
  const path = pathspec.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
  if (path === '' || path === '.' || /^[:/]|\.\.|[[\]\\]/.test(path) || path.split('*').length > mostStars) {
    return null;
  }
  const pattern = path
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*+/g, '[^]*')
    .replaceAll('?', '[^]');
  return new RegExp(`(?:^|/)${pattern}(?:/|$)`);
}
