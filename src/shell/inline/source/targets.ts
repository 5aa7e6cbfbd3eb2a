import type { SourceArgument } from './argument.ts';
import { argumentsAt } from './arguments.ts';
import { fieldsOf } from './tables.ts';

/** What the values of a loop are taken apart into: `c`, `i, (name, cmd)`, `[name, ...words]`, `{ name, cmd }`. */
export type Target =
  | { readonly kind: 'name'; readonly name: string; readonly isRest: boolean }
  | { readonly kind: 'parts'; readonly parts: readonly Target[] }
  | { readonly kind: 'fields'; readonly names: readonly string[] };

const never = /(?!)/;

/** A target, as it is written; null where it is none. */
export function targetIn(written: string): Target | null {
  const text = written.trim();
  if (text.startsWith('{')) {
    const names = text
      .slice(1, -1)
      .split(',')
      .flatMap((name) => name.trim() || []);
    return names.every((name) => /^[\w$]+$/.test(name)) ? { kind: 'fields', names } : null;
  }
  const isBracketed = /^[[(]/.test(text);
  const given = argumentsAt(isBracketed ? text : `(${text})`, isBracketed ? text : `(${text})`, 1, never) ?? [];
  const isOne = !isBracketed && given.length === 1 && !text.includes(',');
  const target: Target = { kind: 'parts', parts: given.flatMap((one) => partIn(one) ?? []) };
  return target.parts.length !== given.length || given.length === 0 ? null : isOne ? (target.parts[0] ?? null) : target;
}

function partIn(argument: SourceArgument): Target | null {
  switch (argument.kind) {
    case 'name':
      return { kind: 'name', name: argument.name, isRest: argument.isSpread };
    case 'list': {
      const parts = argument.items.map(partIn);
      const known = parts.filter((part) => part !== null);
      return known.length === parts.length ? { kind: 'parts', parts: known } : null;
    }
    default:
      return null;
  }
}

/** The names in a target. */
export function namesOf(target: Target): readonly string[] {
  switch (target.kind) {
    case 'name':
      return [target.name];
    case 'parts':
      return target.parts.flatMap(namesOf);
    case 'fields':
      return target.names;
  }
}

/** What the names of a target stand for where a value is taken apart; those that are not known are missing. */
export function valuesIn(target: Target, value: SourceArgument): ReadonlyMap<string, SourceArgument> {
  switch (target.kind) {
    case 'name':
      return new Map([[target.name, value]]);
    case 'fields': {
      const values = fieldsOf(value, target.names);
      return new Map(target.names.flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]])));
    }
    case 'parts': {
      const items = value.kind === 'list' ? value.items : [];
      // Of a list in it nobody knows how long it is.
      const known = items.slice(0, 1 + items.findIndex((item) => item.kind === 'name' && item.isSpread) || undefined);
      return new Map(
        target.parts.flatMap((part, at) => {
          const isRest = part.kind === 'name' && part.isRest;
          const own: SourceArgument | undefined = isRest ? { kind: 'list', items: items.slice(at) } : known[at];
          return own === undefined || value.kind !== 'list' ? [] : [...valuesIn(part, own)];
        }),
      );
    }
  }
}
