/** What a column holds. Times are milliseconds since the epoch, truth is 0 or 1, lists and records are JSON. */
export type SqlValue = string | number | null;

export type SqlRow = Readonly<Record<string, SqlValue>>;

/**
 * An SQL database, as much of it as SQLite and PostgreSQL have in common. Statements are written once, with `?` for
 * values, `ON CONFLICT` and `RETURNING`; the driver puts in what its engine calls them.
 */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** Runs one statement, and gives its rows. */
  all<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]>;
  /** The first row; null where there is none. */
  get<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<Row | null>;
  /** Runs one statement, and gives the number of rows that it changed. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>;
  /**
   * Runs the work as one transaction that may write: committed when it resolves, rolled back when it rejects. One runs
   * at a time, of all processes: what it reads, no other transaction changes before it ends. So the work is short, and
   * waits for nothing but the database that it is given, and uses only that one. A statement that is refused ends the
   * transaction, even if the work catches the error.
   */
  transaction<Result>(work: (transaction: Database) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  /**
   * Waits until it is on the disk. Any transaction outlives the process once it is committed; a durable one also a power
   * cut, or the end of PostgreSQL's server, which may cost what was committed in the last second before: for what may
   * never happen twice, for what takes a right away, and for what somebody was told to be done.
   */
  readonly durable?: boolean;
}

/** Was it refused because a row with this key is there already? Both engines say so in their own way. */
export function isDuplicate(error: unknown): boolean {
  const { code, errcode, message } = error as { code?: unknown; errcode?: unknown; message?: unknown };
  // PostgreSQL: unique_violation. SQLite: SQLITE_CONSTRAINT_UNIQUE and SQLITE_CONSTRAINT_PRIMARYKEY.
  return (
    code === '23505' ||
    errcode === 2067 ||
    errcode === 1555 ||
    (typeof message === 'string' && message.includes('UNIQUE constraint failed'))
  );
}
