/** Lets one flow of the program at a time have what can't be shared; the others wait in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when its turn has come, and settles as it does. */
  take<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}
