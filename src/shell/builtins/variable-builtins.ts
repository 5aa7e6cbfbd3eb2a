import { type Call, framed, type Shell } from '../call.ts';
import {
  changed,
  either,
  fails,
  inLetters,
  type Outcome,
  type ShellState,
  succeeds,
  withVariable,
} from '../shell-state.ts';
import { beginningOf, type Word } from '../simple-command.ts';
import type { Variable } from '../variable.ts';
import { withoutBeginning } from '../words/field.ts';
import { unknownWord } from '../words/parameter.ts';

/** `export`, `declare`, `local`, `readonly`, `typeset`: their arguments are assignments or names. */
export function assignVariables(call: Call, shell: Shell): Outcome {
  const [command] = call.argv;
  const name = command?.kind === 'known' ? command.value : '';
  const flags = call.argv
    .slice(1)
    .map((word) => (word.kind === 'known' && /^[-+]/.test(word.value) ? word.value : ''))
    .join('');
  const removes = /\+\w*x/.test(flags) || (name === 'export' && flags.includes('n'));
  const exports = name === 'export' ? !removes : /-\w*x/.test(flags);
  const isLocal = name === 'local' || ((name === 'declare' || name === 'typeset') && !/-\w*g/.test(flags));
  const asked = shownOrExported(name, flags, exports, call);
  if (asked !== null) {
    return asked;
  }
  let { state } = call;
  for (const word of call.argv.slice(1)) {
    const list = flags.includes('a') || flags.includes('A') ? listText(word) : null;
    if (list !== null) {
      state = shell.runText(list, state, framed(call.frame, { output: null })).success ?? state;
      continue;
    }
    state = declare(
      word,
      {
        exports,
        removes,
        isLocal,
        associative: flags.includes('A'),
        list: flags.includes('a'),
        reference: name !== 'export' && /-\w*n/.test(flags),
        letters: /-\w*l/.test(flags) ? 'lower' : /-\w*u/.test(flags) ? 'upper' : undefined,
      },
      state,
      shell,
    );
  }
  const isNamed = (word: Word) => word.kind === 'unknown' || /^[-+]|^[A-Za-z_]\w*(?:\[|\+?=|$)/.test(word.value);
  if (!call.argv.slice(1).every(isNamed)) {
    return fails(state);
  }
  // Outside of a function `local` is an error in bash, and none in zsh.
  return name === 'local' && state.hidden === null ? either(state) : succeeds(state);
}

/** What assigns nothing; null: it does. */
function shownOrExported(name: string, flags: string, exports: boolean, call: Call): Outcome | null {
  if (/[fF]/.test(flags)) {
    const isKnown = ({ functions }: ShellState, text: string) => functions.get(text)?.certain;
    return exports ? succeeds(exportFunctions(call)) : shown(call, isKnown);
  }
  return flags.includes('p') && name !== 'export' && name !== 'readonly'
    ? shown(call, ({ variables }, text) => isSet(variables.get(text)))
    : null;
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
function listText(word: Word): string | null {
  return word.kind === 'known' && /^\w+\+?=\([\s\S]*\)$/.test(word.value) ? word.value : null;
}

/** Remembers what a function's local variable hides. */
function hide(name: string, state: ShellState): ShellState {
  if (state.hidden === null || state.hidden.has(name)) {
    return state;
  }
  return changed(state, { hidden: new Map(state.hidden).set(name, state.variables.get(name) ?? null) });
}

interface Attributes {
  readonly isLocal: boolean;
  readonly exports: boolean;
  readonly removes: boolean;
  readonly associative: boolean;
  readonly list: boolean;
  readonly reference: boolean;
  readonly letters: 'lower' | 'upper' | undefined;
}

function declare(word: Word, attributes: Attributes, outer: ShellState, shell: Shell): ShellState {
  const text = beginningOf(word);
  const [, name, plus, equals, value = ''] = /^([A-Za-z_]\w*)(?:(\+?)(=)([\s\S]*))?$/.exec(text) ?? [];
  if (name === undefined) {
    return outer;
  }
  const state = attributes.isLocal ? hide(name, outer) : outer;
  const before = state.variables.get(name);
  const wasExported =
    before?.kind === 'scalar' ? before.exported : before === undefined && shell.environment[name] !== undefined;
  const exported = attributes.exports || (wasExported && !attributes.removes);
  if (equals === undefined) {
    return withVariable(state, name, redeclared(name, before, exported, attributes, shell));
  }
  const behind = withoutBeginning(word, text.length - value.length);
  const assigned: Word = behind.kind === 'known' ? behind : { ...behind, mayExpandToSeveral: true };
  if (attributes.reference) {
    return withVariable(state, name, { kind: 'reference', target: assigned });
  }
  const open = plus === '+' ? unknownWord(`$${name}`, `the value of ${name} is not known`) : assigned;
  const variable = { kind: 'scalar', value: open, exported } as const;
  return withVariable(
    state,
    name,
    attributes.letters === undefined ? variable : inLetters(variable, attributes.letters),
  );
}

function redeclared(
  name: string,
  before: Variable | undefined,
  exported: boolean,
  attributes: Attributes,
  shell: Shell,
): Variable {
  const letters = attributes.letters === undefined ? {} : { letters: attributes.letters };
  if (before?.kind === 'array' || attributes.associative || attributes.list) {
    return {
      kind: 'array',
      elements: before?.kind === 'array' ? before.elements : new Map(),
      associative: attributes.associative,
    };
  }
  if (before?.kind === 'scalar') {
    return { ...before, exported, ...letters };
  }
  const inherited = before === undefined ? shell.environment[name] : undefined;
  if (inherited !== undefined) {
    return { kind: 'scalar', value: { kind: 'known', value: inherited }, exported };
  }
  return (
    before ?? { kind: 'scalar', value: unknownWord(`$${name}`, `$${name} has no known value`), exported, ...letters }
  );
}
