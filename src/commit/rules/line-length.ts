import type { Section } from '../parse.ts';
import type { Objection } from './rule.ts';

/**
 * The first line of a section that is too long. A line with a URL may be as long as it likes.
 *
 * @param limit in UTF-16 code units
 */
export function longLine(name: string, section: Section | null, limit: number): Objection | null {
  const lines = section?.lines ?? [];
  const index = lines.findIndex((line) => line.length > limit && !/\bhttps?:\/\/\S+/.test(line));
  const length = lines[index]?.length;
  if (section === null || length === undefined) {
    return null;
  }
  return {
    message: `a line of the ${name} is ${length} characters long, ${limit} are allowed`,
    position: { line: section.firstLine + index + 1, column: limit + 1, length: length - limit },
  };
}
