import type { Language } from './source/languages.ts';

/** How a program names what it is given: all of it as a list, as so many further words, and one by its number. */
interface ArgumentNames {
  readonly list: RegExp | null;
  readonly spread: RegExp;
  /** The first group is the number. */
  readonly one: RegExp;
  /** Which number the first has. */
  readonly first: number;
}

const javascript: ArgumentNames = {
  list: /\bprocess\.argv\.slice\(\s*2\s*\)/g,
  spread: /\.\.\.\s*process\.argv\.slice\(\s*2\s*\)/g,
  one: /\bprocess\.argv\[\s*(\d+)\s*\](?!\s*=[^=])/g,
  first: 2,
};

const names: Readonly<Record<string, ArgumentNames>> = {
  python: {
    list: /\b(?:sys\.)?argv\[\s*1\s*:\s*\]/g,
    spread: /\*\s*(?:sys\.)?argv\[\s*1\s*:\s*\]/g,
    one: /\b(?:sys\.)?argv\[\s*(\d+)\s*\](?!\s*=[^=])/g,
    first: 1,
  },
  node: javascript,
  bun: javascript,
  zx: javascript,
  deno: {
    ...javascript,
    list: /\bprocess\.argv\.slice\(\s*2\s*\)|\bDeno\.args\b(?!\s*[[.])/g,
    spread: /\.\.\.\s*(?:process\.argv\.slice\(\s*2\s*\)|Deno\.args\b(?!\s*[[.]))/g,
  },
  perl: { list: null, spread: /@ARGV\b/g, one: /\$ARGV\[\s*(\d+)\s*\]/g, first: 0 },
  ruby: { list: /\bARGV\b(?!\s*[[.])/g, spread: /\*\s*ARGV\b(?!\s*[[.])/g, one: /\bARGV\[\s*(\d+)\s*\]/g, first: 0 },
};

/** Within `f'…'`, where the same quote would end the string? */
function isInFormatted(source: string, offset: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset);
  return /\b[rR]?[fF][rR]?'(?:[^'\\]|\\.)*$/.test(line);
}

function inDoubleQuotes(literal: string): string {
  return `"${literal.slice(1, -1).replaceAll('"', '\\"')}"`;
}

/** Characters; a program that names long words over and over would grow without end. */
const longestInserted = 65_536;

/**
 * The source of a program with the words that it is given put where it names them.
 *
 * @param given null where they are not all known
 */
export function withArguments({ name }: Language, source: string, given: readonly string[] | null): string {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  if (found === undefined || given === null || given.length === 0 || given.some((word) => /[\n\r]/.test(word))) {
    return source;
  }
  const uses = Array.from(source.matchAll(/argv|Deno\.args/gi)).length;
  if (uses * given.join(' ').length > longestInserted) {
    return source;
  }
  const literals = given.map((word) => `'${word.replace(/[\\']/g, '\\$&')}'`);
  const words = literals.join(', ');
  const spread = source.replace(found.spread, () => words);
  const listed = found.list === null ? spread : spread.replace(found.list, () => `[${words}]`);
  return listed.replace(found.one, (whole, number: string, offset: number) => {
    const literal = literals[Number(number) - found.first];
    return literal === undefined ? whole : isInFormatted(listed, offset) ? inDoubleQuotes(literal) : literal;
  });
}
