import type { OpenText, SourceArgument } from './source-argument.ts';
import { readArgument, takenApart } from './source-arguments.ts';
import type { SourceFunction } from './source-functions.ts';

/** Does it have one of these names in it? */
export function mentions(argument: SourceArgument, names: readonly string[]): boolean {
  switch (argument.kind) {
    case 'name':
      return names.includes(argument.name);
    case 'list':
      return argument.items.some((item) => mentions(item, names));
    case 'text':
      return argument.text.some((part) => typeof part !== 'string' && names.includes(part.expression));
    case 'other':
      return false;
  }
}

type Helper = Pick<SourceFunction, 'parameters' | 'hasRest'> &
  Partial<Pick<SourceFunction, 'named' | 'keywords' | 'defaulted'>>;

/** An argument of a helper's body, as it is in one call of the helper. */
export function substituted(
  argument: SourceArgument,
  helper: Helper,
  values: readonly SourceArgument[],
): readonly SourceArgument[] {
  const valuesOf = (name: string): readonly SourceArgument[] | null => {
    const at = helper.parameters.indexOf(name);
    const isRest = helper.hasRest && at === helper.parameters.length - 1;
    return at < 0 ? null : isRest ? values.slice(at) : values.slice(at, at + 1);
  };
  switch (argument.kind) {
    case 'name': {
      if (argument.isOption === true) {
        return [optionGiven(argument, helper, values)];
      }
      const given = valuesOf(argument.name);
      const isRest = helper.hasRest && argument.name === helper.parameters.at(-1);
      if (given === null) {
        return [argument];
      }
      if (isRest) {
        return argument.isSpread ? given : [{ kind: 'list', items: given }];
      }
      return given.length === 0 && !argument.isSpread
        ? [{ kind: 'other', written: argument.name }]
        : given.flatMap((value) => placed(argument, value));
    }
    case 'list':
      return [{ kind: 'list', items: argument.items.flatMap((item) => substituted(item, helper, values)) }];
    case 'text':
      return [{ kind: 'text', text: argument.text.flatMap((part) => substitutedPart(part, valuesOf)) }];
    case 'other':
      return [argument];
  }
}

const keyword = /^(\w+)\s*=(?!=)\s*/;

/** The value of an option that a helper hands on; nothing where its caller leaves it out. */
function optionGiven(
  argument: Extract<SourceArgument, { kind: 'name' }>,
  { parameters, named = [], keywords = null, defaulted = [] }: Helper,
  values: readonly SourceArgument[],
): SourceArgument {
  const { name } = argument;
  const written = values.flatMap((value) =>
    value.kind === 'other' && keyword.test(value.written) ? value.written : [],
  );
  if (name === keywords) {
    return { kind: 'other', written: `{${written.join(', ')}}` };
  }
  const at = parameters.indexOf(name);
  if (at < 0 && !named.includes(name)) {
    return argument;
  }
  const byName = written.find((one) => keyword.exec(one)?.[1] === name)?.replace(keyword, '');
  const positional = values[at];
  const isPositional = positional !== undefined && !(positional.kind === 'other' && keyword.test(positional.written));
  const value = byName === undefined ? (isPositional ? positional : null) : readArgument(byName, /(?!)/);
  if (value === null) {
    return { kind: 'other', written: defaulted.includes(name) ? '…' : '' };
  }
  return value.kind === 'name' ? { ...value, isOption: true } : value;
}

function substitutedPart(
  part: OpenText[number],
  valuesOf: (name: string) => readonly SourceArgument[] | null,
): OpenText {
  const [only, ...others] = typeof part === 'string' ? [] : (valuesOf(part.expression) ?? []);
  if (only === undefined || others.length > 0) {
    return [part];
  }
  switch (only.kind) {
    case 'text':
      return only.text;
    case 'name':
      return [{ expression: only.name }];
    case 'other':
      return [{ expression: only.written }];
    case 'list':
      return [part];
  }
}

/** What stands in the place of a name whose value is known. */
export function placed(
  { isSpread, separator }: Extract<SourceArgument, { kind: 'name' }>,
  value: SourceArgument,
): readonly SourceArgument[] {
  if (value.kind === 'name') {
    return [takenApart(value, separator, isSpread) ?? value];
  }
  const whole = separator === undefined ? value : (takenApart(value, separator, false) ?? value);
  return isSpread && whole.kind === 'list' ? whole.items : [whole];
}
