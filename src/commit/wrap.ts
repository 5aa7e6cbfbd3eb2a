/**
 * Breaks the lines of a body that are too long, at spaces. Lines with a URL, trailers, quotes and code (fenced or
 * indented) stay as they are; a list item continues under its text.
 *
 * @param limit in UTF-16 code units
 */
export function wrapLines(lines: readonly string[], limit: number): string[] {
  let fenced = false;
  return lines.flatMap((line) => {
    fenced = /^\s*(```|~~~)/.test(line) ? !fenced : fenced;
    return line.length <= limit || fenced || isWhole(line) ? [line] : wrapLine(line, limit);
  });
}

function isWhole(line: string): boolean {
  return /\bhttps?:\/\/\S+/.test(line) || /^(?: {4}|\t|>|[A-Za-z][A-Za-z-]{1,60}: )/.test(line);
}

function wrapLine(line: string, limit: number): string[] {
  const marker = /^\s*(?:[-*+•]|\d+[.)])\s+/.exec(line)?.[0] ?? /^\s*/.exec(line)?.[0] ?? '';
  const indent = ' '.repeat(marker.length);
  const wrapped: string[] = [];
  let current = marker;
  for (const word of line.slice(marker.length).split(/\s+/)) {
    const isFirst = current === marker || current === indent;
    const joined = isFirst ? current + word : `${current} ${word}`;
    if (joined.length > limit && !isFirst) {
      wrapped.push(current);
      current = indent + word;
    } else {
      current = joined;
    }
  }
  return [...wrapped, current];
}
