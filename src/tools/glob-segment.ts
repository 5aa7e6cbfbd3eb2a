/** A piece of a pattern for one part of a path, between two slashes. */
export type GlobToken =
  | { readonly kind: 'text'; readonly text: string }
  /** `?` */
  | { readonly kind: 'any' }
  /** `*` */
  | { readonly kind: 'star' }
  /** `[a-z]`, `[!a]`, `[[:alpha:]]` */
  | { readonly kind: 'class'; readonly includes: (character: string) => boolean }
  /** `@(a|b)` one of, `?(…)` at most one, `*(…)` any number, `+(…)` at least one, `!(…)` anything but */
  | { readonly kind: 'group'; readonly mode: GroupMode; readonly alternatives: readonly (readonly GlobToken[])[] };

export type GroupMode = '@' | '?' | '*' | '+' | '!';

/** The tokens of one part of a pattern. A backslash takes the next character literally. */
export function parseSegment(pattern: string, options: { readonly groups: boolean }): readonly GlobToken[] {
  const tokens: GlobToken[] = [];
  let text = '';
  const push = (token: GlobToken) => {
    if (text !== '') {
      tokens.push({ kind: 'text', text });
      text = '';
    }
    if (token.kind !== 'star' || tokens.at(-1)?.kind !== 'star') {
      tokens.push(token);
    }
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at] ?? '';
    const group = options.groups ? groupAt(pattern, at) : null;
    const characterClass = character === '[' ? classAt(pattern, at) : null;
    if (group !== null) {
      push({
        kind: 'group',
        mode: group.mode,
        alternatives: group.alternatives.map((alternative) => parseSegment(alternative, options)),
      });
      at = group.end;
    } else if (characterClass !== null) {
      push({ kind: 'class', includes: characterClass.includes });
      at = characterClass.end;
    } else if (character === '*') {
      push({ kind: 'star' });
    } else if (character === '?') {
      push({ kind: 'any' });
    } else if (character === '\\' && at + 1 < pattern.length) {
      at += 1;
      text += pattern[at];
    } else {
      text += character;
    }
  }
  if (text !== '') {
    tokens.push({ kind: 'text', text });
  }
  return tokens;
}

function groupAt(
  pattern: string,
  at: number,
): { readonly mode: GroupMode; readonly alternatives: readonly string[]; readonly end: number } | null {
  const mode = pattern[at];
  if (pattern[at + 1] !== '(' || mode === undefined || !isGroupMode(mode)) {
    return null;
  }
  const alternatives: string[] = [];
  let depth = 0;
  let from = at + 2;
  for (let index = at + 1; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === '\\') {
      index += 1;
    } else if (character === '(') {
      depth += 1;
    } else if (character === '|' && depth === 1) {
      alternatives.push(pattern.slice(from, index));
      from = index + 1;
    } else if (character === ')') {
      depth -= 1;
      if (depth === 0) {
        return { mode, alternatives: [...alternatives, pattern.slice(from, index)], end: index };
      }
    }
  }
  return null;
}

function isGroupMode(character: string): character is GroupMode {
  return '@?*+!'.includes(character);
}

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /[\p{L}\p{N}]/u,
  alpha: /\p{L}/u,
  digit: /[0-9]/,
  lower: /\p{Ll}/u,
  upper: /\p{Lu}/u,
  space: /\s/,
  punct: /[!-/:-@[-`{-~]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** A bracket that is never closed is literal: null. */
function classAt(
  pattern: string,
  at: number,
): { readonly includes: (character: string) => boolean; readonly end: number } | null {
  const negated = pattern[at + 1] === '!' || pattern[at + 1] === '^';
  const tests: ((character: string) => boolean)[] = [];
  let index = at + (negated ? 2 : 1);
  // A closing bracket that comes first is a member.
  for (let first = true; index < pattern.length && (first || pattern[index] !== ']'); first = false) {
    const named = /^\[:(\w+):\]/.exec(pattern.slice(index, index + 12));
    const namedClass = namedClasses[named?.[1] ?? ''];
    if (named !== null && namedClass !== undefined) {
      tests.push((character) => namedClass.test(character));
      index += named[0].length;
      continue;
    }
    const low = memberAt(pattern, index);
    index = low.end;
    if (pattern[index] === '-' && index + 1 < pattern.length && pattern[index + 1] !== ']') {
      const high = memberAt(pattern, index + 1);
      index = high.end;
      tests.push((character) => low.code <= codeOf(character) && codeOf(character) <= high.code);
    } else {
      tests.push((character) => codeOf(character) === low.code);
    }
  }
  if (pattern[index] !== ']') {
    return null;
  }
  return { includes: (character) => tests.some((test) => test(character)) !== negated, end: index };
}

function memberAt(pattern: string, at: number): { readonly code: number; readonly end: number } {
  const from = pattern[at] === '\\' && at + 1 < pattern.length ? at + 1 : at;
  const code = pattern.codePointAt(from) ?? 0;
  return { code, end: from + (code > 0xffff ? 2 : 1) };
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/**
 * A function that tells whether a part of a path matches. The frequent forms are string comparisons; the others follow
 * all positions at once, so that no pattern, whatever it is, takes exponential time.
 */
export function segmentMatcher(tokens: readonly GlobToken[]): (part: string) => boolean {
  const [first, second, third] = tokens;
  if (tokens.length === 0) {
    return (part) => part === '';
  }
  if (tokens.length === 1 && first?.kind === 'text') {
    return (part) => part === first.text;
  }
  if (tokens.length === 1 && first?.kind === 'star') {
    return () => true;
  }
  if (tokens.length === 2 && first?.kind === 'star' && second?.kind === 'text') {
    return (part) => part.endsWith(second.text);
  }
  if (tokens.length === 2 && first?.kind === 'text' && second?.kind === 'star') {
    return (part) => part.startsWith(first.text);
  }
  if (tokens.length === 3 && first?.kind === 'star' && second?.kind === 'text' && third?.kind === 'star') {
    return (part) => part.includes(second.text);
  }
  return (part) => endsOf(tokens, part, new Set([0])).has(part.length);
}

/** The positions in a part to which tokens can lead from any of the given positions. */
function endsOf(tokens: readonly GlobToken[], part: string, starts: ReadonlySet<number>): ReadonlySet<number> {
  let positions = starts;
  for (const token of tokens) {
    if (positions.size === 0) {
      break;
    }
    positions = step(token, part, positions);
  }
  return positions;
}

function step(token: GlobToken, part: string, positions: ReadonlySet<number>): ReadonlySet<number> {
  switch (token.kind) {
    case 'text': {
      const { text } = token;
      return new Set([...positions].filter((at) => part.startsWith(text, at)).map((at) => at + text.length));
    }
    case 'star':
      return from(Math.min(...positions), part.length);
    case 'any':
      return oneCharacter(part, positions, () => true);
    case 'class':
      return oneCharacter(part, positions, token.includes);
    case 'group':
      return group(token.mode, token.alternatives, part, positions);
  }
}

function from(start: number, end: number): ReadonlySet<number> {
  return new Set(Array.from({ length: end - start + 1 }, (_, index) => start + index));
}

function oneCharacter(
  part: string,
  positions: ReadonlySet<number>,
  includes: (character: string) => boolean,
): ReadonlySet<number> {
  const ends = new Set<number>();
  for (const at of positions) {
    const code = part.codePointAt(at);
    if (code !== undefined && includes(String.fromCodePoint(code))) {
      ends.add(at + (code > 0xffff ? 2 : 1));
    }
  }
  return ends;
}

function group(
  mode: GroupMode,
  alternatives: readonly (readonly GlobToken[])[],
  part: string,
  positions: ReadonlySet<number>,
): ReadonlySet<number> {
  const once = (starts: ReadonlySet<number>) =>
    new Set(alternatives.flatMap((alternative) => [...endsOf(alternative, part, starts)]));
  switch (mode) {
    case '@':
      return once(positions);
    case '?':
      return new Set([...positions, ...once(positions)]);
    case '!':
      return new Set(
        [...positions].flatMap((at) => {
          const excluded = once(new Set([at]));
          return [...from(at, part.length)].filter((end) => !excluded.has(end));
        }),
      );
    case '*':
    case '+': {
      const reached = new Set(mode === '*' ? positions : once(positions));
      for (let fresh: ReadonlySet<number> = reached; fresh.size > 0; ) {
        fresh = new Set([...once(fresh)].filter((end) => !reached.has(end)));
        fresh.forEach((end) => void reached.add(end));
      }
      return reached;
    }
  }
}
