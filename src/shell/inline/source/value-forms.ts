import type { Language } from './languages.ts';
import {
  column,
  itemsOf,
  joined,
  knownText,
  type Made,
  memberOf,
  merged,
  quoted,
  quotedItems,
  type Value,
  wordsIn,
} from './value.ts';

/** What an expression within another one comes to; it itself where that is not known. */
type Evaluate = (written: string) => readonly Value[];
type Make = (groups: Readonly<Partial<Record<string, string>>>, value: Evaluate) => Made;

/** How a language writes values. */
interface ValueWriting {
  /** A name alone. */
  readonly name: RegExp;
  /** All names in an expression. */
  readonly names: RegExp;
  /** How it puts values into its texts: the first group is the expression. */
  readonly inserted: RegExp;
  /** What puts two texts together. */
  readonly joins: string;
  /** Lists and tables that stand in a list, or in a text, are many values there: Perl's. */
  readonly flattens: boolean;
  /** Expressions that make a value of others, and what they make of them. */
  readonly forms: readonly (readonly [RegExp, Make])[];
}

const separator = String.raw`(?<mark>["'])(?<separator>[^"'\\]*)\k<mark>`;
/** An element's key: written there, or what a variable holds. */
const key = String.raw`(?:(?<key>-?\d+|["'][^"'\\#$]+["']|:\w+)|(?<variable>\$?[a-z_]\w*))`;

const same: Make = ({ of = '' }, value) => value(of);
const spread: Make = ({ of = '' }, value) => itemsOf(value(of));
const joining: Make = ({ of = '', separator: between = '' }, value) => joined(value(of), between);
const joiningAll: Make = ({ of = '', separator: between = '' }, value) => joined(value(`(${of})`), between);
const quoting: Make = ({ of = '' }, value) => quoted(value(of));
const quotingItems: Make = ({ of = '' }, value) => quotedItems(value(of));
const splitting: Make = ({ of = '' }, value) => wordsIn(value(of));
const columns: Make = ({ of = '', which = '' }, value) => column(value(of), which);
const member: Make = ({ of = '', key: written, variable = '' }, value) =>
  memberOf(value(of), written?.replace(/^[:"']|["']$/g, '') ?? knownText(value(variable)[0]));

const ruby: ValueWriting = {
  name: /^@?[A-Za-z_]\w*$/,
  names: /(?<![\w.:$@"'])@?[A-Za-z_]\w*(?![\w?!]|\s*\(|:(?!:))/g,
  inserted: /#\{((?:[^{}]|\{[^{}]*\})*)\}/g,
  joins: '+',
  flattens: false,
  forms: [
    [/^\*\s*(?<of>[\s\S]+)$/, spread],
    [new RegExp(String.raw`^(?<of>[\s\S]+?)\s*(?:\.\s*join\s*\(?\s*|\*\s*)${separator}\s*\)?$`), joining],
    [/^(?<of>[\s\S]+?)\s*\.\s*map\s*\(\s*&:shellescape\s*\)$/, quotingItems],
    [
      /^(?<of>[\s\S]+?)\s*\.\s*(?:to_s|to_str|strip|chomp|freeze|dup|to_a|compact|flatten|map\s*\(\s*&:to_s\s*\))$/,
      same,
    ],
    [/^Shellwords\s*\.\s*(?:escape|shellescape)\s*\(\s*(?<of>[\s\S]+)\)$/, quoting],
    [/^(?<of>[\s\S]+)\.shellescape$/, quoting],
    [
      /^(?:Shellwords\s*\.\s*(?:join|shelljoin)\s*\(\s*(?<of>[\s\S]+)\)|(?<list>[\s\S]+)\.shelljoin)$/,
      ({ of, list = '' }, value) => joined(quotedItems(value(of ?? list)) ?? [], ' '),
    ],
    [/^Shellwords\s*\.\s*(?:split|shellsplit|shellwords)\s*\(\s*(?<of>[\s\S]+)\)$/, splitting],
    [/^(?<of>[\s\S]+?)\s*\.\s*(?:split|shellsplit)(?:\(\s*["'] ["']\s*\))?$/, splitting],
    [new RegExp(String.raw`^(?<of>@?[A-Za-z_]\w*)(?:\[\s*|\.fetch\(\s*)${key}\s*[\])]$`), member],
    [/^(?<of>[\s\S]+)\.(?<which>keys|values)$/, columns],
  ],
};

const perl: ValueWriting = {
  name: /^[$@%]\w+$/,
  names: /[$@%](?:\{\s*\w+\s*\}|\$?\w+)(?:\s*(?:->)?[[{])?/g,
  inserted: /(@\{\s*\[[^\]]*\]\s*\}|[$@](?:\{[^{}]*\}|\w+)(?:(?:->)?(?:\[[^\]]*\]|\{[^{}]*\}))*)/g,
  joins: '.',
  flattens: true,
  forms: [
    [/^(?<sign>[$@%])\{\s*(?<bare>[A-Za-z_]\w*)\s*\}$/, ({ sign = '', bare = '' }, value) => value(sign + bare)],
    [/^@(?:\{\s*)?(?<of>\$\w+)(?:\s*\})?$/, spread],
    [/^@\{\s*\[\s*(?<of>[\s\S]*?)\s*\]\s*\}$/, ({ of = '' }, value) => itemsOf(value(`(${of})`))],
    [new RegExp(String.raw`^join\s*\(\s*${separator}\s*,\s*(?<of>[\s\S]*)\)$`), joiningAll],
    [new RegExp(String.raw`^join\s*${separator}\s*,\s*(?<of>[\s\S]*)$`), joiningAll],
    [
      new RegExp(String.raw`^\$\{?(?<bare>\w+)\}?\[\s*${key}\s*\]$`),
      (groups, value) => member({ ...groups, of: `@${groups.bare}` }, value),
    ],
    [
      new RegExp(String.raw`^\$\{?(?<bare>\w+)\}?\{\s*(?:${key}|(?<word>\w+))\s*\}$`),
      ({ bare, word, variable, ...groups }, value) =>
        member(
          variable?.startsWith('$') === true
            ? { ...groups, variable, of: `%${bare}` }
            : { ...groups, key: groups.key ?? word ?? variable, of: `%${bare}` },
          value,
        ),
    ],
    [new RegExp(String.raw`^(?<of>\$\w+)->[[{]\s*${key}\s*[\]}]$`), member],
    [/^(?:sort|reverse)\b\s*\(?(?<of>[\s\S]+?)\)?$/, ({ of = '' }, value) => itemsOf(value(`(${of})`))],
    [
      /^(?<which>keys|values)\b\s*\(?\s*(?<of>[\s\S]+?)\s*\)?$/,
      ({ of = '', which = '' }, value) => itemsOf(column(value(of), which) ?? []),
    ],
    [
      /^split\s*\(?\s*(?:["'] ["']|\/(?: |\\s\+)\/)\s*,\s*(?<of>[\s\S]+?)\)?$/,
      ({ of = '' }, value) => itemsOf(wordsIn(value(of)) ?? []),
    ],
  ],
};

const php: ValueWriting = {
  name: /^\$\w+$/,
  names: /\$\w+/g,
  inserted: /(\{\$[^{}]*\}|\$\w+(?:\[[^\]]*\]|->\w+)?)/g,
  joins: '.',
  flattens: false,
  forms: [
    [/^\{(?<of>\$[^{}]+)\}$/, same],
    [/^\.\.\.\s*(?<of>[\s\S]+)$/, spread],
    [new RegExp(String.raw`^(?:implode|join)\(\s*${separator}\s*,\s*(?<of>[\s\S]+)\)$`), joining],
    [/^array_map\(\s*["']escapeshellarg["']\s*,\s*(?<of>[\s\S]+)\)$/, quotingItems],
    [/^escapeshellarg\(\s*(?<of>[\s\S]+)\)$/, quoting],
    [
      /^(?:(?:trim|strval|array_values)\((?<of>[\s\S]+)\)|\(string\)\s*(?<cast>[\s\S]+))$/,
      ({ of, cast = '' }, value) => value(of ?? cast),
    ],
    [/^array_merge\(\s*(?<of>[\s\S]+)\)$/, ({ of = '' }, value) => merged(itemsOf(value(`[${of}]`)) ?? [])],
    [/^explode\(\s*["'] ["']\s*,\s*(?<of>[\s\S]+)\)$/, splitting],
    [new RegExp(String.raw`^(?<of>\$\w+)\[\s*${key}\s*\]$`), member],
    [/^array_(?<which>keys)\(\s*(?<of>[\s\S]+)\)$/, columns],
  ],
};

const writings: Readonly<Record<string, ValueWriting>> = { ruby, perl, php };

/** How a language writes values, of those whose values are read like that; null for others. */
export function writingOf({ name }: Language): ValueWriting | null {
  return Object.hasOwn(writings, name) ? (writings[name] ?? null) : null;
}
