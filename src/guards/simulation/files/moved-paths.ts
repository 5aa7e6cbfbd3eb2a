import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDirectory } from '../../../git/files.ts';
import { hasSucceeded } from '../../../shell/path.ts';
import { type Directory, type Origin, runsBeside, type Word } from '../../../shell/simple-command.ts';
import { absolutePath } from '../../files/absolute-path.ts';
import { isWithin } from '../../files/guarded-file.ts';
import { PathTable } from '../../files/path-table.ts';
import { textOf } from '../../git-command/words.ts';

/** Something that a command takes away from where it lay. */
interface Departure {
  readonly by: Origin;
  /** If its command runs, it is moved. */
  readonly isSure: boolean;
  readonly move: number;
}

/** Options with which mv moves all that it is given. */
const movesAll = /^(?:-[fvT]+|--(?:force|verbose|no-target-directory)|-t|--target-directory(?:=.*)?)$/;

/** Files and directories that the line has moved. All paths are absolute. */
export class MovedPaths {
  /** From where, by where they are now. The last move counts. */
  #moved = new PathTable<{ readonly from: string; readonly move: number }>();
  /** From where mv has taken things, however often they were moved. */
  #left = new PathTable<readonly Departure[]>();
  #moves = 0;
  /** Something was moved of which nobody knows what it is: it may be what was taken away before. */
  #isOpen = false;

  /** As things are now: what the line moves later is not in it. */
  copy(): MovedPaths {
    const copy = new MovedPaths();
    copy.#moved = this.#moved.copy();
    copy.#left = this.#left.copy();
    copy.#moves = this.#moves;
    copy.#isOpen = this.#isOpen;
    return copy;
  }

  /** Into a directory a thing keeps its name. @returns where it is now */
  record(source: string, target: string, isGivenDirectory = false): string {
    const isInto = isGivenDirectory || isDirectory(target) || isDirectory(this.before(target));
    const place = isInto ? join(target, basename(source)) : target;
    this.#moves += 1;
    this.#moved.set(place, { from: this.before(source), move: this.#moves });
    return place;
  }

  /**
   * `mv SOURCE… TARGET`, `mv -t TARGET SOURCE…`, and git's own commands of the same form.
   *
   * @param words without the program
   * @param by whose sources are gone from where they were; null: that is followed elsewhere
   */
  recordAll(words: readonly Word[], cwd: Directory, by: Origin | null = null): void {
    const option = words.findIndex((word) => /^(?:-t|--target-directory)$/.test(textOf(word) ?? ''));
    const paths = words
      .filter((_, at) => at !== option + 1 || option < 0)
      .filter((word) => !/^-/.test(textOf(word) ?? ''));
    const [target, sources] = option < 0 ? [paths.at(-1), paths.slice(0, -1)] : [words[option + 1], paths];
    const to = target === undefined ? null : absolutePath(target, cwd);
    // What is not there yet may be a directory by then: that of a work tree which the line adds.
    const isInto = option >= 0 || sources.length > 1 || textOf(target ?? null)?.endsWith('/') === true;
    const given = sources.map((word) => absolutePath(word, cwd));
    this.#isOpen ||= by !== null && given.includes(null);
    const movesEach = words.every((word) => !/^-/.test(textOf(word) ?? '') || movesAll.test(textOf(word) ?? ''));
    for (const source of to === null ? [] : given.filter((path) => path !== null)) {
      const place = this.record(source, to ?? source, isInto);
      if (by !== null && movesEach) {
        // A directory that is there, and not empty, lets none come in its place.
        const departure = { by, isSure: isDirectory(dirname(place)) && !existsSync(place), move: this.#moves };
        this.#left.set(source, [...(this.#left.get(source) ?? []), departure]);
      }
    }
  }

  /**
   * Has mv surely taken away what lay at a path, to a known place, when a command runs? It may have come back since.
   *
   * @param top of the work tree: what has been moved with all of it is in there still
   */
  hasLeft(path: string, top: string, before: Origin): boolean {
    return this.#hasLeft(path, before, 0, (from) => from !== top && isWithin(from, top));
  }

  #hasLeft(path: string, before: Origin, since: number, counts: (from: string) => boolean = () => true): boolean {
    const left = this.#isOpen ? [] : this.#left.atOrAbove(path).filter(([from]) => counts(from));
    const departures = left.flatMap(([, values]) => values);
    return departures.some(
      ({ by, isSure, move }) => move > since && hasSucceeded(by, isSure, before) && !runsBeside(before, by),
    );
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

  /** Is it elsewhere now, or the directory in which it lay? */
  isAway(path: string, withDirectory: boolean): boolean {
    const isFrom = ({ from }: { readonly from: string }) => from === path || (withDirectory && isWithin(path, from));
    return this.before(path) === path && this.entriesIn('/').some(isFrom);
  }

  /** Where those things lay that are somewhere in a directory now. */
  into(directory: string): readonly string[] {
    return this.entriesIn(directory).map(({ from }) => from);
  }

  /** What is somewhere in a directory now, and where it lay. */
  entriesIn(directory: string): readonly { readonly from: string; readonly to: string }[] {
    return this.#moved.atOrBelow(directory).map(([to, { from }]) => ({ from, to }));
  }

  /** The same, without what was moved on from there before a command runs. */
  entriesLeftIn(directory: string, before: Origin): readonly { readonly from: string; readonly to: string }[] {
    return this.#moved
      .atOrBelow(directory)
      .filter(([to, { move }]) => !this.#hasLeft(to, before, move))
      .map(([to, { from }]) => ({ from, to }));
  }

  /** Has the line put something there, or into a directory there, or is it part of that? */
  touches(path: string): boolean {
    return this.#moved.atOrAbove(path).length + this.#moved.atOrBelow(path).length > 0;
  }
}
