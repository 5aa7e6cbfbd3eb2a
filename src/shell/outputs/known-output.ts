import { listedWords } from '../../listed-words.ts';
import type { Call, Shell } from '../call.ts';
import { resolvePath } from '../path-resolution.ts';
import { beginningOf, knownWord, type Word } from '../simple-command.ts';
import { parsedJson, valueAt } from '../tasks/json-values.ts';
import { joinPieces, type Piece, valuePieces } from '../words/field.ts';
import { unknownWord } from '../words/parameter.ts';
import { decodeEscapes, formatPrintf } from '../words/printf.ts';
import { ofBegunLines } from './begun-lines.ts';
import { completedNames } from './completions.ts';
import { printsSettings } from './environment-printers.ts';
import { awkFields, cutParts } from './field-filters.ts';
import { listMatches } from './grep-listing.ts';
import { listedAddresses } from './hosting-output.ts';
import { amongAfter, listingAfter, namesAfter } from './line-filters.ts';
import { listNames } from './listings.ts';
import { makeTemporary } from './make-temporary.ts';
import { openPrinters } from './open-output.ts';
import { plainOutput } from './plain-outputs.ts';
import { edited, readSed } from './sed.ts';
import { printsNothing } from './silent-git.ts';
import { grepped, greppedFiles } from './text-filters.ts';

/** What a program prints: a text, what is known of one, or null. */
type OutputReader = (args: readonly string[], call: Call, shell: Shell) => string | Word | null;

/** Programs that say nothing, unless they are told to or fail, and the options that tell them to. */
const silent: ReadonlySet<string> = new Set(listedWords('chmod chown cp kill ln mkdir mv rm rmdir sleep touch'));
const telling = /^-\w*[cilv]|^--\w/;

function saysNothing(program: string, [, ...words]: readonly Word[]): boolean {
  return silent.has(program) && !words.some((word) => telling.test(beginningOf(word)));
}

/** What programs print whose output follows from their words and their input alone. */
const outputs: ReadonlyMap<string, OutputReader> = new Map<string, OutputReader>([
  ['echo', echo],
  ['printf', formatPrintf],
  ['cat', cat],
  ['pwd', (_, call) => (call.state.cwd.kind === 'known' ? `${call.state.cwd.path}\n` : null)],
  ['true', () => ''],
  ['false', () => ''],
  [':', () => ''],
  [
    'basename',
    (args) => (args.length === 0 || args[0]?.startsWith('-') ? null : `${baseName(args[0] ?? '', args[1] ?? '')}\n`),
  ],
  ['dirname', (args) => (args.length !== 1 || args[0]?.startsWith('-') ? null : `${directoryName(args[0] ?? '')}\n`)],
  [
    'realpath',
    (args, call, shell) => realPath(args, /^(?:-[ems]+|--(?:canonicalize-\w+|no-symlinks|strip))$/, call, shell),
  ],
  [
    'readlink',
    (args, call, shell) =>
      /^(?:-[efm]+|--canonicalize)/.test(args[0] ?? '') ? realPath(args, /^-/, call, shell) : null,
  ],
  ['base64', base64],
  [
    'rev',
    (args, call) =>
      args.length > 0 ? null : mapLines(call.frame.input?.rest(), (line) => Array.from(line).reverse().join('')),
  ],
  ['tac', (args, call) => (args.length > 0 ? null : (lines(call.frame.input?.rest())?.reverse().join('') ?? null))],
  ['seq', seq],
  ['tr', tr],
  ['wc', count],
  ['mktemp', makeTemporary],
  ['ls', listNames],
  ['compgen', completedNames],
  ['tee', (_, call) => call.frame.input?.word() ?? null],
  [
    'head',
    (args, call, shell) =>
      headOrTail(args, call, shell, (all, count, sign) => all.slice(0, sign === '-' ? -count : count)),
  ],
  [
    'tail',
    (args, call, shell) =>
      headOrTail(args, call, shell, (all, count, sign) => all.slice(sign === '+' ? count - 1 : -count)),
  ],
  ['grep', (args, call, shell) => grep(args, false, call, shell)],
  ['egrep', (args, call, shell) => grep(args, true, call, shell)],
  ...['rg', 'ag', 'ack'].map((name): [string, OutputReader] => [name, searched]),
  ['sed', sed],
  ['cut', (args, call) => filtered(args, call, cutParts)],
  ['awk', (args, call) => filtered(args, call, awkFields)],
  ['jq', jsonValue],
  ['gh', (args, call) => listedAddresses(args, call.source)],
]);

/** Programs that tell where others lie, by the words after which the name comes: `which NAME`, `mise which NAME`. */
const locators: ReadonlyMap<string, RegExp | null> = new Map([
  ['which', null],
  ['command', null],
  ...['mise', 'asdf', 'rtx', 'pyenv', 'rbenv', 'nodenv', 'goenv', 'volta', 'rustup'].map((name): [string, RegExp] => [
    name,
    /^which$/,
  ]),
  ['xcrun', /^(?:-f|--?find)$/],
]);

function printsProgramPath(program: string, [, ...words]: readonly Word[]): boolean {
  const before = locators.get(program);
  const last = words.at(-2);
  return before === null || (before !== undefined && last?.kind === 'known' && before.test(last.value));
}

/** The output of an ordinary program, where it is known; else what is known of it. */
export function knownOutput(program: string, call: Call, shell: Shell): Word {
  if ((program === 'git' && printsNothing(call.argv)) || saysNothing(program, call.argv)) {
    return knownWord('');
  }
  const unknown = {
    ...unknownWord(call.source, `the output of ${program} is not known`),
    ...plainOutput(program, call.argv, call.frame.input?.known() ?? null),
  };
  if (printsProgramPath(program, call.argv)) {
    const target = call.argv.at(-1);
    return target?.kind === 'known' && !target.value.includes('/')
      ? { ...unknown, suffix: `/${target.value}\n`, whenNothing: '' }
      : unknown;
  }
  if (program === 'cygpath') {
    const target = call.argv.at(-1);
    const end = /[^/\\]*$/.exec((target?.kind === 'known' ? target.value : target?.suffix) ?? '')?.[0] ?? '';
    return { ...unknown, suffix: `${end}\n` };
  }
  const read = outputs.get(program);
  const input = call.frame.input?.known() ?? null;
  const args: string[] = [];
  for (const word of call.argv.slice(1)) {
    if (word.kind === 'unknown') {
      return openPrinters.get(program)?.(call) ?? unknown;
    }
    args.push(word.value);
  }
  const output = printsSettings(program, args)
    ? ''
    : (ofBegunLines(program, args, input) ?? read?.(args, call, shell) ?? null);
  if (typeof output === 'string') {
    return knownWord(output);
  }
  if (output !== null) {
    return output;
  }
  const names = namesAfter(program, args, input);
  const among = amongAfter(program, args, call.frame.input?.rest() ?? null, input);
  const chosen = { ...unknown, ...listingAfter(program, args, input), ...among };
  return names === undefined ? chosen : { ...chosen, names };
}

function filtered(args: readonly string[], { frame }: Call, filter: typeof cutParts): string | null {
  const text = frame.input?.rest() ?? null;
  return text === null ? null : filter(args, text);
}

function echo(args: readonly string[], { state }: Call): string {
  let start = 0;
  let newline = true;
  let escapes = state.options.xpgEcho;
  for (; start < args.length && /^-[neE]+$/.test(args[start] ?? ''); start += 1) {
    const option = args[start] ?? '';
    newline &&= !option.includes('n');
    escapes = option.lastIndexOf('e') > option.lastIndexOf('E') || (escapes && !option.includes('E'));
  }
  const text = args.slice(start).join(' ');
  return (escapes ? decodeEscapes(text, 'echo') : text) + (newline ? '\n' : '');
}

function cat(args: readonly string[], call: Call, shell: Shell): string | Word | null {
  const names = args.filter((arg) => !/^-[uAbeEnstTv]+$/.test(arg) && arg !== '--');
  if (args.some((arg) => /^-[AbeEnstTv]+$/.test(arg))) {
    return null;
  }
  const pieces: Piece[] = [];
  for (const name of names.length === 0 ? ['-'] : names) {
    const part = name === '-' ? inputOf(call) : printedFile(name, call, shell);
    if (part === null) {
      return null;
    }
    pieces.push(...valuePieces(part, true));
  }
  return joinPieces(pieces, call.source);
}

/** All that is left to read; nothing is left afterwards. */
function inputOf({ frame: { input } }: Call): Word | null {
  const word = input?.word() ?? null;
  input?.drain();
  return word;
}

function printedFile(name: string, { state }: Call, { overlay }: Shell): Word | null {
  const path = resolvePath(knownWord(name), state.cwd);
  if (path === null) {
    return null;
  }
  const text = overlay.printed(path);
  return text === null ? overlay.word(path) : knownWord(text);
}

function grep(args: readonly string[], extended: boolean, call: Call, shell: Shell): string | Word | null {
  const listed = listMatches(args, call, shell);
  if (listed !== null) {
    return listed;
  }
  const [file, ...others] = greppedFiles(args);
  const text = others.length > 0 ? null : textOf(file, call, shell);
  if (text !== null) {
    return grepped(args, text, extended);
  }
  const open = file === undefined ? call.frame.input?.known() : undefined;
  const begun = open?.prefix.slice(0, open.prefix.lastIndexOf('\n') + 1) ?? '';
  const found = begun === '' ? null : grepped(args, begun, extended);
  return found === null ? null : { ...unknownWord(call.source, 'the output of grep is not known'), prefix: found };
}

/** `rg -l PATTERN DIRECTORY`: below a directory that is named, hidden or not, as grep lists the files. */
function searched(args: readonly string[], call: Call, shell: Shell): string | Word | null {
  const lists = args.some((arg) => /^(?:-[a-zA-Z]*l|--files-with-matches$)/.test(arg));
  const plain = args.filter((arg) => !/^(?:-l|--files-with-matches|--hidden|--no-ignore|-u+|-\.)$/.test(arg));
  const isHidden = args.some((arg) => /^(?:--hidden|-uu+|-\.)$/.test(arg));
  // What is hidden below is left out.
  const shown = isHidden ? [] : ['--exclude-dir=.?*', '--exclude=.*'];
  return lists ? listMatches(['-r', '-l', ...shown, ...plain], call, shell) : null;
}

function sed(args: readonly string[], call: Call, shell: Shell): string | null {
  const read = readSed(args);
  const [file, ...others] = read?.files ?? [];
  const text = read === null || read.inPlace || others.length > 0 ? null : textOf(file, call, shell);
  return read === null || text === null ? null : edited(read, text);
}

/** `jq -r .name FILE` */
function jsonValue(args: readonly string[], call: Call, shell: Shell): string | null {
  const [, path, file] = /^-r (\.[\w.-]+)(?: (\S+))?$/.exec(args.join(' ')) ?? [];
  const text = path === undefined ? null : textOf(file, call, shell);
  const value = text === null ? undefined : valueAt(parsedJson(text), ...(path ?? '').slice(1).split('.'));
  return typeof value === 'string' || typeof value === 'number' ? `${value}\n` : null;
}

/** What a file holds, or without one the input. */
function textOf(file: string | undefined, { frame, state }: Call, shell: Shell): string | null {
  const path = file === undefined || file === '-' ? null : resolvePath(knownWord(file), state.cwd);
  return path === null ? (frame.input?.rest() ?? null) : shell.overlay.printed(path);
}

function baseName(path: string, suffix: string): string {
  const name = path.replace(/\/+$/, '').replace(/^.*\//, '') || (path.startsWith('/') ? '/' : '');
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

function directoryName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  const slash = trimmed.lastIndexOf('/');
  if (slash === -1) {
    return path.startsWith('/') ? '/' : '.';
  }
  return trimmed.slice(0, slash).replace(/\/+$/, '') || '/';
}

/** `realpath FILE`, `readlink -f FILE` */
function realPath(args: readonly string[], options: RegExp, { state }: Call, { files }: Shell): string | null {
  const [file, ...others] = args.filter((arg) => !options.test(arg));
  const path = file === undefined || others.length > 0 ? null : resolvePath(knownWord(file), state.cwd);
  return path === null ? null : `${files.realPath(path)}\n`;
}

function base64(args: readonly string[], call: Call): string | null {
  const input = call.frame.input?.rest() ?? null;
  if (input === null || args.length !== 1 || !['-d', '-D', '--decode'].includes(args[0] ?? '')) {
    return null;
  }
  return Buffer.from(input, 'base64').toString('utf8');
}

function seq(args: readonly string[]): string | null {
  const numbers = args.map(Number);
  if (numbers.length === 0 || numbers.length > 3 || !numbers.every(Number.isInteger)) {
    return null;
  }
  const [first = 1, step = 1] = numbers.length === 3 ? numbers : numbers.length === 2 ? [numbers[0], 1] : [1, 1];
  const last = numbers.at(-1) ?? 0;
  const count = step === 0 ? 0 : Math.max(0, Math.floor((last - first) / step) + 1);
  return count > 10_000 ? null : Array.from({ length: count }, (_, index) => `${first + index * step}\n`).join('');
}

/** wc(1) of its input, which names no file. */
function count(args: readonly string[], call: Call): string | null {
  const text = call.frame.input?.rest() ?? null;
  const option = args.length === 1 ? args[0] : null;
  if (text === null) {
    return null;
  }
  switch (option) {
    case '-l':
    case '--lines':
      return `${text.split('\n').length - 1}\n`;
    case '-w':
      return `${text.split(/\s+/).filter((word) => word !== '').length}\n`;
    case '-c':
      return `${Buffer.byteLength(text)}\n`;
    default:
      return null;
  }
}

function tr(args: readonly string[], call: Call): string | null {
  const input = call.frame.input?.rest() ?? null;
  if (input === null) {
    return null;
  }
  if (args[0] === '-d' && args.length === 2) {
    const removed = new Set(characterSet(args[1] ?? ''));
    return Array.from(input, (character) => (removed.has(character) ? '' : character)).join('');
  }
  if (args.length !== 2 || args.some((arg) => arg.startsWith('-') || arg.startsWith('['))) {
    return null;
  }
  const from = characterSet(args[0] ?? '');
  const to = characterSet(args[1] ?? '');
  return Array.from(input, (character) => {
    const position = from.lastIndexOf(character);
    return position === -1 ? character : (to[Math.min(position, to.length - 1)] ?? '');
  }).join('');
}

function characterSet(text: string): string[] {
  const characters = Array.from(decodeEscapes(text, 'format'));
  const result: string[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const from = characters[index] ?? '';
    const to = characters[index + 2];
    if (characters[index + 1] === '-' && to !== undefined) {
      for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code += 1) {
        result.push(String.fromCharCode(code));
      }
      index += 2;
    } else {
      result.push(from);
    }
  }
  return result;
}

function lines(text: string | null | undefined): string[] | null {
  return text?.match(/[^\n]*\n|[^\n]+$/g) ?? (text === '' ? [] : null);
}

function mapLines(text: string | null | undefined, change: (line: string) => string): string | null {
  return (
    lines(text)
      ?.map((line) => `${change(line.replace(/\n$/, ''))}\n`)
      .join('') ?? null
  );
}

/** head(1), tail(1): so many lines; with a sign all but those, of `tail` all from that line on. */
function headOrTail(
  args: readonly string[],
  call: Call,
  shell: Shell,
  take: (all: string[], count: number, sign: string) => string[],
): string | null {
  const match = /^(?:-n ?([+-]?)(\d+)|([+-])(\d+))? ?([^-+\s]\S*)?$/.exec(args.join(' '));
  const [, sign = '', number, dash, digits, file] = match ?? [];
  const all = match === null ? null : lines(textOf(file, call, shell));
  const count = Number(number ?? digits ?? 10);
  return all === null || count === 0 ? null : take(all, count, dash === '+' ? '+' : sign).join('');
}
