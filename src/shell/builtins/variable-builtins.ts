import { type Call, framed, type Shell } from '../call.ts';
import { changed, either, fails, type Outcome, type ShellState, succeeds, withVariable } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { type Declared, declaredOf, type ListVariable, staysExported, type Variable } from '../variable.ts';
import { joinPieces, valuePieces, withoutBeginning } from '../words/field.ts';
import { integerValue } from '../words/integer-value.ts';
import { readParameter, unknownWord } from '../words/parameter.ts';
import { Expansion } from '../words/word-expansion.ts';

/** `export`, `declare`, `local`, `readonly`, `typeset`: their arguments are assignments or names. */
export function assignVariables(call: Call, shell: Shell): Outcome {
  const attributes = attributesOf(call.argv);
  const asked = shownOrExported(attributes, call);
  if (asked !== null) {
    return asked;
  }
  let { state } = call;
  for (const word of call.argv.slice(1)) {
    const list = attributes.list || attributes.associative ? listText(word) : null;
    if (list !== null) {
      const begun = withDeclaredList(list.name, attributes, state);
      state = shell.runText(list.text, begun, framed(call.frame, { output: null })).success ?? begun;
      continue;
    }
    state = declare(word, attributes, state, shell);
  }
  const isNamed = (word: Word) => word.kind === 'unknown' || /^[-+]|^[A-Za-z_]\w*(?:\[|\+?=|$)/.test(word.value);
  if (!call.argv.slice(1).every(isNamed)) {
    return fails(state);
  }
  // Outside of a function `local` is an error in bash, and none in zsh.
  return beginningOf(call.argv[0]) === 'local' && state.hidden === null ? either(state) : succeeds(state);
}

/** What assigns nothing; null: it does. */
function shownOrExported({ functions, exports, shows }: Attributes, call: Call): Outcome | null {
  if (functions) {
    return exports ? succeeds(exportFunctions(call)) : shown(call, (state, name) => state.functions.get(name)?.certain);
  }
  return shows ? shown(call, ({ variables }, name) => isSet(variables.get(name))) : null;
}

/** `declare -f NAME`, `declare -p NAME`: whether that is there, which the line may not know. */
function shown({ argv, state }: Call, isThere: (state: ShellState, name: string) => boolean | undefined): Outcome {
  const names = argv.slice(1).filter((word) => !(word.kind === 'known' && /^[-+]/.test(word.value)));
  return names.every((word) => word.kind === 'known' && isThere(state, word.value) === true)
    ? succeeds(state)
    : either(state);
}

function isSet(variable: Variable | undefined): boolean {
  return variable?.kind === 'array' || (variable?.kind === 'scalar' && variable.value.kind === 'known');
}

/** What the options of such a builtin say of the variables that it names. */
export interface Attributes {
  readonly functions: boolean;
  /** `-p`: they are printed. */
  readonly shows: boolean;
  readonly exports: boolean;
  readonly removes: boolean;
  readonly isLocal: boolean;
  readonly associative: boolean;
  readonly list: boolean;
  readonly reference: boolean;
  readonly declared: Declared;
  /** `declare +i`, `declare +l`: the letters of what is no longer so. */
  readonly forgets: string;
}

/** @param words the builtin's name, and what follows it */
export function attributesOf([command, ...words]: readonly Word[]): Attributes {
  const name = command?.kind === 'known' ? command.value : '';
  const flags = words.map((word) => (word.kind === 'known' && /^[-+]/.test(word.value) ? word.value : '')).join('');
  const removes = /\+\w*x/.test(flags) || (name === 'export' && flags.includes('n'));
  const letters = /-\w*l/.test(flags) ? 'lower' : /-\w*u/.test(flags) ? 'upper' : 'capital';
  return {
    functions: /f/i.test(flags),
    shows: flags.includes('p') && name !== 'export' && name !== 'readonly',
    exports: name === 'export' ? !removes : /-\w*x/.test(flags),
    removes,
    isLocal: name === 'local' || ((name === 'declare' || name === 'typeset') && !/-\w*g/.test(flags)),
    associative: flags.includes('A'),
    list: flags.includes('a'),
    reference: name !== 'export' && /-\w*n/.test(flags),
    declared: {
      ...(name !== 'export' && /-\w*[luc]/.test(flags) ? { letters } : {}),
      ...(name !== 'export' && /-\w*i/.test(flags) ? { integer: true } : {}),
    },
    forgets: (flags.match(/\+\w+/g) ?? []).join(''),
  };
}

/** `export -f NAME`, `declare -fx NAME` */
function exportFunctions({ argv, state }: Call): ShellState {
  const functions = new Map(state.functions);
  for (const word of argv.slice(1)) {
    const definition = word.kind === 'known' ? functions.get(word.value) : undefined;
    if (definition !== undefined && word.kind === 'known') {
      functions.set(word.value, { ...definition, exported: true });
    }
  }
  return changed(state, { functions });
}

/** `declare -a c='(git push)'`: a quoted list is read as a list (bash(1) "declare"). */
function listText(word: Word): { readonly name: string; readonly text: string } | null {
  const name = word.kind === 'known' ? /^(\w+)\+?=\([\s\S]*\)$/.exec(word.value)?.[1] : undefined;
  return name === undefined || word.kind !== 'known' ? null : { name, text: word.value };
}

/** A variable that such a builtin makes a list, before it gets its elements. */
export function withDeclaredList(name: string, attributes: Attributes, outer: ShellState): ShellState {
  const { state, before } = entered(name, attributes, outer);
  return withVariable(state, name, listOf(before, attributes));
}

function listOf(before: Variable | undefined, { associative, declared }: Attributes): ListVariable {
  const first = before?.kind === 'scalar' ? [['0', before.value] as const] : [];
  const isNamed = associative || (before?.kind === 'array' && before.associative);
  const elements = before?.kind === 'array' ? before.elements : new Map(first);
  return { kind: 'array', elements, associative: isNamed, ...declaredOf(before), ...declared };
}

interface Entered {
  readonly state: ShellState;
  readonly before: Variable | undefined;
}

/** Remembers what a function's local variable hides, the first time; it begins as one that is not set. */
function entered(name: string, { isLocal, forgets }: Attributes, state: ShellState): Entered {
  const before = state.variables.get(name);
  if (isLocal && state.hidden !== null && !state.hidden.has(name)) {
    const hidden = new Map(state.hidden).set(name, before ?? null);
    const variables = new Map(state.variables).set(name, { kind: 'unset' });
    return { state: changed(state, { hidden, variables }), before: { kind: 'unset' } };
  }
  const kept = forgets === '' || before === undefined ? before : without(before, forgets);
  return kept === undefined || kept === before
    ? { state, before }
    : { state: changed(state, { variables: new Map(state.variables).set(name, kept) }), before: kept };
}

const letterOf = { lower: 'l', upper: 'u', capital: 'c' } as const;

/** The variable as if nothing of that was declared of it. */
function without(variable: Variable, options: string): Variable {
  if (variable.kind === 'reference') {
    return variable;
  }
  const { letters, integer, ...rest } = variable;
  return {
    ...rest,
    ...(letters !== undefined && !options.includes(letterOf[letters]) ? { letters } : {}),
    ...(integer === true && !options.includes('i') ? { integer } : {}),
  };
}

function declare(word: Word, attributes: Attributes, outer: ShellState, shell: Shell): ShellState {
  const text = beginningOf(word);
  const [, name, plus, equals, value = ''] = /^([A-Za-z_]\w*)(?:(\+?)(=)([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) {
    return outer;
  }
  const hidden = outer.variables.get(name);
  const wasExported = staysExported(hidden, shell.environment[name] !== undefined);
  const exported = attributes.exports || (wasExported && !attributes.removes);
  const { state, before } = entered(name, attributes, outer);
  if (equals === undefined) {
    const variable = redeclared(name, before, exported, attributes, shell);
    // What it has already stays as it is.
    return changed(state, { variables: new Map(state.variables).set(name, variable) });
  }
  const behind = withoutBeginning(word, text.length - value.length);
  const assigned: Word = behind.kind === 'known' ? behind : { ...behind, mayExpandToSeveral: true };
  if (attributes.reference) {
    return withVariable(state, name, { kind: 'reference', target: assigned });
  }
  const declared = { ...declaredOf(before), ...attributes.declared };
  const start = plus === '+' ? valueBefore(name, state, shell) : null;
  const now =
    declared.integer === true
      ? integerValue(assigned, start, new Expansion(shell, state))
      : start === null
        ? assigned
        : joinPieces([...valuePieces(start, true), ...valuePieces(assigned, true)], text);
  return withVariable(state, name, { kind: 'scalar', value: now, exported, ...declared });
}

/** What a variable has to which something is added. */
function valueBefore(name: string, state: ShellState, shell: Shell): Word {
  const value = readParameter(name, null, state, shell.environment);
  return value.kind === 'value' || value.kind === 'unknown'
    ? value.word
    : value.kind === 'unset'
      ? knownWord('')
      : unknownWord(`$${name}`, `the value of ${name} is not known`);
}

function redeclared(
  name: string,
  before: Variable | undefined,
  exported: boolean,
  attributes: Attributes,
  shell: Shell,
): Variable {
  const { declared } = attributes;
  if (before?.kind === 'array' || attributes.associative || attributes.list) {
    return listOf(before, attributes);
  }
  if (before?.kind === 'scalar') {
    return { ...before, exported, ...declared };
  }
  if (before !== undefined) {
    return before.kind === 'unset' ? { ...before, ...declared, ...(exported ? { exported } : {}) } : before;
  }
  const inherited = shell.environment[name];
  const value = inherited === undefined ? unknownWord(`$${name}`, `$${name} has no known value`) : knownWord(inherited);
  return { kind: 'scalar', value, exported, ...declared };
}
