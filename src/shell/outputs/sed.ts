import { type Commands, type Done, readCommands } from './sed-script.ts';
import { isBounded, linesOf } from './text-filters.ts';

/** How `sed` is called: its script, and the files that it reads or, with `-i`, changes. */
export interface SedCall {
  readonly script: string;
  readonly files: readonly string[];
  readonly extended: boolean;
  readonly inPlace: boolean;
  /** `-n`: only what the script prints is printed. */
  readonly quiet: boolean;
}

const longOptions: ReadonlyMap<string, string> = new Map([
  ['--regexp-extended', '-E'],
  ['--quiet', '-n'],
  ['--silent', '-n'],
  ['--unbuffered', '-u'],
  ['--in-place', '-i'],
  ['--expression', '-e'],
]);

/** Flags in one word, the last of which may have a value: `-i.bak`, `-ne`. */
const bundle = /^-([nEru]*)(?:([ie])(.*))?$/s;

interface Option {
  readonly letters: string;
  /** Empty where the next word is it. */
  readonly value: string;
}

function readOption(arg: string): Option | null {
  const [name = '', attached = ''] = arg.startsWith('--') ? arg.split(/=(.*)/s) : [arg];
  const [whole, letters = '', last = '', value = ''] = bundle.exec(longOptions.get(name) ?? arg) ?? [];
  return whole === undefined ? null : { letters: letters + last, value: attached || value };
}

/** Null where other options are given. @param args what follows the program's name */
export function readSed(args: readonly string[]): SedCall | null {
  const scripts: string[] = [];
  const operands: string[] = [];
  let flags = '';
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const option = arg.startsWith('-') && arg !== '-' ? readOption(arg) : undefined;
    if (option === null) {
      return null;
    }
    if (option === undefined) {
      operands.push(arg);
    } else if (option.letters.endsWith('e')) {
      at += option.value === '' ? 1 : 0;
      scripts.push(option.value || (args[at] ?? ''));
    } else if (option.letters.endsWith('i') && option.value === '' && args[at + 1] === '') {
      // BSD's sed takes an ending there: `sed -i '' SCRIPT FILE`.
      at += 1;
    }
    flags += option?.letters ?? '';
  }
  const files = scripts.length === 0 ? operands.slice(1) : operands;
  const script = scripts.length === 0 ? operands[0] : scripts.join('\n');
  const [extended, inPlace, quiet] = [/[Er]/.test(flags), flags.includes('i'), flags.includes('n')];
  return script === undefined ? null : { script, files, extended, inPlace, quiet };
}

/** What `sed` makes of a text; null for every command that is not followed here. */
export function edited({ script, extended, quiet }: SedCall, text: string): string | null {
  const commands = isBounded(text) ? readCommands(script, extended) : null;
  return commands === null ? null : run(commands, text, quiet);
}

function run(commands: Commands, text: string, quiet: boolean): string {
  const lines = linesOf(text);
  const inRange = new Map<object, boolean>();
  const isOpen = text !== '' && !text.endsWith('\n');
  let result = '';
  for (const [at, first] of lines.entries()) {
    const isLast = at + 1 === lines.length;
    let line: string | null = first;
    const added: string[] = [];
    // A last line without an end gets one as soon as something stands behind it.
    const print = (printed: string, isWhole: boolean) => {
      const end = isLast && isOpen && !isWhole ? '' : '\n';
      result += `${result === '' || result.endsWith('\n') ? '' : '\n'}${printed}${end}`;
    };
    for (const { isMeant, edit } of commands) {
      if (line !== null && isMeant({ line, number: at + 1, isLast }, inRange)) {
        const done: Done = edit(line);
        if (done.text !== undefined) {
          print(done.text, true);
        }
        if (done.printed !== undefined) {
          print(done.printed, false);
        }
        added.push(...(done.added === undefined ? [] : [done.added]));
        line = done.line;
      }
    }
    if (line !== null && !quiet) {
      print(line, false);
    }
    for (const one of added) {
      print(one, true);
    }
  }
  return result;
}
