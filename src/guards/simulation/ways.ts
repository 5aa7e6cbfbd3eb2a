import type { Origin } from '../../shell/simple-command.ts';
import type { Overlay } from './overlay.ts';

/** Where HEAD stands at the end of each way that the line may take. */
export class Ways {
  readonly #ends = new Map<symbol, Map<number, Overlay['switched']>>();

  /**
   * Notes a switch that belongs to one of them. Where all lead to the same branch, it surely is checked out:
   * `git checkout topic || git checkout -b topic`.
   *
   * @param sure what the line has changed for sure
   */
  note({ way }: Origin, end: Overlay['switched'], sure: Overlay): void {
    if (way === null) {
      return;
    }
    const ends = this.#ends.get(way.fork) ?? new Map<number, Overlay['switched']>();
    this.#ends.set(way.fork, ends.set(way.index, end));
    const reached = [...ends.values()].filter((other) => other !== 'refused');
    const [head] = reached;
    if (
      typeof head === 'object' &&
      head.kind === 'branch' &&
      ends.size === way.of &&
      reached.every((other) => typeof other === 'object' && other.kind === 'branch' && other.ref === head.ref)
    ) {
      sure.head = head;
      sure.refs.set(head.ref, head.oid);
    }
  }
}
