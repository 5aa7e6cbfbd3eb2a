import { OxideError } from '../../errors.ts';
import type { Database, SqlValue } from '../store/database.ts';
import type { Session } from './session.ts';
import { subtreeOf } from './session-tree.ts';
import { getSession, getTree, unknownSession } from './store.ts';

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

/** Characters of one page's events, after which it ends. */
const pageLimit = 1_000_000;
const rowsAtOnce = 100;

/**
 * The events from an index on, as many as are there and fit into a page.
 *
 * @throws OxideError `unknown-session`; `cursor-expired` and `cursor-ahead` for an index that can't be served
 */
export async function readEvents(database: Database, query: EventQuery): Promise<EventPage> {
  const { sessionId, includeChildren, since, max } = query;
  const range = includeChildren ? await treeRange(database, sessionId) : ownRange(sessionId);
  const first = await look(database, range, since ?? 0, max + 1);
  assertServed(since, first.place);
  const { rows, more, place } = await gather(database, range, max, first);
  const last = rows.at(-1);
  return {
    events: rows.map((row) => eventOf(row, includeChildren)),
    nextIndex: more && last !== undefined ? Number(last[range.index]) + 1 : place.next,
    hasMore: more,
    firstIndex: place.first,
    status: range.status ?? place.status,
  };
}

/** As many events as fit into a page, from a first look on. */
async function gather(
  database: Database,
  range: Range,
  max: number,
  first: Look,
): Promise<{ readonly rows: readonly EventRow[]; readonly more: boolean; readonly place: Place }> {
  const rows: EventRow[] = [];
  let size = 0;
  for (let { place, found, isAll } = first; ; ) {
    for (const row of found) {
      size += row.data.length;
      if (rows.length >= max || (size > pageLimit && rows.length > 0)) {
        return { rows, more: true, place };
      }
      rows.push(row);
    }
    if (isAll) {
      return { rows, more: false, place };
    }
    const since = Number(rows.at(-1)?.[range.index]) + 1;
    ({ place, found, isAll } = await look(database, range, since, max + 1 - rows.length));
    if (since < place.first) {
      // What follows is not kept any more. The next query is told so: nothing is skipped over.
      return { rows, more: true, place };
    }
  }
}

/** Which events are meant: a session's own, or those of its tree. */
interface Range {
  /** The session that has these events' first and next index. */
  readonly owner: string;
  readonly within: 'session_id' | 'root_id';
  readonly index: 'seq' | 'tree_index';
  /** Null: all of the tree. */
  readonly only: readonly string[] | null;
  /** Where the events end that were there when `only` was read; null: wherever they do. */
  readonly end: number | null;
  /** Of the session that is asked for; null: it is the owner. */
  readonly status: Session['status'] | null;
}

function ownRange(owner: string): Range {
  return { owner, within: 'session_id', index: 'seq', only: null, end: null, status: null };
}

/** One look: a child that comes after it has its events after `end`. */
async function treeRange(database: Database, sessionId: string): Promise<Range> {
  const { rootId, status } = await getSession(database, sessionId);
  const all = { owner: rootId, within: 'root_id', index: 'tree_index', status } as const;
  if (sessionId === rootId) {
    return { ...all, only: null, end: null };
  }
  const tree = await getTree(database, rootId);
  const end = tree.find((session) => session.sessionId === rootId)?.nextIndex ?? 0;
  return { ...all, only: subtreeOf(sessionId, tree).map((session) => session.sessionId), end };
}

/** Where the events of a range begin and end. */
interface Place {
  readonly first: number;
  readonly next: number;
  readonly status: Session['status'];
}

interface Look {
  readonly place: Place;
  readonly found: readonly EventRow[];
  /** There are no more. */
  readonly isAll: boolean;
}

/** The next events from an index on, and where they begin and end: in one statement, so of one moment. */
async function look(database: Database, range: Range, since: number, most: number): Promise<Look> {
  const { owner, within, index, only, end } = range;
  const wanted = Math.min(rowsAtOnce, most);
  const place = index === 'seq' ? ['first_seq', 'next_seq'] : ['first_index', 'next_index'];
  const before = end === null ? '' : `AND ${index} < ?`;
  const of = only === null ? '' : `AND session_id IN (${only.map(() => '?').join(', ')})`;
  const rows = await database.all<PlaceRow & (EventRow | { readonly data: null })>(
    `SELECT owner.status, ${place[0]} AS first, ${place[1]} AS next, seq, tree_index, ts, type, data,
        found.session_id AS session_id
      FROM sessions AS owner LEFT JOIN (
        SELECT session_id, seq, tree_index, ts, type, data FROM events
          WHERE ${within} = ? AND ${index} >= ? ${before} ${of} ORDER BY ${index} LIMIT ?
      ) AS found ON TRUE WHERE owner.session_id = ? ORDER BY ${index}`,
    ...[owner, since, ...(end === null ? [] : [end]), ...(only ?? []), wanted, owner],
  );
  const [row] = rows;
  if (row === undefined) {
    throw unknownSession(owner);
  }
  const found = rows.flatMap((one) => (one.data === null ? [] : [one]));
  return {
    place: { first: Number(row.first), next: end ?? Number(row.next), status: row.status },
    found,
    isAll: found.length < wanted,
  };
}

function assertServed(since: number | null, { first, next }: Place): void {
  if (since !== null && since > next) {
    throw ahead(since, next);
  }
  if (since !== null && since < first) {
    throw expired(since, first);
  }
}

interface PlaceRow {
  readonly status: Session['status'];
  readonly first: SqlValue;
  readonly next: SqlValue;
}

interface EventRow {
  readonly session_id: string;
  readonly seq: SqlValue;
  readonly tree_index: SqlValue;
  readonly ts: SqlValue;
  readonly type: string;
  readonly data: string;
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
