import { afterAll, beforeAll, describe } from 'vitest';
import type { Database } from '../../../src/control/store/database.ts';
import { openPostgres } from '../../../src/control/store/postgres.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { skipUnless } from '../../skip.ts';
import { type Cluster, postgresPrograms, startCluster } from './cluster.ts';

/** Holds the tests on each engine; `open` gives a new, empty store of it, its schema up to date. */
export function describeOnEachEngine(what: string, tests: (open: () => Promise<Database>) => void): void {
  describe(`${what} in SQLite`, () => tests(() => openSqlite(':memory:')));

  const programs = postgresPrograms();
  const missing = skipUnless(programs !== null, `${what} in PostgreSQL: initdb and postgres are not installed`);
  describe.skipIf(missing)(`${what} in PostgreSQL`, () => {
    let cluster: Cluster | undefined;
    beforeAll(async () => {
      cluster = await startCluster(programs ?? '');
    });
    afterAll(() => cluster?.stop());
    tests(async () => openPostgres((await cluster?.schema()) ?? ''));
  });
}
