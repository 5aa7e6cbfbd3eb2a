import type { Language } from './source/languages.ts';
import { readLiteral, type SourceLiteral } from './source/literal.ts';
import { splitIn } from './source/splits.ts';

/** What ends an argument of a call with brackets, and what may do so of one without (`system "git status" or die`). */
const behindArgument = /^\s*(\)|,|\]|\}|$)/;
const behindWords = /^\s*(\)|,|;|$|\n|\]|or\b|and\b|if\b|\|\|)/;

interface Caller {
  readonly language: Language;
  /** Up to and with the opening parenthesis. */
  readonly caller: string;
}

const isBracketed = ({ caller }: Caller): boolean => /[(:]\s*$/.test(caller);

/**
 * The script or the words that a call is given, where they are all literal and nothing is made of them.
 *
 * @param first the literal that its arguments begin with
 */
export function literalCommand(source: string, call: Caller, first: SourceLiteral): string | readonly string[] | null {
  return first.kind === 'list' ? literalWords(source, call, first) : literalScript(source, call, first);
}

function literalWords(
  source: string,
  call: Caller,
  { values, end }: Extract<SourceLiteral, { kind: 'list' }>,
): readonly string[] | null {
  const known = isText(values, call) ? null : complete(values);
  const behind = source.slice(end, end + 40);
  const isWhole = isBracketed(call)
    ? behindArgument.test(behind)
    : !/^\s*(?:[+*%]|\.\s*(?:concat|append|extend|push|join|filter|slice|flat)\b)/.test(behind);
  if (known === null || !isWhole || call.language.name !== 'perl') {
    return isWhole ? known : null;
  }
  // A list in a list is a part of it: `system(qw(git commit -m), $message)`.
  const comma = /^\s*,/.exec(behind)?.[0].length;
  const more = comma === undefined ? [] : followingWords(source, end + comma, call);
  return more === null ? null : [...known, ...more];
}

/** `("git status")` is no list, but a text between brackets. */
function isText([only, ...others]: readonly (string | null)[], { language }: Caller): boolean {
  return language.name === 'python' && others.length === 0 && /\s/.test(only ?? '');
}

function literalScript(
  source: string,
  call: Caller,
  { value, end }: Extract<SourceLiteral, { kind: 'string' }>,
): string | readonly string[] | null {
  const split = /^\s*\.split\(\s*(?:['"]\s+['"])?\s*\)/.exec(source.slice(end))?.[0].length ?? 0;
  const after = (isBracketed(call) ? behindArgument : behindWords).exec(source.slice(end + split));
  if (value === null || after === null) {
    return null;
  }
  const more = after[1] === ',' ? followingWords(source, end + split + after[0].length, call) : [];
  if (more === null) {
    return null;
  }
  const { caller, language } = call;
  if (/exec[lv]|spawn[lv]|posix_spawn/.test(caller)) {
    return [value, ...more.slice(1)];
  }
  // Perl's `open F, "command |"` marks the pipe in the text itself.
  const command = caller.startsWith('open') ? value.replace(/^\s*\||\|\s*$/g, '') : value;
  const isScript = more.length === 0 || takesMode(caller, more) || (language.name === 'php' && !/^pcntl/.test(caller));
  return isScript ? command : [command, ...more];
}

/** `popen("git log", "r")`: behind a script, how its pipe is opened. */
function takesMode(caller: string, [mode = '', ...others]: readonly string[]): boolean {
  return /\bpopen\s*[( ]$/.test(caller) && others.length === 0 && /^[rwabet+]{1,3}$/.test(mode);
}

/** The words after the program: a list (`spawn('git', ['push'])`) or further strings (`system("git", "push")`). */
function followingWords(source: string, start: number, call: Caller): readonly string[] | null {
  const { language, caller } = call;
  const args = /^\s*(?:\{\s*args\s*:)?\s*/.exec(source.slice(start))?.[0].length ?? 0;
  const next = readLiteral(source, start + args, language.interpolation);
  if (next === null) {
    return mayBeWords(source.slice(start, start + 200), call) ? null : [];
  }
  if (next.kind === 'list') {
    // PHP's `proc_open` takes what its descriptors are.
    return language.name === 'php' && !/^pcntl/.test(caller)
      ? []
      : isBracketed(call) && !behindArgument.test(source.slice(next.end))
        ? null
        : complete(next.values);
  }
  const after = source.slice(next.end, next.end + 100);
  const [, split] = /^\s*(\.\s*split\([^()\n]*\))/.exec(after) ?? [];
  const separator = split === undefined ? null : splitIn(split)?.separator;
  const isChanged = isBracketed(call) ? !behindArgument.test(after) : /^\s*(?:[+%]|\.\s*[\w$"'])/.test(after);
  if (next.value === null || separator === undefined || (split === undefined && isChanged)) {
    return null;
  }
  if (separator !== null) {
    return next.value.split(separator).filter((word) => word !== '');
  }
  const comma = /^\s*,/.exec(source.slice(next.end));
  const more = comma === null ? [] : followingWords(source, next.end + comma[0].length, call);
  return more === null ? null : [next.value, ...more];
}

/** Options of a call in JavaScript, what it calls back, or nothing. */
const noWords =
  /^\s*(?:$|[{),]|async\b|function\b|\w*(?:[oO]pt(?:ion)?s?|env|config)\b\s*[,)]|(?:true|false|null|undefined)\s*[,)]|Object\s*\.\s*assign\b|[\w$]+\s*=>)/;

/** What a call of Ruby takes behind its words: `chdir: "lib"`, `:err => :out`, `**options`, a block. */
const optionOfRuby = /^\s*(?:\w+:(?!:)|\[?:\w+|\*\*|&|\{|\w*(?:[oO]pt(?:ion)?s?|env|config)\b)/;

/** `execFileSync('git', args)`, `system("git", *args)`, and not options: `execSync(command, options)`, `run(x, check=True)`. */
function mayBeWords(rest: string, { caller, language }: Caller): boolean {
  const takesScript =
    /\b(?:exec|execSync|execaCommand(?:Sync)?|shell_exec|passthru|run|call|check_\w+|Popen)\s*\($/.test(caller);
  if (!takesScript && /^(?:node|bun|deno)$/.test(language.name)) {
    return !noWords.test(rest);
  }
  if (/^(?:perl|ruby)$/.test(language.name) && !/open\w*\s*\W*$/.test(caller)) {
    return !/^\s*(?:[)\];}]|$)/.test(rest) && !(language.name === 'ruby' && optionOfRuby.test(rest));
  }
  return (
    /^\s*(?:\.\.\.|[*@]\w)/.test(rest) ||
    (!takesScript &&
      /^\s*(?!\w*(?:[oO]pt(?:ion)?s?|env|config)\b|true|false|null|undefined|function|async)\$?[A-Za-z_][\w.]*\s*[,)([]/.test(
        rest,
      ))
  );
}

function complete(values: readonly (string | null)[]): readonly string[] | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length && known.length > 0 ? known : null;
}
