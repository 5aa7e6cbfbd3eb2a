/** Longer stretches of white space say no more than this. */
const maximumBlank = 1000;
const longBlank = new RegExp(`\\s{${maximumBlank + 1},}`, 'g');

/**
 * A text without the middle of long stretches of white space. The patterns that look through programs and files may try
 * a stretch from each of its places: with 200,000 blanks a hook would be killed before it has answered.
 */
export function withoutLongBlanks(text: string): string {
  return text.length <= maximumBlank
    ? text
    : text.replace(longBlank, (blank) => blank.slice(0, maximumBlank / 2) + blank.slice(-maximumBlank / 2));
}
