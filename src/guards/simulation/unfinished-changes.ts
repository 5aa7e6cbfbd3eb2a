import { type Origin, runsBeside } from '../../shell/simple-command.ts';

interface Change {
  readonly origin: Origin;
  readonly finish: () => void;
}

/**
 * What commands of a pipeline change: it is surely done when the pipeline has ended, and not yet for the commands beside
 * them (`git stash | git reset --hard`).
 */
export class UnfinishedChanges {
  #changes: readonly Change[] = [];

  /** @param finish makes the change count for sure */
  add(origin: Origin, finish: () => void): void {
    if (origin.pipes.length === 0) {
      finish();
    } else {
      this.#changes = [...this.#changes, { origin, finish }];
    }
  }

  /** A command runs: what does not run beside it has ended. */
  finishBefore(origin: Origin): void {
    const [ended, unfinished] = [
      this.#changes.filter((change) => !runsBeside(change.origin, origin)),
      this.#changes.filter((change) => runsBeside(change.origin, origin)),
    ];
    this.#changes = unfinished;
    for (const { finish } of ended) {
      finish();
    }
  }

  /** Is there any beside the command that `finishBefore` was called for? */
  get areThere(): boolean {
    return this.#changes.length > 0;
  }
}
