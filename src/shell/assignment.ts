import { type Assignment, parse, type Word as SyntaxWord } from 'unbash';
import { attributesOf, withDeclaredList } from './builtins/variable-builtins.ts';
import { type Frame, framed, type ScriptShell } from './call.ts';
import {
  changed,
  doubtful,
  either,
  fails,
  type Outcome,
  type ShellState,
  succeeds,
  unlessEnded,
  withElement,
  withVariable,
} from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';
import { declaredOf, staysExported, type Variable } from './variable.ts';
import { evaluateValue, holdsSubstitution } from './words/arithmetic.ts';
import { joinPieces, valuePieces, withBeginning } from './words/field.ts';
import { integerValue } from './words/integer-value.ts';
import { readParameter, unknownWord } from './words/parameter.ts';
import { Expansion } from './words/word-expansion.ts';

/** `export A=b`: one word, not split; arrays are assigned at once, and only their name remains. @param words before it */
export function declaredWord(assignment: Assignment, words: readonly Word[], expansion: Expansion): Word {
  if (assignment.value.type === 'ArrayValue') {
    if (/^(?:declare|typeset|local|readonly|export)$/.test(beginningOf(words[0]))) {
      expansion.state = withDeclaredList(assignment.name, attributesOf(words), expansion.state);
    }
    expansion.state = assign(assignment, expansion);
    return knownWord(assignment.name);
  }
  // What is added is added by the builtin.
  return withBeginning(`${assignment.name}${assignment.append ? '+' : ''}=`, expansion.value(assignment.value, true));
}

/** Variables of the shell's own to which it gives numbers: bash(1) "Shell Variables". */
const integers: ReadonlySet<string> = new Set(['RANDOM', 'OPTIND']);

/** @param key the element of a list that gets it; null: the variable itself */
export function assignedWord(assignment: Assignment, expansion: Expansion, key: Word | null = null): Word {
  const { name, text, append } = assignment;
  if (assignment.value.type === 'ArrayValue') {
    return unknownWord(text, `${name} is a list`);
  }
  const value = expansion.value(assignment.value, true);
  const before = append ? valueBefore(name, key, expansion) : null;
  if (integers.has(name) || declaredOf(expansion.state.variables.get(name)).integer === true) {
    return integerValue(value, before, expansion);
  }
  return before === null ? value : joinPieces([...valuePieces(before, true), ...valuePieces(value, true)], text);
}

/** What a variable, or an element of a list, has to which something is added. */
function valueBefore(name: string, key: Word | null, { state, host }: Expansion): Word {
  const open = unknownWord(`$${name}`, `the value of ${name} is not known`);
  const value = key?.kind === 'unknown' ? null : readParameter(name, key?.value ?? null, state, host.environment);
  return value?.kind === 'value' || value?.kind === 'unknown'
    ? value.word
    : value?.kind === 'unset'
      ? knownWord('')
      : open;
}

export function runAssignments(
  assignments: readonly Assignment[],
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
): Outcome {
  const expansion = new Expansion(shell, state);
  shell.expanding(frame, () => {
    for (const assignment of assignments) {
      expansion.state = assign(assignment, expansion);
    }
  });
  if (assignments.some(({ name }) => prompts.has(name))) {
    runPrompts(
      new Map(assignments.map(({ name }) => [name, promptText(name, expansion.state)])),
      expansion.state,
      frame,
      shell,
    );
  }
  if (assignments.length === 0 && frame.output !== null && frame.input !== null) {
    const text = frame.input.drain();
    frame.output.append(
      text === null ? unknownWord(frame.text, 'what the file holds is not known') : knownWord(text),
      state.path,
    );
  }
  if (expansion.surelyEnds) {
    return shell.exit(fails(expansion.state));
  }
  if (expansion.mayEnd) {
    expansion.state = unlessEnded(expansion.state, (ended) => shell.exit(ended));
  }
  frame.success.isExpected ||= expansion.substituted && assignments.every(({ name }) => isTold(name, expansion.state));
  return expansion.substituted ? either(expansion.state) : succeeds(expansion.state);
}

/** What a command prints is told from its words, and it is something: it has succeeded. */
function isTold(name: string, { variables }: ShellState): boolean {
  const variable = variables.get(name);
  return variable?.kind === 'scalar' && variable.value.kind === 'known' && variable.value.value !== '';
}

/** What bash expands before a prompt or a line of its trace, and what it runs before a prompt: bash(1) "PROMPTING". */
const prompts = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);

function promptText(name: string, state: ShellState): Word {
  const variable = state.variables.get(name);
  return variable?.kind === 'scalar' ? variable.value : knownWord('');
}

/** Commands in prompts run later, if at all. */
export function runPrompts(
  values: ReadonlyMap<string, Word>,
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
): void {
  for (const [name, value] of values) {
    const text = prompts.has(name) && value.kind === 'known' ? value.value : '';
    const inner = framed(frame, { input: null, output: null });
    if (text !== '' && name === 'PROMPT_COMMAND') {
      shell.budget.deeper(() => shell.runText(text, doubtful(state), inner));
    } else if (holdsSubstitution(text)) {
      shell.expanding(inner, () => new Expansion(shell, doubtful(state)).expandValue(text.replaceAll('\\$', '$')));
    }
  }
}

function assign(assignment: Assignment, expansion: Expansion): ShellState {
  const { name, value, index } = assignment;
  const before = expansion.state.variables.get(name);
  if (value.type === 'ArrayValue') {
    const isNamed = before?.kind === 'array' && before.associative;
    const kept = assignment.append ? before : undefined;
    const elements = isNamed
      ? namedElements(value.elements, kept, expansion)
      : listedElements(value.elements, kept, expansion);
    const list: Variable = { kind: 'array', elements, associative: isNamed };
    return withListedAliases(withVariable(expansion.state, name, list), name);
  }
  if (index !== undefined) {
    const hasNames = (before?.kind === 'array' && before.associative) || /^BASH_(?:ALIASES|CMDS)$/.test(name);
    const key = hasNames ? expansion.value(index) : indexValue(index, expansion);
    const word = assignedWord(assignment, expansion, key);
    return withListedAliases(withVariable(expansion.state, name, withElement(before, key, word)), name);
  }
  const word = assignedWord(assignment, expansion);
  if (before?.kind === 'array') {
    return withVariable(expansion.state, name, withElement(before, knownWord('0'), word));
  }
  const isInherited = expansion.host.environment[name] !== undefined;
  const exported = expansion.state.options.allexport || staysExported(before, isInherited);
  return withVariable(expansion.state, name, { kind: 'scalar', value: word, exported });
}

/** The index of a list that is not associative is arithmetic. */
function indexValue(index: SyntaxWord, expansion: Expansion): Word {
  const number = evaluateValue(expansion.value(index), expansion);
  return number === null
    ? unknownWord(index.text, `the value of ${index.text} is not known`)
    : knownWord(String(number));
}

/** bash(1) BASH_ALIASES, BASH_CMDS: whoever writes to these lists makes aliases, and says where programs lie. */
function withListedAliases(state: ShellState, name: string): ShellState {
  const list = /^BASH_(?:ALIASES|CMDS)$/.test(name) ? state.variables.get(name) : undefined;
  if (list?.kind !== 'array') {
    return state;
  }
  if (name === 'BASH_CMDS') {
    return changed(state, { hashed: new Map([...state.hashed, ...list.elements]) });
  }
  const aliases = new Map(state.aliases);
  for (const [alias, word] of list.elements) {
    aliases.set(alias, { value: beginningOf(word), source: '', end: 0 });
  }
  return changed(state, { aliases });
}

const keyedElement = /^\[((?:"[^"]*"|'[^']*'|\$\{[^}]*\}|[^\]])*)\](\+?)=([\s\S]*)$/;

function listedElements(
  words: readonly SyntaxWord[],
  before: Variable | undefined,
  expansion: Expansion,
): ReadonlyMap<string, Word> {
  const elements = new Map(before?.kind === 'array' ? before.elements : []);
  let next = nextIndex(elements);
  for (const word of words) {
    const [, key, plus = '', text = ''] = keyedElement.exec(word.text) ?? [];
    if (key !== undefined) {
      const index = evaluateValue(valueOfText(key, expansion), expansion);
      const at = index === null ? '?' : String(index);
      elements.set(at, addedTo(plus === '' ? undefined : elements.get(at), valueOfText(text, expansion)));
      next = (index ?? nextIndex(elements) - 1) + 1;
      continue;
    }
    for (const value of expansion.words([word])) {
      elements.set(String(next), value);
      next += 1;
    }
  }
  return elements;
}

/** bash(1) "Arrays": `([a]=1 [b]=2)`, or keys and values by turns; what is no pair is an error beside pairs. */
function namedElements(
  words: readonly SyntaxWord[],
  before: Variable | undefined,
  expansion: Expansion,
): ReadonlyMap<string, Word> {
  const elements = new Map(before?.kind === 'array' ? before.elements : []);
  const put = (key: Word, value: Word, plus = '') => {
    const at = key.kind === 'known' ? key.value : '?';
    elements.set(at, addedTo(plus === '' ? undefined : elements.get(at), value));
  };
  if (!keyedElement.test(words[0]?.text ?? '')) {
    const values = words.map((word) => expansion.value(word));
    for (let at = 0; at < values.length; at += 2) {
      put(values[at] ?? knownWord(''), values[at + 1] ?? knownWord(''));
    }
    return elements;
  }
  for (const word of words) {
    const [, key, plus, text = ''] = keyedElement.exec(word.text) ?? [];
    if (key !== undefined) {
      put(valueOfText(key, expansion), valueOfText(text, expansion), plus);
    }
  }
  return elements;
}

function addedTo(before: Word | undefined, value: Word): Word {
  return before === undefined ? value : joinPieces([...valuePieces(before, true), ...valuePieces(value, true)], '');
}

function nextIndex(elements: ReadonlyMap<string, Word>): number {
  return Math.max(-1, ...Array.from(elements.keys(), Number).filter(Number.isInteger)) + 1;
}

function valueOfText(text: string, expansion: Expansion): Word {
  const [statement] = parse(`_=${text}`).commands;
  const command = statement?.command;
  const [assignment] = command?.type === 'Command' ? command.prefix : [];
  return assignment?.type === 'Assignment' && assignment.value.type === 'Word'
    ? expansion.value(assignment.value)
    : unknownWord(text, `the value of ${text} is not known`, false);
}
