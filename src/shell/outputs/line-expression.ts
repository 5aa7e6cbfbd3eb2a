import { listMembers } from '../words/character-classes.ts';

/**
 * A regular expression of grep(1) or sed(1) that is tried on single lines. Null where it has something that works in
 * another way here, or that could take long: an expression comes from the line that is judged.
 */
export function lineExpression(
  pattern: string,
  kind: 'basic' | 'extended' | 'fixed',
  ignoresCase: boolean,
  everywhere = false,
): RegExp | null {
  const source = kind === 'fixed' ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') : sourceOf(pattern, kind);
  if (source === null || (kind !== 'fixed' && !isCheap(source))) {
    return null;
  }
  try {
    return new RegExp(source, `${ignoresCase ? 'i' : ''}${everywhere ? 'g' : ''}`);
  } catch {
    return null;
  }
}

const special = '+?(){}|';
/** In a basic expression `+?(){}|` are themselves, and special behind a backslash: regex(7). */
function sourceOf(pattern: string, kind: 'basic' | 'extended'): string | null {
  let source = '';
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const next = pattern.charAt(at + 1);
    if (character === '\\') {
      at += 1;
      const escaped = escapedSource(next, kind);
      if (escaped === null) {
        return null;
      }
      source += escaped;
    } else if (character === '[') {
      const list = bracketList(pattern.slice(at));
      if (list === null) {
        return null;
      }
      source += list.source;
      at += list.length - 1;
    } else {
      // At the beginning of a basic expression there is nothing that a star could repeat.
      const isItself = special.includes(character) || (character === '*' && /^\^?$/.test(source));
      source += kind === 'basic' && isItself ? `\\${character}` : character;
    }
  }
  return source;
}

/** What a character means behind a backslash; null where that is not known. */
function escapedSource(character: string, kind: 'basic' | 'extended'): string | null {
  switch (character) {
    case '<':
      return '\\b(?=\\w)';
    case '>':
      return '\\b(?<=\\w)';
    default:
      if (/[swSWbB]/.test(character)) {
        return `\\${character}`;
      }
      return /[\w'`]/.test(character) || character === ''
        ? null
        : kind === 'basic' && special.includes(character)
          ? character
          : `\\${character}`;
  }
}

/** `[^[:space:]#]`, at the beginning of a text; null: it is not closed, or has a class that there is not. */
function bracketList(text: string): { readonly source: string; readonly length: number } | null {
  const [whole, negated, inside] = /^\[(\^?)(\]?(?:\[:\w+:\]|[^\]])*)\]/.exec(text) ?? [];
  const members = inside === undefined ? null : listMembers(inside);
  return whole === undefined || members === null ? null : { source: `[${negated}${members}]`, length: whole.length };
}

/** Few repetitions, and none of a group, which may be left out: whatever text it is tried on, it ends soon. */
function isCheap(source: string): boolean {
  const plain = source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x');
  const unbounded = plain.match(/[*+]/g)?.length ?? 0;
  const others = plain.match(/[?|(]/g)?.length ?? 0;
  return !/[{}]|\)[*+]|\)\?[*+?]|^[*+?]/.test(plain) && unbounded <= (plain.startsWith('^') ? 2 : 1) && others <= 4;
}
