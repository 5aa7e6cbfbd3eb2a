import { type Assignment, type Command, parse, type Redirection, type Word as SyntaxWord } from 'unbash';
import { evaluate, holdsSubstitution } from './arithmetic.ts';
import { type Call, type Frame, framed, type ScriptShell } from './call.ts';
import { withAssignments, withoutAssignments } from './environment.ts';
import { joinPieces, valuePieces } from './field.ts';
import { readParameter, unknownWord } from './parameter.ts';
import { newFork } from './path.ts';
import {
  applyRedirections,
  closeDescriptors,
  finishRedirections,
  type Redirected,
  withFailure,
} from './redirection.ts';
import { runRewritten } from './rewritten-command.ts';
import {
  changed,
  doubtful,
  either,
  type Outcome,
  parted,
  type ShellState,
  succeeds,
  withElement,
  withVariable,
} from './shell-state.ts';
import { beginningOf, knownWord, type Word } from './simple-command.ts';
import type { InputStream } from './stream.ts';
import { parseArithmetic } from './syntax.ts';
import type { Variable } from './variable.ts';
import { Expansion } from './word-expansion.ts';

/** Runs a simple command: words, redirections and assignments are expanded in bash's order, then the call is made. */
export function runSimpleCommand(node: Command, state: ShellState, outer: Frame, shell: ScriptShell): Outcome {
  const frame = framed(outer, { input: standardInput(state, outer), success: newFork() });
  const source = frame.text.slice(node.pos, node.end);
  const rewritten = runRewritten(node, state, frame, shell);
  if (rewritten !== null) {
    return rewritten;
  }
  const expansion = new Expansion(shell, state);
  const argv = shell.expanding(frame, () => commandWords(node, expansion));
  const redirected = applyRedirections(redirectionsOf(node), expansion.state, frame, shell);
  const outcome = runWords(node, argv, source, redirected.state, redirected.frame, shell);
  finishRedirections(redirected, state, shell);
  const after = isExec(argv) ? withOpened(outcome, redirected, outer) : closeDescriptors(outcome, state);
  return parted(withFailure(after, redirected, expansion.state), frame.success);
}

/** `exec`, perhaps as `command exec`, with nothing but redirections: they last. */
function isExec(argv: readonly Word[]): boolean {
  return (
    beginningOf(argv[argv.length - 1]) === 'exec' &&
    argv
      .slice(0, -1)
      .map(beginningOf)
      .every((word) => word === 'command' || word === 'builtin')
  );
}

function standardInput({ standardInput: opened }: ShellState, { input }: Frame): InputStream | null {
  return opened !== null && opened.of === input ? opened.instead : input;
}

/** `exec <FILE >FILE`: the shell's own input and output from then on. */
function withOpened(outcome: Outcome, redirected: Redirected, outer: Frame): Outcome {
  const { input, printsPlainly } = redirected.frame;
  const open = (state: ShellState | null) => {
    if (state === null) {
      return null;
    }
    const after = printsPlainly || state.printsElsewhere ? state : changed(state, { printsElsewhere: true });
    return input === standardInput(state, outer)
      ? after
      : changed(after, { standardInput: { instead: input, of: outer.input } });
  };
  return { success: open(outcome.success), failure: open(outcome.failure) };
}

function redirectionsOf(node: Command): readonly Redirection[] {
  return node.redirects;
}

function runWords(
  node: Command,
  argv: readonly Word[],
  source: string,
  state: ShellState,
  frame: Frame,
  shell: ScriptShell,
): Outcome {
  const assignments = node.prefix.filter((item): item is Assignment => item.type === 'Assignment');
  if (argv.length === 0) {
    const outcome = runAssignments(assignments, state, frame, shell);
    return node.name === undefined ? outcome : either(outcome.success ?? state);
  }
  if (assignments.length === 0) {
    const outcome = shell.run({ argv, state, frame, source, lookup: 'any' });
    return mentionsLastWord(frame.text) ? withLastWord(outcome, argv) : outcome;
  }
  const expansion = new Expansion(shell, state);
  const values = new Map<string, Word>();
  shell.expanding(frame, () => {
    for (const assignment of assignments) {
      values.set(assignment.name, assignedWord(assignment, expansion));
    }
  });
  const inside = withAssignments(expansion.state, values);
  runPrompts(values, inside, frame, shell);
  const call: Call = { argv, state: inside, frame, source, lookup: 'any' };
  const outcome = shell.run(call);
  const restore = (after: ShellState | null) =>
    after === inside ? expansion.state : withoutAssignments(after, expansion.state, values.keys());
  return { success: restore(outcome.success), failure: restore(outcome.failure) };
}

/** `$_`, in a text that is short enough to be looked through for each command. */
function mentionsLastWord(text: string): boolean {
  return text.length < 4096 && text.includes('$') && /\$(?:_\b|\{_)/.test(text);
}

/** `$_` is the last word of the command before: bash(1) "Special Parameters". */
function withLastWord({ success, failure }: Outcome, argv: readonly Word[]): Outcome {
  const value = argv.at(-1) ?? knownWord('');
  const after = (state: ShellState | null) =>
    state && withVariable(state, '_', { kind: 'scalar', value, exported: false });
  return { success: after(success), failure: after(failure) };
}

function commandWords(node: Command, expansion: Expansion): Word[] {
  if (node.name === undefined) {
    return [];
  }
  const words = expansion.words([node.name]);
  let { end } = node.name;
  for (const argument of node.args) {
    const read = argument.type === 'Word' ? expansion.words([argument]) : [declaredWord(argument, expansion)];
    // The parser takes `--file=<( … )` for two words.
    const [first] = read;
    const before = argument.pos === end && first !== undefined ? words.pop() : undefined;
    words.push(...(before === undefined || first === undefined ? read : [joined(before, first), ...read.slice(1)]));
    end = argument.end;
  }
  return words;
}

/** Two parts of one word. */
function joined(first: Word, second: Word): Word {
  if (first.kind === 'known') {
    return second.kind === 'known'
      ? knownWord(first.value + second.value)
      : { ...second, prefix: first.value + second.prefix };
  }
  return { ...first, suffix: second.kind === 'known' ? first.suffix + second.value : second.suffix };
}

/** `export A=b`: one word, not split; arrays are assigned at once, and only their name remains. */
function declaredWord(assignment: Assignment, expansion: Expansion): Word {
  if (assignment.value.type === 'ArrayValue') {
    expansion.state = assign(assignment, expansion);
    return knownWord(assignment.name);
  }
  const value = assignedWord(assignment, expansion);
  const head = `${assignment.name}=`;
  return value.kind === 'known' ? knownWord(head + value.value) : { ...value, prefix: head + value.prefix };
}

function assignedWord(assignment: Assignment, expansion: Expansion): Word {
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

function runAssignments(
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
  return expansion.substituted ? either(expansion.state) : succeeds(expansion.state);
}

/** What bash expands before a prompt or a line of its trace, and what it runs before a prompt: bash(1) "PROMPTING". */
const prompts = new Set(['PROMPT_COMMAND', 'PS0', 'PS1', 'PS2', 'PS4']);

function promptText(name: string, state: ShellState): Word {
  const variable = state.variables.get(name);
  return variable?.kind === 'scalar' ? variable.value : knownWord('');
}

/** Commands in prompts run later, if at all. */
function runPrompts(values: ReadonlyMap<string, Word>, state: ShellState, frame: Frame, shell: ScriptShell): void {
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
    const hasNames = (before?.kind === 'array' && before.associative) || name === 'BASH_ALIASES';
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
  const word = expansion.value(index);
  const expression = word.kind === 'known' ? parseArithmetic(word.value) : null;
  const number = expression === null ? null : evaluate(expression, expansion);
  return number === null
    ? unknownWord(index.text, `the value of ${index.text} is not known`)
    : knownWord(String(number));
}

/** bash(1) BASH_ALIASES: whoever writes to this list makes aliases. */
function withListedAliases(state: ShellState, name: string): ShellState {
  const list = name === 'BASH_ALIASES' ? state.variables.get(name) : undefined;
  if (list?.kind !== 'array') {
    return state;
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
