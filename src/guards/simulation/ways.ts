import type { Origin, Way } from '../../shell/simple-command.ts';
import type { Overlay } from './overlay.ts';

/** Where HEAD stands at the end of each way that the line may take. */
export class Ways {
  readonly #ends = new Map<symbol, Map<number, Overlay['switched']>>();

  /**
   * Notes a switch that belongs to one of them, once it has been worked out where it leads.
   *
   * @param likely where the switch is made
   * @param sure what the line has changed for sure
   */
  follow({ way }: Origin, likely: Overlay, sure: Overlay): void {
    if (way !== null) {
      likely.shared.pending.push(async () => {
        const end = likely.switched;
        sure.shared.pending.push(async () => this.#note(way, end, sure));
      });
    }
  }

  /** Where all lead to the same branch, it surely is checked out: `git checkout topic || git checkout -b topic`. */
  #note({ fork, index, of }: Way, end: Overlay['switched'], sure: Overlay): void {
    const ends = this.#ends.get(fork) ?? new Map<number, Overlay['switched']>();
    this.#ends.set(fork, ends.set(index, end));
    const reached = [...ends.values()].filter((other) => other !== 'refused');
    const [head] = reached;
    if (
      typeof head === 'object' &&
      head.kind === 'branch' &&
      ends.size === of &&
      reached.every((other) => typeof other === 'object' && other.kind === 'branch' && other.ref === head.ref)
    ) {
      sure.head = head;
      sure.refs.set(head.ref, head.oid);
    }
  }
}
