const action = /close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved/gi;
const issue = /#[\w-]+(?=\s|$|[,;)\]])/;
const url = /\bhttps?:\/\/(?:www\.)?([-a-zA-Z0-9@:%_+.~#?&//=])+\b/;
const sentence =
  /(?:close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved)(?:\s+(.*?))(?=close|closes|closed|fix|fixes|fixed|resolve|resolves|resolved|$)/gi;

/**
 * Does this line name an issue, so that conventional-commits-parser begins the footer with it? Where the line has words
 * such as `closes` or `fix`, only what follows them counts; a stretch with a URL in it never does.
 * A line beyond 10,000 characters is not looked at that closely.
 *
 * @param line without its line break
 */
export function namesIssue(line: string): boolean {
  if (!line.includes('#')) {
    return false;
  }
  if (line.length > 10_000) {
    return issue.test(line);
  }
  const actions = line.match(action) === null ? [] : [...line.matchAll(sentence)].map((match) => match[1] ?? '');
  const stretches = actions.length > 0 ? actions : (line.match(/.+/g) ?? []);
  return stretches.some((stretch) => !url.test(stretch) && issue.test(stretch));
}
