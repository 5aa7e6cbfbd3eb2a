import type { Language } from './source/languages.ts';

/** A call up to its bracket, with brackets in it two deep. */
const balanced = String.raw`(?:[^()\n,]|\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\))`;

/** `map(lambda c: run(c), commands)`: as `[run(c) for c in commands]`. */
const mapped = new RegExp(
  String.raw`\bmap\(\s*lambda\s+(?<name>\w+)\s*:\s*(?<made>${balanced}+?)\s*,\s*(?<list>[A-Za-z_][\w.]*|\[[^\]]*\])\s*\)`,
  'g',
);

/** How a loop names the items of a list without a name of their own: by their numbers, or by taking them out. */
interface ItemLoop {
  /** The head; its groups are the list, and the number, if it has one. */
  readonly head: RegExp;
  readonly item: (list: string, number: string) => string;
  /** The same with a name. */
  readonly named: (list: string, each: string) => string;
}

const taken = (method: string) => (list: string) => `${list}\\s*\\.\\s*${method}`;
const numbered = (list: string, number: string) => `${list}\\s*\\[\\s*${number}\\s*\\]`;

const python: readonly ItemLoop[] = [
  {
    head: /\bfor\s+(?<number>\w+)\s+in\s+range\(\s*len\(\s*(?<list>[A-Za-z_]\w*)\s*\)\s*\)\s*:/g,
    item: numbered,
    named: (list, each) => `for ${each} in ${list}:`,
  },
  {
    head: /\bwhile\s+(?:len\(\s*)?(?<list>[A-Za-z_]\w*)\s*\)?(?:\s*>\s*0)?\s*:/g,
    item: taken('(?:pop\\(\\s*0\\s*\\)|popleft\\(\\s*\\))'),
    named: (list, each) => `for ${each} in ${list}:`,
  },
];

const script: readonly ItemLoop[] = [
  {
    head: /\bfor\s*\(\s*(?:let|var)\s+(?<number>[\w$]+)\s*=\s*0\s*;\s*\k<number>\s*<\s*(?<list>[A-Za-z_$][\w$]*)\.length\s*;\s*(?:\k<number>\+\+|\+\+\k<number>|\k<number>\s*\+=\s*1)\s*\)/g,
    item: numbered,
    named: (list, each) => `for (const ${each} of ${list})`,
  },
  {
    head: /\bwhile\s*\(\s*(?<list>[A-Za-z_$][\w$]*)\.length(?:\s*>\s*0)?\s*\)/g,
    item: taken('shift\\(\\s*\\)'),
    named: (list, each) => `for (const ${each} of ${list})`,
  },
];

/** Puts something into a list, or takes something out: then what a loop finds is not what it was. */
const changes = String.raw`\s*(?:\.\s*(?:append|extend|insert|push|unshift|splice|pop|popleft|shift|remove|clear|sort|reverse)\s*\(|\[[^\]\n]*\]\s*=(?!=)|[-+|]=)`;

/**
 * The source with loops that go through a list by its numbers, or by taking one item after another out of it, as loops
 * that name each item.
 */
export function withItemLoops({ name }: Language, source: string): string {
  const isPython = name === 'python';
  const loops = isPython ? python : /^(?:node|bun|deno)$/.test(name) ? script : [];
  const called =
    isPython && source.includes('lambda') ? source.replace(mapped, '[$<made> for $<name> in $<list>]') : source;
  return loops.reduce(withNamed, called);
}

function withNamed(source: string, { head, item, named }: ItemLoop): string {
  const found = Array.from(source.matchAll(head), ({ groups = {} }) => groups);
  return found.reduce((text, { list = '', number = '' }) => {
    const escaped = list.replaceAll('$', '\\$');
    const places = new RegExp(`(?<![\\w$.])${item(escaped, number.replaceAll('$', '\\$'))}(?!\\s*=(?!=))`, 'g');
    const each = `${list}_each`;
    const isOne = found.filter((other) => other.list === list).length === 1 && !text.includes(each);
    const replaced = text.replace(places, each);
    const isChanged = new RegExp(`(?<![\\w$.])${escaped}${changes}`).test(replaced);
    return !isOne || replaced === text || isChanged
      ? text
      : replaced.replace(head, (whole, ...rest: unknown[]) => {
          const groups = rest.at(-1) as Record<string, string>;
          return groups.list === list ? named(list, each) : whole;
        });
  }, source);
}
