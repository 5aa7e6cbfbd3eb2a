import { AsyncLocalStorage } from 'node:async_hooks';

/** Lets one flow of the program at a time have what can't be shared; the others wait in the order in which they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  readonly #current = new AsyncLocalStorage<{ ended: boolean }>();

  /**
   * Does the work when its turn has come, and settles as it does.
   *
   * @throws Error where the flow has the turn already: it would wait for its own end
   */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    this.mustNotHold();
    const flow = { ended: false };
    const turn = this.#last.then(() => this.#current.run(flow, work));
    this.#last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      flow.ended = true;
    }
  }

  /** @throws Error where this flow of the program has the turn */
  mustNotHold(): void {
    if (this.#current.getStore()?.ended === false) {
      throw new Error('inside of a transaction only the database that it gives is used: this one waits for its end');
    }
  }
}
