import { basename, join } from 'node:path';
import type { Directory, Word } from '../../shell/simple-command.ts';
import { absolutePath } from '../files/absolute-path.ts';
import { isDirectory } from '../files/git-directory.ts';
import { isWithin } from '../files/guarded-file.ts';
import { textOf } from '../git-command/words.ts';

/** Files and directories that the line has moved. All paths are absolute. */
export class MovedPaths {
  /** From where, by where they are now. */
  readonly #moved = new Map<string, string>();

  /** Into a directory a thing keeps its name. */
  record(source: string, target: string, isGivenDirectory = false): void {
    const isInto = isGivenDirectory || isDirectory(target) || isDirectory(this.before(target));
    this.#moved.set(isInto ? join(target, basename(source)) : target, this.before(source));
  }

  /** `mv SOURCE… TARGET`, `mv -t TARGET SOURCE…`, and git's own commands of the same form. @param words without the program */
  recordAll(words: readonly Word[], cwd: Directory): void {
    const option = words.findIndex((word) => /^(?:-t|--target-directory)$/.test(textOf(word) ?? ''));
    const paths = words
      .filter((_, at) => at !== option + 1 || option < 0)
      .filter((word) => !/^-/.test(textOf(word) ?? ''));
    const [target, sources] = option < 0 ? [paths.at(-1), paths.slice(0, -1)] : [words[option + 1], paths];
    const to = target === undefined ? null : absolutePath(target, cwd);
    // What is not there yet may be a directory by then: that of a work tree which the line adds.
    const isInto = option >= 0 || sources.length > 1 || textOf(target ?? null)?.endsWith('/') === true;
    for (const source of to === null ? [] : sources.flatMap((word) => absolutePath(word, cwd) ?? [])) {
      this.record(source, to ?? source, isInto);
    }
  }

  /** Where that lies before the line runs which lies there now. */
  before(path: string): string {
    const [to, from] = [...this.#moved].findLast(([place]) => isWithin(path, place)) ?? [];
    return to === undefined || from === undefined ? path : from + path.slice(to.length);
  }

  /** Where those things lay that are somewhere in a directory now. */
  into(directory: string): readonly string[] {
    return this.entriesIn(directory).map(({ from }) => from);
  }

  /** What is somewhere in a directory now, and where it lay. */
  entriesIn(directory: string): readonly { readonly from: string; readonly to: string }[] {
    return [...this.#moved].flatMap(([to, from]) => (isWithin(to, directory) ? [{ from, to }] : []));
  }
}
