/** What helps against a mistake in the grammar, by how the parser calls it; the first that fits. */
const suggestions: readonly (readonly [RegExp, string])[] = [
  [
    /^unterminated (?:single|double|ANSI-C) quote/,
    "Close the quote or backtick that is left open; inside '…' an apostrophe is written '\\''.",
  ],
  [
    /^unterminated backtick/,
    'Close the backtick, or put the text that has it into single quotes: in double quotes a shell runs what is between two.',
  ],
  [/^unterminated/, 'Close what is left open: a bracket of $(…), $((…)) or <(…), or a brace.'],
  [/^maximum .* nesting/, 'Write it with fewer levels, or put it into a script file first and run that.'],
  [/^expected '(.+)' to close/, "Write the '$1' that is missing."],
  [/^expected '(.+)'/, "Write '$1' where it belongs."],
  [/^expected redirect target/, 'Write the file that the redirection goes to.'],
  [/^expected (?:command|word|operand)/, 'Write the command that is missing there, or take away what waits for it.'],
  [/^unexpected token '\('/, "Put the words with brackets into single quotes: '…(…)…'."],
  [
    /^unexpected token '(&&|\|\|?|;)'/,
    "A command can't begin with '$1': write it at the end of the line before, behind <<'EOF' where a heredoc is above.",
  ],
  [
    /^unexpected token '(.+)'/,
    "Take '$1' away or write what opens it before; where it is text, put it into single quotes.",
  ],
];

/** What a person can do about a line that no shell reads. @param reason `syntax error: unexpected token '('` */
export function syntaxSuggestion(reason: string): string {
  const error = reason.replace(/^syntax error: /, '');
  const [pattern, text] = suggestions.find(([one]) => one.test(error)) ?? [];
  return pattern === undefined || text === undefined
    ? 'Put the commands into a script file; bash -n FILE names the place.'
    : error.replace(new RegExp(`${pattern.source}[\\s\\S]*`), text);
}
