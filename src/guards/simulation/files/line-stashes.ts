/** What an entry of the line holds. */
export interface StashedFiles {
  /** The work tree that it comes from: absolute. */
  readonly workTree: string;
  /** Paths from its root. */
  readonly tracked: readonly string[];
  readonly untracked: readonly string[];
}

/** What a line does to the list of stashes: `stash@{0}` is the newest one. */
export class LineStashes {
  /** Entries that the line has made and not taken out again: the newest ones. */
  made = 0;
  /** How often the line makes an entry, if there is anything to put away. */
  pushes = 0;
  /** An entry that the line has made has untracked files, if there were some. */
  holdsUntracked = false;
  /** The entry that was applied and is still there: its number. */
  applied: number | null = null;
  /** Nothing is in the newest entry that would not be somewhere else without it. */
  isSpare = false;
  /** Entries that were there before and are taken out: the numbers that they had then. */
  readonly #taken = new Set<number>();
  /** Of the entries that the line has made, the newest first; null: it is not known. */
  readonly #files: (StashedFiles | null)[] = [];
  /** Of each work tree, the paths whose changes an entry has as well. */
  readonly #copies = new Set<Set<string>>();

  /** @param paths are cleared when an entry goes */
  watch(paths: Set<string>): void {
    this.#copies.add(paths);
  }

  /** Has every entry the number that it had before the line? */
  get areAsBefore(): boolean {
    return this.made === 0 && this.#taken.size === 0;
  }

  /** An entry is made. */
  push(isSpare = false, files: StashedFiles | null = null): void {
    this.made += 1;
    this.#files.unshift(files);
    this.applied = null;
    this.isSpare = isSpare;
  }

  /** An entry is taken out. */
  take(number: number): void {
    const before = this.before(number);
    if (before === null) {
      this.made -= 1;
      this.#files.splice(number, 1);
    } else {
      this.#taken.add(before);
    }
    this.forgetEntries();
  }

  /** All of them go. @param before how many there were before the line */
  clear(before: number): void {
    this.made = 0;
    this.#files.splice(0);
    for (let number = 0; number < before; number += 1) {
      this.#taken.add(number);
    }
    this.forgetEntries();
  }

  /** An entry goes, whichever it is. */
  forgetEntries(): void {
    for (const paths of this.#copies) {
      paths.clear();
    }
    this.forgetCopies();
  }

  /** What was applied of an entry goes: it is the only one that has that. */
  forgetCopies(): void {
    this.applied = null;
    this.isSpare = false;
  }

  /** What an entry of the line holds; null: it is not known, or the entry was there before. */
  filesOf(number: number): StashedFiles | null {
    return this.#files[number] ?? null;
  }

  /** The number that an entry had before the line; null: the line has made it. */
  before(number: number): number | null {
    if (number < this.made) {
      return null;
    }
    let found = -1;
    for (let left = number - this.made; left >= 0; left -= 1) {
      do {
        found += 1;
      } while (this.#taken.has(found));
    }
    return found;
  }

  /** How many there are. @param before how many there were */
  count(before: number): number {
    const taken = [...this.#taken].filter((number) => number < before).length;
    return this.made + before - taken;
  }
}
