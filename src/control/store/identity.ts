import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** What tells this store from any other, from wherever it is opened; whoever asks first makes it. */
export async function storeId(database: Database): Promise<string> {
  await database.run(
    'INSERT INTO identity (place, store_id) VALUES (1, ?) ON CONFLICT (place) DO NOTHING',
    randomUUID(),
  );
  const row = await database.get<{ readonly store_id: string }>('SELECT store_id FROM identity');
  return row?.store_id ?? '';
}
