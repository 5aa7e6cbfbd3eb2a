/** A word in single quotes (POSIX Shell Command Language, 2.2.2). */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** A word as a POSIX shell reads it back, quoted only where it must be (POSIX Shell Command Language, 2.2). */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word);
}

/** A command that can be pasted into a shell. */
export function quoteCommand(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}
