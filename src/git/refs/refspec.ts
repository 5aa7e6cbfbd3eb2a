/** `[+]<src>[:<dst>]` as git-push(1) and git-fetch(1) read it. */
export type Refspec =
  /** `:` or `+:`: every branch that both sides have by the same name. */
  | { readonly kind: 'matching'; readonly force: boolean }
  /** `^refs/heads/wip-*`: refs that the other refspecs shall leave alone. */
  | { readonly kind: 'negative'; readonly pattern: string }
  /** `refs/heads/*:refs/remotes/origin/*`: one asterisk a side. */
  | { readonly kind: 'pattern'; readonly force: boolean; readonly src: string; readonly dst: string }
  | {
      readonly kind: 'explicit';
      readonly force: boolean;
      /** A ref, a revision, or empty: delete `dst`. */
      readonly src: string;
      /** Null: the same name as `src`. */
      readonly dst: string | null;
    };

/**
 * Parses a push refspec.
 *
 * @returns null where git would say `invalid refspec`
 */
export function parsePushRefspec(text: string): Refspec | null {
  if (text.startsWith('^')) {
    const pattern = text.slice(1);
    const isName = pattern !== '' && !pattern.includes(':') && isRefName(pattern, patternRules);
    return isName ? { kind: 'negative', pattern } : null;
  }
  const force = text.startsWith('+');
  const words = force ? text.slice(1) : text;
  if (words === ':') {
    return { kind: 'matching', force };
  }
  // The last colon counts: git refuses a destination with one, a source may be `HEAD:path` or `HEAD^{/a: b}`.
  const colon = words.lastIndexOf(':');
  const src = colon === -1 ? words : words.slice(0, colon);
  const dst = colon === -1 ? null : words.slice(colon + 1);
  if (src.includes('*') || dst?.includes('*')) {
    return parsePattern(src, dst, force);
  }
  return parseExplicit(src, dst, force);
}

const patternRules = { glob: true, oneLevel: true } as const;

function parsePattern(src: string, dst: string | null, force: boolean): Refspec | null {
  const target = dst ?? src;
  const isWellFormed = [src, target].every((side) => side.includes('*') && isRefName(side, patternRules));
  return isWellFormed ? { kind: 'pattern', force, src, dst: target } : null;
}

function parseExplicit(src: string, dst: string | null, force: boolean): Refspec | null {
  const named = src === '@' ? 'HEAD' : src;
  const decisive = dst ?? named;
  return isRefName(decisive, { glob: false, oneLevel: true }) ? { kind: 'explicit', force, src: named, dst } : null;
}

/**
 * What a ref's name becomes under a pattern: the text that the asterisk of `pattern` stands for goes where the
 * asterisk of `target` is.
 *
 * @returns null when the name does not match
 */
export function mapByPattern(name: string, pattern: string, target: string): string | null {
  const star = pattern.indexOf('*');
  if (star === -1) {
    return name === pattern ? target : null;
  }
  const before = pattern.slice(0, star);
  const after = pattern.slice(star + 1);
  const isLongEnough = name.length >= before.length + after.length;
  if (!isLongEnough || !name.startsWith(before) || !name.endsWith(after)) {
    return null;
  }
  const middle = name.slice(before.length, name.length - after.length);
  const targetStar = target.indexOf('*');
  return targetStar === -1 ? target : target.slice(0, targetStar) + middle + target.slice(targetStar + 1);
}

/** gitrevisions(7): where git looks for a short name, in this order. */
const nameRules: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => `refs/${name}`,
  (name) => `refs/tags/${name}`,
  (name) => `refs/heads/${name}`,
  (name) => `refs/remotes/${name}`,
  (name) => `refs/remotes/${name}/HEAD`,
];

/** Every full name that a short one may stand for. */
export function fullNames(name: string): readonly string[] {
  return nameRules.map((rule) => rule(name));
}

const branches = 'refs/heads/';

/** `main` for `refs/heads/main`; another name as it is. */
export function shortBranchName(ref: string): string {
  return ref.startsWith(branches) ? ref.slice(branches.length) : ref;
}

/**
 * Which of the refs a short name in a refspec means. Matches outside of heads and tags count only when there is no
 * other, unless they are spelled from the top (`remotes/origin/main`): git's count_refspec_match().
 */
export function matchingRefs(name: string, refs: { has(name: string): boolean }): readonly string[] {
  const matches = [...new Set(fullNames(name))].filter((full) => refs.has(full));
  const strong = matches.filter(
    (full) =>
      full === name || full === `refs/${name}` || full.startsWith('refs/heads/') || full.startsWith('refs/tags/'),
  );
  return strong.length > 0 ? strong : matches;
}

/** git-check-ref-format(1). `glob` admits one asterisk, `oneLevel` names without a slash. */
export function isRefName(name: string, options: { readonly glob?: boolean; readonly oneLevel?: boolean }): boolean {
  const plain = options.glob === true ? name.replace('*', 'x') : name;
  if (plain === '' || plain === '@' || plain.endsWith('.') || /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(plain)) {
    return false;
  }
  const components = plain.split('/');
  const areFine = components.every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'));
  return areFine && (options.oneLevel === true || components.length > 1);
}
