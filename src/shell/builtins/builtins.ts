import { parse } from 'unbash';
import { type Call, type ProgramReader, printedAs, through } from '../call.ts';
import { endingAs } from '../last-status.ts';
import {
  changed,
  either,
  fails,
  type Outcome,
  parted,
  type ShellState,
  succeeds,
  withElement,
  withVariable,
} from '../shell-state.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { unknownWord } from '../words/parameter.ts';
import { formatPrintf } from '../words/printf.ts';
import { codeOf, joinWords } from '../words/read-again.ts';
import { decided, evaluateTestWords, statusOf } from './condition.ts';
import { changeDirectory } from './directory-builtins.ts';
import { readOption } from './getopts.ts';
import { mapLines, read } from './input-builtins.ts';
import { isOption, isShellOption, withOptions, withShopt } from './shell-options.ts';
import { runSource } from './sourced-script.ts';
import { popDirectory, pushDirectory, showDirectories } from './stack-builtins.ts';
import { trap } from './traps.ts';
import { assignVariables } from './variable-builtins.ts';

/** `eval words…`: they are joined by spaces and read as a script. */
const evaluateWords: ProgramReader = (call, shell) => {
  const all = call.argv.slice(1);
  const [first] = all;
  const words = first?.kind === 'known' && first.value === '--' ? all.slice(1) : all;
  const joined = joinWords(words);
  const code = codeOf(joined);
  if (joined.kind === 'unknown' && setsParameters(words)) {
    const kept = words.length > 2 && shownEnd(words) === '"$@"' ? call.state.positional : [];
    return succeeds(changed(call.state, { positional: [unknownWord('$@', joined.reason), ...kept] }));
  }
  if (code === null) {
    shell.emitUnreadable(call, 'script', joined.kind === 'unknown' ? joined.reason : '', printedAs(joined, null));
    return either(call.state);
  }
  return shell.runText(code, call.state, through(call.frame, 'eval'));
};

/**
 * `eval set -- "$(getopt …)"`, `eval "set -- $OPTIONS" '"$@"'`: words that were quoted to be read again become the
 * parameters. Only known text could end the command and begin another.
 */
function setsParameters(words: readonly Word[]): boolean {
  const [first, second] = words;
  const isSet =
    first?.kind === 'unknown'
      ? /^set\s+--\s/.test(first.prefix)
      : first?.value === 'set' && second?.kind === 'known' && second.value === '--';
  const known = words.map((word) => (word.kind === 'known' ? word.value : `${word.prefix}${word.suffix}`));
  return isSet && known.every((text) => text === '"$@"' || !/[;&|<>()`$\n]./s.test(text));
}

function shownEnd(words: readonly Word[]): string {
  const last = words.at(-1);
  return last?.kind === 'known' ? last.value : '';
}

/** A builtin that does nothing that matters here but succeeds or fails as it does. */
const reported: ProgramReader = (call, shell) => {
  shell.emitCommand(call);
  return either(call.state);
};

const test: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1);
  const last = words.at(-1);
  const isBracket = call.argv[0]?.kind === 'known' && call.argv[0].value === '[';
  const operands = isBracket && last?.kind === 'known' && last.value === ']' ? words.slice(0, -1) : words;
  const { files, overlay, steps } = shell;
  const result = evaluateTestWords(operands, call.state, { files, overlay, steps, through: call.frame.through });
  return decided(result, call.state);
};

/** More than there are is an error, and shifts none. */
const shift: ProgramReader = ({ argv, state }) => {
  const count = argv[1]?.kind === 'known' ? Number(argv[1].value) : 1;
  const isSeveral = (word: Word) => word.kind === 'unknown' && word.mayExpandToSeveral;
  if (count > state.positional.length) {
    return state.positional.some(isSeveral) ? either(state) : fails(state);
  }
  const open = state.positional.slice(0, count).some(isSeveral);
  return open ? either(state) : succeeds(changed(state, { positional: state.positional.slice(count) }));
};

const set: ProgramReader = ({ argv, state }) => {
  let { options } = state;
  for (let index = 1; index < argv.length; index += 1) {
    const word = argv[index];
    if (word?.kind !== 'known' || !/^[-+]./.test(word.value) || word.value === '--') {
      const start = word?.kind === 'known' && word.value === '--' ? index + 1 : index;
      return succeeds(changed(state, { options, positional: argv.slice(start) }));
    }
    const next = argv[index + 1];
    const named = word.value.endsWith('o') && next?.kind === 'known' ? next.value : null;
    if (named !== null && !isOption(named)) {
      return either(state);
    }
    options = withOptions(options, word.value, named);
    index += named === null ? 0 : 1;
  }
  return succeeds(changed(state, { options }));
};

const shopt: ProgramReader = ({ argv, state }) => {
  const words = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  const flags = words.filter((word) => /^-[supqo]+$/.test(word)).join('');
  const names = words.filter((word) => !/^-[supqo]+$/.test(word));
  const on = flags.includes('s') ? true : flags.includes('u') ? false : null;
  if (on === null || !names.every(flags.includes('o') ? isOption : isShellOption)) {
    return either(state);
  }
  const options = flags.includes('o')
    ? names.reduce((now, name) => withOptions(now, on ? '-' : '+', name), state.options)
    : withShopt(state.options, names, on);
  return succeeds(changed(state, { options }));
};

const alias: ProgramReader = ({ argv, state, frame, source }) => {
  const aliases = new Map(state.aliases);
  let isSure = true;
  for (const word of argv.slice(1)) {
    const [, name, value] = (word.kind === 'known' ? /^([^=]+)=([\s\S]*)$/.exec(word.value) : null) ?? [];
    if (name !== undefined && value !== undefined) {
      const start = frame.text.indexOf(source);
      aliases.set(name, { value, source: frame.text, end: start === -1 ? 0 : start + source.length });
    } else {
      // It shows one, which may have been there before the line.
      isSure &&= word.kind === 'known' && (word.value.startsWith('-') || aliases.has(word.value));
    }
  }
  return isSure ? succeeds(changed(state, { aliases })) : either(changed(state, { aliases }));
};

const unalias: ProgramReader = ({ argv, state }) => {
  const names = argv.slice(1).map((word) => (word.kind === 'known' ? word.value : ''));
  const all = names.includes('-a');
  const left = all ? [] : [...state.aliases].filter(([name]) => !names.includes(name));
  const after = changed(state, { aliases: new Map(left) });
  return all || names.every((name) => state.aliases.has(name)) ? succeeds(after) : either(after);
};

const printf: ProgramReader = (call) => {
  const [, option, name, ...rest] = call.argv;
  if (option?.kind !== 'known' || option.value !== '-v' || name?.kind !== 'known') {
    return null;
  }
  const args = rest.map((word) => (word.kind === 'known' ? word.value : null));
  const text = args.includes(null) ? null : formatPrintf(args.map((arg) => arg ?? ''));
  if (!/^[A-Za-z_]\w*(?:\[.*\])?$/s.test(name.value)) {
    return fails(call.state);
  }
  const value =
    text === null ? unknownWord(`$${name.value}`, `the value of ${name.value} is not known`) : knownWord(text);
  return succeeds(withNamed(call.state, name.value, value));
};

/** A variable, or an element of a list (`a[3]`), that a builtin gives a value. */
function withNamed(state: ShellState, target: string, value: Word): ShellState {
  const [, list = target, key] = /^(\w+)\[(.*)\]$/s.exec(target) ?? [];
  return withVariable(
    state,
    list,
    key === undefined
      ? { kind: 'scalar', value, exported: false }
      : withElement(state.variables.get(list), knownWord(key), value),
  );
}

/** bash(1) "break": so many loops, or all that there are. */
const leaveLoop =
  (kind: 'breaks' | 'continues'): ProgramReader =>
  ({ argv, frame, state }, shell) => {
    let target = frame[kind];
    for (let count = Number(beginningOf(argv[1])); count > 1 && target?.outer; count -= 1) {
      target = target.outer;
    }
    return shell.jump(target, succeeds(state));
  };

const letBuiltin: ProgramReader = (call, shell) => {
  const words = call.argv.slice(1);
  if (words.some((word) => word.kind === 'unknown')) {
    return either(call.state);
  }
  const text = words.map((word) => (word.kind === 'known' ? `((${word.value}))` : '')).join(';');
  return (parse(text).errors?.length ?? 0) > 0 ? either(call.state) : shell.runText(text, call.state, call.frame);
};

/** `hash -p path name`: the name leads to that program from now on. `hash name` looks for it, and may not find it. */
const hash: ProgramReader = ({ argv, state }) => {
  const at = argv.findIndex((word) => word.kind === 'known' && word.value === '-p');
  const [path, name] = at === -1 ? [] : argv.slice(at + 1);
  if (at === -1) {
    return argv.slice(1).every((word) => word.kind === 'known' && /^-[lr]+$/.test(word.value))
      ? succeeds(state)
      : either(state);
  }
  return succeeds(
    path === undefined || name?.kind !== 'known'
      ? state
      : changed(state, { hashed: new Map(state.hashed).set(name.value, path) }),
  );
};

const exit: ProgramReader = ({ argv: [, status], state }, shell) => shell.exit(withStatus(status, state));

/** Only a shell in which somebody has logged in ends by it; elsewhere it fails. */
const leaveLogin: ProgramReader = (call, shell) => {
  const { success, failure } = parted(either(call.state));
  exit({ ...call, state: success ?? call.state }, shell);
  return { success: null, failure };
};

/** Elsewhere than in a function or a sourced script it fails. */
const leaveFunction: ProgramReader = ({ argv: [, status], frame, state }, shell) =>
  shell.jump(frame.returns, frame.returns === null ? fails(state) : withStatus(status, state));

/** What ends with that status; without one, with that of the command before. */
function withStatus(status: Word | undefined, state: ShellState): Outcome {
  if (status?.kind !== 'known') {
    const of = status === undefined ? null : statusOf(status);
    return of === null ? either(state) : endingAs(of, state);
  }
  return Number(status.value) === 0 ? succeeds(state) : fails(state);
}

const succeed: ProgramReader = ({ state }) => succeeds(state);

/** Told what to wait for, it ends as that does. */
const wait: ProgramReader = ({ argv, state }) => (argv.length > 1 ? either(state) : succeeds(state));

/** Builtins that change the shell itself (bash(1) "SHELL BUILTIN COMMANDS"); others are ordinary programs here. */
export const builtins: ReadonlyMap<string, ProgramReader> = new Map<string, ProgramReader>([
  [':', succeed],
  ['true', succeed],
  ['false', ({ state }): Outcome => fails(state)],
  ['cd', changeDirectory],
  ['chdir', changeDirectory],
  ['pushd', pushDirectory],
  ['popd', popDirectory],
  ['dirs', showDirectories],
  ['export', assignVariables],
  ['declare', assignVariables],
  ['typeset', assignVariables],
  ['local', assignVariables],
  ['readonly', assignVariables],
  ['unset', unset],
  ['eval', evaluateWords],
  ['source', runSource],
  ['.', runSource],
  ['exit', exit],
  ['logout', leaveLogin],
  ['return', leaveFunction],
  ['break', leaveLoop('breaks')],
  ['continue', leaveLoop('continues')],
  ['test', test],
  ['[', test],
  ['shift', shift],
  ['set', set],
  ['shopt', shopt],
  ['alias', alias],
  ['unalias', unalias],
  ['trap', trap],
  ['read', read],
  ['mapfile', mapLines],
  ['readarray', mapLines],
  ['getopts', readOption],
  ['let', letBuiltin],
  ['printf', printf],
  ['wait', wait],
  ['hash', hash],
  ['umask', reported],
]);

function unset({ argv, state }: Call): Outcome {
  const words = argv.slice(1);
  const functionsOnly = words.some((word) => word.kind === 'known' && word.value === '-f');
  let { variables, functions } = state;
  for (const word of words) {
    const name = word.kind === 'known' ? word.value : '';
    const [, list = '', key = ''] = /^([A-Za-z_]\w*)\[(.*)\]$/.exec(name) ?? [];
    const variable = variables.get(list);
    if (variable?.kind === 'array') {
      const elements = new Map([...variable.elements].filter(([index]) => index !== key));
      const { filledBy: _filledBy, ...other } = variable;
      variables = new Map(variables).set(list, { ...other, elements });
    } else if (/^[A-Za-z_]\w*$/.test(name)) {
      if (functionsOnly || (functions.has(name) && !variables.has(name))) {
        functions = new Map([...functions].filter(([key]) => key !== name));
      } else {
        variables = new Map(variables).set(name, { kind: 'unset' });
      }
    }
  }
  return succeeds(changed(state, { variables, functions }));
}
