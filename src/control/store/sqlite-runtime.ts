import { OxideError } from '../../errors.ts';
import type { SqlRow, SqlValue } from './database.ts';

/** What is used of `node:sqlite`, and of the package with the same interface for runtimes without it. */
export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...values: readonly SqlValue[]): SqlRow[];
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint };
}

type SqliteConstructor = new (location: string, options: { readonly timeout: number }) => SqliteConnection;

/**
 * SQLite of the runtime (Node 22.13 and newer have it without a flag), or of the package `@photostructure/sqlite`.
 *
 * @throws OxideError `no-sqlite` where there is neither
 */
export async function loadSqlite(): Promise<SqliteConstructor> {
  const builtIn = withoutExperimentalWarning(() => process.getBuiltinModule('node:sqlite'));
  if (builtIn !== undefined) {
    return (builtIn as unknown as { readonly DatabaseSync: SqliteConstructor }).DatabaseSync;
  }
  try {
    return (await import('@photostructure/sqlite')).DatabaseSync as unknown as SqliteConstructor;
  } catch (cause) {
    throw new OxideError(
      'no-sqlite',
      `The control plane keeps its state in SQLite, which Node ${process.versions.node} does not have (22.13 does), and the package that has it is not installed or does not load here.`,
      { remedy: 'npm install @photostructure/sqlite@1.2.1   # or run it with Node 22.13 or newer', cause },
    );
  }
}

/** Node says on stderr that its SQLite may still change. What is used of it has not, and a user can't act on it. */
function withoutExperimentalWarning<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (rest[0] !== 'ExperimentalWarning') {
      Reflect.apply(emitWarning, process, [warning, ...rest]);
    }
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
