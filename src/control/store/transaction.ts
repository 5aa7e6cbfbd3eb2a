import type { Database, SqlRow, SqlValue } from './database.ts';

/** One connection to an engine, which nothing else uses meanwhile. */
export interface Connection {
  rows(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Gives the number of rows that changed. */
  change(sql: string, values: readonly SqlValue[]): Promise<number>;
}

/**
 * An open transaction, as both engines have it. PostgreSQL does nothing more in a transaction after a statement of it
 * was refused, and SQLite is held to the same here, so that what works on one works on the other: `ON CONFLICT` for
 * what may be there already, or a transaction within for what may be refused.
 */
export class Transaction implements Database {
  readonly engine: Database['engine'];
  readonly #connection: Connection;
  readonly #depth: number;
  #state: 'open' | 'refused' | 'ended' = 'open';

  constructor(engine: Database['engine'], connection: Connection, depth = 1) {
    this.engine = engine;
    this.#connection = connection;
    this.#depth = depth;
  }

  /** Does the work, and then what commits or rolls back. Nothing of the transaction can be used afterwards. */
  async settle<Result>(
    work: (transaction: Database) => Promise<Result>,
    commit: () => Promise<unknown>,
    rollBack: () => Promise<unknown>,
  ): Promise<Result> {
    try {
      const result = await work(this);
      this.#mustBeOpen();
      this.#state = 'ended';
      await commit();
      return result;
    } catch (error) {
      this.#state = 'ended';
      // The engine may have rolled back by itself, as SQLite does on a full disk; why it failed matters more.
      await rollBack().catch(() => undefined);
      throw error;
    }
  }

  all<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#attempt(() => this.#connection.rows(sql, values) as Promise<readonly Row[]>);
  }

  async get<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<Row | null> {
    return (await this.all<Row>(sql, ...values))[0] ?? null;
  }

  run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return this.#attempt(() => this.#connection.change(sql, values));
  }

  /** A transaction within: what it did goes when it rejects, and the one around it goes on. */
  async transaction<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
    this.#mustBeOpen();
    const name = `within_${this.#depth}`;
    await this.#connection.change(`SAVEPOINT ${name}`, []);
    const within = new Transaction(this.engine, this.#connection, this.#depth + 1);
    const release = () => this.#connection.change(`RELEASE SAVEPOINT ${name}`, []);
    return within.settle(work, release, async () => {
      await this.#connection.change(`ROLLBACK TO SAVEPOINT ${name}`, []);
      await release();
    });
  }

  close(): Promise<void> {
    return Promise.reject(new Error('a store is not closed by a transaction on it'));
  }

  async #attempt<Result>(statement: () => Promise<Result>): Promise<Result> {
    this.#mustBeOpen();
    try {
      return await statement();
    } catch (error) {
      this.#state = 'refused';
      throw error;
    }
  }

  #mustBeOpen(): void {
    if (this.#state === 'ended') {
      throw new Error('a statement came after the end of its transaction');
    }
    if (this.#state === 'refused') {
      throw new Error('a statement of this transaction was refused: nothing more can be done in it');
    }
  }
}
