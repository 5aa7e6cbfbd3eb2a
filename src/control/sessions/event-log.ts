import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { type Addition, type NewEvent, rowsOf, takeNumbers } from './event-numbers.ts';
import { type EventPage, type EventQuery, readEvents } from './event-page.ts';
import type { Session, SessionRow } from './session.ts';
import { heardWithin, Signals } from './signals.ts';
import { getSession } from './store.ts';

export interface EventLogOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Events of a session that are kept; older ones go, some at a time. */
  readonly kept?: number;
}

/** Milliseconds between looks for the events of other processes, while somebody waits. */
const lookInterval = 20;
const defaultKept = 50_000;
/** Events that one statement stores. */
const rowsAtOnce = 50;
/** Sessions whose events one transaction stores. */
const sessionsAtOnce = 50;

/** One of those that wait to be stored together. */
interface Waiting extends Addition {
  readonly settle: (error: unknown) => void;
}

/** The events of all sessions: in the store, numbered without gaps, each session's and each tree's. */
export class EventLog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #kept: number;
  readonly #signals = new Signals();
  readonly #waiting: Waiting[] = [];
  #storing: Promise<void> | null = null;
  #stopLooking: (() => void) | null = null;
  /** Where each session that is waited for stood at the last look. */
  #seen = new Map<string, string>();

  constructor({ database, clock, kept = defaultKept }: EventLogOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#kept = kept;
  }

  /**
   * Stores events, all or none, and wakes up who waits for them. What comes from several sessions while a transaction is
   * under way goes into the next one together.
   *
   * @param runner whose session it must be; null: whoever runs it
   * @throws OxideError `session-lost` when it has ended, or another process runs it
   */
  async append(tree: Tree, events: readonly NewEvent[], runner: string | null): Promise<void> {
    if (events.length === 0) {
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const settle = (error: unknown) => (error === null ? resolve() : reject(error));
      this.#waiting.push({ tree, events, runner, settle });
      this.#storing ??= this.#storeWaiting().finally(() => {
        this.#storing = null;
      });
    });
  }

  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const some = takeOneOfEach(this.#waiting);
      try {
        const stored = await this.#database.transaction((transaction) => this.#store(transaction, some));
        for (const one of some) {
          if (stored.has(one)) {
            this.notify(one.tree);
          }
          one.settle(stored.has(one) ? null : lost(one.tree));
        }
      } catch (error) {
        for (const { settle } of some) {
          settle(error);
        }
      }
    }
  }

  /** As a part of a transaction; {@link notify} comes after it. */
  async appendIn(transaction: Database, tree: Tree, events: readonly NewEvent[], runner: string | null): Promise<void> {
    const stored = await this.#store(transaction, [{ tree, events, runner }]);
    if (stored.size === 0) {
      throw lost(tree);
    }
  }

  /** Gives those that are stored: the sessions of the others have ended, or another process runs them. */
  async #store<One extends Addition>(transaction: Database, additions: readonly One[]): Promise<ReadonlySet<One>> {
    const numbers = await takeNumbers(transaction, additions, this.#clock.now());
    const rows = additions.flatMap((one) => {
      const taken = numbers.get(one);
      return taken === undefined ? [] : rowsOf(one, taken);
    });
    for (let from = 0; from < rows.length; from += rowsAtOnce) {
      const some = rows.slice(from, from + rowsAtOnce);
      await transaction.run(
        `INSERT INTO events (session_id, seq, root_id, tree_index, ts, type, data)
          VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
        ...some.flat(),
      );
    }
    for (const [{ tree }, { nextSeq, firstSeq }] of numbers) {
      await this.#trim(transaction, tree, nextSeq, firstSeq);
    }
    return new Set(numbers.keys());
  }

  notify({ sessionId, rootId }: Tree): void {
    this.#signals.notify(sessionId);
    this.#signals.notify(rootId);
  }

  /**
   * The events from an index on; with none there, waits for the next ones.
   *
   * @param wait milliseconds
   * @throws OxideError `unknown-session`; `cursor-expired` and `cursor-ahead` for an index that can't be served
   */
  async poll(query: EventQuery, wait: number, signal: AbortSignal | null = null): Promise<EventPage> {
    const until = this.#clock.now() + wait;
    for (;;) {
      const listener = this.#signals.listen(await this.#topicOf(query));
      try {
        const page = await readEvents(this.#database, query);
        const left = until - this.#clock.now();
        if (page.events.length > 0 || left <= 0 || page.status === 'ended' || signal?.aborted === true) {
          return page;
        }
        this.#look();
        await heardWithin(listener.heard, left, this.#clock, signal);
      } finally {
        listener.close();
      }
    }
  }

  close(): void {
    this.#stopLooking?.();
    this.#stopLooking = null;
    for (const topic of this.#signals.topics) {
      this.#signals.notify(topic);
    }
  }

  async #topicOf({ sessionId, includeChildren }: EventQuery): Promise<string> {
    return includeChildren ? (await getSession(this.#database, sessionId)).rootId : sessionId;
  }

  /** Many at once, so that it happens rarely; the order of the tree loses what came before as a whole. */
  async #trim(transaction: Database, { sessionId, rootId }: Tree, next: number, first: number): Promise<void> {
    if (next - first < this.#kept * 1.1) {
      return;
    }
    const keepFrom = next - this.#kept;
    const gone = await transaction.get<{ last: number | null }>(
      'SELECT MAX(tree_index) AS last FROM events WHERE session_id = ? AND seq < ?',
      sessionId,
      keepFrom,
    );
    const last = Number(gone?.last ?? -1);
    await transaction.run('DELETE FROM events WHERE session_id = ? AND seq < ?', sessionId, keepFrom);
    await transaction.run('UPDATE sessions SET first_seq = ? WHERE session_id = ?', keepFrom, sessionId);
    await transaction.run(
      'UPDATE sessions SET first_index = ? WHERE session_id = ? AND first_index <= ?',
      last + 1,
      rootId,
      last,
    );
  }

  /** While somebody waits: have other processes stored events? */
  #look(): void {
    this.#stopLooking ??= this.#clock.after(lookInterval, () => {
      this.#stopLooking = null;
      void this.#lookNow();
    });
  }

  async #lookNow(): Promise<void> {
    const topics = this.#signals.topics;
    if (topics.length === 0) {
      this.#seen = new Map();
      return;
    }
    const rows = await this.#database
      .all<SessionRow>(
        `SELECT session_id, next_seq, next_index, status FROM sessions
          WHERE session_id IN (${topics.map(() => '?').join(', ')})`,
        ...topics,
      )
      // The wait of whoever waits ends by itself.
      .catch(() => []);
    const seen = new Map(rows.map((row) => [String(row.session_id), `${row.next_seq} ${row.next_index}`]));
    const before = this.#seen;
    this.#seen = seen;
    for (const [topic, place] of seen) {
      // What nobody waited for at the last look may have changed between then and now.
      if (before.get(topic) !== place) {
        this.#signals.notify(topic);
      }
    }
    if (this.#signals.topics.length > 0) {
      this.#look();
    }
  }
}

type Tree = Pick<Session, 'sessionId' | 'rootId'>;

function lost({ sessionId }: Tree): OxideError {
  return new OxideError('session-lost', `The session ${sessionId} has ended, or another process runs it.`);
}

/** Takes out what can be stored together: of each session the first. */
function takeOneOfEach(waiting: Waiting[]): readonly Waiting[] {
  const taken = new Map<string, Waiting>();
  const later = waiting.splice(0).filter((one) => {
    const isFirst = taken.size < sessionsAtOnce && !taken.has(one.tree.sessionId);
    if (isFirst) {
      taken.set(one.tree.sessionId, one);
    }
    return !isFirst;
  });
  waiting.push(...later);
  return [...taken.values()];
}
