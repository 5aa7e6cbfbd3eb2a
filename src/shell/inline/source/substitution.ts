import type { OpenText, SourceArgument } from './argument.ts';
import { readArgument, takenApart } from './arguments.ts';
import { codeOf } from './code.ts';
import type { SourceFunction } from './functions.ts';
import { joinedList, joinIn, withoutEmpty } from './lists.ts';
import { type QuotedWord, quotedIn } from './quoted-words.ts';
import { textOfArgument } from './templates.ts';

/** Does it have one of these names in it? */
export function mentions(argument: SourceArgument, names: readonly string[]): boolean {
  switch (argument.kind) {
    case 'name':
      return names.includes(argument.name);
    case 'list':
      return argument.items.some((item) => mentions(item, names));
    case 'text':
      return argument.text.some((part) => typeof part !== 'string' && names.includes(nameIn(part.expression)));
    case 'other':
      return false;
  }
}

/** The names of variables that are in an argument; none of an option, which may be left out. */
export function namesIn(argument: SourceArgument): readonly string[] {
  switch (argument.kind) {
    case 'name':
      return argument.isOption === true || !/^[\w$]+$/.test(argument.name) ? [] : [argument.name];
    case 'list':
      return argument.items.flatMap(namesIn);
    case 'text':
      return argument.text.flatMap((part) => {
        const name = typeof part === 'string' ? '' : nameIn(part.expression);
        return /^[A-Za-z_$][\w$]*$/.test(name) ? [name] : [];
      });
    case 'other':
      return [];
  }
}

/** The argument with a variable's value in its place. */
export function withValue(argument: SourceArgument, name: string, value: SourceArgument): readonly SourceArgument[] {
  const isSeveral = argument.kind === 'name' && argument.isSpread && value.kind === 'other';
  const several: SourceArgument = isSeveral ? { kind: 'name', name: value.written, isSpread: true } : value;
  return argument.kind === 'list'
    ? [{ kind: 'list', items: argument.items.flatMap((item) => withValue(item, name, value)) }]
    : substituted(argument, { parameters: [name], hasRest: false }, [several]);
}

/** The argument with other names for variables. */
export function renamed(argument: SourceArgument, names: ReadonlyMap<string, string>): SourceArgument {
  switch (argument.kind) {
    case 'name':
      return { ...argument, name: names.get(argument.name) ?? argument.name };
    case 'list':
      return { ...argument, items: argument.items.map((item) => renamed(item, names)) };
    case 'text':
      return {
        kind: 'text',
        text: argument.text.map((part) =>
          typeof part === 'string' ? part : { expression: renamedIn(part.expression, names) },
        ),
      };
    case 'other':
      return { kind: 'other', written: renamedIn(argument.written, names) };
  }
}

function renamedIn(written: string, names: ReadonlyMap<string, string>): string {
  const found = Array.from(codeOf(written, false).matchAll(/(?<![\w$.]|\.\s)[A-Za-z_$][\w$]*/g));
  return found.reduceRight((text, { 0: name, index }) => {
    const other = names.get(name);
    return other === undefined ? text : text.slice(0, index) + other + text.slice(index + name.length);
  }, written);
}

/** The name whose value an expression puts into a text. */
const nameIn = (expression: string): string => joinIn(expression)?.name ?? quotedIn(expression)?.of ?? expression;

type Helper = Pick<SourceFunction, 'parameters' | 'hasRest'> &
  Partial<Pick<SourceFunction, 'named' | 'keywords' | 'defaults'>>;

/** An argument of a helper's body, as it is in one call of the helper. */
export function substituted(
  argument: SourceArgument,
  helper: Helper,
  values: readonly SourceArgument[],
): readonly SourceArgument[] {
  const valuesOf = (name: string) => givenFor(name, helper, values);
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
        return placed(argument, { kind: 'list', items: given });
      }
      return given.length === 0 && !argument.isSpread
        ? [{ kind: 'other', written: argument.name }]
        : given.flatMap((value) => placed(argument, value));
    }
    case 'list':
      return [{ kind: 'list', items: argument.items.flatMap((item) => substituted(item, helper, values)) }];
    case 'text':
      return [{ kind: 'text', text: argument.text.flatMap((part) => substitutedPart(part, helper, values)) }];
    case 'other':
      return [argument];
  }
}

const keyword = /^(\w+)\s*=(?![=>])\s*/;

/** What an argument gives by a name: Python's `cwd=d`; null where it gives something by its place. */
function keywordOf(value: SourceArgument): { readonly name: string; readonly written: string } | null {
  const [whole = '', name] = value.kind === 'other' ? (keyword.exec(value.written) ?? []) : [];
  return value.kind !== 'other' || name === undefined ? null : { name, written: value.written.slice(whole.length) };
}

/** The values of a helper's parameter, of which the last may have several; null where it has none of that name. */
function givenFor(
  name: string,
  { parameters, hasRest, named = [] }: Helper,
  values: readonly SourceArgument[],
): readonly SourceArgument[] | null {
  const at = parameters.indexOf(name);
  if (at < 0 && !named.includes(name)) {
    return null;
  }
  const positional = values.filter((value) => keywordOf(value) === null);
  if (hasRest && at === parameters.length - 1) {
    return positional.slice(at);
  }
  const byName = values.map(keywordOf).find((given) => given?.name === name);
  return byName == null ? (at < 0 ? [] : positional.slice(at, at + 1)) : [readArgument(byName.written, /(?!)/)];
}

/** The value of an option that a helper hands on; nothing where its caller leaves it out. */
function optionGiven(
  argument: Extract<SourceArgument, { kind: 'name' }>,
  helper: Helper,
  values: readonly SourceArgument[],
): SourceArgument {
  const { name } = argument;
  const { keywords = null, defaults } = helper;
  const isAll = name === keywords;
  const given = isAll ? directoryAmong(values) : givenFor(name, helper, values);
  if (given === null) {
    return argument;
  }
  const usual = isAll ? undefined : defaults?.get(name);
  const value = given[0] ?? readArgument(usual ?? '', /(?!)/);
  return value.kind === 'name' ? { ...value, isOption: true } : value;
}

/** The directory among the options that a helper takes whatever their names are, or what hands it on: `**options`. */
function directoryAmong(values: readonly SourceArgument[]): readonly SourceArgument[] {
  const directory = values.map(keywordOf).find((given) => given?.name === 'cwd');
  const handed = values.flatMap((value) =>
    value.kind === 'other' ? (/^\*\*\s*(\w+)$/.exec(value.written) ?? []) : [],
  );
  const [, options] = handed;
  return directory != null
    ? [readArgument(directory.written, /(?!)/)]
    : options === undefined
      ? []
      : [{ kind: 'name', name: options, isSpread: false }];
}

function substitutedPart(part: OpenText[number], helper: Helper, values: readonly SourceArgument[]): OpenText {
  const join = typeof part === 'string' ? null : joinIn(part.expression);
  if (join !== null) {
    const items = substituted({ kind: 'name', name: join.name, isSpread: true }, helper, values);
    return joinedList({ items }, join.separator).text;
  }
  const quoted = typeof part === 'string' ? null : quotedIn(part.expression);
  const name = typeof part === 'string' ? null : (quoted?.of ?? part.expression);
  const [only, ...others] = name === null ? [] : (givenFor(name, helper, values) ?? []);
  if (only === undefined || others.length > 0) {
    return [part];
  }
  if (quoted !== null) {
    return [quotedWord(quoted, only)];
  }
  return only.kind === 'list' ? [part] : textOfArgument(only);
}

function quotedWord(quoted: QuotedWord, value: SourceArgument): OpenText[number] {
  const text = value.kind === 'text' ? value.text : [];
  const known = text.filter((part) => typeof part === 'string');
  return text.length > 0 && known.length === text.length
    ? quoted.by(known.join(''))
    : { expression: value.kind === 'name' ? quoted.for(value.name) : 'a value' };
}

/** What stands in the place of a name whose value is known. */
export function placed(
  name: Extract<SourceArgument, { kind: 'name' }>,
  value: SourceArgument,
): readonly SourceArgument[] {
  const { isSpread, separator } = name;
  if (value.kind === 'name') {
    const made = takenApart(value, separator, isSpread) ?? value;
    return [made.kind === 'name' && name.withoutEmpty === true ? { ...made, withoutEmpty: true } : made];
  }
  const all = separator === undefined ? value : (takenApart(value, separator, false) ?? value);
  const whole = name.withoutEmpty === true && all.kind === 'list' ? withoutEmpty(all) : all;
  return isSpread && whole.kind === 'list' ? whole.items : [whole];
}
