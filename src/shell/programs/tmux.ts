import { type Call, framed, type ProgramReader, type Shell, through } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { doubtful, type ShellState } from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { runAsProgram } from './file-changes.ts';
import { givenVariables } from './given-variables.ts';
import { runCommandString } from './shell-invocation.ts';
import { enterDirectory } from './wrapper-reading.ts';
import type { GivenOption } from './wrapper-words.ts';

/** What a command of tmux does with its operands. */
interface TmuxCommand {
  /** Options that take a value, as letters. */
  readonly values: string;
  /**
   * A program with its words, or one text for a shell; keys that are typed; a command for a shell and tmux' own; or a
   * variable and its value for what is started from then on.
   */
  readonly operands: 'command' | 'keys' | 'condition' | 'variable';
}

const starts = (values: string): TmuxCommand => ({ values, operands: 'command' });

/** tmux(1), the commands that run programs. */
const commands: ReadonlyMap<string, TmuxCommand> = new Map<string, TmuxCommand>([
  ['new-session', starts('ceFfnstxy')],
  ['new-window', starts('ceFnt')],
  ['split-window', starts('ceFlpt')],
  ['respawn-pane', starts('cet')],
  ['respawn-window', starts('cet')],
  ['run-shell', starts('cdt')],
  ['pipe-pane', starts('t')],
  ['display-popup', starts('bcdehsStTwxy')],
  ['if-shell', { values: 't', operands: 'condition' }],
  ['send-keys', { values: 'cNt', operands: 'keys' }],
  ['set-environment', { values: 't', operands: 'variable' }],
]);

const aliases: Readonly<Record<string, string>> = {
  new: 'new-session',
  neww: 'new-window',
  splitw: 'split-window',
  respawnp: 'respawn-pane',
  respawnw: 'respawn-window',
  run: 'run-shell',
  pipep: 'pipe-pane',
  popup: 'display-popup',
  if: 'if-shell',
  send: 'send-keys',
  set: 'set-option',
  setenv: 'set-environment',
};

/** Keys by name, and what they type; others change nothing that is typed. */
const keys: ReadonlyMap<string, string> = new Map([
  ['Enter', '\n'],
  ['KPEnter', '\n'],
  ['C-m', '\n'],
  ['C-j', '\n'],
  ['Space', ' '],
  ['Tab', '\t'],
]);
const otherKey =
  /^(?:[CMS]-.+|\^.|Escape|BSpace|BTab|Up|Down|Left|Right|Home|End|PageUp|PageDown|PgUp|PgDn|DC|IC|F\d+)$/;

/** `tmux new-session -d git push`, `tmux send-keys 'git push' Enter`: what it starts, and what is typed into a shell. */
export const runTmux: ProgramReader = (call, shell) => {
  const frame = framed(through(call.frame, 'tmux'), { input: null, output: null });
  let inner: Call = { ...call, state: doubtful(call.state), frame };
  const { options, operands } = afterOptions(call.argv.slice(1), 'cfLST');
  const script = options.get('c');
  if (script !== undefined) {
    runCommandString(inner, shell, 'sh -c', script, []);
  }
  for (const words of parted(operands)) {
    inner = { ...inner, state: runTmuxCommand(words, inner, shell) };
  }
  return runAsProgram('tmux', call, shell);
};

/** Several commands stand between words that are, or end with, a semicolon. */
function parted(words: readonly Word[]): readonly (readonly Word[])[] {
  const parts: Word[][] = [[]];
  for (const word of words) {
    const [, text] = (word.kind === 'known' ? /^([\s\S]*[^\\])?;$/.exec(word.value) : null) ?? [null, null];
    if (text === null) {
      parts.at(-1)?.push(word);
    } else {
      parts.at(-1)?.push(...(text === undefined ? [] : [knownWord(text)]));
      parts.push([]);
    }
  }
  return parts;
}

/** @returns in what state the commands behind it start programs */
function runTmuxCommand([name, ...words]: readonly Word[], call: Call, shell: Shell): ShellState {
  const text = name?.kind === 'known' ? name.value : '';
  const fitting = [...commands.keys()].filter((command) => command.startsWith(text));
  const command = commands.get(aliases[text] ?? (fitting.length === 1 ? (fitting[0] ?? '') : text));
  if (command === undefined) {
    return call.state;
  }
  const { operands, options, given } = afterOptions(words, command.values);
  switch (command.operands) {
    case 'variable':
      return withVariable(call.state, operands, options);
    case 'command':
      runWords(operands, { ...call, state: startState(options, given, call, shell) }, shell);
      break;
    case 'condition':
      runWords(options.has('F') ? [] : operands.slice(0, 1), call, shell);
      for (const word of operands.slice(1)) {
        // The command of tmux is one word: in it, its own rules for quotes are much like a shell's.
        runCommandString(call, shell, 'tmux', prefixed(word), []);
      }
      break;
    case 'keys':
      runCommandString(call, shell, 'sh -c', knownWord(typed(operands)), []);
  }
  return call.state;
}

/** `-c DIRECTORY`, `-e NAME=value`: tmux(1) "new-session". */
function startState(
  options: ReadonlyMap<string, Word>,
  given: readonly GivenOption[],
  call: Call,
  shell: Shell,
): ShellState {
  const variables = givenVariables({ variables: ['e'] }, given, call, shell);
  return enterDirectory(withAssignments(call.state, variables), startDirectory(options), shell);
}

/** `set-environment NAME value`; `-u` and `-r` take it away. */
function withVariable(
  state: ShellState,
  [name, value]: readonly Word[],
  options: ReadonlyMap<string, Word>,
): ShellState {
  const isTaken = options.has('u') || options.has('r');
  return name?.kind === 'known' && (value !== undefined || isTaken)
    ? withAssignments(state, new Map([[name.value, isTaken ? null : (value ?? null)]]))
    : state;
}

/** `-c`; a format (`#{pane_current_path}`) is mostly where the pane is already. */
function startDirectory(options: ReadonlyMap<string, Word>): Word | null {
  const directory = options.get('c');
  return beginningOf(directory).startsWith('#') ? null : (directory ?? null);
}

function prefixed(text: Word): Word {
  return text.kind === 'known' ? knownWord(`tmux ${text.value}`) : text;
}

/** One word is a shell's script, several are a program and its words. */
function runWords(words: readonly Word[], call: Call, shell: Shell): void {
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0) {
    runCommandString(call, shell, 'sh -c', only, []);
  } else if (only !== undefined) {
    shell.run({ ...call, argv: words, lookup: 'programs' });
  }
}

function typed(words: readonly Word[]): string {
  return words
    .map((word) => (word.kind === 'known' ? word.value : beginningOf(word)))
    .map((text) => keys.get(text) ?? (otherKey.test(text) ? '' : text))
    .join('');
}

/** Options as getopt(3) reads them; the first word that is none ends them. */
function afterOptions(
  words: readonly Word[],
  values: string,
): {
  readonly options: ReadonlyMap<string, Word>;
  /** Those with a value, each as often as it is given. */
  readonly given: readonly GivenOption[];
  readonly operands: readonly Word[];
} {
  const options = new Map<string, Word>();
  const given: GivenOption[] = [];
  let index = 0;
  for (; index < words.length; index += 1) {
    const text = beginningOf(words[index]);
    if (text === '--') {
      index += 1;
      break;
    }
    if (!/^-./.test(text)) {
      break;
    }
    const at = [...text].findIndex((letter, place) => place > 0 && values.includes(letter));
    for (const letter of at < 0 ? text.slice(1) : text.slice(1, at)) {
      options.set(letter, knownWord(''));
    }
    if (at > 0) {
      const attached = text.slice(at + 1);
      const next = attached === '' ? words[index + 1] : knownWord(attached);
      const name = text[at] ?? '';
      options.set(name, next ?? knownWord(''));
      given.push({ name, values: next === undefined ? [] : [next] });
      index += attached === '' ? 1 : 0;
    }
  }
  return { options, given, operands: words.slice(index) };
}
