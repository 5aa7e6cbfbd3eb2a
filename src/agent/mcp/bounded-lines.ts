/** Cuts a stream of text into lines, and gives up on one that has no end. */
export class BoundedLines {
  readonly #limit: number;
  #parts: string[] = [];
  #length = 0;

  /** @param limit characters of a line */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @returns the lines that are whole now, without their ends; null: the one that has begun is too long */
  take(chunk: string): readonly string[] | null {
    const [first = '', ...others] = chunk.split('\n');
    this.#parts.push(first);
    this.#length += first.length;
    if (this.#length > this.#limit) {
      this.#parts = [];
      return null;
    }
    const last = others.pop();
    if (last === undefined) {
      return [];
    }
    const lines = [this.#parts.join(''), ...others];
    this.#parts = [last];
    this.#length = last.length;
    return lines;
  }
}
