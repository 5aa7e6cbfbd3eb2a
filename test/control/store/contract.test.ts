import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, isDuplicate } from '../../../src/control/store/database.ts';
import { describeOnEachEngine } from './engines.ts';

const insert = `INSERT INTO audit (audit_id, ts, tool, outcome, arguments) VALUES (?, ?, ?, ?, '{}')`;

describeOnEachEngine('a store', (open) => {
  let store: Database;
  const count = async (database = store) =>
    (await database.get<{ count: number }>('SELECT CAST(COUNT(*) AS BIGINT) AS count FROM audit'))?.count;

  beforeEach(async () => {
    store = await open();
  });
  afterEach(() => store.close());

  it('gives back what was put in, large numbers as numbers and nothing as null', async () => {
    const now = 1_790_000_000_123;
    expect(await store.run(insert, 'a', now, "it's ? $1 \\ 🦀", 'ok')).toBe(1);
    expect(await store.all('SELECT ts, tool, token_id FROM audit WHERE audit_id = ?', 'a')).toEqual([
      { ts: now, tool: "it's ? $1 \\ 🦀", token_id: null },
    ]);
    expect(await store.get('SELECT 1 AS one FROM audit WHERE audit_id = ?', 'b')).toBeNull();
  });

  it('knows a ? in a string, a name or a comment from a place for a value', async () => {
    await store.run(insert, 'a', 1, 'x?', 'ok');
    const row = await store.get(
      `SELECT tool AS "what?" /* ? */ FROM audit -- ?
      WHERE tool = 'x?' AND outcome <> 'it''s ?' AND ts = ?`,
      1,
    );
    expect(row).toEqual({ 'what?': 'x?' });
  });

  it('gives the number of rows that changed, and rows that a statement returns', async () => {
    await store.run(insert, 'a', 1, 'x', 'ok');
    await store.run(insert, 'b', 2, 'x', 'ok');
    expect(await store.run('UPDATE audit SET outcome = ? WHERE tool = ?', 'failed', 'x')).toBe(2);
    expect(await store.run('DELETE FROM audit WHERE audit_id = ?', 'c')).toBe(0);
    expect(await store.all('DELETE FROM audit WHERE ts = ? RETURNING audit_id', 2)).toEqual([{ audit_id: 'b' }]);
    expect(await store.run(`${insert} ON CONFLICT DO NOTHING`, 'a', 1, 'x', 'ok')).toBe(0);
  });

  it('tells a duplicate from other refusals', async () => {
    await store.run(insert, 'a', 1, 'x', 'ok');
    const again = await store.run(insert, 'a', 1, 'x', 'ok').catch((error: unknown) => error);
    expect(isDuplicate(again)).toBe(true);
    const incomplete = await store.run(insert, 'b', 1, null, 'ok').catch((error: unknown) => error);
    expect(incomplete).toBeInstanceOf(Error);
    expect(isDuplicate(incomplete)).toBe(false);
  });

  it('refuses a row that refers to nothing', async () => {
    const workspace = store.run('INSERT INTO workspaces VALUES (?, ?, ?, ?, ?, ?)', 'w', 'no-such', 'main', '/', 1, 1);
    await expect(workspace).rejects.toThrow(/foreign key/i);
  });

  it('keeps nothing of a transaction that rejects', async () => {
    const failing = store.transaction(async (transaction) => {
      await transaction.run(insert, 'a', 1, 'x', 'ok');
      expect(await count(transaction)).toBe(1);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
  });

  it('keeps a durable transaction, and gives what its work gives', async () => {
    const given = await store.transaction(async (transaction) => transaction.run(insert, 'a', 1, 'x', 'ok'), {
      durable: true,
    });
    expect(given).toBe(1);
    expect(await count()).toBe(1);
  });

  it('runs one transaction at a time', async () => {
    const addOne = () =>
      store.transaction(async (transaction) => {
        const before = await count(transaction);
        await new Promise((resolve) => setTimeout(resolve, 1));
        await transaction.run(insert, `a${before}`, 1, 'x', 'ok');
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await count()).toBe(20);
  });

  it('lets no statement from outside into an open transaction', async () => {
    const failing = store.transaction(async (transaction) => {
      await transaction.run(insert, 'inside', 1, 'x', 'ok');
      await new Promise((resolve) => setTimeout(resolve, 20));
      throw new Error('undone');
    });
    const outside = store.run(insert, 'outside', 1, 'x', 'ok');
    await expect(failing).rejects.toThrow('undone');
    await outside;
    expect(await store.all('SELECT audit_id FROM audit')).toEqual([{ audit_id: 'outside' }]);
  });

  it('undoes a transaction within another alone', async () => {
    await store.transaction(async (transaction) => {
      await transaction.run(insert, 'a', 1, 'x', 'ok');
      const within = transaction.transaction(async (inner) => {
        await inner.run(insert, 'b', 1, 'x', 'ok');
        await inner.run(insert, 'a', 1, 'x', 'ok');
      });
      expect(isDuplicate(await within.catch((error: unknown) => error))).toBe(true);
      await transaction.transaction((inner) => inner.run(insert, 'c', 1, 'x', 'ok'));
    });
    expect(await store.all('SELECT audit_id FROM audit ORDER BY audit_id')).toEqual([
      { audit_id: 'a' },
      { audit_id: 'c' },
    ]);
  });

  it('commits nothing after a refused statement, even if its error was caught', async () => {
    const careless = store.transaction(async (transaction) => {
      await transaction.run(insert, 'a', 1, 'x', 'ok');
      await transaction.run(insert, 'a', 1, 'x', 'ok').catch(() => 0);
    });
    await expect(careless).rejects.toThrow('refused');
    expect(await count()).toBe(0);
  });

  it('says so when a transaction waits for itself, or is used after its end', async () => {
    await expect(store.transaction(() => store.run(insert, 'a', 1, 'x', 'ok'))).rejects.toThrow(
      'inside of a transaction',
    );
    let kept: Database | undefined;
    await store.transaction(async (transaction) => {
      kept = transaction;
    });
    await expect(kept?.run(insert, 'a', 1, 'x', 'ok')).rejects.toThrow('after the end');
    expect(await count()).toBe(0);
  });

  it('can be used by what a transaction has started, once that has ended', async () => {
    let later: Promise<number> | undefined;
    await store.transaction(async () => {
      later = new Promise((resolve) => setTimeout(resolve, 20)).then(() => store.run(insert, 'a', 1, 'x', 'ok'));
    });
    expect(await later).toBe(1);
  });
});
