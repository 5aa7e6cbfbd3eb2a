import { type GlobToken, parseSegment, segmentMatcher } from './glob-segment.ts';

/** A compiled pattern for paths relative to a directory, with `/` between their parts. */
export interface GlobPattern {
  /** The directory, relative, below which everything that matches is: the literal beginning of the pattern. */
  readonly base: string;
  /** How many parts a matching path has at most; infinite with `**`. */
  readonly depth: number;
  matches(path: string): boolean;
}

export type GlobCompilation =
  | { readonly ok: true; readonly pattern: GlobPattern }
  /** What is wrong, as the end of a sentence. */
  | { readonly ok: false; readonly problem: string };

/** Patterns that braces may stand for; more is a mistake or an attack. */
const alternativeLimit = 1_000;

/**
 * Compiles a glob: `*` and `?` within a part, `**` for any number of directories, `[a-z]`, `[!a]`, `{a,b}`, `{1..9}`,
 * `!(a|b)` and its kin, a leading `!` for everything else. Matching takes polynomial time for any pattern.
 * A dot at the beginning of a name is a character like any other.
 */
export function compileGlob(glob: string): GlobCompilation {
  const negated = glob.startsWith('!') && !glob.startsWith('!(');
  const alternatives = expandBraces(negated ? glob.slice(1) : glob);
  if (alternatives === null) {
    return { ok: false, problem: `its braces stand for more than ${alternativeLimit} patterns` };
  }
  const paths = alternatives.map(splitPath);
  if (paths.some((parts) => parts.includes('..'))) {
    return { ok: false, problem: 'it leads upwards with `..`; use `path` for the directory to search' };
  }
  const matchers = paths.map((parts) => pathMatcher(parts, { groups: true }));
  const matches = (path: string) => matchers.some((matcher) => matcher(path));
  if (negated) {
    return { ok: true, pattern: { base: '', depth: Number.POSITIVE_INFINITY, matches: (path) => !matches(path) } };
  }
  const base = commonBase(paths.map(literalBase));
  const depth = Math.max(...paths.map((parts) => (parts.includes('**') ? Number.POSITIVE_INFINITY : parts.length)));
  return { ok: true, pattern: { base, depth, matches: matchers.length === 1 ? (matchers[0] ?? matches) : matches } };
}

/** Parts between slashes that are in no bracket; `./`, doubled and trailing slashes are forgiven. */
function splitPath(pattern: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    if (character === '\\') {
      part += character + (pattern[at + 1] ?? '');
      at += 1;
    } else if (character === '/' && depth === 0) {
      parts.push(part);
      part = '';
    } else {
      depth = Math.max(0, depth + (character === '(' ? 1 : character === ')' ? -1 : 0));
      part += character;
    }
  }
  parts.push(part === '' ? '**' : part);
  return parts.filter((name) => name !== '' && name !== '.');
}

/**
 * A function that tells whether a path matches parts of a pattern; `**` is a part of its own.
 *
 * @param options whether `!(a|b)` and its kin have a meaning: not in .gitignore
 */
export function pathMatcher(
  parts: readonly string[],
  options: { readonly groups: boolean },
): (path: string) => boolean {
  const segments = parts.map((part) => (part === '**' ? null : parseSegment(part, options)));
  const matchers = segments.map((tokens) => (tokens === null ? null : segmentMatcher(tokens)));
  const last = matchers.at(-1) ?? null;
  if (matchers.length === 2 && matchers[0] === null && last !== null) {
    return (path) => last(path.slice(path.lastIndexOf('/') + 1));
  }
  const ending = endingOf(segments.at(-1) ?? null);
  return (path) => path.endsWith(ending) && matchParts(matchers, path.split('/'));
}

/** The text that a matching path ends with: it decides most paths at once. */
function endingOf(tokens: readonly GlobToken[] | null): string {
  const last = tokens?.at(-1);
  return last?.kind === 'text' ? last.text : '';
}

/** Only the last `**` that was passed can be worth trying again: what it takes more, an earlier one need not. */
function matchParts(matchers: readonly (((part: string) => boolean) | null)[], parts: readonly string[]): boolean {
  let matcher = 0;
  let part = 0;
  let retryMatcher = -1;
  let retryPart = 0;
  while (part < parts.length) {
    const current = matchers[matcher];
    if (current === null) {
      matcher += 1;
      retryMatcher = matcher;
      retryPart = part;
    } else if (current?.(parts[part] ?? '') === true) {
      matcher += 1;
      part += 1;
    } else if (retryMatcher === -1) {
      return false;
    } else {
      retryPart += 1;
      part = retryPart;
      matcher = retryMatcher;
    }
  }
  return matchers.slice(matcher).every((rest) => rest === null);
}

/** The patterns that a pattern with `{a,b}` and `{1..3}` stands for; null when they are too many. */
export function expandBraces(pattern: string): readonly string[] | null {
  const found = braceIn(pattern);
  if (found === null) {
    return [pattern];
  }
  const rest = expandBraces(pattern.slice(found.end + 1));
  if (rest === null) {
    return null;
  }
  const expanded: string[] = [];
  for (const choice of found.choices) {
    const inner = expandBraces(choice);
    if (inner === null || expanded.length + inner.length * rest.length > alternativeLimit) {
      return null;
    }
    for (const middle of inner) {
      expanded.push(...rest.map((end) => pattern.slice(0, found.start) + middle + end));
    }
  }
  return expanded;
}

interface Brace {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly string[];
}

/** The first brace that stands for something: `{}` and `{a}` are literal. */
function braceIn(pattern: string): Brace | null {
  for (let start = 0; start < pattern.length; start += 1) {
    if (pattern[start] === '\\') {
      start += 1;
    } else if (pattern[start] === '{') {
      const brace = braceAt(pattern, start);
      if (brace !== null) {
        return brace;
      }
    }
  }
  return null;
}

function braceAt(pattern: string, start: number): Brace | null {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      at += 1;
    } else if (character === '{') {
      depth += 1;
    } else if (character === ',' && depth === 1) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth === 0) {
        const all = choices.length > 0 ? [...choices, pattern.slice(from, at)] : sequence(pattern.slice(from, at));
        return all === null ? null : { start, end: at, choices: all };
      }
    }
  }
  return null;
}

/** The members of `1..3` or `a..c`. */
function sequence(text: string): readonly string[] | null {
  const match = /^(?:(-?\d{1,6})\.\.(-?\d{1,6})|([a-zA-Z])\.\.([a-zA-Z]))$/.exec(text);
  if (match === null) {
    return null;
  }
  const [, low, high, first, last] = match;
  const [start, end] =
    low === undefined ? [first?.charCodeAt(0) ?? 0, last?.charCodeAt(0) ?? 0] : [Number(low), Number(high)];
  const length = Math.min(Math.abs(end - start), alternativeLimit) + 1;
  return Array.from({ length }, (_, index) => {
    const member = start + (end < start ? -index : index);
    return low === undefined ? String.fromCharCode(member) : String(member);
  });
}

/** Leading parts without anything special; the last part is a file's name. */
function literalBase(parts: readonly string[]): readonly string[] {
  const special = parts.findIndex((part) => /[*?[\\(]/.test(part));
  return parts.slice(0, special === -1 ? parts.length - 1 : Math.min(special, parts.length - 1));
}

function commonBase(bases: readonly (readonly string[])[]): string {
  const [first = []] = bases;
  const different = first.findIndex((part, index) => bases.some((base) => base[index] !== part));
  return first.slice(0, different === -1 ? first.length : different).join('/');
}
