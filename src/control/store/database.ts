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
   * Runs the work as one transaction that may write: committed when it resolves, rolled back when it rejects. No other
   * statement of this process or another comes in between. The work uses the database it is given, and only that one.
   */
  transaction<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
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
