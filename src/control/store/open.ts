import { isAbsolute, join, resolve } from 'node:path';
import { ExitCode, OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
import type { Directories } from '../directories.ts';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Opens the store: a PostgreSQL database for `postgres://…`, else an SQLite file by its path.
 *
 * @param url what `--store` says; null: a file in the state directory
 * @throws OxideError `unknown-store`, and what opening the engine throws
 */
export async function openStore(url: string | null, directories: Directories): Promise<Database> {
  const scheme = /^(?<scheme>[a-z][a-z\d+.-]+):\/\//i.exec(url ?? '')?.groups?.scheme?.toLowerCase();
  if (url !== null && (scheme === 'postgres' || scheme === 'postgresql')) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(url);
  }
  if (scheme !== undefined) {
    throw new OxideError('unknown-store', `A store is a file or a PostgreSQL database, not ${scheme}.`, {
      remedy: 'oxide-guard mcp --store postgres://USER@HOST/DATABASE',
    });
  }
  // A word alone is rather meant as the name of something else: `--store sqlite`, `--store prod`.
  if (url !== null && !/[/\\.]/.test(url)) {
    throw new OxideError('unknown-store', `'${url}' is neither the URL of a database nor the path of a file.`, {
      remedy: `oxide-guard mcp --store ${quoteWord(`./${url || 'store'}.sqlite`)}`,
      exitCode: ExitCode.usage,
    });
  }
  const path = url ?? join(directories.state, 'store.sqlite');
  return openSqlite(isAbsolute(path) ? path : resolve(path));
}
