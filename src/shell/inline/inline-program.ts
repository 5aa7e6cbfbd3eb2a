import { posix } from 'node:path';
import { quoteCommand } from '../../quote.ts';
import { type Call, framed, type Shell, through } from '../call.ts';
import { withAssignments } from '../environment.ts';
import { isTemporaryPath } from '../script-overlay.ts';
import { type Outcome, parted, withPath } from '../shell-state.ts';
import { knownWord, openPart, type Word } from '../simple-command.ts';
import { startedShell } from '../started-shell.ts';
import type { InputStream } from '../stream.ts';
import { isAskedTop, topOfWorkTree, withAnswers } from './asked-of-git.ts';
import { DecidedPaths } from './decided-paths.ts';
import { heldOptions } from './held-options.ts';
import { withHeldTexts } from './held-texts.ts';
import type { PlacedCall } from './inline-decisions.ts';
import { ownDirectory, stateAtHome, stateIn } from './inline-directories.ts';
import { environmentSettings } from './inline-environment.ts';
import { InlineFunctions, type PlacedCommand } from './inline-functions.ts';
import { InlineInputs } from './inline-inputs.ts';
import { InlineListings } from './inline-listings.ts';
import { mayInsertCommands } from './inserted-code.ts';
import { literalCommand } from './literal-command.ts';
import { quotedCommands } from './quoted-commands.ts';
import { ReachedFunctions } from './reached-functions.ts';
import type { OpenText } from './source/argument.ts';
import { endOfBracket } from './source/brackets.ts';
import { choicesIn } from './source/choices.ts';
import { isClearlyHarmful } from './source/clear-harm.ts';
import { codeOf } from './source/code.ts';
import { isInComment } from './source/comments.ts';
import type { SourceFunction } from './source/functions.ts';
import { inertTexts } from './source/inert-texts.ts';
import type { Language } from './source/languages.ts';
import { readLiteral } from './source/literal.ts';
import {
  holdsCommands,
  inShell,
  isGravePush,
  isLiteral,
  type OpenCommand,
  runOpenCommand,
} from './source/open-command.ts';
import { textsIn } from './source/texts.ts';
import { WrittenCalls } from './written-calls.ts';

interface Found {
  readonly position: number;
  /** Where its arguments begin; null where it has none. */
  readonly argumentsAt: number | null;
  /** What stands before them. */
  readonly caller: string;
  /** A script for the shell, the words of one program, or null where it is not literal. */
  readonly command: string | readonly string[] | null;
  /** The command with what is put into its strings, where no function or variable of the program is followed. */
  readonly open: OpenCommand | null;
  readonly cwd: string | null | undefined;
  /** What is put in are words, whatever is in them. */
  readonly insertsWords: boolean;
}

/** More calls than this are not looked at: hardly any program has them, and one that might call git is asked about. */
const maximumCalls = 200;

/** A program with what it loads. */
export interface LoadedProgram {
  readonly text: string;
  /** The same before the places that it names were made literals. */
  readonly named: string;
  /** The text of the modules that it loads, of which only functions count that somebody names. */
  readonly modules: string;
  /** From here on what is not literal is passed over: other words, and directories that the program chooses. */
  readonly literalFrom: number;
}

/** Finds the processes an inline program starts, and runs those whose words are literal. */
export function runInlineProgram(language: Language, program: LoadedProgram, call: Call, shell: Shell): void {
  const source = program.text + program.modules;
  if (language.needs?.test(source) !== false) {
    shell.recursion.reading(source, () => runCalls(language, program, call, shell));
  }
}

function runCalls(
  language: Language,
  { text, named: asNamed, modules, literalFrom }: LoadedProgram,
  call: Call,
  shell: Shell,
): void {
  const source = text + modules;
  const all = callsIn(language, source, shell);
  const found = all.slice(0, maximumCalls);
  if (found.length === 0) {
    return;
  }
  const reached = new ReachedFunctions(language, source, text.length);
  const read = (text: string) =>
    new InlineFunctions(language, text, (position) => reached.isReached(position), literalFrom);
  const functions = read(source);
  const starts = found.flatMap((one) => callOf(one) ?? []);
  const settings = environmentSettings(language, source, functions, starts);
  const inputs = new InlineInputs(functions);
  const choices = choicesIn(source).filter((text) => text !== source);
  const opened: Opened = {
    functions,
    choices: choices.map(read),
    written: WrittenCalls.reads(language) ? new WrittenCalls(language, source) : null,
    language,
    source,
    found: found.filter(
      ({ position, argumentsAt }) =>
        reached.isReached(position) && (argumentsAt === null || !functions.own.onlyShowsAt(argumentsAt)),
    ),
    decided: new DecidedPaths(language, source, endsWhereItFails(language, call) ? text.length : 0),
    listings: new InlineListings(language, source),
    insertsCommands: null,
    options: null,
    warned: false,
  };
  const mayBeGit = mentionsGit(source, call);
  for (const one of opened.found) {
    const { position } = one;
    const literalOnly = position >= literalFrom;
    const input = one.argumentsAt === null ? null : inputs.at(one.argumentsAt, mayBeGit && !literalOnly);
    const place = (named: string | null | undefined, at = position): Call | null => {
      const path = opened.decided.pathAt(at, opened.decided.pathAt(position, call.state.path));
      const here = { ...call, state: withPath(call.state, path) };
      // A function runs where the program is when it calls it.
      const from = opened.written === null ? position : Math.max(position, at);
      const chosen = directoryFrom(lastDirectoryChange(language, source, from), named);
      const directory = chosen === topOfWorkTree ? toldDirectory(chosen, here, shell) : chosen;
      const placed = inlineCall(here, language, directory, input);
      const state = literalOnly && directory === null ? stateAtHome(asNamed + modules, placed.state) : placed.state;
      const own = one.argumentsAt === null ? undefined : settings.own.get(one.argumentsAt);
      const assigned = own === undefined ? settings.all : new Map([...settings.all, ...own]);
      return state === null ? null : { ...placed, state: withAssignments(state, assigned) };
    };
    runFound(one, { call, place, literalOnly, label: `the ${language.name} program` }, opened, shell);
  }
  const next = all[maximumCalls];
  if (next !== undefined && next.position < literalFrom && mayBeGit) {
    shell.emitUnreadable(call, 'script', `the ${language.name} program starts more processes than are looked at`);
  }
}

/** The calls of a program in their order, but for those that only stand in its texts and comments. */
function callsIn(language: Language, source: string, shell: Shell): readonly Found[] {
  const texts = textsIn(language, source);
  const all = [...findCalls(language, source, texts), ...findQuoted(language, source, texts)]
    .filter(({ position }) => !isInComment(language, source, position))
    .sort((a, b) => a.position - b.position);
  const inert = inertTexts(
    language,
    source,
    all.map(({ position, argumentsAt }) => [position, argumentsAt ?? position + 1]),
  );
  shell.overlay.keptTexts.push(...(inert?.texts ?? []));
  return inert === null ? all : all.filter((_, at) => inert.counts[at]);
}

/** A console goes on with the next statement: `python3 -i`, `node -i`, `python3 -m IPython`. */
function endsWhereItFails({ consoles }: Language, { argv }: Call): boolean {
  return !argv.some(
    (word) =>
      word.kind === 'known' && (/^-(?:[a-zA-Z]*i$|i|-interactive$)/.test(word.value) || consoles?.test(word.value)),
  );
}

/** What is known of a program besides the calls in it. */
interface Opened {
  readonly functions: InlineFunctions;
  /** The same, where the program has conditional expressions: with one or the other value in their place. */
  readonly choices: readonly InlineFunctions[];
  /** The same of languages that are read in another way. */
  readonly written: WrittenCalls | null;
  readonly source: string;
  readonly language: Language;
  readonly found: readonly Found[];
  readonly decided: DecidedPaths;
  readonly listings: InlineListings;
  /** See {@link mayInsertCommands}; null as long as nobody asks. */
  insertsCommands: boolean | null;
  /** See {@link heldOptions}; null as long as nobody asks. */
  options: readonly string[] | null;
  /** Nobody is told twice that words are not literal. */
  warned: boolean;
}

interface Placed {
  readonly call: Call;
  /**
   * The call as it is made by the program in a directory; null where nobody is asked about one that is not known.
   *
   * @param at where the call stands that leads to it; default: where it stands itself
   */
  readonly place: (directory: string | null | undefined, at?: number) => Call | null;
  readonly literalOnly: boolean;
  readonly label: string;
}

function runFound(found: Found, placed: Placed, opened: Opened, shell: Shell): void {
  const { command, argumentsAt, cwd } = found;
  const { call, place, literalOnly, label } = placed;
  const open = openCommands(found, literalOnly, opened);
  if (isFollowed(found, open, literalOnly, opened)) {
    return;
  }
  if (open !== null && (found.insertsWords || insertsData(open, opened))) {
    runOpen(found, open, placed, opened, shell);
  } else if (command !== null) {
    const directories = cwd === undefined && argumentsAt !== null ? opened.functions.directoriesAt(argumentsAt) : [cwd];
    const calls = directories.flatMap((directory) => place(directory) ?? []);
    runLiterals(found, command, calls, opened, shell);
  } else if (!literalOnly && !opened.warned && !isOwn(found, opened) && mentionsGit(opened.source, call)) {
    opened.warned = true;
    shell.emitUnreadable(call, 'script', `${label} starts a process with words that are not literal`);
  }
}

/** Calls it a function of the program itself, of which what it starts is read where it starts it? */
function isOwn({ argumentsAt }: Found, opened: Opened): boolean {
  const own = argumentsAt === null ? null : opened.functions.own.calledAt(argumentsAt);
  return own !== null && startedIn(own, opened).length > 0;
}

/** What a function of the program starts. */
const startedIn = ({ start, end }: SourceFunction, { found }: Opened): readonly Found[] =>
  found.filter(({ position }) => start <= position && position < end);

/**
 * Is the command known that such a function starts for each way in which the program makes the call: `run(dir, "git")`?
 *
 * @param open what the call itself would start, if it were no function of the program
 */
function isFollowed(
  found: Found,
  open: readonly PlacedCommand[] | null,
  literalOnly: boolean,
  opened: Opened,
): boolean {
  const only = found.argumentsAt === null ? null : opened.functions.own.onlyAt(found.argumentsAt);
  const started = only === null ? [] : startedIn(only, opened).filter((one) => one !== found);
  const calls = started.flatMap((one) => {
    const commands = openCommands(one, literalOnly, opened);
    return commands !== null && (one.insertsWords || insertsData(commands, opened)) ? commands.map(({ at }) => at) : [];
  });
  const own = open?.map(({ at }) => at) ?? [found.argumentsAt ?? found.position];
  return calls.length > 0 && own.every((at) => calls.includes(at));
}

function runOpen(
  found: Found,
  commands: readonly PlacedCommand[],
  { call, place, literalOnly }: Placed,
  opened: Opened,
  shell: Shell,
): void {
  const { source, language, listings, decided } = opened;
  const isJudged = literalOnly
    ? (one: OpenCommand) => isLiteral(one) || isGravePush(one, source) || isClearlyHarmful(one, source)
    : mentionsGit(source, call)
      ? () => true
      : isLiteral;
  for (const { command, directory, at } of commands) {
    const held = literalOnly ? command : withHeldTexts(command, language, source, call);
    const inner = place(directory, at);
    const listed = listings.inLoop(withAnswers(held, source, inner !== null && isInTemporary(inner)));
    if (inner !== null && (isJudged(listed.command) || isJudged(held))) {
      const outcome = runOpenCommand(listed.command, inner, shell, {
        ...listed,
        options: isLiteral(listed.command) ? [] : optionsOf(opened, call),
      });
      const own = at === found.argumentsAt ? decided.by(callOf(found), 'success') : decided.through(callOf(found), at);
      decided.take(commands.filter((other) => other.at === at).length === 1 ? own : [], at, [outcome]);
    }
  }
}

const isInTemporary = ({ state: { cwd } }: Call): boolean => cwd.kind === 'known' && isTemporaryPath(cwd.path);

function optionsOf(opened: Opened, call: Call): readonly string[] {
  opened.options ??= heldOptions(opened.language, opened.source, call);
  return opened.options;
}

function callOf({ position, argumentsAt }: Found): PlacedCall | null {
  return argumentsAt === null ? null : { position, argumentsAt };
}

type Literal = string | readonly string[];

/** @param calls the command in each directory in which it may come */
function runLiterals(
  found: Found,
  command: Literal,
  calls: readonly Call[],
  { decided, listings }: Opened,
  shell: Shell,
): void {
  const placed = callOf(found);
  const variable = placed === null || calls.length !== 1 ? null : listings.variableOf(placed);
  const ifSilent = variable !== null ? [] : decided.by(placed, 'silence');
  const run = (call: Call) =>
    variable !== null
      ? keepPrinted(command, call, shell, (printed) => listings.keep(variable, printed))
      : ifSilent.length > 0
        ? askLiteral(command, call, shell)
        : runLiteral(command, call, shell);
  decided.take(ifSilent.length > 0 ? ifSilent : decided.by(placed, 'success'), found.position, calls.map(run));
}

function runLiteral(command: Literal, call: Call, shell: Shell): Outcome {
  return typeof command === 'string'
    ? shell.runProcess(call, command, inShell)
    : parted(shell.run({ ...call, argv: command.map(knownWord), lookup: 'programs' }), call.frame.success);
}

/** Runs it where the program asks whether it prints something: succeeds if it prints nothing. */
function askLiteral(command: Literal, call: Call, shell: Shell): Outcome {
  return shell.runProcess(call, `[ -z "$(${scriptOf(command)}\n)" ]`, inShell);
}

/** Runs it where the program goes through what it prints. */
function keepPrinted(command: Literal, call: Call, shell: Shell, keep: (printed: Word) => void): Outcome {
  const [outcome, printed] = printing(`$(${scriptOf(command)}\n)`, call, shell);
  if (printed !== null) {
    keep(printed);
  }
  return parted(outcome, call.frame.success);
}

/** Runs a substitution as a shell would: what comes of it, and what it puts in. */
function printing(substitution: string, call: Call, shell: Shell): readonly [Outcome, Word | null] {
  const text = `printed=${substitution}`;
  const { state, frame } = startedShell(call, text, inShell);
  const outcome = shell.runText(text, state, frame);
  const variable = (outcome.success ?? outcome.failure)?.variables.get('printed');
  return [outcome, variable?.kind === 'scalar' ? variable.value : null];
}

/** The directory that git tells a program; null where that is not known. */
function toldDirectory(substitution: string, call: Call, shell: Shell): string | null {
  const [, printed] = printing(substitution, call, shell);
  return printed?.kind === 'known' ? printed.value : null;
}

const scriptOf = (command: Literal): string => (typeof command === 'string' ? command : quoteCommand(command));

/** Is what the program puts into its commands surely none itself? */
function insertsData(commands: readonly PlacedCommand[], opened: Opened): boolean {
  if (commands.every(({ command }) => 'words' in command || isLiteral(command))) {
    return true;
  }
  const { language, source, functions } = opened;
  opened.insertsCommands ??= holdsCommands(source) && mayInsertCommands(language, source, functions, scriptsOf(opened));
  return !opened.insertsCommands;
}

/** What the program gives to a shell, as far as it can be read. */
function scriptsOf(opened: Opened): readonly OpenText[] {
  return opened.found.flatMap((one) => {
    const open = openCommands(one, false, opened)?.map(({ command }) => command) ?? [];
    const scripts = open.flatMap((command) => ('script' in command ? [command.script] : []));
    return typeof one.command === 'string' ? [[one.command], ...scripts] : scripts;
  });
}

/** What a call starts whose words are not all literal, once for each way in which it may; null where it can't be read. */
function openCommands(found: Found, literalOnly: boolean, opened: Opened): readonly PlacedCommand[] | null {
  const { command, argumentsAt, open, cwd } = found;
  const called = command === null && argumentsAt !== null ? calledCommands(argumentsAt, literalOnly, opened) : null;
  return (
    called ??
    (command === null ? writtenCommands(found, opened) : null) ??
    (open === null ? null : [{ command: open, directory: cwd, at: argumentsAt ?? found.position }])
  );
}

/** What a call of Ruby, Perl or PHP starts. */
function writtenCommands(
  { position, argumentsAt, caller, open, cwd }: Found,
  { written }: Opened,
): readonly PlacedCommand[] | null {
  const commands =
    argumentsAt !== null
      ? written?.commandsAt(argumentsAt, caller)
      : open !== null && 'script' in open
        ? written?.commandsOf(open.script, position)
        : null;
  return commands?.map((one) => ({ ...one, directory: cwd })) ?? null;
}

/** Of a program that was there, what it does under conditions is not what it says in so many words. */
function calledCommands(
  start: number,
  literalOnly: boolean,
  { functions, choices }: Opened,
): readonly PlacedCommand[] | null {
  const read = literalOnly || choices.length === 0 ? [functions] : choices;
  const found = read.map((one) => one.commandsAt(start)).filter((commands) => commands !== null);
  const [first = null, ...others] = found;
  const known = new Set(first?.map((one) => JSON.stringify(one)));
  return first === null ? null : [...first, ...others.flat().filter((one) => !known.has(JSON.stringify(one)))];
}

function inlineCall(
  call: Call,
  language: Language,
  directory: string | null | undefined,
  input: InputStream | null,
): Call {
  const frame = framed(through(call.frame, `${language.name} program`), { input, output: null });
  if (directory === undefined) {
    return { ...call, frame };
  }
  return { ...call, frame, state: stateIn(call.state, directory) };
}

/** Only what could be about git is worth a question: the words may also come from the arguments, the input and variables. */
function mentionsGit(source: string, { argv, state, frame }: Call): boolean {
  const variables = [...state.variables].flatMap(([name, variable]) =>
    variable.kind === 'scalar' && variable.exported && source.includes(name) ? [variable.value] : [],
  );
  const texts = [...argv, ...variables].map((word) => (word.kind === 'known' ? word.value : word.source));
  const input = /stdin|STDIN|<>|\bgets\b|\binput\b|readline|\$_\b|fd\s*0|readFileSync\(0/.test(source)
    ? (frame.input?.rest() ?? '')
    : '';
  return source.includes(openPart) || [source, input, ...texts].some((text) => /git|oxide-guard|\bgh /i.test(text));
}

/** `chdir('x')`, and a helper that has a directory of its own: `partial(run, cwd='x')`. */
const directoryChange =
  /(?:(?<![-\w])chdir\s*\(?|(?<![\w$.-])cd\s*\(|\bpartial\([^()\n]*\bcwd\s*=)\s*(?:(['"])(.*?)\1)?/g;

function lastDirectoryChange(language: Language, source: string, position: number): string | null | undefined {
  const changes = [...source.slice(0, position).matchAll(directoryChange)];
  const code = language.name === 'ruby' && changes.length > 0 ? codeOf(source, false) : '';
  // Only zx has a function `cd`.
  const last = changes.findLast(
    ({ index, 0: change }) =>
      (language.name === 'zx' || !change.startsWith('cd')) &&
      (language.name !== 'ruby' || endOfBlock(source, code, index + change.length) > position),
  );
  if (last === undefined || last[2] !== undefined) {
    return last?.[2];
  }
  const start = last.index + last[0].length;
  const given = source.slice(start, endOfBracket(codeOf(source, language.name === 'python'), start)).trim();
  return ownDirectory.test(given) ? undefined : isAskedTop(given, source) ? topOfWorkTree : null;
}

/** What a call names, from where the program has gone before. */
function directoryFrom(last: string | null | undefined, named: string | null | undefined): string | null | undefined {
  if (named === undefined || last === undefined) {
    return named === undefined ? last : named;
  }
  const isRelative = named !== null && named !== topOfWorkTree && !/^[/~]/.test(named);
  return !isRelative ? named : last === null || last === topOfWorkTree ? null : posix.join(last, named);
}

/** Where a block of Ruby ends for which a directory is changed: `Dir.chdir('x') { … }`, `do … end`; without one nowhere. */
function endOfBlock(source: string, code: string, from: number): number {
  const [whole = '', opener] = /^[ \t]*\)?[ \t]*(\{|do\b)/.exec(source.slice(from, from + 40)) ?? [];
  if (opener === '{') {
    return endOfBracket(code, from + whole.length);
  }
  const line = source.lastIndexOf('\n', from) + 1;
  const indent = /^[ \t]*/.exec(source.slice(line))?.[0] ?? '';
  const rest = source.slice(from);
  const end = Math.max(rest.search(new RegExp(`\\n${indent}end\\b`)), /^[^\n]*\bend\b/.exec(rest)?.[0].length ?? -1);
  return opener === undefined || end < 0 ? source.length : from + end;
}

function findCalls(language: Language, source: string, texts: readonly boolean[] | null): Found[] {
  const matches = Array.from(source.matchAll(language.calls));
  // zx's `$(…)` is no call in a string: there a shell reads it.
  const code = matches.some(([call]) => call.startsWith('$')) ? codeOf(source, false) : source;
  const calls = matches.filter(
    ({ index }) => (source[index] !== '$' || code[index] === '$') && texts?.[index] !== true,
  );
  return calls.slice(0, maximumCalls + 1).map((match) => {
    const start = match.index + match[0].length;
    const first = readLiteral(source, start, language.interpolation);
    const command = first === null ? null : literalCommand(source, { language, caller: match[0] }, first);
    return {
      position: match.index,
      argumentsAt: start,
      command,
      caller: match[0],
      open: null,
      cwd: InlineFunctions.reads(language) ? undefined : directoryOption(source.slice(start, start + 2000)),
      insertsWords: false,
    };
  });
}

function directoryOption(rest: string): string | null | undefined {
  const [whole, , path] = /^[^;\n]*?(?<![-\w])(?:cwd|chdir)\s*(?:=>|[=:])\s*(?:(['"])(.*?)\1)?/.exec(rest) ?? [];
  return whole === undefined ? undefined : (path ?? null);
}

function findQuoted(language: Language, source: string, texts: readonly boolean[] | null): Found[] {
  return quotedCommands(language, source, texts).map((one) => ({ ...one, argumentsAt: null, caller: '' }));
}
