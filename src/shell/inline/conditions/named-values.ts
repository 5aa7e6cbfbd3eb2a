import { remembered } from '../../../remembered.ts';
import { FunctionParameters, type Taker } from './function-parameters.ts';
import { isHandedOn } from './handed-lists.ts';
import { type ConditionedProgram, itemOf, type KnownValue, one, type Span } from './known-value.ts';
import { onlyBinding, usesOf } from './only-binding.ts';

/** What a stretch of the program comes to; null where it is not known. */
export type ReadValue = (from: number, to: number) => KnownValue | null;

/** What the names of a program hold: its variables, and what its functions are given. */
export class NamedValues {
  readonly #program: ConditionedProgram;
  readonly #parameters: FunctionParameters;
  readonly #bindingOf = remembered((name: string) => this.#onlyBinding(name));
  /** What parameters are given, by their names and functions; null as well while that is found out. */
  readonly #given = new Map<string, KnownValue | null>();
  readonly #changesIn = remembered((taker: Taker) => remembered((name: string) => this.#ownChanges(name, taker)));

  constructor(program: ConditionedProgram) {
    this.#program = program;
    this.#parameters = new FunctionParameters(program);
  }

  /** What a name holds where it stands at a position; null where that is not known. */
  valueAt(name: string, position: number, read: ReadValue): KnownValue | null {
    const taker = this.#parameters.takerOf(name, position);
    const value = taker === null ? this.#bound(name, position, read) : this.#taken(name, position, taker, read);
    const isOne = value === null || value.kind === 'one' || value.kind === 'given';
    return isOne || !isHandedOn(name, this.#program.code) ? value : null;
  }

  #bound(name: string, position: number, read: ReadValue): KnownValue | null {
    const binding = this.#bindingOf(name);
    if (binding === null || position < binding.within[0] || position >= binding.within[1]) {
      return null;
    }
    const value = read(...binding.value);
    const item = binding.item === null || value === null ? value : itemOf(value, binding.item, this.#program);
    const isAbsent = item?.kind === 'one' && item.value === null;
    return isAbsent && binding.usual !== undefined ? read(...binding.usual) : item;
  }

  /** In functions that take something by a name, it is another one. */
  #onlyBinding(name: string): ReturnType<typeof onlyBinding> {
    const { code, isPython } = this.#program;
    const outside = this.#parameters
      .takersOf(name)
      .reduce(
        (text, { of: { start, end } }) =>
          text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end),
        code,
      );
    return onlyBinding(name, outside, isPython);
  }

  /** The value of a parameter, and of one that gets another value where it has none: `argv = argv or sys.argv[1:]`. */
  #taken(name: string, position: number, taker: Taker, read: ReadValue): KnownValue | null {
    const { code, isPython } = this.#program;
    const { start, end } = taker.of;
    const [change, ...others] = this.#changesIn(taker)(name);
    const isRead = !/\barguments\b/.test(code.slice(start, end)) || isPython;
    const given = isRead && others.length === 0 && change?.use !== 'another' ? this.#givenTo(name, taker, read) : null;
    if (change === undefined || change.use === 'read' || change.use === 'another' || given === null) {
      return given;
    }
    const [from, to] = change.use.value;
    const isEmpty = given.kind === 'one' && given.value === null;
    const mode = isPython ? changeIn(code, taker, change.index, name) : null;
    if (position < to) {
      return mode !== null && position >= from ? given : null;
    }
    return mode === 'always' || (mode === 'where empty' && isEmpty) ? read(from, to) : null;
  }

  /** Where a function gives a parameter of its own another value, or does more with it than to read it. */
  #ownChanges(name: string, { of, listEnd }: Taker) {
    const { code, isPython } = this.#program;
    return [...usesOf(name, code.slice(0, of.end), isPython, listEnd)].filter(({ use }) => use !== 'read');
  }

  /** What all callers of a function give a parameter; null where that is not known, or not the same. */
  #givenTo(name: string, taker: Taker, read: ReadValue): KnownValue | null {
    const key = `${taker.of.nameAt} ${name}`;
    const known = this.#given.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#given.set(key, null);
    const values = this.#parameters.givenTo(name, taker)?.map(({ value, usual }) => {
      const own = value === null ? null : read(...value);
      // JavaScript takes the usual value for `undefined`.
      const isOpen = value !== null && usual !== null && own?.kind === 'one' && own.value === null;
      return value !== null ? (isOpen && !this.#program.isPython ? null : own) : this.#usual(usual, read);
    });
    const [first = null, ...others] = values ?? [];
    const value = others.every((other) => JSON.stringify(other) === JSON.stringify(first)) ? first : null;
    this.#given.set(key, value);
    return value;
  }

  #usual(usual: Span | null, read: ReadValue): KnownValue | null {
    return usual !== null ? read(...usual) : this.#program.isPython ? null : one(null);
  }
}

/** When does a function give a parameter of its own another value? Null where that is not told. */
function changeIn(code: string, { of, listEnd }: Taker, index: number, name: string): 'always' | 'where empty' | null {
  const body = code.slice(listEnd, of.end);
  const [, indent] = /:[^\n]*\n(?:[ \t]*\n)*([ \t]+)\S/.exec(body) ?? [];
  const before = code.slice(listEnd, index);
  const isFirst = indent !== undefined && before.endsWith(`\n${indent}`);
  const condition = new RegExp(
    `\\n${indent ?? ''}if[ \\t]+(?:not[ \\t]+${name}|${name}[ \\t]+is[ \\t]+None)[ \\t]*:\\s*$`,
  );
  return isFirst ? 'always' : indent !== undefined && condition.test(before) ? 'where empty' : null;
}
