import { listedWords } from '../../listed-words.ts';

/** One option of a git command, as git's parse-options knows it. */
export interface Option {
  /** The long name without `no-`, or the letter where there is no long name: what the rest of the code calls it. */
  readonly name: string;
  readonly letter: string | null;
  /** The long name as declared: `no-verify`, `force`; null for a lone letter. */
  readonly long: string | null;
  readonly value: 'none' | 'required' | 'optional';
  /** Not in git 2.39, but in newer or older ones: a prefix that only it makes ambiguous still counts as unique. */
  readonly recent: boolean;
}

export interface OptionTable {
  readonly options: readonly Option[];
  /** Options end at the first argument that is none (`git submodule foreach`). */
  readonly stopsAtArgument: boolean;
}

/**
 * Reads a table of options from its short form, one token an option, separated by white space:
 * `f|force` letter and long name, `C` a letter alone, `repo=` with a value, `signed=?` with an optional attached value,
 * `branches+` not in git 2.39, `n|no-verify` declared in the negative.
 */
export function optionTable(tokens: string, settings: { stopsAtArgument?: boolean } = {}): OptionTable {
  let options: readonly Option[] | undefined;
  return {
    // Read at its first use: of all tables, one command line needs one or two.
    get options() {
      options ??= listedWords(tokens).map(option);
      return options;
    },
    stopsAtArgument: settings.stopsAtArgument ?? false,
  };
}

function option(token: string): Option {
  const recent = token.endsWith('+');
  const declared = recent ? token.slice(0, -1) : token;
  const value = declared.endsWith('=?') ? 'optional' : declared.endsWith('=') ? 'required' : 'none';
  const names = declared.slice(0, declared.length - marks[value].length);
  const [letter, long] = names[1] === '|' ? [names.slice(0, 1), names.slice(2)] : [null, names];
  const lone = letter === null && names.length === 1;
  return {
    name: long.startsWith('no-') ? long.slice('no-'.length) : long,
    letter: lone ? names : letter,
    long: lone ? null : long,
    value,
    recent,
  };
}

const marks = { none: '', required: '=', optional: '=?' } as const;
