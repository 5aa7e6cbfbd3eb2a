import type { Call, Shell, ShellProcess } from '../../call.ts';
import { changed, type Outcome, parted } from '../../shell-state.ts';
import { knownWord, openPart, type UnknownWord, type Word } from '../../simple-command.ts';
import { unknownWord } from '../../words/parameter.ts';
import { withReferences } from '../../words/variable-reference.ts';
import type { OpenText } from './argument.ts';

/** A word of a command that an inline program starts; several where a whole list is put in its place. */
export type OpenWord = { readonly text: OpenText } | { readonly several: string };

/** What an inline program starts, as far as it can be read: a script for the shell, or the words of one program. */
export type OpenCommand = { readonly script: OpenText } | { readonly words: readonly OpenWord[] };

/** Does the program say all of it in so many words? */
export function isLiteral(command: OpenCommand): boolean {
  const isWhole = (text: OpenText) => text.every((part) => typeof part === 'string');
  return 'words' in command
    ? command.words.every((word) => 'text' in word && isWhole(word.text))
    : isWhole(command.script);
}

/** Options of a push that overwrite, delete or skip checks whatever else it is given. */
const graveOption = /^(?:-[a-z]*[fd][a-z]*|--(?:force|delete|mirror|no-verify|prune)|[+:].*)$/;

/** `"main"`, `'HEAD:master'`: a branch that most repositories protect. */
const mainBranch = /["'`](?:HEAD:|refs\/heads\/|[+:])*(?:main|master)["'`]/;

/**
 * A push that says by its literal words what it overwrites, or where it goes, or whose options the program puts in
 * (`git push ${force ? '--force' : ''} origin main`), or that goes to a branch which the program puts together, and it
 * names the main branch somewhere (`HEAD:${process.argv[2] || 'main'}`): grave enough for a question, wherever the program
 * lies.
 */
export function isGravePush(command: OpenCommand, source: string): boolean {
  return shapesOf(command).some(([program, verb, ...rest]) => {
    if (program !== 'git' || verb !== 'push') {
      return false;
    }
    const isOpen = (word: string) => word.includes(openPart);
    const [, ...refspecs] = rest.filter((word) => !word.startsWith('-'));
    const operands = rest.filter((word) => !word.startsWith('-') && !isOpen(word));
    const [remote = '', refspec] = operands;
    const isLed = rest.slice(0, rest.indexOf(remote)).some((word) => word === openPart);
    const isSomewhere = refspecs.some(isOpen) && mainBranch.test(source);
    return (
      rest.some((word) => graveOption.test(word)) || refspec !== undefined || isSomewhere || (remote !== '' && isLed)
    );
  });
}

/** The words of each command, as far as blanks alone tell them, with a mark for what is put in. */
export function shapesOf(command: OpenCommand): readonly (readonly string[])[] {
  return 'words' in command
    ? [command.words.map(shapeOf)]
    : shapeOfText(command.script)
        .split(/[;&|\n]+/)
        .map(wordsOf);
}

const wordsOf = (script: string): readonly string[] => script.split(/\s+/).filter((word) => word !== '');

const shapeOf = (word: OpenWord): string => ('text' in word ? shapeOfText(word.text) : openPart);

/** The text with a mark for what is put in. */
export function shapeOfText(text: OpenText): string {
  return text.map((part) => (typeof part === 'string' ? part : openPart)).join('');
}

const nothing: ReadonlyMap<string, Word> = new Map();

/** A shell to which a program gives a script. */
export const inShell: ShellProcess = { label: 'sh -c', name: knownWord('sh'), positional: [] };

/** What is known of the words that a program puts into its commands. */
export interface InsertedValues {
  /** Those that are known, by the expressions in a script. */
  readonly values?: ReadonlyMap<string, Word>;
  /** Options of which each other one may be one. */
  readonly options?: readonly string[];
}

/** A command with words that the program puts in: data, as the value of a variable would be. */
export function runOpenCommand(
  command: OpenCommand,
  call: Call,
  shell: Shell,
  { values = nothing, options = [] }: InsertedValues = {},
): Outcome {
  const held = options.length === 0 ? {} : { options };
  if ('words' in command) {
    const argv = command.words.map((word) => openWord(word, held));
    const outcome = shell.run({ ...call, argv, lookup: 'programs' });
    return parted(outcome, call.frame.success);
  }
  const inserted = new Map(call.state.variables);
  const parts = [''];
  const names: string[] = [];
  for (const part of command.script) {
    if (typeof part === 'string') {
      parts[names.length] += part;
    } else {
      const name = variableFor(part.expression, command.script);
      const value = values.get(part.expression) ?? { ...insertedValue(part.expression, true), ...held };
      inserted.set(name, { kind: 'scalar', value, exported: true });
      names.push(name);
      parts.push('');
    }
  }
  const own = { ...call, state: changed(call.state, { variables: inserted }) };
  return shell.runProcess(own, withReferences(parts, names), inShell);
}

/** A name by which people recognise the expression, and that the script does not use itself. */
function variableFor(expression: string, script: OpenText): string {
  const name = expression
    .replace(/\.join\([^()]*\)$/, '')
    .replace(/\W+/g, '_')
    .replace(/^(?=\d)/, '_');
  const isSaid = new RegExp(`(?<![-\\w])${name}(?!\\w)`);
  const isTaken = script.some((part) => typeof part === 'string' && isSaid.test(part));
  return isTaken ? `inserted_${name}` : name;
}

function insertedValue(expression: string, mayBeSeveral: boolean): Word & { kind: 'unknown' } {
  const shown = expression.replaceAll(openPart, '…');
  return unknownWord(shown, 'what the program puts there is not known', mayBeSeveral);
}

function openWord(word: OpenWord, held: Pick<UnknownWord, 'options'>): Word {
  if ('several' in word) {
    return { ...insertedValue(word.several, true), ...held };
  }
  const value = wordOfText(word.text);
  return value.kind === 'unknown' && value.prefix + value.suffix === '' ? { ...value, ...held } : value;
}

/** One word: of a text that is not known as a whole, how it begins and ends. */
export function wordOfText(text: OpenText): Word {
  const at = text.findIndex((part) => typeof part !== 'string');
  const open = text[at];
  if (open === undefined || typeof open === 'string') {
    return knownWord(text.join(''));
  }
  const last = text.findLastIndex((part) => typeof part !== 'string');
  const prefix = text.slice(0, at).join('');
  const suffix = text.slice(last + 1).join('');
  return { ...insertedValue(open.expression, false), prefix, suffix, shape: shapeOfText(text) };
}

/** Some text in the source holds a command of git behind a separator of the shell: what is inserted may be code. */
export function holdsCommands(source: string): boolean {
  return /["'`][^"'`\n]*(?:[;&|\n]|\$\()\s*(?:\w+=\S*\s+)*git\b/.test(source);
}
