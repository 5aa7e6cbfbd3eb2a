import type { Input, Word } from '../../shell/simple-command.ts';
import type { Intent } from '../intent.ts';
import { readAlias } from './alias.ts';
import { extTransports } from './ext-transport.ts';
import { extensionIntents } from './extensions.ts';
import { outputIntents } from './output-files.ts';
import { type Arguments, parseOptions } from './parse-options.ts';
import {
  beforeSeparator,
  type FearedOption,
  type Subcommand,
  type SubcommandCall,
  type SubcommandGroup,
} from './subcommand.ts';
import { isBuiltIn, judgedSubcommands } from './subcommands.ts';
import { isUnknown, known, textOf } from './words.ts';

/** What one call of git comes to once options and aliases are read. */
export type Interpretation =
  | { readonly kind: 'intents'; readonly subcommand: string; readonly intents: readonly Intent[] }
  /** git itself stops with an error, so nothing happens. */
  | { readonly kind: 'refused'; readonly subcommand: string; readonly reason: string }
  /** An alias that git hands to a shell, in the top of the work tree, with the arguments appended. */
  | { readonly kind: 'shell'; readonly alias: string; readonly script: string; readonly args: readonly Word[] }
  | { readonly kind: 'unreadable'; readonly word: Extract<Word, { kind: 'unknown' }> }
  /** A program `git-NAME` on the PATH, or nothing at all. */
  | { readonly kind: 'external'; readonly subcommand: string };

/** More aliases in a row than git's own loop check would ever let through. */
const maxAliases = 20;

/**
 * Reads a subcommand and its arguments.
 *
 * @param words the subcommand and what follows it, global options removed
 * @param aliasValue looks an alias up; asked only for names that are none of git's own
 * @param correct what git takes a misspelled command for; null: it does not
 * @param addOptions takes the global options with which an alias begins
 */
export async function interpret(
  words: readonly Word[],
  input: Input | null,
  aliasValue: (name: string) => Promise<Word | null>,
  correct: (name: string) => Promise<string | null> = async () => null,
  addOptions: (options: readonly Word[]) => void = () => {},
): Promise<Interpretation> {
  const own = interpretOwn(words, input);
  if (own !== null) {
    return own;
  }
  const seen = new Set<string>();
  let [first, ...args] = words;
  for (let depth = 0; depth < maxAliases; depth += 1) {
    if (first === undefined) {
      return { kind: 'intents', subcommand: '', intents: [] };
    }
    if (first.kind === 'unknown') {
      return { kind: 'unreadable', word: first };
    }
    const name = first.value;
    if (isBuiltIn(name)) {
      return readSubcommand(name, args, input);
    }
    const value = seen.has(name) ? null : await aliasValue(name);
    seen.add(name);
    if (value === null) {
      return readForeign(name, args, input, await correct(name));
    }
    if (isUnknown(value)) {
      return { kind: 'unreadable', word: value };
    }
    const alias = readAlias(textOf(value) ?? '');
    if (alias.kind === 'shell') {
      return { kind: 'shell', alias: name, script: alias.script, args };
    }
    if (alias.kind === 'refused') {
      return { kind: 'refused', subcommand: name, reason: alias.reason };
    }
    const { options, rest } = globalOptions(alias.words);
    addOptions(options);
    [first, ...args] = [...rest, ...args];
  }
  return { kind: 'refused', subcommand: textOf(first) ?? '', reason: 'the alias loops' };
}

/** The same for one of git's own subcommands, of which nothing has to be looked up; null for other words. */
export function interpretOwn(words: readonly Word[], input: Input | null): Interpretation | null {
  const [first, ...args] = words;
  return first?.kind === 'known' && isBuiltIn(first.value) ? readSubcommand(first.value, args, input) : null;
}

/** A word that is neither git's own nor an alias: misspelled, an extension, or nothing that is known. */
function readForeign(name: string, args: readonly Word[], input: Input | null, meant: string | null): Interpretation {
  if (meant !== null) {
    return readSubcommand(meant, args, input);
  }
  const intents = extensionIntents(name, args);
  return intents === null ? { kind: 'external', subcommand: name } : { kind: 'intents', subcommand: name, intents };
}

/** An alias may begin with global options that change no environment: `-p`, `-c`. Others make git stop. */
function globalOptions(words: readonly Word[]): { readonly options: readonly Word[]; readonly rest: readonly Word[] } {
  const isValue = (at: number) => /^(?:-c|--config-env)$/.test(textOf(words[at - 1]) ?? '');
  const start = words.findIndex((word, at) => !(textOf(word) ?? '').startsWith('-') && !isValue(at));
  const end = start < 0 ? words.length : start;
  return { options: words.slice(0, end), rest: words.slice(end) };
}

function readSubcommand(name: string, args: readonly Word[], input: Input | null): Interpretation {
  const entry = judgedSubcommands.get(name)?.();
  if (entry === undefined) {
    return { kind: 'intents', subcommand: name, intents: outputIntents(name, args) };
  }
  const asksForHelp = args.length === 1 && ['-h', '--help'].includes(textOf(args[0]) ?? '');
  if (asksForHelp) {
    return { kind: 'intents', subcommand: name, intents: [] };
  }
  return 'members' in entry ? readMember(entry, name, args, input) : read(entry, name, args, input);
}

function readMember(group: SubcommandGroup, name: string, args: readonly Word[], input: Input | null): Interpretation {
  const start = args.findIndex((word) => !(textOf(word) ?? '').startsWith('-'));
  const member = start < 0 ? undefined : args[start];
  if (isUnknown(member) && Object.keys(group.members).length > 0) {
    return { kind: 'unreadable', word: member };
  }
  const memberName = textOf(member) ?? '';
  return Object.hasOwn(group.members, memberName)
    ? read(
        group.members[memberName] as Subcommand,
        `${name} ${memberName}`,
        [...args.slice(0, start), ...args.slice(start + 1)],
        input,
      )
    : read(group.otherwise, name, args, input);
}

function read(subcommand: Subcommand, name: string, words: readonly Word[], input: Input | null): Interpretation {
  const args = parseOptions(subcommand.options, words);
  return 'refused' in args
    ? { kind: 'refused', subcommand: name, reason: args.refused }
    : {
        kind: 'intents',
        subcommand: name,
        intents: [
          ...subcommand.intents(args, { name, words, input }),
          ...fearedOptions(subcommand, args, { name, words, input }),
          ...extTransports(name, words),
          ...outputIntents(name, words),
        ],
      };
}

/** What it would mean if a word that can't be known were an option. */
function fearedOptions(subcommand: Subcommand, args: Arguments, call: SubcommandCall): readonly Intent[] {
  const likely = subcommand.feared?.(args) ?? null;
  return [...(likely === null ? [] : [likely]), ...heldOptions(args)].flatMap(({ word, option }): readonly Intent[] => {
    const words = call.words.map((other) => (other === word ? known(option) : other));
    const feared = parseOptions(subcommand.options, words);
    if ('refused' in feared) {
      return [];
    }
    const { source, reason } = word;
    const meaning = subcommand.intents(feared, { ...call, words });
    return [{ kind: 'unreadable', source, reason, could: `an option of git ${call.name} (${option})`, meaning }];
  });
}

/** Each option that the program holds which puts an operand there. */
function heldOptions(args: Arguments): readonly FearedOption[] {
  return beforeSeparator(args).flatMap((word) =>
    isUnknown(word) && word.options !== undefined ? word.options.map((option) => ({ word, option })) : [],
  );
}
