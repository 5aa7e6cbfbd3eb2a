import { pathMatcher } from '../../tools/glob-pattern.ts';

/** Says whether a `.dockerignore` leaves a file out. */
export type IsIgnored = (path: string) => boolean;

/**
 * Reads a `.dockerignore` (Docker's build context documentation): every pattern counts from the context's root, `**` is
 * any number of directories, what lies in a matching directory matches, and the last rule that matches decides.
 */
export function parseDockerIgnore(text: string): IsIgnored {
  const rules = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => ruleOf(line) ?? []);
  return (path) => {
    const paths = withParents(path);
    const rule = rules.findLast(({ matches }) => paths.some(matches));
    return rule?.leavesOut ?? false;
  };
}

interface IgnoreRule {
  readonly leavesOut: boolean;
  readonly matches: (path: string) => boolean;
}

function ruleOf(line: string): IgnoreRule | null {
  if (line.startsWith('#')) {
    return null;
  }
  const trimmed = line.trim();
  const negated = trimmed.startsWith('!');
  const parts: string[] = [];
  for (const part of (negated ? trimmed.slice(1).trim() : trimmed).split('/')) {
    if (part === '..') {
      parts.pop();
    } else if (part !== '' && part !== '.') {
      parts.push(part);
    }
  }
  if (trimmed === '' || (parts.length === 0 && trimmed !== '.')) {
    return null;
  }
  return { leavesOut: !negated, matches: parts.length === 0 ? () => true : pathMatcher(parts, { groups: false }) };
}

/** `a/b/c`, `a/b`, `a`. */
function withParents(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
