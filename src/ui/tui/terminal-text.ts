import { printable } from '../findings.ts';

/**
 * Text of a model, a program or a repository for this terminal: colours of programs are dropped, tabs become spaces
 * and whatever else could act on the terminal is replaced. Line ends stay.
 */
export function terminalText(text: string): string {
  return printable(
    text
      .replace(/\x1b\[[0-9;:]*m/g, '')
      .replaceAll('\r\n', '\n')
      .replaceAll('\t', '    '),
  );
}

/** {@link terminalText} of one line: line ends are shown as `⏎`. */
export function terminalLine(text: string): string {
  return terminalText(text).replaceAll('\n', '⏎');
}

/** The first characters of a text, with `…` for the rest. Counts UTF-16 units and never splits a character. */
export function clip(text: string, length: number): string {
  if (text.length <= length) {
    return text;
  }
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 2)) ? length - 2 : length - 1;
  return `${text.slice(0, end)}…`;
}

/** The first lines, and how many more there are. */
export function fold(
  lines: readonly string[],
  shown: number,
): { readonly lines: readonly string[]; readonly hidden: number } {
  // One hidden line would take as much room as the line that tells of it.
  return lines.length <= shown + 1
    ? { lines, hidden: 0 }
    : { lines: lines.slice(0, shown), hidden: lines.length - shown };
}

/** How many rows a line takes when it is wrapped; colours take no room. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(cellsOf(line) / Math.max(1, columns)));
}

/** Lines up to a number of rows, and how many lines are left out. */
export function fitRows(
  lines: readonly string[],
  columns: number,
  rows: number,
): { readonly lines: readonly string[]; readonly hidden: number } {
  let used = 0;
  const end = lines.findIndex((line) => {
    used += rowsOf(line, columns);
    return used > rows;
  });
  return end === -1 ? { lines, hidden: 0 } : { lines: lines.slice(0, end), hidden: lines.length - end };
}

/** Characters of two cells, by Unicode's East Asian Width; emoji among them. */
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text.replace(/\x1b\[[0-9;:]*m/g, '').replace(/\p{M}/gu, '')) {
    cells += wide.test(character) ? 2 : 1;
  }
  return cells;
}

/** As much of a painted line as fits into a row, with `…` for the rest. A character of two cells is never half out. */
export function clipCells(line: string, columns: number): string {
  if (cellsOf(line) <= columns) {
    return line;
  }
  let room = columns - 1;
  let clipped = '';
  for (const part of line.match(/\x1b\[[0-9;:]*m|\P{M}\p{M}*|\p{M}+/gu) ?? []) {
    // What is painted ends also where its text is cut.
    if (part.startsWith('\x1b')) {
      clipped += part;
    } else if (room >= 0) {
      const cells = cellsOf(part);
      clipped += cells <= room ? part : '…';
      room = cells <= room ? room - cells : -1;
    }
  }
  return clipped;
}

/**
 * Breaks a painted line between words, so that the terminal need not break it within one. What follows stands under
 * the line's first word. A word longer than the screen is left to the terminal.
 */
export function wrapWords(line: string, columns: number): string {
  if (rowsOf(line, columns) === 1) {
    return line;
  }
  const [margin = ''] = /^ */.exec(line) ?? [];
  const words = line.slice(margin.length).split(/ (?=[^ ])/);
  let wrapped = margin;
  let used = margin.length;
  for (const [index, word] of words.entries()) {
    const cells = cellsOf(word);
    const isFirst = index === 0;
    if (!isFirst && used + 1 + cells > columns) {
      wrapped += `\n${margin}${word}`;
      used = margin.length + cells;
    } else {
      wrapped += isFirst ? word : ` ${word}`;
      used += cells + (isFirst ? 0 : 1);
    }
  }
  return wrapped;
}
