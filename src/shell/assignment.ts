import { type Assignment, parse, type Word as SyntaxWord } from 'unbash';
import { type Frame, framed, type ScriptShell } from './call.ts';
import {
  changed,
  doubtful,
  either,
  type Outcome,
  type ShellState,
  succeeds,
  withElement,
  withVariable,
} from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';
import type { Variable } from './variable.ts';
import { evaluateValue, holdsSubstitution } from './words/arithmetic.ts';
import { joinPieces, valuePieces, withBeginning } from './words/field.ts';
import { readParameter, unknownWord } from './words/parameter.ts';
import { Expansion } from './words/word-expansion.ts';

/** `export A=b`: one word, not split; arrays are assigned at once, and only their name remains. */
export function declaredWord(assignment: Assignment, expansion: Expansion): Word {
  if (assignment.value.type === 'ArrayValue') {
    expansion.state = assign(assignment, expansion);
    return knownWord(assignment.name);
  }
  return withBeginning(`${assignment.name}=`, assignedWord(assignment, expansion));
}

export function assignedWord(assignment: Assignment, expansion: Expansion): Word {
  if (assignment.value.type === 'ArrayValue') {
    return unknownWord(assignment.text, `${assignment.name} is a list`);
  }
  const value = expansion.value(assignment.value, true);
  if (!assignment.append) {
    return value;
  }
  const before = readParameter(assignment.name, null, expansion.state, expansion.host.environment);
  const start = before.kind === 'value' || before.kind === 'unknown' ? valuePieces(before.word, true) : [];
  return joinPieces([...start, ...valuePieces(value, true)], assignment.text);
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
    const elements = arrayElements(value.elements, assignment.append ? before : undefined, expansion);
    const associative = before?.kind === 'array' && before.associative;
    return withListedAliases(withVariable(expansion.state, name, { kind: 'array', elements, associative }), name);
  }
  const word = assignedWord(assignment, expansion);
  if (index !== undefined) {
    const hasNames = (before?.kind === 'array' && before.associative) || /^BASH_(?:ALIASES|CMDS)$/.test(name);
    const key = hasNames ? expansion.value(index) : indexValue(index, expansion);
    return withListedAliases(withVariable(expansion.state, name, withElement(before, key, word)), name);
  }
  if (before?.kind === 'array') {
    return withVariable(expansion.state, name, withElement(before, knownWord('0'), word));
  }
  const exported =
    expansion.state.options.allexport ||
    (before?.kind === 'scalar'
      ? before.exported
      : before === undefined && expansion.host.environment[name] !== undefined);
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

function arrayElements(
  words: readonly SyntaxWord[],
  before: Variable | undefined,
  expansion: Expansion,
): ReadonlyMap<string, Word> {
  const elements = new Map(before?.kind === 'array' ? before.elements : []);
  let next = nextIndex(elements);
  for (const word of words) {
    const keyed = /^\[([^\]]*)\]=([\s\S]*)$/.exec(word.text);
    if (keyed !== null) {
      const [, key = '', text = ''] = keyed;
      elements.set(key.replace(/^(["'])(.*)\1$/, '$2'), valueOfText(text, expansion));
      next = nextIndex(elements);
      continue;
    }
    for (const value of expansion.words([word])) {
      elements.set(String(next), value);
      next += 1;
    }
  }
  return elements;
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
