import { quoteWord } from '../../../quote.ts';
import type { OpenText } from './argument.ts';

/** A value of a program in Ruby, Perl or PHP, as far as it is known. */
export type Value =
  | { readonly kind: 'text'; readonly text: OpenText }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly [Value, Value])[] }
  /** An expression as it is written, which may be several values. */
  | { readonly kind: 'open'; readonly written: string };

/** What an expression comes to; null where that is not known. */
export type Made = readonly Value[] | null;

/** The text that a value is; null where it is none, or not all of it is known. */
export function knownText(value: Value | undefined): string | null {
  const parts = value?.kind === 'text' ? value.text : [null];
  return parts.every((part) => typeof part === 'string') ? parts.join('') : null;
}

export const textValue = (text: string): Value => ({ kind: 'text', text: [text] });

/** The items of a list, or of a table one behind another. */
export function itemsOf([only, ...others]: readonly Value[]): Made {
  if (others.length > 0 || only === undefined) {
    return null;
  }
  return only.kind === 'list' ? only.items : only.kind === 'table' ? only.rows.flat() : null;
}

/** The items of a list as one text. */
export function joined(values: readonly Value[], separator: string): Made {
  const items = itemsOf(values);
  const texts = items?.map((item): OpenText | null => (item.kind === 'text' ? item.text : null)) ?? [null];
  const known = texts.filter((text) => text !== null);
  return known.length < texts.length
    ? null
    : [{ kind: 'text', text: known.flatMap((text, at) => (at === 0 ? text : [separator, ...text])) }];
}

/** The words of a text that blanks are between, as a list. */
export function wordsIn([only, ...others]: readonly Value[]): Made {
  const text = others.length > 0 ? null : knownText(only);
  const words = text?.split(/\s+/).filter((word) => word !== '');
  return words === undefined ? null : [{ kind: 'list', items: words.map(textValue) }];
}

/** What a shell reads as each of these texts. */
export function quoted(values: readonly Value[]): Made {
  const texts = values.map(knownText).filter((text) => text !== null);
  return texts.length < values.length ? null : texts.map((text) => textValue(quoteWord(text)));
}

/** The same for all items of a list. */
export function quotedItems(values: readonly Value[]): Made {
  const items = quoted(itemsOf(values) ?? [{ kind: 'open', written: '' }]);
  return items === null ? null : [{ kind: 'list', items }];
}

/** The element of a list by its number, or of a table by its key. */
export function memberOf([only, ...others]: readonly Value[], name: string | null): Made {
  if (others.length > 0 || only === undefined || name === null) {
    return null;
  }
  const found =
    only.kind === 'list' && /^-?\d+$/.test(name)
      ? only.items.at(Number(name))
      : only.kind === 'table' && only.rows.every(([key]) => knownText(key) !== null)
        ? only.rows.findLast(([key]) => knownText(key) === name)?.[1]
        : undefined;
  // What stands behind values of which nobody knows how many they are may have any place.
  const isCertain = only.kind !== 'list' || only.items.every(({ kind }) => kind !== 'open');
  return found === undefined || !isCertain ? null : [found];
}

/** All keys of a table, or all its values. */
export function column([only, ...others]: readonly Value[], which: string): Made {
  const rows = only?.kind === 'table' && others.length === 0 ? only.rows : null;
  return rows === null ? null : [{ kind: 'list', items: rows.map(([key, value]) => (which === 'keys' ? key : value)) }];
}

/** Lists put behind each other. */
export function merged(lists: readonly Value[]): Made {
  const all = lists.map((list) => itemsOf([list]));
  return all.includes(null) ? null : [{ kind: 'list', items: all.flatMap((items) => items ?? []) }];
}

/** How much a value holds: characters of its texts, and parts that are not known. */
export function sizeOf(value: Value): number {
  switch (value.kind) {
    case 'text':
      return value.text.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
    case 'list':
      return value.items.reduce((sum, item) => sum + sizeOf(item), 1);
    case 'table':
      return value.rows.reduce((sum, [key, one]) => sum + sizeOf(key) + sizeOf(one), 1);
    case 'open':
      return value.written.length;
  }
}
