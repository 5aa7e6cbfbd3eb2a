import { type Call, type ProgramReader, type Shell, through } from './call.ts';
import { fieldWord, splitFields } from './field.ts';
import { fieldSeparators, unknownWord } from './parameter.ts';
import { doubtful, either, fails, type ShellState, succeeds, type Variable, withVariable } from './shell-state.ts';
import { beginningOf, knownWord, nameOfEachWord, type Word } from './simple-command.ts';

/** `read`: variables take what the input's next line has; unknown where that is. */
export const read: ProgramReader = (call) => {
  const { names, separators, raw, list } = readNames(call);
  const line = call.frame.input?.line() ?? (call.frame.input === null ? null : call.frame.input.line());
  if (line === undefined) {
    return fails(
      assignFields(
        call.state,
        names,
        names.map(() => knownWord('')),
      ),
    );
  }
  if (line === null) {
    return either(assignFields(call.state, names, unknownFields(names, call)));
  }
  const text = raw ? line : line.replace(/\\([\s\S])/g, '$1');
  if (list !== null) {
    const words = splitFields([{ kind: 'split', text }], separators).map((field) => fieldWord(field, text));
    return succeeds(withVariable(call.state, list, listOf(words)));
  }
  return succeeds(assignFields(call.state, names, splitLine(text, names.length, separators)));
};

function unknownFields(names: readonly string[], call: Call): readonly Word[] {
  const input = call.frame.input?.known();
  return names.map((name, index) => {
    const field = unknownWord(`$${name}`, `what ${name} was read from is not known`);
    const isFirst = input?.names !== undefined && index === 0 && names.length > 1;
    const named = nameOfEachWord(input?.names) ?? (isFirst ? 'revisions' : undefined);
    return named === undefined ? field : { ...field, names: named };
  });
}

function readNames(call: Call): { names: string[]; separators: string; raw: boolean; list: string | null } {
  const names: string[] = [];
  let isList = false;
  let raw = false;
  for (let index = 1; index < call.argv.length; index += 1) {
    const word = call.argv[index];
    const text = word?.kind === 'known' ? word.value : '';
    if (text.startsWith('-')) {
      raw ||= text.includes('r');
      isList ||= text.includes('a');
      index += /[dinNptu]$/.test(text) ? 1 : 0;
    } else if (/^[A-Za-z_]\w*$/.test(text)) {
      names.push(text);
    }
  }
  const separators = fieldSeparators(call.state);
  return { names: names.length === 0 ? ['REPLY'] : names, separators, raw, list: isList ? (names[0] ?? null) : null };
}

function assignFields(state: ShellState, names: readonly string[], values: readonly Word[]): ShellState {
  return names.reduce((current, name, index) => {
    const before = current.variables.get(name);
    const exported = before?.kind === 'scalar' && before.exported;
    return withVariable(current, name, { kind: 'scalar', value: values[index] ?? knownWord(''), exported });
  }, state);
}

function splitLine(line: string, count: number, separators: string): Word[] {
  const values: Word[] = [];
  let rest = trimStart(line, separators);
  while (values.length < count - 1) {
    const end = Array.from(rest).findIndex((character) => separators.includes(character));
    values.push(knownWord(end === -1 ? rest : rest.slice(0, end)));
    rest = end === -1 ? '' : trimStart(rest.slice(end + 1), separators);
  }
  const spaces = Array.from(separators).filter((character) => /\s/.test(character));
  let end = rest.length;
  while (end > 0 && spaces.includes(rest.charAt(end - 1))) {
    end -= 1;
  }
  values.push(knownWord(rest.slice(0, end)));
  return values;
}

function trimStart(text: string, separators: string): string {
  let start = 0;
  while (start < text.length && separators.includes(text.charAt(start)) && /\s/.test(text.charAt(start))) {
    start += 1;
  }
  return text.slice(start);
}

function listOf(words: readonly Word[]): Variable {
  return { kind: 'array', elements: new Map(words.map((word, index) => [String(index), word])), associative: false };
}

/** `mapfile -t name`: the lines of the input. `-C COMMAND` is run with what was read appended: bash(1). */
export const mapLines: ProgramReader = (call, shell) => {
  runCallback(call, shell);
  const words = call.argv.slice(1).map((word) => (word.kind === 'known' ? word.value : null));
  const name = words.at(-1) ?? 'MAPFILE';
  const text = words.every((word) => word === '-t' || /^[A-Za-z_]\w*$/.test(word ?? ''))
    ? (call.frame.input?.drain() ?? null)
    : null;
  if (text === null) {
    return forgets(-1)(call, shell);
  }
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const values = words.includes('-t') ? lines.map((line) => line.replace(/\n$/, '')) : lines;
  return succeeds(withVariable(call.state, name, listOf(values.map(knownWord))));
};

function runCallback(call: Call, shell: Shell): void {
  const at = call.argv.findIndex((word) => /^-[a-zA-Z]*C/.test(beginningOf(word)));
  const [option, next] = at === -1 ? [] : call.argv.slice(at);
  const attached = option?.kind === 'known' ? option.value.replace(/^-[a-zA-Z]*?C/, '') : '';
  const command = attached === '' ? next : knownWord(attached);
  if (command?.kind === 'known') {
    shell.runText(
      `${command.value} "$mapfile_index" "$mapfile_line"`,
      doubtful(call.state),
      through(call.frame, 'mapfile'),
    );
  } else if (command !== undefined) {
    shell.emitUnreadable(call, 'script', command.reason);
  }
}

/** `mapfile` with options, `getopts`, `select`'s REPLY: variables that take values which are not followed here. */
export function forgets(...positions: readonly number[]): ProgramReader {
  return (call) => {
    const names = positions.map((position) => call.argv.at(position)).filter((word) => word?.kind === 'known');
    const state = names.reduce((current, word) => {
      const name = word?.kind === 'known' ? word.value : '';
      const value = unknownWord(`$${name}`, `the value of ${name} is not known`);
      return withVariable(current, name, { kind: 'array', elements: new Map([['?', value]]), associative: false });
    }, call.state);
    return either(state);
  };
}
