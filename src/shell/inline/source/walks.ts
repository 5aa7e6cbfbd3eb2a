import type { SourceArgument } from './argument.ts';
import { argumentsAt, writtenAt } from './arguments.ts';
import { codeOf } from './code.ts';
import { rowsOf } from './tables.ts';

/** What gives the same values, in another order at most. */
const wrapped = /^(?:sorted|list|tuple|reversed)\(([\s\S]*)\)$/;
/** What leaves some of the values out, or puts them in another order. */
const chosen = /(?:\[\s*-?\w*\s*:\s*-?\w*\s*\]|\.\s*(?:slice|filter|sort|toSorted|reverse|toReversed|copy)\([^()]*\))$/;

/** What all values are that a loop goes through, where it may leave some out: `sorted(files)`, `files[1:]`. */
export function chosenFrom(written: string): string {
  const all = written.trim().replace(wrapped, '$1').replace(chosen, '');
  return all === written.trim() ? all : chosenFrom(all);
}

/** How a loop goes through lists or tables. */
export interface Walk {
  /** The lists and tables, as they are written. */
  readonly of: readonly string[];
  /** What the loop's values are where those are known; null where they are none of this kind. */
  readonly itemsOf: (values: readonly SourceArgument[]) => readonly SourceArgument[] | null;
}

const ofTable =
  /^(?:Object\s*\.\s*(?<all>entries|values|keys)\s*\((?<of>[\s\S]*)\)|(?<items>[\s\S]*?)\s*\.\s*(?<kind>items|values|keys)\s*\(\s*\))$/;
const counted = /^enumerate\s*\((?<of>[\s\S]*)\)$|^(?<list>[\s\S]+?)\s*\.\s*entries\(\s*\)$/;
const together = /^zip\s*\((?<of>[\s\S]*)\)$/;

/**
 * What a loop goes through: a list, its items with their places (`enumerate(L)`, `L.entries()`), several lists at once
 * (`zip(A, B)`), the entries, keys or values of a table.
 *
 * @param isOfKeys whether it goes through the keys of an object
 */
export function walkIn(written: string, isOfKeys: boolean): Walk {
  const { all, of, items, kind } = ofTable.exec(written)?.groups ?? {};
  const table = of ?? items;
  if (table !== undefined || isOfKeys) {
    const which = all ?? kind ?? 'keys';
    return { of: [table ?? written], itemsOf: ([value]) => (value === undefined ? null : rowsOf(value, which)) };
  }
  const numbered = counted.exec(written)?.groups;
  if (numbered !== undefined) {
    const [list = '', ...start] = numbered.list === undefined ? argumentsIn(numbered.of ?? '') : [numbered.list];
    return {
      of: [chosenFrom(list)],
      itemsOf: ([value]) =>
        itemsIn(value)?.map((item, at) => ({ kind: 'list', items: [placeOf(at, start.length === 0), item] })) ?? null,
    };
  }
  const lists = together.exec(written)?.groups?.of;
  if (lists !== undefined) {
    return {
      of: argumentsIn(lists).filter((one) => !/^\s*strict\s*=/.test(one)),
      itemsOf: (values) => rowsOfAll(values.map(itemsIn)),
    };
  }
  return { of: [written], itemsOf: ([value]) => itemsIn(value) };
}

const argumentsIn = (list: string): readonly string[] => {
  const written = `(${list})`;
  return writtenAt(written, codeOf(written, false), 1) ?? [];
};

const placeOf = (at: number, isCounted: boolean): SourceArgument =>
  isCounted ? { kind: 'text', text: [`${at}`] } : { kind: 'other', written: 'count' };

/** The items of a list, of Python's set, or the keys of a table; null where they are not known. */
function itemsIn(value: SourceArgument | undefined): readonly SourceArgument[] | null {
  if (value?.kind !== 'other') {
    return value?.kind === 'list' ? value.items : null;
  }
  const rows = rowsOf(value, 'keys');
  const written = value.written.trim();
  const set =
    rows === null && /^\{[\s\S]*\}$/.test(written) ? argumentsAt(written, codeOf(written, false), 1, /(?!)/) : null;
  return rows ?? (set?.every(({ kind }) => kind === 'text' || kind === 'list') === true ? set : null);
}

function rowsOfAll(lists: readonly (readonly SourceArgument[] | null)[]): readonly SourceArgument[] | null {
  const known = lists.filter((list) => list !== null);
  // Of a list in one of them nobody knows what stands beside what.
  const isOpen = known.some((list) => list.some((item) => item.kind === 'name' && item.isSpread));
  const length = Math.min(...known.map((list) => list.length));
  return known.length < lists.length || lists.length === 0 || isOpen
    ? null
    : Array.from({ length }, (_, at) => ({ kind: 'list', items: known.flatMap((list) => list[at] ?? []) }));
}
