import { defaultOptions, type ShellOptions, withOptions, withShopt } from '../builtins/shell-options.ts';
import type { UnknownWord, Word } from '../simple-command.ts';

/** What a shell is started with, as far as its options tell. */
export interface ShellArguments {
  /** Words after the options. */
  readonly operands: readonly Word[];
  /** `-c`: the first operand is the script. */
  readonly command: boolean;
  /** `-s` */
  readonly fromInput: boolean;
  /** `-n`: the shell reads and runs nothing. */
  readonly readOnly: boolean;
  readonly interactive: boolean;
  readonly login: boolean;
  readonly options: ShellOptions;
  /** `--rcfile` */
  readonly startup: Word | null;
  /** An option that can't be read. */
  readonly open: UnknownWord | null;
}

const valuedOptions = new Set(['--rcfile', '--init-file']);

/** A shell's own options: bundled (`-euxc`), with values (`-o pipefail`), long ones, up to `--` or the first operand. */
export function readShellArguments(args: readonly Word[]): ShellArguments {
  let letters = '';
  let options = defaultOptions;
  let startup: Word | null = null;
  let open: UnknownWord | null = null;
  let index = 0;
  for (; index < args.length; index += 1) {
    const word = args[index];
    if (word?.kind === 'unknown') {
      open = letters.includes('c') ? null : openOption(word);
      break;
    }
    const text = word?.value ?? '';
    if (text === '--' || text === '-') {
      index += 1;
      break;
    }
    if (!/^[-+]./.test(text)) {
      break;
    }
    if (valuedOptions.has(text)) {
      startup = args[index + 1] ?? null;
      index += 1;
    } else {
      const isNaming = /^[-+](?!-).*[oO]$/.test(text);
      letters += lettersOf(text);
      options = withOption(options, text, isNaming ? args[index + 1] : undefined);
      index += isNaming ? 1 : 0;
    }
  }
  return {
    operands: args.slice(index),
    command: letters.includes('c'),
    fromInput: letters.includes('s'),
    readOnly: letters.includes('n'),
    interactive: letters.includes('i'),
    login: letters.includes('l'),
    options: letters.includes('i') ? { ...options, expandAliases: true } : options,
    startup,
    open,
  };
}

/** The options that a word turns on, by their letters. */
function lettersOf(text: string): string {
  if (text.startsWith('--')) {
    return text === '--login' ? 'l' : '';
  }
  return text.startsWith('-') ? text : '';
}

/** @param next the word that says which one `-o` or `-O` means */
function withOption(options: ShellOptions, text: string, next: Word | undefined): ShellOptions {
  const named = next?.kind === 'known' ? next.value : null;
  if (text === '--posix') {
    return { ...options, expandAliases: true };
  }
  if (/^[-+]O$/.test(text)) {
    return withShopt(options, [named ?? ''], text === '-O');
  }
  return text.startsWith('--') ? options : withOptions(options, text, named);
}

/** A word that may be an option is none where its start says so; of a listing, each name has that start. */
function openOption(word: UnknownWord): UnknownWord | null {
  return (word.mayExpandToSeveral && word.fits === undefined) || word.prefix === '' || word.prefix.startsWith('-')
    ? word
    : null;
}
