/** What must not be kept or told, and what stands in its place. */
export interface Secret {
  /** A text without any of these has none: compiling the pattern costs a hook more than all the rest of its record. */
  readonly signs: readonly string[] | RegExp;
  readonly pattern: () => RegExp;
  readonly kept: string;
}

/** `user:password@` and `token@` in URLs. To SSH a name is no secret. */
const inUrls: Secret = {
  signs: ['://'],
  pattern: () => /\b((?!(?:git\+)?ssh:\/\/[^\s/@:'"]+@)[a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]+@/gi,
  kept: '$1…@',
};

/** Credentials by their form, whatever they stand in. */
export const credentials: readonly Secret[] = [
  inUrls,
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

function hasSign(text: string, signs: Secret['signs']): boolean {
  return signs instanceof RegExp ? signs.test(text) : signs.some((sign) => text.includes(sign));
}

/** A text for people who must see all of it but the credentials. */
export function withoutCredentials(text: string): string {
  return without(credentials, text);
}

/** A command that somebody may paste: git asks for the credentials that its URLs lack, or has them elsewhere. */
export function commandWithoutCredentials(command: string): string {
  return withoutCredentials(without([{ ...inUrls, kept: '$1' }], command));
}

/** A text with something else in the place of what must not be in it. */
export function without(unwanted: readonly Secret[], text: string): string {
  return unwanted.reduce(
    (left, { signs, pattern, kept }) => (hasSign(left, signs) ? left.replace(pattern(), kept) : left),
    text,
  );
}
