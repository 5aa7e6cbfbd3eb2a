import { textWidth } from './text-width.ts';

/** Narrower than this nothing can be read anyway. */
const leastColumns = 20;

/** A command that a person is to copy: the terminal may break it, a line end in it would not be the same command. */
const isCommand = /^\s*(?:\x1b\[\d+m)*→|^\s*\$ /;

/**
 * Lines broken at spaces for a terminal, where it would break them in the middle of a word: what is left over goes on under
 * the text, or under the second column of a list.
 *
 * @param text may have colours
 * @param columns of the terminal; undefined: there is none, and nothing is broken
 */
export function fittedLines(text: string, columns: number | undefined): string {
  return columns === undefined || columns < leastColumns
    ? text
    : text
        .split('\n')
        .map((line) => (widthOf(line) <= columns || isCommand.test(line) ? line : broken(line, columns)))
        .join('\n');
}

function broken(line: string, columns: number): string {
  const [start = ''] = /^\s*(?:\S+(?: \S+)*\s{2,}|(?:\x1b\[\d+m)*[✓✗!?·](?:\x1b\[\d+m)* )?/.exec(line) ?? [];
  const indent = ' '.repeat(widthOf(start) > columns / 2 ? 4 : widthOf(start));
  const lines: string[] = [];
  let current = start;
  let isEmpty = true;
  for (const word of line.slice(start.length).split(' ')) {
    if (!isEmpty && widthOf(current) + 1 + widthOf(word) > columns) {
      lines.push(current);
      current = indent + word;
    } else {
      current += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, current].join('\n');
}

function widthOf(text: string): number {
  return textWidth(text.replace(/\x1b\[[\d;]*m/g, ''));
}
