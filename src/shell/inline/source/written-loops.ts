import type { Language } from './languages.ts';
import { readLiteral } from './literal.ts';

const text = String.raw`(?:"[^"\n\\]*"|'[^'\n\\]*')`;
const texts = String.raw`${text}(?:\s*,\s*${text})*(?:\s*,)?\s*`;
const words = String.raw`(?:%w|qw)(?:\[[^\][]*\]|\([^()]*\))`;

/** How a language gives a variable a text, or each of a list in turn, and names it then. */
interface Variables {
  /** Each with groups `name` and `value`, of loops and, as the third ones, of assignments; without a name's first sign. */
  readonly bindings: RegExp;
  /** A loop that stands behind what it repeats, with the group `value`, and the name of its variable. */
  readonly modifier?: { readonly loop: RegExp; readonly name: string };
  /** The variable alone, and within a text between double quotes. */
  readonly alone: (name: string) => string;
  readonly within: (name: string) => string;
  /** What puts two texts together. */
  readonly joins: string;
  /** Paths that are made of several parts, written as one text. */
  readonly joined?: (source: string) => string;
}

const end = String.raw`(?=\s*(?:[;\n})]|$))`;
const sigil: Pick<Variables, 'alone' | 'within' | 'joins'> = {
  alone: (name) => String.raw`[$@]${name}(?![\w[{]|->|::)`,
  within: (name) => String.raw`(?:\{\$${name}\}|\$\{?${name}(?![\w[{(]|->|::)\}?)`,
  joins: String.raw`\.`,
};

const rows: Readonly<Record<string, Variables>> = {
  ruby: {
    bindings: new RegExp(
      String.raw`(?<![\w.])(?<value1>${words}|\[\s*${texts}\])\s*\.\s*(?:each|map|each_entry)\s*(?:\{|do\b)\s*\|\s*(?<name1>\w+)\s*\||\bfor\s+(?<name2>\w+)\s+in\s+(?<value2>${words}|\[\s*${texts}\])|(?<![\w$@.])(?<name3>[a-z_]\w*)\s*=\s*(?<value3>${text}|${words}|\[\s*${texts}\])${end}`,
      'g',
    ),
    alone: (name) => String.raw`(?<=[\s(,*[!])${name}(?![\w?!]|\s*[=|])`,
    within: (name) => String.raw`#\{\s*${name}\s*\}`,
    joins: String.raw`\+`,
    joined: withJoinsAsText,
  },
  perl: {
    bindings: new RegExp(
      String.raw`\bfor(?:each)?\s+(?:(?:my|our)\s+)?\$(?<name1>\w+)\s*(?<value1>${words}|\(\s*(?:${words}|${texts})\))|(?:\b(?:my|our)\s+)?[$@](?<name3>\w+)\s*=\s*(?<value3>${text}|${words}|\(\s*(?:${words}|${texts})\))${end}`,
      'g',
    ),
    modifier: {
      loop: new RegExp(String.raw`\bfor(?:each)?\s*(?<value>${words}|\(\s*(?:${words}|${texts})\))`),
      name: '_',
    },
    ...sigil,
  },
  php: {
    bindings: new RegExp(
      String.raw`\bforeach\s*\(\s*(?<value1>\[\s*${texts}\]|array\(\s*${texts}\))\s*as\s+(?:\$\w+\s*=>\s*)?\$(?<name1>\w+)|\$(?<name3>\w+)\s*=\s*(?<value3>${text}|\[\s*${texts}\])${end}`,
      'g',
    ),
    ...sigil,
  },
};

/** A program that removes files gives no more names to their paths. */
const maximumBindings = 30;
/** A longer text with others in it is not made any longer. */
const longestPath = 200;
/** A list may have a name that a loop goes through. */
const rounds = 2;

/**
 * The source of a program with the texts of its variables in their place, as a list where a loop goes through several:
 * `%w[dist .git].each { |d| FileUtils.rm_rf(d) }`. For languages whose functions and loops are not followed otherwise.
 * Positions change.
 */
export function withLoopsUnrolled(language: Language, source: string): string {
  const variables = rows[language.name];
  let written = variables?.joined?.(source) ?? source;
  for (let round = 0; variables !== undefined && round < rounds; round += 1) {
    const before = written;
    written = unrolled(withModifier(written, variables), variables);
    if (written === before) {
      break;
    }
  }
  return written;
}

/**
 * The texts that a variable of a loop has, one after another: `%w[old shared].each { |b| … }`.
 *
 * @param name as it is written
 * @returns null where it is no such variable, or another one as well
 */
export function writtenRounds(name: string, language: Language, source: string): readonly string[] | null {
  const variables = rows[language.name];
  if (variables === undefined || !/^\$?[A-Za-z_]\w*$/.test(name)) {
    return null;
  }
  const bare = name.replace('$', '');
  const all = Array.from(source.matchAll(variables.bindings)).slice(0, maximumBindings);
  const [only, ...others] = all.filter(({ groups }) => parts(groups).name === bare);
  const isLoop = only?.groups !== undefined && only.groups.name3 === undefined;
  const values = isLoop ? valuesOf(parts(only.groups).value) : [];
  return values.length === 0 || others.length > 0 || isGiven(name.replace('$', '\\$'), source) ? null : values;
}

/** Is it given another value, too, or one of another block? */
function isGiven(word: string, source: string): boolean {
  const blocks = source.match(new RegExp(`\\|[^|\\n]*${word}(?!\\w)[^|\\n]*\\|`, 'g')) ?? [];
  return blocks.length > 1 || new RegExp(`(?<![\\w$.@%])${word}\\s*(?:[-+*.|&]{0,2})=(?![=~>])`).test(source);
}

/** Ruby's `File.join(".git", "hooks", name)`: `".git/hooks/#{name}"`. */
function withJoinsAsText(source: string): string {
  const part = String.raw`(?:${text}|[a-z_]\w*)`;
  const joins = new RegExp(String.raw`\bFile\s*\.\s*join\s*\(\s*(${part}(?:\s*,\s*${part})+)\s*\)`, 'g');
  return source.replace(joins, (whole, list: string) => {
    const parts = Array.from(list.matchAll(new RegExp(part, 'g')), ([one]) =>
      /^["']/.test(one) ? one.slice(1, -1) : `#{${one}}`,
    );
    return /["\\]/.test(parts.join('')) || !list.match(/(?:^|,)\s*[a-z_]/) ? whole : `"${parts.join('/')}"`;
  });
}

function unrolled(source: string, variables: Variables): string {
  let written = source;
  const all = Array.from(source.matchAll(variables.bindings)).slice(0, maximumBindings);
  // From the end: what stands before keeps its place.
  for (const binding of all.reverse()) {
    const { name, value } = parts(binding.groups);
    const from = binding.index + binding[0].length;
    const rest = written.slice(from);
    const again = Array.from(rest.matchAll(variables.bindings)).find(({ groups }) => parts(groups).name === name);
    const to = again?.index ?? rest.length;
    const scope = withValues(rest.slice(0, to), name, valuesOf(value), variables);
    written = written.slice(0, from) + scope + rest.slice(to);
  }
  return written;
}

function parts(groups: Record<string, string> = {}): { readonly name: string; readonly value: string } {
  const { name1, name2, name3, value1, value2, value3 } = groups;
  return { name: name1 ?? name2 ?? name3 ?? '', value: value1 ?? value2 ?? value3 ?? '' };
}

/** `rmtree $_ for qw(dist .git)`: what is repeated is the statement before. */
function withModifier(source: string, variables: Variables): string {
  const loop = variables.modifier?.loop.exec(source) ?? null;
  if (loop === null || variables.modifier === undefined) {
    return source;
  }
  const before = source.slice(0, loop.index);
  const start = Math.max(...[';', '{', '}', '\n'].map((mark) => before.lastIndexOf(mark))) + 1;
  const isBefore = before.slice(start).trim() !== '';
  const [scope, others] = isBefore
    ? [before.slice(start), source.slice(loop.index)]
    : [source.slice(loop.index + loop[0].length), ''];
  const values = valuesOf(loop.groups?.value ?? '');
  const head = isBefore ? before.slice(0, start) : source.slice(0, loop.index + loop[0].length);
  return head + withValues(scope, variables.modifier.name, values, variables) + others;
}

/** The texts of a list, or the only one. */
function valuesOf(written: string): readonly string[] {
  const inner = /^(?:array)?\(\s*([\s\S]*)\)$/.exec(written)?.[1];
  const list = inner === undefined || inner.startsWith('qw') ? (inner ?? written) : `[${inner}]`;
  const literal = readLiteral(list.replace(/^qw\[(.*)\]$/s, 'qw($1)'), 0, /(?!)/);
  const values = literal === null ? [] : literal.kind === 'list' ? literal.values : [literal.value];
  return values.filter((value) => value !== null);
}

function withValues(source: string, name: string, values: readonly string[], variables: Variables): string {
  if (name === '' || values.length === 0) {
    return source;
  }
  const [alone, within] = [variables.alone(name), variables.within(name)];
  const { joins } = variables;
  const inText = new RegExp(within, 'g');
  const made = (of: (value: string) => string) => {
    const each = values.map((value) => quoted(of(value)));
    return each.length === 1 ? (each[0] ?? '') : `[${each.join(', ')}]`;
  };
  return source
    .replace(/"([^"\n\\]*)"/g, (whole, body: string) =>
      body.search(inText) < 0 ? whole : made((value) => body.replaceAll(inText, () => value)),
    )
    .replace(new RegExp(String.raw`(["'])([^"'\n\\]*)\1\s*${joins}\s*${alone}`, 'g'), (_, __, body: string) =>
      made((value) => body + value),
    )
    .replace(new RegExp(String.raw`${alone}\s*${joins}\s*(["'])([^"'\n\\]*)\1`, 'g'), (_, __, body: string) =>
      made((value) => value + body),
    )
    .replace(new RegExp(alone, 'g'), () => made((value) => value));
}

function quoted(value: string): string {
  // Another variable may be in it; one that doubles with each is no path.
  return value.length < longestPath && value.includes('#{') && !/["\\]/.test(value)
    ? `"${value}"`
    : `'${value.replace(/[\\']/g, '\\$&')}'`;
}
