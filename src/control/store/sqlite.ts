import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database, SqlRow, SqlValue, TransactionOptions } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { isBusy, storeFailure } from './sqlite-failure.ts';
import { loadSqlite, type SqliteConnection, type SqliteStatement } from './sqlite-runtime.ts';
import { type Connection, Transaction } from './transaction.ts';
import { Turns } from './turns.ts';

/** Milliseconds for which SQLite itself waits for another process's lock: nothing else happens in this one meanwhile. */
const blockingWait = 15;
/** Milliseconds until a locked store is given up on. */
const usualPatience = 10_000;
/** Statements that are kept prepared; there are fewer in the program, apart from those with a list of values. */
const preparedLimit = 200;

/**
 * Opens a store in a file, which is made if it is not there, or in memory, and brings its schema up to date. Several
 * processes of one machine may have it open; a network file system can't hold one (https://sqlite.org/wal.html).
 *
 * @param location an absolute path, or `:memory:`
 * @throws OxideError `no-sqlite`, `store-newer`, `store-corrupt`, `store-busy`, `store-readonly`, `store-unreadable`,
 *   `store-full`
 */
export async function openSqlite(
  location: string,
  { steps = migrations, patience = usualPatience } = {},
): Promise<Database> {
  const Sqlite = await loadSqlite();
  const place: Place = { location, patience };
  const database = await patiently(place, () => {
    if (location !== ':memory:') {
      makePrivateFile(location);
    }
    return new SqliteDatabase(new Sqlite(location, { timeout: blockingWait }), place);
  });
  try {
    await database.configure();
    await migrate(database, steps);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

/** Nobody else reads prompts and events. SQLite gives its files beside this one the same mode. */
function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Where the store is, and how many milliseconds it is waited for while it is locked. */
interface Place {
  readonly location: string;
  readonly patience: number;
}

/** Tries until the store is not locked any more, and lets the rest of the process go on meanwhile. */
async function patiently<Result>({ location, patience }: Place, attempt: () => Result): Promise<Result> {
  const until = performance.now() + patience;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) {
        throw storeFailure(error, location);
      }
      await pause(1 + Math.random() * blockingWait);
    }
  }
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite';
  readonly #sqlite: SqliteConnection;
  readonly #place: Place;
  readonly #prepared = new Map<string, SqliteStatement>();
  readonly #turns = new Turns();

  constructor(sqlite: SqliteConnection, place: Place) {
    this.#sqlite = sqlite;
    this.#place = place;
  }

  /**
   * WAL: readers and a writer don't wait for each other. With it, `synchronous = NORMAL` keeps what was committed
   * through a `kill -9`, and the file whole through a power cut, which may cost the last commits
   * (https://sqlite.org/pragma.html#pragma_synchronous); `durable` transactions are on the disk.
   */
  async configure(): Promise<void> {
    for (const pragma of ['journal_mode = WAL', 'foreign_keys = ON', 'synchronous = NORMAL']) {
      await patiently(this.#place, () => this.#sqlite.exec(`PRAGMA ${pragma}`));
    }
  }

  all<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.#alone(() => this.#statement(sql).all(...values) as Row[]);
  }

  async get<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<Row | null> {
    return (await this.all<Row>(sql, ...values))[0] ?? null;
  }

  run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return this.#alone(() => Number(this.#statement(sql).run(...values).changes));
  }

  transaction<Result>(
    work: (transaction: Database) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const connection: Connection = {
      rows: async (sql, values) => this.#explained(() => this.#statement(sql).all(...values)),
      change: async (sql, values) => this.#explained(() => Number(this.#statement(sql).run(...values).changes)),
    };
    const execute = async (sql: string) => this.#explained(() => this.#sqlite.exec(sql));
    return this.#turns.take(async () => {
      await execute(`PRAGMA synchronous = ${options.durable === true ? 'FULL' : 'NORMAL'}`);
      await patiently(this.#place, () => this.#sqlite.exec('BEGIN IMMEDIATE'));
      return new Transaction(this.engine, connection).settle(
        work,
        () => execute('COMMIT'),
        () => execute('ROLLBACK'),
      );
    });
  }

  /**
   * With the last connection SQLite itself brings what is in the log into the file, but the package's connection lives on
   * until its statements are collected. So that is done before; where others still read, later by them.
   */
  close(): Promise<void> {
    return this.#turns.take(async () => {
      try {
        this.#sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch {
        // A disk that is full or damaged: the log has it all, and is read when the store is opened again.
      }
      this.#prepared.clear();
      this.#sqlite.close();
    });
  }

  #alone<Result>(statement: () => Result): Promise<Result> {
    return this.#turns.take(() => patiently(this.#place, statement));
  }

  #explained<Result>(statement: () => Result): Result {
    try {
      return statement();
    } catch (error) {
      throw storeFailure(error, this.#place.location);
    }
  }

  #statement(sql: string): SqliteStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) {
      return known;
    }
    const made = this.#sqlite.prepare(sql);
    if (this.#prepared.size >= preparedLimit) {
      this.#prepared.clear();
    }
    this.#prepared.set(sql, made);
    return made;
  }
}
