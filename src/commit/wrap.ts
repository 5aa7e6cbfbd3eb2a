/**
 * Breaks the lines of a body that are too long, at spaces; what is left over goes on with the next line of the same
 * paragraph. Lines with a URL, trailers, quotes and code (fenced or indented) stay as they are; a list item continues
 * under its text.
 *
 * @param limit in UTF-16 code units
 */
export function wrapLines(lines: readonly string[], limit: number): string[] {
  const wrapped: string[] = [];
  let fenced = false;
  let left = '';
  for (const [at, written] of lines.entries()) {
    const line = left === '' ? written : `${left} ${written.trimStart()}`;
    fenced = isFence.test(written) ? !fenced : fenced;
    const stays = left === '' && (fenced || isWhole(line));
    left = '';
    if (stays || line.length <= limit) {
      wrapped.push(line);
    } else {
      const { pieces, indent } = wrapLine(line, limit);
      left = pieces.length > 1 && continues(lines[at + 1] ?? '', indent) ? (pieces.pop() ?? '') : '';
      wrapped.push(...pieces);
    }
  }
  return wrapped;
}

const isFence = /^\s*(```|~~~)/;
const listItem = /^\s*(?:[-*+•]|\d+[.)])\s+/;

function isWhole(line: string): boolean {
  return /\bhttps?:\/\/\S+/.test(line) || /^(?: {4}|\t|>|[A-Za-z][A-Za-z-]{1,60}: )/.test(line);
}

/** Does a line go on with the paragraph, or the list item, whose text is indented so far? */
function continues(line: string, indent: string): boolean {
  const isOther =
    listItem.test(line) || isFence.test(line) || isWhole(line) || /^[\w-]+ #|^BREAKING[ -]CHANGE/.test(line);
  return !isOther && /^\s*/.exec(line)?.[0] === indent && line.trim() !== '';
}

interface Wrapped {
  readonly pieces: string[];
  readonly indent: string;
}

function wrapLine(line: string, limit: number): Wrapped {
  const marker = listItem.exec(line)?.[0] ?? /^\s*/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(marker.length);
  const pieces: string[] = [];
  let current = marker;
  for (const word of line.slice(marker.length).split(/\s+/)) {
    const isFirst = current === marker || current === indent;
    const joined = isFirst ? current + word : `${current} ${word}`;
    if (joined.length > limit && !isFirst) {
      const [kept, taken] = beforeNumberSign(current, word, indent);
      pieces.push(kept);
      current = `${indent}${taken}${word}`;
    } else {
      current = joined;
    }
  }
  return { pieces: [...pieces, current], indent };
}

/** A line that begins with `#` is a comment to git-commit(1), and `word #1` is a footer: two words go along. */
function beforeNumberSign(line: string, word: string, indent: string): readonly [kept: string, taken: string] {
  const cut = line.lastIndexOf(' ', line.lastIndexOf(' ') - 1);
  return indent === '' && word.startsWith('#') && cut > 0
    ? [line.slice(0, cut), `${line.slice(cut + 1)} `]
    : [line, ''];
}
