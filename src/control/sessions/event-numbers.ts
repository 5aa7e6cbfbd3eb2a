import type { Database, SqlValue } from '../store/database.ts';
import type { Session } from './session.ts';

/** Something that happened, before it has its number. */
export interface NewEvent {
  readonly ts: number;
  readonly type: string;
  /** JSON object. */
  readonly data: string;
}

/** Events of one session that are to be stored. */
export interface Addition {
  readonly tree: Pick<Session, 'sessionId' | 'rootId'>;
  readonly events: readonly NewEvent[];
  /** Whose session it must be; null: whoever runs it. */
  readonly runner: string | null;
}

/** The numbers that follow the last event of an addition, in its session and in its tree. */
export interface Numbers {
  readonly nextSeq: number;
  readonly firstSeq: number;
  readonly nextIndex: number;
}

/**
 * Takes numbers for events, of their sessions and of their trees; each session is there once.
 *
 * @returns the numbers; none for what is not stored, since its session has ended or is another process's
 */
export async function takeNumbers<One extends Addition>(
  transaction: Database,
  additions: readonly One[],
  now: number,
): Promise<ReadonlyMap<One, Numbers>> {
  const own = await takeOwn(transaction, additions, now);
  const below = additions.filter((one) => isBelow(one) && own.has(one.tree.sessionId));
  const trees = await takeOfTrees(transaction, below);
  const numbers = new Map<One, Numbers>();
  for (const one of additions) {
    const { sessionId, rootId } = one.tree;
    const row = own.get(sessionId);
    if (row === undefined) {
      continue;
    }
    let nextIndex = Number(row.next_index);
    if (isBelow(one)) {
      nextIndex = (trees.get(rootId) ?? 0) + one.events.length;
      trees.set(rootId, nextIndex);
    }
    numbers.set(one, { nextSeq: Number(row.next_seq), firstSeq: Number(row.first_seq), nextIndex });
  }
  return numbers;
}

interface OwnRow {
  readonly session_id: string;
  readonly next_seq: SqlValue;
  readonly first_seq: SqlValue;
  readonly next_index: SqlValue;
}

/** Of the sessions. One at the top has its tree's numbers in the same row. */
async function takeOwn(
  transaction: Database,
  additions: readonly Addition[],
  now: number,
): Promise<ReadonlyMap<string, OwnRow>> {
  // Both engines call the columns of a list of values column1, column2 ….
  const rows = await transaction.all<OwnRow>(
    `UPDATE sessions SET next_seq = next_seq + taken.column2, next_index = next_index + taken.column3, updated_at = ?
      FROM (VALUES ${listOf('(?, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS TEXT))', additions)}) AS taken
      WHERE session_id = taken.column1 AND status <> 'ended'
        AND (taken.column4 IS NULL OR runner_id = taken.column4)
      RETURNING session_id, next_seq, first_seq, next_index`,
    now,
    ...additions.flatMap((one) => {
      const { tree, events, runner } = one;
      return [tree.sessionId, events.length, isBelow(one) ? 0 : events.length, runner];
    }),
  );
  return new Map(rows.map((row) => [row.session_id, row]));
}

/** Gives the number that each tree's next event had before. */
async function takeOfTrees(transaction: Database, additions: readonly Addition[]): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { tree, events } of additions) {
    counts.set(tree.rootId, (counts.get(tree.rootId) ?? 0) + events.length);
  }
  if (counts.size === 0) {
    return new Map();
  }
  const rows = await transaction.all<{ readonly session_id: string; readonly next_index: SqlValue }>(
    `UPDATE sessions SET next_index = next_index + taken.column2
      FROM (VALUES ${listOf('(?, CAST(? AS BIGINT))', [...counts])}) AS taken
      WHERE session_id = taken.column1 RETURNING session_id, next_index`,
    ...[...counts].flat(),
  );
  return new Map(
    rows.map(({ session_id, next_index }) => [session_id, Number(next_index) - (counts.get(session_id) ?? 0)]),
  );
}

function isBelow({ tree }: Addition): boolean {
  return tree.sessionId !== tree.rootId;
}

function listOf(places: string, values: readonly unknown[]): string {
  return values.map(() => places).join(', ');
}

/** What the store has of an addition's events. */
export function rowsOf(
  { tree: { sessionId, rootId }, events }: Addition,
  { nextSeq, nextIndex }: Numbers,
): readonly (readonly SqlValue[])[] {
  return events.map(({ ts, type, data }, position) => {
    const after = events.length - position;
    return [sessionId, nextSeq - after, rootId, nextIndex - after, ts, type, data];
  });
}
