import { writtenAt } from '../source/arguments.ts';
import { readLiteral } from '../source/literal.ts';
import type { ConditionedProgram, KnownValue } from './known-value.ts';

/** An option or an operand that a program has argparse read. */
interface ParsedArgument {
  /** What it is called in the program's words; an operand's name has no dash. */
  readonly names: readonly string[];
  /** The member that has its value. */
  readonly member: string;
  /** It is there or not: `store_true`. */
  readonly isFlag: boolean;
  /** Any text that is given may be its value. */
  readonly isText: boolean;
}

const reading = /\.\s*parse_args\s*\(/g;
/** Who has the answer, as far as a name tells: the same one is handed to functions. */
const holder = /^(?:args|opts|options|arguments|namespace|ns|parsed|cli_args|parsed_args|ARGS)$/;
/** What gives an argument a value besides the words, reads these in another way, or has members of the same name. */
const otherwise =
  /\bset_defaults\s*\((?!\s*\w+\s*=\s*(?!True|False|None)[A-Za-z_]\w*\s*\))|\b(?:fromfile_prefix_chars|prefix_chars|parse_known_args|parse_intermixed_args|argument_default|dataclass|namedtuple|NamedTuple|BaseModel|attrs?)\b|Namespace\b|\bclass\s+\w+\s*\([^)]*(?:ArgumentParser|Action)\b/;

/** What argparse makes of the words that a program in Python is given. */
export class ParsedOptions {
  readonly #program: ConditionedProgram;
  #arguments: readonly ParsedArgument[] | null = null;

  constructor(program: ConditionedProgram) {
    this.#program = program;
  }

  /**
   * The value of a member of what is read: `args.apply`.
   *
   * @param of whose member it is, as it is written
   * @returns null where it is not known
   */
  valueOf(of: string, member: string): KnownValue | null {
    const { code, given } = this.#program;
    const { words } = given;
    if (words === null || !this.#isOnlyRead(of, member) || !(holder.test(of) || this.#isOnlyHolder(of))) {
      return null;
    }
    this.#arguments ??= !otherwise.test(code) && this.#readsGiven() ? this.#read() : [];
    const named = this.#arguments.filter((one) => one.member === member);
    if (named.length === 0) {
      return null;
    }
    if (named.every(({ isText }) => isText)) {
      return { kind: 'given' };
    }
    const names = named.flatMap((one) => one.names);
    const isFlag = named.every((one) => one.isFlag && one.names.every((name) => name.startsWith('-')));
    if (!isFlag || names.some((name) => this.#isOtherText(name))) {
      return null;
    }
    const isGiven = words.some((word) => names.includes(word)) && !words.includes('--');
    return isGiven
      ? { kind: 'one', value: true }
      : words.some((word) => names.some((name) => mayBe(word, name)))
        ? null
        : { kind: 'one', value: false };
  }

  /** Is the variable given the answer itself, and bound by nothing else: a loop, a function's parameter, an import? */
  #isOnlyHolder(of: string): boolean {
    const { code } = this.#program;
    const given = new RegExp(`(?:^|\\n)[ \\t]*${of}[ \\t]*(?::[^=\\n]+)?=[^=\\n]*\\bparse_args\\s*\\(`);
    const bound = new RegExp(
      `\\b(?:for|as|import|global|nonlocal|del|lambda|case)\\b[^\\n:=]*(?<![\\w.])${of}(?!\\w)|\\bdef\\s+\\w+\\s*\\([^)]*(?<![\\w.])${of}(?!\\w)|\\b(?:def|class)\\s+${of}(?!\\w)|(?<![\\w.])${of}\\s*(?::=|,[^\\n=()]*=(?!=)|[-+*/|&%]=)`,
    );
    return /^[A-Za-z_]\w*$/.test(of) && given.test(code) && !bound.test(code);
  }

  /** Has the variable what argparse has read wherever it is given a value, and the member what was read? */
  #isOnlyRead(of: string, member: string): boolean {
    const { code } = this.#program;
    const isSet = new RegExp(`\\.\\s*${member}\\s*[-+*/|&]?=(?!=)`).test(code);
    const values = Array.from(
      code.matchAll(new RegExp(`(?<![\\w.])${of}\\s*(?::[^=\\n]+)?=(?!=)([^\\n]*)`, 'g')),
      ([, value = '']) => value,
    );
    return !isSet && values.every((value) => /\bparse_args\s*\(/.test(value) || this.#isReader(value));
  }

  /** `args = parse()`, where that function gives back what is read. */
  #isReader(value: string): boolean {
    const [, name] = /^\s*(\w+)\(/.exec(value) ?? [];
    return (
      name !== undefined &&
      new RegExp(`\\bdef\\s+${name}\\b(?:(?!\\n\\S)[\\s\\S])*\\n\\s+return\\s+[\\w.()]*\\.parse_args\\(`).test(
        this.#program.code,
      )
    );
  }

  /** Does the program have the option as a text, besides where it names it, that it could give itself? */
  #isOtherText(name: string): boolean {
    const texts = this.#program.source.match(new RegExp(`["']${name}["']`, 'g'))?.length ?? 0;
    const named = this.#arguments?.filter(({ names }) => names.includes(name)).length ?? 0;
    return texts > named;
  }

  /** Does argparse read the words that the program is given, not others? */
  #readsGiven(): boolean {
    const { source, code } = this.#program;
    const [call, ...others] = code.matchAll(reading);
    const start = call === undefined ? 0 : call.index + call[0].length;
    const [words = '', ...more] = writtenAt(source, code, start) ?? ['?'];
    const name = /^\s*([A-Za-z_]\w*)\s*$/.exec(words)?.[1];
    const isOne = call !== undefined && others.length === 0 && more.length === 0;
    return isOne && (name === undefined ? this.#areGiven(words) : this.#isHandedGiven(name));
  }

  /** What stands for `sys.argv[1:]` may be the words themselves. */
  #areGiven(words: string): boolean {
    const list = /^\s*\[/.test(words) ? readLiteral(words.trim(), 0, /(?!)/) : null;
    return (
      /^\s*(?:None|sys\s*\.\s*argv\s*\[\s*1\s*:\s*\])?\s*$/.test(words) ||
      (list?.kind === 'list' && JSON.stringify(list.values) === JSON.stringify(this.#program.given.given))
    );
  }

  /** `def main(argv=None)`, which is called with the words that are given, or none. */
  #isHandedGiven(name: string): boolean {
    const { source, code } = this.#program;
    const [taker, ...others] = code.matchAll(
      new RegExp(`\\bdef\\s+(\\w+)\\s*\\(\\s*${name}\\s*(?::[^=,)]*)?(?:=\\s*None\\s*)?\\)`, 'g'),
    );
    const isChanged = new RegExp(`(?<![\\w.])${name}\\s*[-+|]?=(?!=|\\s*None\\s*\\))`).test(code);
    if (taker === undefined || others.length > 0 || isChanged) {
      return false;
    }
    const uses = Array.from(code.matchAll(new RegExp(`(?<!\\bdef\\s)(?<![\\w.])${taker[1]}(?!\\w)\\s*(\\(?)`, 'g')));
    return uses.every(
      ({ 0: use, 1: open, index }) =>
        open === '(' &&
        (writtenAt(source, code, index + use.length) ?? ['?']).every((words, at) => at === 0 && this.#areGiven(words)),
    );
  }

  #read(): readonly ParsedArgument[] {
    const { source, code } = this.#program;
    const parsed = Array.from(code.matchAll(/\.\s*(add_argument|add_subparsers)\s*\(/g), (match) => {
      const written = writtenAt(source, code, match.index + match[0].length) ?? [];
      return match[1] === 'add_subparsers' ? subparsers(written) : argument(written);
    });
    return parsed.filter((one) => one !== null);
  }
}

function argument(written: readonly string[]): ParsedArgument | null {
  const names: string[] = [];
  const options = new Map<string, string>();
  for (const text of written) {
    const [, key, value = ''] = /^\s*(\w+)\s*=(?!=)\s*([\s\S]*)$/.exec(text) ?? [];
    const literal = readLiteral(text.trim(), 0, /(?!)/);
    if (key !== undefined) {
      options.set(key, value.trim());
    } else if (literal?.kind === 'string' && literal.value !== null) {
      names.push(literal.value);
    } else {
      return null;
    }
  }
  const [first = ''] = names;
  const long = names.find((name) => name.startsWith('--')) ?? first;
  const dest = /^["'](\w+)["']$/.exec(options.get('dest') ?? '')?.[1];
  const isPlain = ['default', 'const', 'type', 'nargs', 'action'].every((key) => !options.has(key));
  return {
    names,
    member: dest ?? long.replace(/^-+/, '').replaceAll('-', '_'),
    isFlag: /^["']store_true["']$/.test(options.get('action') ?? '') && !options.has('default'),
    isText: isPlain,
  };
}

function subparsers(written: readonly string[]): ParsedArgument | null {
  const dest = written.flatMap((text) => /^\s*dest\s*=\s*["'](\w+)["']\s*$/.exec(text)?.[1] ?? []);
  const [member] = dest;
  return member === undefined ? null : { names: [], member, isFlag: false, isText: true };
}

/** May a word be the option? Of long ones the beginning suffices; short ones may be put together. */
function mayBe(word: string, name: string): boolean {
  if (name.startsWith('--')) {
    const [option = ''] = word.split('=');
    return option.length > 2 && name.startsWith(option);
  }
  return /^-[^-]/.test(word) && word.includes(name.charAt(1));
}
