/** How much work one command line may cause. What exceeds it is cut off and named in `truncated`. */
export interface Bounds {
  /** Steps in the answer. */
  readonly steps: number;
  /** Shells within shells, scripts within scripts, functions within functions. */
  readonly depth: number;
  /** Syntax nodes visited. */
  readonly operations: number;
  /** UTF-16 units in the command line, in one expanded word, and of all expansions a hundred times that. */
  readonly characters: number;
  /** Bytes of one script file. */
  readonly scriptBytes: number;
  readonly milliseconds: number;
}

export const defaultBounds: Bounds = {
  steps: 2000,
  depth: 16,
  operations: 50_000,
  characters: 262_144,
  scriptBytes: 131_072,
  milliseconds: 1500,
};

/** Ends the reading at once; the entry point turns it into `truncated`. */
export class BoundExceeded extends Error {
  override readonly name = 'BoundExceeded';
}

/** Syntax nested deeper than this is no command line that anybody wrote. */
const maximumNesting = 300;

/**
 * Milliseconds on a clock that is never set back. The global `performance` would make node load eleven modules at its
 * first use, which costs a hook 2 ms; node has compiled nothing for `process.hrtime` yet.
 */
export function monotonicTime(): number {
  return process.uptime() * 1e3;
}

/** Counts work against the bounds. */
export class Budget {
  readonly bounds: Bounds;
  #operations = 0;
  #nesting = 0;
  #depth = 0;
  #characters = 0;
  readonly #end: number;

  constructor(bounds: Bounds) {
    this.bounds = bounds;
    this.#end = monotonicTime() + bounds.milliseconds;
  }

  /** Counts one visited node. */
  visit(): void {
    this.#operations += 1;
    if (this.#operations > this.bounds.operations) {
      throw new BoundExceeded(`it takes more than ${this.bounds.operations} operations to read`);
    }
    if (this.#operations % 128 === 0 && monotonicTime() > this.#end) {
      throw new BoundExceeded(`it takes more than ${this.bounds.milliseconds} ms to read`);
    }
  }

  /** Counts the text of an expansion. */
  text(length: number): void {
    this.#characters += length;
    if (length > this.bounds.characters || this.#characters > this.bounds.characters * 100) {
      throw new BoundExceeded('its expansions are too long to read');
    }
  }

  /** Runs `body` one syntax level deeper. */
  nested<T>(body: () => T): T {
    this.#nesting += 1;
    if (this.#nesting > maximumNesting) {
      throw new BoundExceeded('it is nested too deeply to read');
    }
    try {
      return body();
    } finally {
      this.#nesting -= 1;
    }
  }

  /** Runs `body` one shell, script or function deeper. */
  deeper<T>(body: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.bounds.depth) {
      throw new BoundExceeded(`shells and scripts are nested more than ${this.bounds.depth} deep`);
    }
    try {
      return body();
    } finally {
      this.#depth -= 1;
    }
  }
}
