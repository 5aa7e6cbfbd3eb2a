import { basename, join } from 'node:path';
import type { Directory, Word } from '../../shell/simple-command.ts';
import { absolutePath } from '../files/absolute-path.ts';
import { isDirectory } from '../files/git-directory.ts';
import { PathTable } from '../files/path-table.ts';
import { textOf } from '../git-command/words.ts';

/** Files and directories that the line has moved. All paths are absolute. */
export class MovedPaths {
  /** From where, by where they are now. The last move counts. */
  readonly #moved = new PathTable<{ readonly from: string; readonly move: number }>();
  #moves = 0;

  /** Into a directory a thing keeps its name. */
  record(source: string, target: string, isGivenDirectory = false): void {
    const isInto = isGivenDirectory || isDirectory(target) || isDirectory(this.before(target));
    this.#moves += 1;
    this.#moved.set(isInto ? join(target, basename(source)) : target, {
      from: this.before(source),
      move: this.#moves,
    });
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
    const moves = this.#moved.atOrAbove(path);
    const [first, ...others] = moves;
    if (first === undefined) {
      return path;
    }
    const [to, { from }] = others.reduce((last, one) => (one[1].move > last[1].move ? one : last), first);
    return from + path.slice(to.length);
  }

  /** Where those things lay that are somewhere in a directory now. */
  into(directory: string): readonly string[] {
    return this.entriesIn(directory).map(({ from }) => from);
  }

  /** What is somewhere in a directory now, and where it lay. */
  entriesIn(directory: string): readonly { readonly from: string; readonly to: string }[] {
    return this.#moved.atOrBelow(directory).map(([to, { from }]) => ({ from, to }));
  }
}
