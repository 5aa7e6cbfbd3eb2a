/** The patterns of an ignore file: gitignore(5). */
export function patternsOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\) +$/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/**
 * A pattern as a file at the top of the work tree would have it. With a slash in it, a pattern begins where its file is;
 * without one it counts anywhere below.
 *
 * @param below the directory of the file
 */
export function fromTop(pattern: string, below: string): string {
  if (below === '') {
    return pattern;
  }
  const [, not = '', path = ''] = /^(!?)(.*)$/s.exec(pattern) ?? [];
  const isAnchored = path.replace(/\/$/, '').includes('/');
  const place = below.replace(/[*?[\\]/g, '\\$&');
  return `${not}/${place}/${isAnchored ? path.replace(/^\//, '') : `**/${path}`}`;
}
