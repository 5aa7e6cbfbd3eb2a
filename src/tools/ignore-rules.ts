import { readFileSync } from 'node:fs';
import { pathMatcher } from './glob-pattern.ts';

/** The rules of one .gitignore file (gitignore(5)), for paths relative to its directory. */
export interface IgnoreRules {
  /** True: ignored. False: a `!` rule takes it back. Null: the file says nothing about it. */
  verdict(path: string, isDirectory: boolean): boolean | null;
}

interface Rule {
  readonly negated: boolean;
  readonly directoriesOnly: boolean;
  readonly matches: (path: string) => boolean;
}

/** Parses the text of an ignore file; null when it has no rules. */
export function parseIgnoreRules(text: string): IgnoreRules | null {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => parseLine(line) ?? []);
  if (rules.length === 0) {
    return null;
  }
  return {
    verdict: (path, isDirectory) => {
      const rule = rules.findLast((one) => (isDirectory || !one.directoriesOnly) && one.matches(path));
      return rule === undefined ? null : !rule.negated;
    },
  };
}

/** The rules of an ignore file; null when there is none that can be read. */
export function readIgnoreRules(file: string): IgnoreRules | null {
  try {
    return parseIgnoreRules(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function parseLine(line: string): Rule | null {
  // Trailing spaces do not count, unless a backslash stands before them.
  const trimmed = line.replace(/(?<!\\)(\s+)$/, '');
  if (trimmed === '' || trimmed.startsWith('#')) {
    return null;
  }
  const negated = trimmed.startsWith('!');
  const pattern = negated ? trimmed.slice(1) : trimmed;
  const directoriesOnly = pattern.endsWith('/');
  const bare = directoriesOnly ? pattern.slice(0, -1) : pattern;
  if (bare === '') {
    return null;
  }
  // A slash at the beginning or in the middle ties the pattern to the directory of its file.
  const anchored = bare.includes('/');
  const parts = bare.replace(/^\//, '').split('/');
  const matches = pathMatcher(anchored ? parts : ['**', ...parts], { groups: false });
  // `a/**` is everything inside of a, not a itself.
  const inside =
    anchored && parts.at(-1) === '**' ? pathMatcher([...parts.slice(0, -1), '*', '**'], { groups: false }) : matches;
  return { negated, directoriesOnly, matches: inside };
}
