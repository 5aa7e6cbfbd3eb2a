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

/** The words that a program is given. */
export interface GivenWords {
  readonly words: readonly string[];
  /** What stands where a file's name would: Node takes the first word behind `-e PROGRAM` for one. */
  readonly script: string | null;
}

/** Within `f'…'`, where the same quote would end the string? */
function isInFormatted(source: string, offset: number): boolean {
  const line = source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset);
  return /\b[rR]?[fF][rR]?'(?:[^'\\]|\\.)*$/.test(line);
}

const literalOf = (word: string): string => `'${word.replace(/[\\']/g, '\\$&')}'`;

/** Takes what behind `-e PROGRAM` stands where a file's name would. */
function withScriptNamed(source: string, { words, script }: GivenWords): string {
  return script === null
    ? source
    : source
        .replace(/\bprocess\.argv\[\s*1\s*\](?!\s*=[^=])/g, () => literalOf(script))
        .replace(/\bprocess\.argv\.slice\(\s*1\s*\)/g, () => `[${[script, ...words].map(literalOf).join(', ')}]`);
}

/** `const [, , message] = process.argv`: each of the names by its number. */
function withArgumentsNamed(source: string): string {
  return source.replace(
    /\b(const|let|var)\s*\[([\w$\s,]*)\]\s*=\s*process\.argv(?:\.slice\(\s*([12])\s*\))?(?=\s*(?:[;\n]|$))/g,
    (_, by: string, listed: string, from: string | undefined) =>
      listed
        .split(',')
        .flatMap((name, at) =>
          name.trim() === '' ? [] : [`${by} ${name.trim()} = process.argv[${at + Number(from ?? 0)}]`],
        )
        .join('; '),
  );
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
export function withArguments({ name }: Language, source: string, given: GivenWords | null): string {
  const found = Object.hasOwn(names, name) ? names[name] : undefined;
  const all = given === null ? [] : [...(given.script === null ? [] : [given.script]), ...given.words];
  if (found === undefined || given === null || all.length === 0 || all.some((word) => /[\n\r]/.test(word))) {
    return source;
  }
  const uses = Array.from(source.matchAll(/argv|Deno\.args/gi)).length;
  if (uses * all.join(' ').length > longestInserted) {
    return source;
  }
  const named = found === javascript ? withScriptNamed(withArgumentsNamed(source), given) : source;
  const literals = given.words.map(literalOf);
  const words = literals.join(', ');
  const spread = named.replace(found.spread, () => words);
  const listed = found.list === null ? spread : spread.replace(found.list, () => `[${words}]`);
  return listed.replace(found.one, (whole, number: string, offset: number) => {
    const literal = literals[Number(number) - found.first];
    return literal === undefined ? whole : isInFormatted(listed, offset) ? inDoubleQuotes(literal) : literal;
  });
}
