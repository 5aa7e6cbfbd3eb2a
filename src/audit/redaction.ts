/** What a trail must not keep, and what stands in its place. The order matters: longer forms come first. */
const secrets: readonly (readonly [RegExp, string])[] = [
  // A here-document's body is text, often a message.
  [/(<<-?\s*(['"]?)([A-Za-z_]\w*)\2[^\n]*\n)[\s\S]*?(\n\s*\3\b|$)/g, '$1…$4'],
  // Messages: -m, -am, --message, --body, --notes, --title, with a quoted or a bare value.
  [
    /(\s(?:-[A-Za-z]*m|--(?:message|body|notes|title))(?:\s+|=|(?=['"])))("(?:[^"\\]|\\[\s\S])*("|$)|'[^']*('|$)|[^\s'"]+)/g,
    '$1…',
  ],
  // user:password@ and token@ in URLs.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi, '$1…@'],
  [/(\b(?:authorization|private-token|x-api-key)\s*:\s*)(?:(?:bearer|basic|token)\s+)?[^\s'"]+/gi, '$1…'],
  [/\b(?:gh[pousr]_|github_pat_|oxg_|glpat-|xox[abprs]-|sk-)[A-Za-z0-9_-]{8,}/g, '…'],
  [
    /\b((?:[A-Za-z0-9]+[_-])*(?:password|passwd|token|secret|api[_-]?key)\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s'"&]+)/gi,
    '$1…',
  ],
  [/([?&](?:access_token|token|key|sig|signature)=)[^\s&'"]+/gi, '$1…'],
];

/**
 * A command line or URL without what an audit trail must not keep: message bodies, here-documents, credentials.
 * It works on the text alone and takes rather too much than too little.
 */
export function redact(text: string): string {
  return secrets.reduce((kept, [pattern, replacement]) => kept.replace(pattern, replacement), text);
}
