import type { SourceArgument } from './argument.ts';
import { endOfBracket } from './brackets.ts';
import { codeOf } from './code.ts';
import { unescaped } from './literal.ts';
import { sameItemsIn } from './same-items.ts';
import { type ReadExpression, textOfArgument } from './templates.ts';

type SourceList = Extract<SourceArgument, { kind: 'list' }>;

/** `.concat(`, `[1]`, `[:2]` */
const member = /^\s*(?:\.\s*(?<method>\w+)\s*\(|\[\s*(?<from>-?\d*)\s*(?<slice>:)?\s*(?<to>-?\d*)\s*\])/;
/** Items that `filter(Boolean)` takes away. */
const falsy = /^(?:(?:false|null|undefined|0)(?:\s*&&[\s\S]*)?|""|'')$/;

/**
 * A list with the methods that are called on it where it is written: `['a'].concat(['b'])`, `['a', 'b'][1]`.
 *
 * @param written what follows on the list
 * @returns null where it can't be told what they make of it
 */
export function withMethods(list: SourceArgument, written: string, read: ReadExpression): SourceArgument | null {
  if (written.trim() === '') {
    return list;
  }
  const found = list.kind === 'list' ? member.exec(written) : null;
  if (list.kind !== 'list' || found === null) {
    return null;
  }
  const { method, from = '', slice, to = '' } = found.groups ?? {};
  if (method === undefined) {
    const made = slice === undefined ? (from === '' ? undefined : list.items.at(Number(from))) : sliced(list, from, to);
    return made === undefined ? null : withMethods(made, written.slice(found[0].length), read);
  }
  const end = endOfBracket(codeOf(written, false), found[0].length);
  const made = called(list, method, written.slice(found[0].length, end), read);
  return made === null ? null : withMethods(made, written.slice(end + 1), read);
}

function sliced({ items }: SourceList, from: string, to: string): SourceList {
  return { kind: 'list', items: items.slice(from === '' ? 0 : Number(from), to === '' ? undefined : Number(to)) };
}

/** What a method without side effects makes of a list whose items are all written there. */
function called(list: SourceList, method: string, written: string, read: ReadExpression): SourceArgument | null {
  const given = written.trim();
  const same = sameItemsIn(`list.${method}(${given})`);
  if (same !== null) {
    return same.withoutEmpty ? withoutEmpty(list) : list;
  }
  switch (method) {
    case 'concat': {
      const others = read(`[${given}]`);
      return others.kind === 'list'
        ? { kind: 'list', items: [...list.items, ...others.items.flatMap(appended)] }
        : null;
    }
    case 'join': {
      const separator = /^(["'`])([^"'`]*)\1$/.exec(given)?.[2];
      return separator === undefined ? null : joinedList(list, unescaped(separator));
    }
    default:
      return null;
  }
}

/** What `concat` adds is a list, or one item; a name may be either. */
function appended(argument: SourceArgument): readonly SourceArgument[] {
  switch (argument.kind) {
    case 'list':
      return argument.items;
    case 'text':
      return [argument];
    case 'name':
      return [{ ...argument, isSpread: true }];
    case 'other':
      return [{ kind: 'name', name: argument.written, isSpread: true }];
  }
}

/** The list without items that are empty; what its lists have is not known yet. */
export function withoutEmpty({ items }: Pick<SourceList, 'items'>): SourceList {
  const kept = items.filter((item) => !isFalsy(item));
  return {
    kind: 'list',
    items: kept.map((item) => (item.kind === 'name' && item.isSpread ? { ...item, withoutEmpty: true } : item)),
  };
}

function isFalsy(item: SourceArgument): boolean {
  return item.kind === 'other' ? falsy.test(item.written) : item.kind === 'text' && item.text.join('') === '';
}

/** The items as one text. */
export function joinedList({ items }: Pick<SourceList, 'items'>, separator: string): JoinedText {
  const parts = items.map((item) => {
    const isSeveral = item.kind === 'name' && item.isSpread && item.separator === undefined;
    return isSeveral ? [{ expression: `${item.name}.join(${JSON.stringify(separator)})` }] : textOfArgument(item);
  });
  return { kind: 'text', text: parts.flatMap((part, at) => (at === 0 ? part : [separator, ...part])) };
}

type JoinedText = Extract<SourceArgument, { kind: 'text' }>;

const joining =
  /^(?:(?<list>[\s\S]+?)\s*\.\s*join\(\s*(?<quote>["'`])(?<separator>[^"'`]*)\k<quote>\s*\)|(?<mark>["'])(?<between>[^"']*)\k<mark>\s*\.\s*join\((?<items>[\s\S]+)\))$/;

/** `args.join(' ')`, `' '.join(map(str, args))`: the list that is put into a text; null for everything else. */
export function joinIn(expression: string): { readonly name: string; readonly separator: string } | null {
  const { list, items, separator, between } = joining.exec(expression)?.groups ?? {};
  const name = listIn((list ?? items ?? '').trim());
  return /^[\w$]+$/.test(name) ? { name, separator: unescaped(separator ?? between ?? '') } : null;
}

/** The list whose items an expression gives as they are. */
function listIn(written: string): string {
  const same = sameItemsIn(written);
  return same === null ? written : listIn(same.of.trim());
}

/** `' '.join([…])`; null for everything else. */
export function joinedByText(written: string, read: ReadExpression): SourceArgument | null {
  const [, , separator, given] = /^(["'])([^"']*)\1\s*\.\s*join\(\s*([\s\S]+?)\s*\)$/.exec(written) ?? [];
  const list = given === undefined ? '' : listIn(given);
  const items = /^\[[\s\S]*\]$/.test(list) ? read(list) : /^[A-Za-z_]\w*$/.test(list) ? read(`[*${list}]`) : null;
  return items?.kind === 'list' ? joinedList(items, unescaped(separator ?? '')) : null;
}
