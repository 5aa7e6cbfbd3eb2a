import type { Call, Shell } from './call.ts';
import { unknownWord } from './parameter.ts';
import { changed } from './shell-state.ts';
import { knownWord, openPart, type Word } from './simple-command.ts';
import type { OpenText } from './source-arguments.ts';
import { withReferences } from './variable-reference.ts';

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

/** A command with words that the program puts in: data, as the value of a variable would be. */
export function runOpenCommand(command: OpenCommand, call: Call, shell: Shell): void {
  if ('words' in command) {
    shell.run({ ...call, argv: command.words.map(openWord), lookup: 'programs' });
    return;
  }
  const inserted = new Map(call.state.variables);
  const parts = [''];
  const names: string[] = [];
  for (const part of command.script) {
    if (typeof part === 'string') {
      parts[names.length] += part;
    } else {
      const name = variableFor(part.expression, command.script);
      inserted.set(name, { kind: 'scalar', value: insertedValue(part.expression, true), exported: true });
      names.push(name);
      parts.push('');
    }
  }
  shell.runProcess({ ...call, state: changed(call.state, { variables: inserted }) }, withReferences(parts, names), {
    label: 'sh -c',
    name: knownWord('sh'),
    positional: [],
  });
}

/** A name by which people recognise the expression, and that the script does not use itself. */
function variableFor(expression: string, script: OpenText): string {
  const name = expression.replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
  const isTaken = script.some((part) => typeof part === 'string' && part.includes(name));
  return isTaken ? `inserted_${name}` : name;
}

function insertedValue(expression: string, mayBeSeveral: boolean): Word & { kind: 'unknown' } {
  const shown = expression.replaceAll(openPart, '…');
  return unknownWord(shown, 'what the program puts there is not known', mayBeSeveral);
}

function openWord(word: OpenWord): Word {
  if ('several' in word) {
    return insertedValue(word.several, true);
  }
  const at = word.text.findIndex((part) => typeof part !== 'string');
  const open = word.text[at];
  if (open === undefined || typeof open === 'string') {
    return knownWord(word.text.join(''));
  }
  const last = word.text.findLastIndex((part) => typeof part !== 'string');
  return {
    ...insertedValue(open.expression, false),
    prefix: word.text.slice(0, at).join(''),
    suffix: word.text.slice(last + 1).join(''),
  };
}

/** Some text in the source holds a command of git behind a separator of the shell: what is inserted may be code. */
export function holdsCommands(source: string): boolean {
  return /["'`][^"'`\n]*(?:[;&|\n]|\$\()\s*(?:\w+=\S*\s+)*git\b/.test(source);
}
