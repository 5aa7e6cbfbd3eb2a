import { credentials, type Secret, without } from '../credentials.ts';

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

/**
 * A command line or URL without what an audit trail must not keep: message bodies, here-documents, credentials.
 * It works on the text alone and takes rather too much than too little.
 */
export function redact(text: string): string {
  return without(secrets, text);
}
