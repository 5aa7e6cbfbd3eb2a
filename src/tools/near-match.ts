import { editDistance } from './edit-distance.ts';

/** The part of a text that is most like a string that was not found in it. */
export interface NearMatch {
  /** One-based. */
  readonly line: number;
  readonly text: string;
  /** Why the string did not match there. */
  readonly difference: 'line-numbers' | 'white-space' | 'letter-case' | 'content';
}

/** Lines that are looked at, so that an error in a huge file comes at once. */
const lineLimit = 50_000;

/** Finds what a model most likely meant by a string that a file does not contain; null when nothing is like it. */
export function nearMatch(text: string, sought: string): NearMatch | null {
  const lines = text.split(/\r?\n/, lineLimit);
  const soughtLines = sought.replace(/\n+$/, '').split(/\r?\n/);
  const numbered = withoutLineNumbers(soughtLines);
  if (numbered !== null) {
    const found = findBy(lines, numbered, (line) => line.trim());
    if (found !== null) {
      return { ...found, difference: 'line-numbers' };
    }
  }
  const spaced = findBy(lines, soughtLines, (line) => line.trim().replace(/\s+/g, ' '));
  if (spaced !== null) {
    return { ...spaced, difference: 'white-space' };
  }
  const cased = findBy(lines, soughtLines, (line) => line.trim().toLowerCase());
  if (cased !== null) {
    return { ...cased, difference: 'letter-case' };
  }
  return closest(lines, soughtLines);
}

/** The lines of a Read result, whose numbers were copied along; null when they have none. */
function withoutLineNumbers(lines: readonly string[]): readonly string[] | null {
  const prefix = /^\s*\d+[\t→|]/;
  return lines.every((line) => prefix.test(line)) ? lines.map((line) => line.replace(prefix, '')) : null;
}

function findBy(
  lines: readonly string[],
  sought: readonly string[],
  normalize: (line: string) => string,
): Omit<NearMatch, 'difference'> | null {
  const wanted = sought.map(normalize);
  if (wanted.every((line) => line === '')) {
    return null;
  }
  const normal = lines.map(normalize);
  const fits = (at: number) =>
    wanted.length === 1
      ? (normal[at] ?? '').includes(wanted[0] ?? '')
      : wanted.every((line, index) => normal[at + index] === line);
  const at = normal.findIndex((_, index) => fits(index));
  return at === -1 ? null : { line: at + 1, text: lines.slice(at, at + sought.length).join('\n') };
}

/** The line most like the longest line sought, with its neighbours, if it is like it at all. */
function closest(lines: readonly string[], sought: readonly string[]): NearMatch | null {
  const anchor = sought.reduce((longest, line) => (line.trim().length > longest.trim().length ? line : longest), '');
  const wanted = anchor.trim().slice(0, 200);
  const anchorIndex = sought.indexOf(anchor);
  let limit = Math.floor(wanted.length * 0.4);
  let best = -1;
  for (let index = 0; index < lines.length && limit > 0; index += 1) {
    const distance = editDistance(wanted, (lines[index] ?? '').trim().slice(0, 200), limit);
    if (distance <= limit) {
      best = index;
      limit = distance - 1;
    }
  }
  if (best === -1) {
    return null;
  }
  const first = Math.max(0, best - anchorIndex);
  const text = lines.slice(first, first + Math.min(sought.length, 20)).join('\n');
  return { line: first + 1, text, difference: 'content' };
}
