/** Limits the words one brace expression may become: `{1..999999999}` is not worth reading. */
const maximumWords = 4096;

/**
 * Brace expansion (bash(1)) on the text of a word, quotes and escapes respected: it happens before all other
 * expansions, so its results are words to be read again. Null when there would be too many.
 */
export function expandBraces(text: string): readonly string[] | null {
  const group = findGroup(text);
  if (group === null) {
    return [text];
  }
  const head = text.slice(0, group.open);
  const tails = expandBraces(text.slice(group.close + 1));
  const alternatives = groupAlternatives(text.slice(group.open + 1, group.close), group.commas, group.open + 1);
  if (tails === null || alternatives === null || alternatives.length * tails.length > maximumWords) {
    return null;
  }
  return alternatives.flatMap((middle) => tails.map((tail) => head + middle + tail));
}

function groupAlternatives(inner: string, commas: readonly number[], offset: number): readonly string[] | null {
  if (commas.length === 0) {
    return sequence(inner);
  }
  const alternatives: string[] = [];
  let start = 0;
  for (const comma of [...commas.map((position) => position - offset), inner.length]) {
    const expanded = expandBraces(inner.slice(start, comma));
    if (expanded === null) {
      return null;
    }
    alternatives.push(...expanded);
    start = comma + 1;
  }
  return alternatives.length > maximumWords ? null : alternatives;
}

interface Group {
  readonly open: number;
  readonly close: number;
  readonly commas: readonly number[];
}

/** The first brace group that expands: it has a comma or is a sequence, and is no `${…}`. */
function findGroup(text: string): Group | null {
  for (let index = 0; index < text.length; index = skip(text, index)) {
    if (text[index] === '{') {
      const group = matchGroup(text, index);
      if (group !== null) {
        return group;
      }
    }
  }
  return null;
}

function matchGroup(text: string, open: number): Group | null {
  const commas: number[] = [];
  let level = 0;
  for (let index = open; index < text.length; index = skip(text, index)) {
    const character = text[index];
    if (character === '{') {
      level += 1;
    } else if (character === '}') {
      level -= 1;
      if (level === 0) {
        const expands = commas.length > 0 || isSequence(text.slice(open + 1, index));
        return expands ? { open, close: index, commas } : null;
      }
    } else if (character === ',' && level === 1) {
      commas.push(index);
    }
  }
  return null;
}

/** The position after the character, quoted stretch or `$…` expansion at `index`. */
function skip(text: string, index: number): number {
  const character = text[index];
  if (character === '\\') {
    return index + 2;
  }
  if (character === "'") {
    return end(text.indexOf("'", index + 1), text);
  }
  if (character === '"' || character === '`') {
    return skipQuoted(text, index + 1, character);
  }
  if (character === '$' && (text[index + 1] === '{' || text[index + 1] === '(')) {
    return skipNested(text, index + 1, text[index + 1] === '{' ? '}' : ')');
  }
  return index + 1;
}

function end(position: number, text: string): number {
  return position === -1 ? text.length : position + 1;
}

function skipQuoted(text: string, start: number, quote: string): number {
  let index = start;
  while (index < text.length && text[index] !== quote) {
    index = text[index] === '$' ? skip(text, index) : index + (text[index] === '\\' ? 2 : 1);
  }
  return index + 1;
}

function skipNested(text: string, open: number, close: string): number {
  let level = 0;
  let index = open;
  while (index < text.length) {
    if (text[index] === text[open]) {
      level += 1;
    } else if (text[index] === close) {
      level -= 1;
      if (level === 0) {
        return index + 1;
      }
    }
    index = text[index] === text[open] || text[index] === close ? index + 1 : skip(text, index);
  }
  return text.length;
}

const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/;
const letters = /^([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?\d{1,9}))?$/;

function isSequence(inner: string): boolean {
  return numbers.test(inner) || letters.test(inner);
}

function sequence(inner: string): readonly string[] | null {
  const numeric = numbers.exec(inner);
  const match = numeric ?? letters.exec(inner);
  const [, first = '', last = '', increment = '1'] = match ?? [];
  const from = numeric === null ? first.charCodeAt(0) : Number(first);
  const to = numeric === null ? last.charCodeAt(0) : Number(last);
  const step = Math.max(1, Math.abs(Number(increment)));
  const count = Math.floor(Math.abs(to - from) / step) + 1;
  if (count > maximumWords) {
    return null;
  }
  const width = /^-?0\d/.test(first) || /^-?0\d/.test(last) ? Math.max(first.length, last.length) : 0;
  return Array.from({ length: count }, (_, index) => {
    const value = from + (to >= from ? index * step : -index * step);
    return numeric === null ? String.fromCharCode(value) : padded(value, width);
  });
}

function padded(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width - 1, '0')}` : String(value).padStart(width, '0');
}
