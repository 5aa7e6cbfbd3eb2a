import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';

/** What a contract is held on. */
export interface Engine {
  readonly name: string;
  /** A new, empty store, its schema up to date. */
  open(): Promise<Database>;
}

export const engines: readonly Engine[] = [{ name: 'SQLite', open: () => openSqlite(':memory:') }];
