import type { SourceCode } from './code.ts';

/** Where a directory is given that options may hold, also later, or to a variable of that name; and what. */
const given =
  /(?<![\w$-])["']?cwd["']?\s*\]?\s*(?<sign>:|=(?![=>]))\s*(?<value>"[^"\n]*"|'[^'\n]*'|[^,;)}\n]*)|(?=c)(?<=[{,]\s*)(?<short>cwd)(?=\s*[,}])/g;
/** What may hold another directory: `...options`, `**options`. */
const spread = /\.\.\.|\*\*/g;
const merging = /\bObject\s*\.\s*assign\b/;

interface Given {
  readonly index: number;
  /** As it is written. */
  readonly value: string;
  readonly isKeyword: boolean;
}

/**
 * Do options name a directory in the place of which another one may come, as the last one counts: `{ cwd, ...options }`,
 * `Object.assign({ cwd }, options)`?
 *
 * @param start where the options stand, or a call's arguments
 */
export function mayBeReplaced({ source, code }: SourceCode, start: number, end: number): boolean {
  const [first, ...others] = directoriesIn(source.slice(start, end));
  // Python gives a call no second one of that name.
  if (first === undefined || first.isKeyword) {
    return false;
  }
  const readable = code.slice(start, end);
  const isFollowed =
    merging.test(readable) || Array.from(readable.matchAll(spread)).some(({ index }) => index > first.index);
  return isOther(first, isFollowed ? [...others, ...directoriesIn(without(source, start, end))] : others);
}

/** The same of options that a variable holds: `options.update(cwd='.')`, `Object.assign(options, …)`, `{…} | {…}`. */
export function mayBeReplacedIn(name: string, { source, code }: SourceCode, start: number, end: number): boolean {
  const escaped = name.replaceAll('$', '\\$');
  const later = new RegExp(
    `(?<![\\w$.])${escaped}\\s*(?:\\.\\s*update\\s*\\(|\\|=)|${merging.source}\\s*\\(\\s*${escaped}(?![\\w$])`,
  );
  const [first] = directoriesIn(source.slice(start, end));
  const isFollowed = /^[)}\s]*\|/.test(code.slice(end - 1)) || later.test(code);
  return first !== undefined && isFollowed && isOther(first, directoriesIn(without(source, start, end)));
}

const isOther = ({ value }: Given, others: readonly Given[]) => others.some((other) => other.value !== value);

const without = (source: string, start: number, end: number) => `${source.slice(0, start)};${source.slice(end)}`;

function directoriesIn(text: string): readonly Given[] {
  return Array.from(text.matchAll(given), ({ index, groups }) => ({
    index,
    value: (groups?.short ?? groups?.value ?? '').trim(),
    isKeyword: groups?.sign === '=',
  }));
}
