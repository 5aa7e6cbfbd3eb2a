import type { Paint } from '../paint.ts';

export interface MarkdownLine {
  readonly painted: string;
  /** Is the next line inside of a code block? */
  readonly inCode: boolean;
}

/**
 * One line of a model's Markdown with its emphasis as colours: headings, bold and code. Nothing is taken away but the
 * marks of bold text and headings, and nothing is wrapped or moved: text streams in line by line.
 */
export function markdownLine(line: string, inCode: boolean, paint: Paint): MarkdownLine {
  if (/^\s*(```|~~~)/.test(line)) {
    return { painted: paint.dim(line), inCode: !inCode };
  }
  if (inCode) {
    return { painted: paint.cyan(line), inCode };
  }
  const heading = /^#{1,6}\s+(.*)$/.exec(line);
  if (heading !== null) {
    return { painted: paint.bold(heading[1] ?? ''), inCode };
  }
  const painted = line
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.startsWith('`') && part.length > 1
        ? paint.cyan(part)
        : part.replace(/\*\*(\S(?:[^*]*\S)?)\*\*/g, (_, bold: string) => paint.bold(bold)),
    )
    .join('');
  return { painted, inCode };
}
