import { OxideError } from '../../errors.ts';
import type { Database, SqlValue } from '../store/database.ts';
import { subtreeOf } from './limits.ts';
import type { Session } from './session.ts';
import { getSession, getTree } from './store.ts';

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
  const session = await getSession(database, query.sessionId);
  const range = query.includeChildren ? await treeRange(database, session) : ownRange(session);
  const since = query.since ?? range.first;
  if (since > range.next) {
    throw ahead(since, range.next);
  }
  const { rows, more } = await rowsIn(database, range, since, query.max);
  const first = firstOf(await getSession(database, query.includeChildren ? session.rootId : query.sessionId), range);
  if (since < first) {
    // What was kept at the first look may be gone by now: then nothing is skipped over.
    if (query.since === null) {
      return readEvents(database, query);
    }
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
async function treeRange(database: Database, { sessionId, rootId }: Session): Promise<Range> {
  const tree = await getTree(database, rootId);
  const root = tree.find((session) => session.sessionId === rootId);
  return {
    within: 'root_id',
    id: rootId,
    index: 'tree_index',
    only: sessionId === rootId ? null : subtreeOf(sessionId, tree).map((session) => session.sessionId),
    first: root?.firstIndex ?? 0,
    next: root?.nextIndex ?? 0,
  };
}

async function rowsIn(
  database: Database,
  range: Range,
  since: number,
  max: number,
): Promise<{ readonly rows: readonly EventRow[]; readonly more: boolean }> {
  const rows: EventRow[] = [];
  const only = range.only === null ? '' : `AND session_id IN (${range.only.map(() => '?').join(', ')})`;
  let size = 0;
  for (let from = since; ; ) {
    const wanted = Math.min(rowsAtOnce, max + 1 - rows.length);
    const found = await database.all<EventRow>(
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
