import pg from 'pg';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import type { Database, SqlRow, SqlValue, TransactionOptions } from './database.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { withNumberedPlaces } from './placeholders.ts';
import { type Connection, Transaction } from './transaction.ts';
import { Turns } from './turns.ts';

/** Milliseconds until a transaction, or a connection, is given up on; the same as with SQLite. */
const usualPatience = 10_000;
/** Milliseconds after which the server ends a transaction whose client says nothing more: its machine may be gone. */
const silence = 30_000;
/** The advisory lock that one transaction of all processes has at a time; any number that is this program's own. */
const transactionLock = 7_817_309_426_513_202n;

/** Types that `pg` gives as text or as a truth value (pg_type.dat): bigint, numeric as sums are, boolean. */
const numbers = new Set([20, 1700]);
const boolean = 16;
const types = {
  getTypeParser(type: number): (text: string) => SqlValue {
    return numbers.has(type)
      ? Number
      : type === boolean
        ? (text) => Number(text === 't')
        : pg.types.getTypeParser(type);
  },
};

/**
 * Opens a store in a PostgreSQL database, and brings its schema up to date. Several machines may have it open.
 *
 * @param url `postgres://USER:PASSWORD@HOST/DATABASE`; what it does not say is read as `psql` reads it (PGHOST, ~/.pgpass)
 * @throws OxideError `unknown-store`, `store-unreachable`, `store-newer`, `store-busy`
 */
export async function openPostgres(
  url: string,
  { steps = migrations, patience = usualPatience } = {},
): Promise<Database> {
  const database = new PostgresDatabase(url, patience);
  try {
    await migrate(database, steps);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres';
  readonly #pool: pg.Pool;
  readonly #place: string;
  /** Of this process one transaction at a time asks for the lock, so that those that wait leave connections to others. */
  readonly #turns = new Turns();

  constructor(url: string, patience: number) {
    this.#place = withoutPassword(url);
    this.#pool = new pg.Pool({
      connectionString: url,
      types,
      application_name: 'oxide-guard',
      connectionTimeoutMillis: patience,
      lock_timeout: patience,
      idle_in_transaction_session_timeout: silence,
      keepAlive: true,
      verify: (client, done) => client.query('SET synchronous_commit = off', (error) => done(error ?? undefined)),
    });
    // A connection that breaks while nobody uses it: the pool makes another when it is needed. One that breaks while it is
    // used fails the statement, and may tell of it several times.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
  }

  async all<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<readonly Row[]> {
    return (await this.#alone(sql, values)).rows as Row[];
  }

  async get<Row = SqlRow>(sql: string, ...values: readonly SqlValue[]): Promise<Row | null> {
    return (await this.all<Row>(sql, ...values))[0] ?? null;
  }

  async run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return (await this.#alone(sql, values)).rowCount ?? 0;
  }

  /**
   * READ COMMITTED, and one at a time by an advisory lock: as with SQLite, nobody has to think of what another
   * transaction does meanwhile, and none is refused because of it. As with SQLite, only a durable one waits for the disk:
   * the others, which are not on it before a second has passed, would make all that wait for the lock wait for it, too.
   */
  transaction<Result>(
    work: (transaction: Database) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    return this.#turns.take(async () => {
      const client = await this.#explained(() => this.#pool.connect());
      let broken = true;
      try {
        const query = (sql: string, values: readonly SqlValue[] = []) =>
          this.#explained(() => ask(client, sql, values));
        const connection: Connection = {
          rows: async (sql, values) => (await query(sql, values)).rows,
          change: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
        };
        const rollBack = async () => {
          await query('ROLLBACK');
          broken = false;
        };
        const durably = options.durable === true ? 'SET LOCAL synchronous_commit = on;' : '';
        await query(`BEGIN; ${durably} SELECT pg_advisory_xact_lock(${transactionLock})`);
        const result = await new Transaction(this.engine, connection).settle(work, () => query('COMMIT'), rollBack);
        broken = false;
        return result;
      } finally {
        client.release(broken);
      }
    });
  }

  close(): Promise<void> {
    return this.#turns.take(() => this.#pool.end());
  }

  #alone(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult> {
    return this.#explained(() => {
      this.#turns.mustNotHold();
      return ask(this.#pool, sql, values);
    });
  }

  async #explained<Result>(attempt: () => Promise<Result>): Promise<Result> {
    try {
      return await attempt();
    } catch (error) {
      throw postgresFailure(error, this.#place);
    }
  }
}

/** PostgreSQL's text has no NUL: it is what a character that can't be shown becomes. */
function ask(client: pg.Pool | pg.PoolClient, sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult> {
  const taken = values.map((value) => (typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value));
  return client.query(withNumberedPlaces(sql), taken);
}

/** SQLSTATE classes and codes that say something of the server or the way to it (PostgreSQL manual, Appendix A). */
const unreachable = /^(?:08|28|3D|57P|53)/;
const lockNotAvailable = '55P03';

function postgresFailure(error: unknown, place: string): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === lockNotAvailable) {
    return new OxideError(
      'store-busy',
      `The store ${place} is locked by another process, which does not let go of it. Nothing was changed.`,
      { remedy: `psql ${quoteWord(place)} -c 'SELECT * FROM pg_stat_activity'`, cause: error },
    );
  }
  if (code === 'ERR_INVALID_URL') {
    return new OxideError('unknown-store', 'The URL of the store can’t be read.', {
      remedy: 'oxide-guard mcp --store postgres://USER@HOST/DATABASE',
    });
  }
  const refused = typeof code === 'string' && (unreachable.test(code) || /^E[A-Z_]+$/.test(code));
  const broken =
    typeof message === 'string' &&
    /^(?:Connection terminated|timeout exceeded when trying|Client has encountered a connection)/.test(message);
  return refused || broken
    ? new OxideError('store-unreachable', `The store ${place} can't be reached: ${message || code}.`, {
        remedy: `psql ${quoteWord(place)} -c 'SELECT 1'`,
        cause: error,
      })
    : error;
}

/** The URL as it can be shown: without a password, wherever it is in it. */
function withoutPassword(url: string): string {
  return url
    .replace(/^(?<start>[^:]+:\/\/[^:@/?]*):[^@/]*@/, '$<start>@')
    .replace(/(?<start>[?&]password=)[^&]*/gi, '$<start>…');
}
