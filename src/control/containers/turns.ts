/** Lets what changes one thing happen one after the other: what a workspace's container is, what an image's name means. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when everything before it, of the same name, has ended, well or not. */
  async take<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(name, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === turn) {
        this.#last.delete(name);
      }
    }
  }
}
