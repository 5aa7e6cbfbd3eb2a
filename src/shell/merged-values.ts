import { commonPath, meeting, newFork, standFor, taking } from './path.ts';
import type { Path, Word } from './simple-command.ts';
import type { Variable } from './variable.ts';

/** A value that depends on which way the script went. */
export function undecided(name: string): Word & { kind: 'unknown' } {
  return {
    kind: 'unknown',
    source: `$${name}`,
    reason: `the value of ${name} depends on which commands ran`,
    prefix: '',
    suffix: '',
    mayExpandToSeveral: true,
  };
}

/** More values than these are as good as any. */
const maximumValues = 4;

/** What a variable has after two ways that meet: one of few values, where those are known. */
export function oneOfBoth(name: string, a: Variable | undefined, b: Variable | undefined): Word {
  const [ones, others] = [valuesOf(a), valuesOf(b)];
  const values = ones === null || others === null ? [] : [...new Set([...ones, ...others])].sort();
  const isFew = values.length > 0 && values.length <= maximumValues;
  if (isFew) {
    return { ...undecided(name), oneOf: values };
  }
  const possible = [...new Set([...someValuesOf(a), ...someValuesOf(b)])].sort();
  const some = possible.length > 0 && possible.length <= maximumValues ? { mayBe: possible } : {};
  const nothing = [a, b].some(mayBeNothing) ? { whenNothing: '' } : {};
  return { ...undecided(name), ...commonEnds(a, b), ...nothing, ...some };
}

type Way = readonly [variable: Variable | undefined, path: Path];

/** The value, with what it depends on: which of the ways was taken by which it has one of two. */
export function chosenOfBoth(value: Word, one: Way, other: Way): Word {
  const [ones, others] = [pathsOfValues(one), pathsOfValues(other)];
  const values = ones === null || others === null ? [] : [...new Set([...ones.keys(), ...others.keys()])];
  const [holding, otherwise, ...more] = values;
  if (
    value.kind === 'known' ||
    holding === undefined ||
    otherwise === undefined ||
    more.length > 0 ||
    one[1] === other[1]
  ) {
    return value;
  }
  const having = (text: string) => {
    const [a, b] = [ones?.get(text), others?.get(text)];
    return a === undefined || b === undefined ? (a ?? b) : meeting(a, b);
  };
  const fork = newFork();
  standFor(fork, { from: commonPath(one[1], other[1]), success: having(holding), failure: having(otherwise) });
  return { ...value, chosenBy: { fork, holding, otherwise } };
}

/** On which paths a variable has which value; null: that is not known. */
function pathsOfValues([variable, path]: Way): ReadonlyMap<string, Path> | null {
  const [only, ...others] = valuesOf(variable) ?? [];
  const value = variable?.kind === 'scalar' ? variable.value : null;
  const [holding, otherwise] = (value === null ? null : chosenIn(value)) ?? [];
  const fork = value?.kind === 'unknown' ? value.chosenBy?.fork : undefined;
  if (fork !== undefined && holding !== undefined && otherwise !== undefined) {
    return new Map([
      [holding, taking(path, fork, true)],
      [otherwise, taking(path, fork, false)],
    ]);
  }
  return only === undefined || others.length > 0 ? null : new Map([[only, path]]);
}

/** Both values of which a word has one, where it is known what decides which; as they were put there. */
export function chosenIn(word: Word): readonly [holding: string, otherwise: string] | null {
  const { chosenBy, oneOf = [] } = word.kind === 'unknown' ? word : {};
  const isOwn = chosenBy !== undefined && oneOf.length === 2;
  const { holding, otherwise } = chosenBy ?? { holding: '', otherwise: '' };
  return isOwn && oneOf.includes(holding) && oneOf.includes(otherwise) ? [holding, otherwise] : null;
}

/** A listing that may have found nothing: its ends stand around nothing then. */
function mayBeNothing(variable: Variable | undefined): boolean {
  return variable?.kind === 'scalar' && variable.value.kind === 'unknown' && variable.value.whenNothing === '';
}

/** Values that it has or may have, where others are possible. */
function someValuesOf(variable: Variable | undefined): readonly string[] {
  const mayBe = variable?.kind === 'scalar' && variable.value.kind === 'unknown' ? variable.value.mayBe : undefined;
  return valuesOf(variable) ?? mayBe ?? [];
}

/**
 * A list after two ways that meet: what only one of them put there may be no word at all. Null where that can't be told
 * of every element, or neither is a list.
 */
export function mergedList(name: string, a: Variable | undefined, b: Variable | undefined): Variable | null {
  const [one, other] = [elementsOf(a), elementsOf(b)];
  if (one === null || other === null || (a?.kind !== 'array' && b?.kind !== 'array')) {
    return null;
  }
  const elements = new Map<string, Word>();
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const element = mergedElement(name, one.get(key), other.get(key));
    if (element === null) {
      return null;
    }
    elements.set(key, element);
  }
  return { kind: 'array', elements, associative: false };
}

function elementsOf(variable: Variable | undefined): ReadonlyMap<string, Word> | null {
  if (variable === undefined || variable.kind === 'unset') {
    return new Map();
  }
  return variable.kind === 'array' && !variable.associative ? variable.elements : null;
}

function mergedElement(name: string, a: Word | undefined, b: Word | undefined): Word | null {
  if (a === b || (a?.kind === 'known' && b?.kind === 'known' && a.value === b.value)) {
    return a ?? null;
  }
  if (a?.kind === 'known' && b?.kind === 'known') {
    return { ...undecided(name), mayExpandToSeveral: false, oneOf: [a.value, b.value] };
  }
  const only = a === undefined ? b : b === undefined ? a : undefined;
  return only?.kind === 'known' && /^\S+$/.test(only.value) ? { ...undecided(name), oneOf: ['', only.value] } : null;
}

/** What both values surely begin with, or else end with: `CMD="npm test"; … && CMD="$CMD -- $FILTER"`. */
function commonEnds(a: Variable | undefined, b: Variable | undefined): { prefix: string; suffix: string } {
  const [one, other] = [endsOf(a), endsOf(b)];
  const prefix = commonBeginning(one.prefix, other.prefix);
  const backwards = (text: string) => Array.from(text).reverse().join('');
  const suffix = backwards(commonBeginning(backwards(one.suffix), backwards(other.suffix)));
  return prefix === '' ? { prefix, suffix } : { prefix, suffix: '' };
}

function endsOf(variable: Variable | undefined): { readonly prefix: string; readonly suffix: string } {
  if (variable?.kind !== 'scalar') {
    return { prefix: '', suffix: '' };
  }
  const { value } = variable;
  if (value.kind === 'unknown' && value.oneOf === undefined) {
    return value;
  }
  const [first = '', ...others] = value.kind === 'known' ? [value.value] : (value.oneOf ?? []);
  return { prefix: others.reduce(commonBeginning, first), suffix: others.length === 0 ? first : '' };
}

function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) {
    length += 1;
  }
  return a.slice(0, length);
}

/** Values of variables that are switches: `verbose=false; while …; do verbose=true; done; $verbose && …`. */
const switchValues = new Set(['true', 'false', ':', '']);

/** What a variable has that a loop changes: one of a switch's values, or anything. */
export function changedByLoop(name: string, before: Variable | undefined, after: Variable): Word {
  const value = oneOfBoth(name, before, after);
  const isSwitch = value.kind === 'unknown' && value.oneOf?.every((one) => switchValues.has(one)) === true;
  return isSwitch ? value : undecided(name);
}

interface Variables {
  readonly variables: ReadonlyMap<string, Variable>;
}

/** Has every switch of a loop still one of the values that it had when the loop was read? */
export function keepsSwitches(read: Variables, after: Variables): boolean {
  return [...read.variables].every(([name, variable]) => {
    const values = variable.kind === 'scalar' && variable.value.kind === 'unknown' ? variable.value.oneOf : undefined;
    const now = valuesOf(after.variables.get(name));
    return values === undefined || now?.every((value) => values.includes(value)) === true;
  });
}

function valuesOf(variable: Variable | undefined): readonly string[] | null {
  if (variable?.kind !== 'scalar') {
    return variable?.kind === 'unset' ? [''] : null;
  }
  return variable.value.kind === 'known' ? [variable.value.value] : (variable.value.oneOf ?? null);
}
