import { perhaps } from '../builtins/presumed-directory.ts';
import { taking } from '../path.ts';
import { resolvePath } from '../path-resolution.ts';
import { changed, type ShellState, withPath } from '../shell-state.ts';
import { knownWord } from '../simple-command.ts';
import type { SourceArgument } from './source/argument.ts';
import { argumentsAt, endOfExpression, readArgument } from './source/arguments.ts';
import { endOfBracket } from './source/brackets.ts';
import type { SourceCode } from './source/code.ts';
import { mayBeReplaced, mayBeReplacedIn } from './source/replaced-directory.ts';

/** `cwd: …`, `cwd=…` */
const named = /(?<![\w$.-])cwd\s*(?::|=(?!=))/;
/** `'cwd': …` */
const quoted = /["']cwd["']\s*:/;
/** `{ cwd }` */
const short = /(?=c)(?<=[{,]\s*)cwd(?=\s*[,}])/;
/** `...base`, `**options`, `Object.assign({}, base)` */
const spread = /(?:\.\.\.|\*\*)\s*([\w$]+)|\bObject\s*\.\s*assign\s*\(\s*\{\s*\}\s*,\s*([\w$]+)/g;
const mention = /(?<![\w$])cwd(?![\w$]|\s*\()/;
const itself = String.raw`process\s*\.\s*cwd\(\)|os\s*\.\s*getcwd\(\)|(?:str\(\s*)?(?:pathlib\s*\.\s*)?Path\s*\.\s*cwd\(\)\)?`;
/** The directory in which the program runs itself. */
export const ownDirectory = new RegExp(`^(?:${itself})$`);
/** The same, or none. */
const own = new RegExp(`^(?:None|undefined|null|${itself})$`);
const unknown: SourceArgument = { kind: 'other', written: '{...}' };

/**
 * The directory that the call's options name, as they give it (`cwd`), or the options themselves, where a parameter or a
 * variable holds them; null where they name none.
 *
 * @param start where the arguments of the call begin
 */
export function directoryArgument(program: SourceCode, start: number): SourceArgument | null {
  const found = directoryIn(program, start, endOfBracket(program.code, start), true);
  return found?.kind === 'name' && holdsOwnDirectory(found.name, program.source) ? null : found;
}

/** Is the variable given the directory in which the program runs itself: `const cwd = process.cwd()`? */
export function holdsOwnDirectory(name: string, source: string): boolean {
  const given = new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}\\s*=(?![=>])\\s*([^;\\n]*)`, 'g');
  const values = Array.from(source.matchAll(given), ([, value = '']) => value.trim());
  return values.length === 1 && own.test(values[0] ?? '');
}

function directoryIn(program: SourceCode, start: number, end: number, isCall: boolean): SourceArgument | null {
  const { source, code, interpolation } = program;
  const written = source.slice(start, end);
  const readable = code.slice(start, end);
  const at = named.exec(readable) ?? quoted.exec(written);
  if (/cwd/.test(written) && mayBeReplaced(program, start, end)) {
    return unknown;
  }
  if (at !== null) {
    const from = start + at.index + at[0].length;
    const value = readArgument(source.slice(from, Math.min(endOfExpression(code, from), end)), interpolation);
    return value.kind === 'name' ? { ...value, isOption: true } : value;
  }
  if (short.test(readable)) {
    return { kind: 'name', name: 'cwd', isSpread: false, isOption: true };
  }
  const elsewhere = source.slice(0, start) + source.slice(end);
  const holders = mention.test(elsewhere) ? holdersIn(program, start, readable, isCall) : [];
  const [only, ...others] = holders;
  return only === undefined ? null : others.length > 0 ? unknown : directoryHeld(program, only);
}

/** The names of what may hold a call's options. */
function holdersIn(program: SourceCode, start: number, readable: string, isCall: boolean): readonly string[] {
  const spreads = Array.from(readable.matchAll(spread), ([, one, other]) => one ?? other ?? '');
  const args = isCall && spreads.length === 0 ? argumentsAt(program.source, program.code, start, /(?!)/) : null;
  const last = args?.at(-1);
  const takesScript = /\b(?:exec|execSync)\s*\(\s*$/.test(program.source.slice(Math.max(0, start - 40), start));
  const isOption =
    last?.kind === 'name' && !last.isSpread && (args?.length ?? 0) > (takesScript || /opt/i.test(last.name) ? 1 : 2);
  return isOption ? [last.name] : spreads;
}

/** What an object says of the directory that a variable is given once; the variable itself where it is a parameter. */
function directoryHeld(program: SourceCode, name: string): SourceArgument | null {
  const escaped = name.replaceAll('$', '\\$');
  const definitions = [...program.code.matchAll(new RegExp(`(?<![\\w$.])${escaped}\\s*=(?![=>])\\s*`, 'g'))];
  const later = [
    ...program.source.matchAll(
      new RegExp(`(?<![\\w$.])${escaped}\\s*(?:\\.\\s*cwd|\\[\\s*["']cwd["']\\s*\\])\\s*=(?!=)\\s*`, 'g'),
    ),
  ];
  const [only, ...others] = definitions;
  const [change, ...changes] = later;
  if (only === undefined) {
    return { kind: 'name', name, isSpread: false, isOption: true };
  }
  if (others.length > 0 || changes.length > 0) {
    return unknown;
  }
  if (change !== undefined) {
    const from = change.index + change[0].length;
    const text = /^[^;\n]*/.exec(program.source.slice(from))?.[0] ?? '';
    return readArgument(text.slice(0, endOfExpression(program.code.slice(from), 0)), program.interpolation);
  }
  const from = only.index + only[0].length;
  const object = /^(?:\{|dict\s*\()/.exec(program.code.slice(from))?.[0].length;
  const end = endOfBracket(program.code, from + (object ?? 0)) + 1;
  return object === undefined || mayBeReplacedIn(name, program, from + object - 1, end)
    ? unknown
    : directoryIn(program, from + object - 1, end, false);
}

/**
 * The directory that an argument stands for which {@link directoryArgument} found.
 *
 * @returns null where it is not known; undefined for the program's own
 */
export function directoryOf(argument: SourceArgument | null | undefined): string | null | undefined {
  switch (argument?.kind) {
    case undefined:
      return;
    case 'text':
      return argument.text.every((part) => typeof part === 'string') ? argument.text.join('') : null;
    case 'other':
      return directoryWritten(argument.written);
    default:
      return null;
  }
}

function directoryWritten(written: string): string | null | undefined {
  const text = written.trim();
  if (text === '' || own.test(text)) {
    return;
  }
  if (!/^[{(]/.test(text)) {
    return null;
  }
  const [, , literal] = /\bcwd["']?\s*[:=]\s*(?:(["'`])([^"'`$]*)\1)?/.exec(text) ?? [];
  const isNamed = mention.test(text) || /\.\.\./.test(text);
  return literal ?? (isNamed ? null : undefined);
}

/** Where the program itself lies, or where it was started. */
const home = /\b__(?:file|FILE|dir|DIR)__\b|\b__dirname\b|\bFindBin\b|\bimport\.meta\b|\bgetcwd\(|\bcwd\(\)/;
/** `tempfile`, `mkdtemp`, `os.tmpdir()`, `$TEMP`; a template or an attempt is none. */
const temporary = /tmp|(?<!at)temp(?!lat|erat)/i;

/** The state where a program works that finds the place of its project by its own; null where nothing says so. */
export function stateAtHome(source: string, state: ShellState): ShellState | null {
  const presumed = state.cwd.kind === 'unknown' ? state.cwd.presumed : undefined;
  return presumed === undefined || !home.test(source) || temporary.test(source)
    ? null
    : withPath(
        changed(state, { cwd: { kind: 'known', path: presumed.path } }),
        taking(state.path, presumed.fork, true),
      );
}

/** The state in a directory that a program names, or in one that is not known. */
export function stateIn(state: ShellState, directory: string | null): ShellState {
  const path = directory === null ? null : resolvePath(knownWord(directory), state.cwd);
  const cwd =
    path === null ? perhaps('the program chooses its directory', state.cwd) : ({ kind: 'known', path } as const);
  return changed(state, { cwd });
}
