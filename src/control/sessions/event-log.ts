import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { Database, SqlValue } from '../store/database.ts';
import { subtreeOf } from './limits.ts';
import { type Session, type SessionRow, sessionOf } from './session.ts';
import { heardWithin, Signals } from './signals.ts';

/** Something that happened, before it has its number. */
export interface NewEvent {
  readonly ts: number;
  readonly type: string;
  /** JSON object. */
  readonly data: string;
}

/** An event as it goes over the wire: its own fields beside these. */
export interface SessionEvent {
  readonly [field: string]: unknown;
  /** Its number in its session: 0, 1, 2 … without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly ts: number;
  readonly type: string;
}

export interface EventPage {
  readonly events: readonly SessionEvent[];
  /** What `since` has to be for the events that follow. */
  readonly nextIndex: number;
  /** There are more already. */
  readonly hasMore: boolean;
  /** The first index that is still kept. */
  readonly firstIndex: number;
  readonly status: Session['status'];
}

export interface EventQuery {
  readonly sessionId: string;
  /** The index of the first event that is wanted; null: the first that is kept. */
  readonly since: number | null;
  readonly max: number;
  /** Also those of the sessions below it, in the order in which they were stored; the index is of that order then. */
  readonly includeChildren: boolean;
}

export interface EventLogOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Events of a session that are kept; older ones go, some at a time. */
  readonly kept?: number;
}

/** Milliseconds between looks for the events of other processes, while somebody waits. */
const lookInterval = 20;
/** Characters of one page's events, after which it ends. */
const pageLimit = 1_000_000;
const rowsAtOnce = 100;
const defaultKept = 50_000;

/** The events of all sessions: in the store, numbered without gaps, each session's and each tree's. */
export class EventLog {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #kept: number;
  readonly #signals = new Signals();
  #stopLooking: (() => void) | null = null;
  /** Where each session that is waited for stood at the last look. */
  #seen = new Map<string, string>();

  constructor({ database, clock, kept = defaultKept }: EventLogOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#kept = kept;
  }

  /**
   * Stores events, all or none, and wakes up who waits for them.
   *
   * @param runner whose session it must be; null: whoever runs it
   * @throws OxideError `session-lost` when it has ended, or another process runs it
   */
  async append(
    session: Pick<Session, 'sessionId' | 'rootId'>,
    events: readonly NewEvent[],
    runner: string | null,
  ): Promise<void> {
    if (events.length === 0) {
      return;
    }
    await this.#database.transaction((transaction) => this.appendIn(transaction, session, events, runner));
    this.notify(session);
  }

  /** As a part of a transaction; {@link notify} comes after it. */
  async appendIn(
    transaction: Database,
    { sessionId, rootId }: Pick<Session, 'sessionId' | 'rootId'>,
    events: readonly NewEvent[],
    runner: string | null,
  ): Promise<void> {
    const count = events.length;
    const root = await transaction.get<{ next_index: number }>(
      'UPDATE sessions SET next_index = next_index + ? WHERE session_id = ? RETURNING next_index',
      count,
      rootId,
    );
    const own = await transaction.get<{ next_seq: number; first_seq: number }>(
      `UPDATE sessions SET next_seq = next_seq + ?, updated_at = ? WHERE session_id = ? AND status <> 'ended'
        ${runner === null ? '' : 'AND runner_id = ?'} RETURNING next_seq, first_seq`,
      count,
      this.#clock.now(),
      sessionId,
      ...(runner === null ? [] : [runner]),
    );
    if (root === null || own === null) {
      throw new OxideError('session-lost', `The session ${sessionId} has ended, or another process runs it.`);
    }
    for (const [position, { ts, type, data }] of events.entries()) {
      await transaction.run(
        'INSERT INTO events (session_id, seq, root_id, tree_index, ts, type, data) VALUES (?, ?, ?, ?, ?, ?, ?)',
        sessionId,
        Number(own.next_seq) - count + position,
        rootId,
        Number(root.next_index) - count + position,
        ts,
        type,
        data,
      );
    }
    await this.#trim(transaction, { sessionId, rootId }, Number(own.next_seq), Number(own.first_seq));
  }

  notify({ sessionId, rootId }: Pick<Session, 'sessionId' | 'rootId'>): void {
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
        const page = await this.#read(query);
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
    return includeChildren ? (await this.#session(sessionId)).rootId : sessionId;
  }

  async #session(sessionId: string): Promise<Session> {
    const row = await this.#database.get<SessionRow>('SELECT * FROM sessions WHERE session_id = ?', sessionId);
    if (row === null) {
      throw unknownSession(sessionId);
    }
    return sessionOf(row);
  }

  async #read(query: EventQuery): Promise<EventPage> {
    const session = await this.#session(query.sessionId);
    const range = query.includeChildren ? await this.#treeRange(session) : ownRange(session);
    const since = query.since ?? range.first;
    if (since > range.next) {
      throw ahead(since, range.next);
    }
    const { rows, more } = await this.#rows(range, since, query.max);
    // What was kept at the first look may be gone by now: then nothing is skipped over.
    const first = firstOf(await this.#session(range.within === 'session_id' ? range.id : session.rootId), range);
    if (since < first) {
      throw expired(since, first);
    }
    const last = rows.at(-1);
    return {
      events: rows.map((row) => eventOf(row, query.includeChildren)),
      nextIndex: more && last !== undefined ? Number(last[range.index]) + 1 : range.next,
      hasMore: more,
      firstIndex: first,
      status: session.status,
    };
  }

  /** One look: a child that comes after it has its events after `next`. */
  async #treeRange({ sessionId, rootId }: Session): Promise<Range> {
    const rows = await this.#database.all<SessionRow>('SELECT * FROM sessions WHERE root_id = ?', rootId);
    const tree = rows.map(sessionOf);
    const root = tree.find((session) => session.sessionId === rootId);
    const below = subtreeOf(sessionId, tree).map((session) => session.sessionId);
    return {
      within: 'root_id',
      id: rootId,
      index: 'tree_index',
      only: sessionId === rootId ? null : below,
      first: root?.firstIndex ?? 0,
      next: root?.nextIndex ?? 0,
    };
  }

  async #rows(
    range: Range,
    since: number,
    max: number,
  ): Promise<{ readonly rows: readonly EventRow[]; readonly more: boolean }> {
    const rows: EventRow[] = [];
    const only = range.only === null ? '' : `AND session_id IN (${range.only.map(() => '?').join(', ')})`;
    let size = 0;
    for (let from = since; ; ) {
      const wanted = Math.min(rowsAtOnce, max + 1 - rows.length);
      const found = await this.#database.all<EventRow>(
        `SELECT session_id, seq, tree_index, ts, type, data FROM events
          WHERE ${range.within} = ? AND ${range.index} >= ? AND ${range.index} < ? ${only}
          ORDER BY ${range.index} LIMIT ?`,
        range.id,
        from,
        range.next,
        ...(range.only ?? []),
        wanted,
      );
      for (const row of found) {
        size += row.data.length;
        if (rows.length >= max || (size > pageLimit && rows.length > 0)) {
          return { rows, more: true };
        }
        rows.push(row);
        from = Number(row[range.index]) + 1;
      }
      if (found.length < wanted) {
        return { rows, more: false };
      }
    }
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

/** Which events are meant: a session's own, or those of its tree. */
interface Range {
  readonly within: 'session_id' | 'root_id';
  readonly id: string;
  readonly index: 'seq' | 'tree_index';
  /** Null: all of the tree. */
  readonly only: readonly string[] | null;
  readonly first: number;
  readonly next: number;
}

interface EventRow {
  readonly session_id: string;
  readonly seq: SqlValue;
  readonly tree_index: SqlValue;
  readonly ts: SqlValue;
  readonly type: string;
  readonly data: string;
}

function ownRange({ sessionId, firstSeq, nextSeq }: Session): Range {
  return { within: 'session_id', id: sessionId, index: 'seq', only: null, first: firstSeq, next: nextSeq };
}

function firstOf({ firstSeq, firstIndex }: Session, { index }: Range): number {
  return index === 'seq' ? firstSeq : firstIndex;
}

function eventOf({ session_id, seq, tree_index, ts, type, data }: EventRow, inTree: boolean): SessionEvent {
  return {
    ...(JSON.parse(data) as Readonly<Record<string, unknown>>),
    seq: Number(seq),
    ts: Number(ts),
    type,
    ...(inTree ? { index: Number(tree_index), session_id } : {}),
  };
}

export function unknownSession(sessionId: string): OxideError {
  return new OxideError('unknown-session', `There is no session '${sessionId}'.`, {
    remedy: 'session list tells which there are.',
  });
}

function expired(since: number, first: number): OxideError {
  return new OxideError('cursor-expired', `The events from ${since} to ${first - 1} are not kept any more.`, {
    remedy: `Go on with since_index ${first}; what came before is lost.`,
  });
}

function ahead(since: number, next: number): OxideError {
  return new OxideError(
    'cursor-ahead',
    `There is no event ${since} yet, nor one right before it: the next is ${next}.`,
    {
      remedy: 'Use the next_index of this session’s last events, of this store; 0 for all.',
    },
  );
}
