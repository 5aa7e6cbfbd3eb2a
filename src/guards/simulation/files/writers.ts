import type { SimpleCommand, Word } from '../../../shell/simple-command.ts';
import { absolutePath } from '../../files/absolute-path.ts';
import { textOf } from '../../git-command/words.ts';

/** Further back than this nobody pipes what is to be written. */
const maximumPipes = 8;

/** What has written the files of which the line can't tell what they hold: programs, by their words or their text. */
export class Writers {
  readonly #programs = new Map<string, ReadonlySet<string>>();

  /** @param path absolute */
  record(path: string, program: ReadonlySet<string>): void {
    this.#programs.set(path, program);
  }

  /** Empty where nobody knows. @param path absolute */
  of(path: string): string {
    return [...(this.#programs.get(path) ?? [])].join(' ');
  }

  /** A command with what it reads: its input, outputs among its words, and files that programs of the line have written. */
  wordsOf({ argv, cwd, input }: SimpleCommand, depth = 0): ReadonlySet<string> {
    const paths = argv.map((word) => absolutePath(word, cwd) ?? '');
    const read = paths.flatMap((path) => [...(this.#programs.get(path) ?? [])]);
    const printers = [input, ...argv].flatMap((part) => (part?.kind === 'unknown' ? (part.printedBy ?? []) : []));
    const piped = depth > maximumPipes ? [] : printers.flatMap((printer) => [...this.wordsOf(printer, depth + 1)]);
    const given = input?.kind === 'text' ? [input.text] : [];
    // Each once: a file that is written from another one over and over would grow without end.
    return new Set([[...argv.map(quoted), ...given].join(' '), ...piped, ...read]);
  }
}

/** A word that is a name alone is a text to its program. */
function quoted(word: Word): string {
  const text = textOf(word) ?? (word.kind === 'unknown' ? word.source : '');
  return /^[\w-]+$/.test(text) ? `"${text}"` : text;
}
