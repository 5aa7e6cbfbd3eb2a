/** Lets what changes a workspace's container happen one after the other. */
export class WorkspaceTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when everything before it has ended, well or not. */
  async take<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(workspaceId) ?? Promise.resolve();
    const turn = before.then(work, work);
    this.#last.set(workspaceId, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(workspaceId) === turn) {
        this.#last.delete(workspaceId);
      }
    }
  }
}
