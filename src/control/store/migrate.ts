import { OxideError } from '../../errors.ts';
import type { Database } from './database.ts';
import type { Migration } from './migrations.ts';

/**
 * Brings the schema up to date, in one transaction: of two processes that open a store at once, the second finds it done.
 *
 * @throws OxideError `store-newer` where a newer version has been here
 */
export async function migrate(database: Database, migrations: readonly Migration[]): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.run('CREATE TABLE IF NOT EXISTS schema_steps (number BIGINT PRIMARY KEY)');
    const found = await transaction.get<{ number: number | null }>('SELECT MAX(number) AS number FROM schema_steps');
    const version = found?.number ?? 0;
    const newest = migrations.at(-1)?.number ?? 0;
    if (version > newest) {
      throw new OxideError(
        'store-newer',
        `The store was last used by a newer oxide-guard: its schema is at step ${version}, and this version knows ${newest}. It could misread what is there.`,
        { remedy: 'npm install oxide-guard@latest' },
      );
    }
    for (const migration of migrations.filter(({ number }) => number > version)) {
      for (const statement of migration.statements) {
        await transaction.run(statement);
      }
      await transaction.run('INSERT INTO schema_steps (number) VALUES (?)', migration.number);
    }
  });
}
