/** What a trail must not keep, and what stands in its place. */
interface Secret {
  /** A text without any of these has none: compiling the pattern costs a hook more than all the rest of its record. */
  readonly signs: readonly string[] | RegExp;
  readonly pattern: () => RegExp;
  readonly kept: string;
}

/** Credentials by their form, whatever they stand in. */
const credentials: readonly Secret[] = [
  // user:password@ and token@ in URLs. To SSH a name is no secret.
  {
    signs: ['://'],
    pattern: () => /\b((?!(?:git\+)?ssh:\/\/[^\s/@:'"]+@)[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi,
    kept: '$1…@',
  },
  {
    signs: [':'],
    pattern: () => /(\b(?:authorization|private-token|x-api-key)\s*:\s*)(?:(?:bearer|basic|token)\s+)?[^\s'"]+/gi,
    kept: '$1…',
  },
  {
    signs: ['gh', 'oxg_', 'glpat-', 'xox', 'sk-'],
    pattern: () => /\b(?:gh[pousr]_|github_pat_|oxg_|glpat-|xox[abprs]-|sk-)[A-Za-z0-9_-]{8,}/g,
    kept: '…',
  },
];

/** The order matters: longer forms come first. */
const secrets: readonly Secret[] = [
  // A here-document's body is text, often a message.
  {
    signs: ['<<'],
    pattern: () => /(<<-?\s*(['"]?)([A-Za-z_]\w*)\2[^\n]*\n)[\s\S]*?(\n\s*\3\b|$)/g,
    kept: '$1…$4',
  },
  // Messages: -m, -am, --message, --body, --notes, --title, with a quoted or a bare value.
  {
    signs: /-[A-Za-z]*m[\s='"]|--(?:message|body|notes|title)/,
    pattern: () =>
      /(\s(?:-[A-Za-z]*m|--(?:message|body|notes|title))(?:\s+|=|(?=['"])))("(?:[^"\\]|\\[\s\S])*("|$)|'[^']*('|$)|[^\s'"]+)/g,
    kept: '$1…',
  },
  ...credentials,
  {
    signs: ['=', ':'],
    pattern: () =>
      /\b((?:[A-Za-z0-9]+[_-])*(?:password|passwd|token|secret|api[_-]?key)\s*[=:]\s*)("[^"]*"|'[^']*'|[^\s'"&]+)/gi,
    kept: '$1…',
  },
  { signs: ['='], pattern: () => /([?&](?:access_token|token|key|sig|signature)=)[^\s&'"]+/gi, kept: '$1…' },
];

function hasSign(text: string, signs: Secret['signs']): boolean {
  return signs instanceof RegExp ? signs.test(text) : signs.some((sign) => text.includes(sign));
}

/**
 * A command line or URL without what an audit trail must not keep: message bodies, here-documents, credentials.
 * It works on the text alone and takes rather too much than too little.
 */
export function redact(text: string): string {
  return without(secrets, text);
}

/** A text for people who must see all of it but the credentials. */
export function withoutCredentials(text: string): string {
  return without(credentials, text);
}

function without(unwanted: readonly Secret[], text: string): string {
  return unwanted.reduce(
    (left, { signs, pattern, kept }) => (hasSign(left, signs) ? left.replace(pattern(), kept) : left),
    text,
  );
}
