import { execFileSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { loadSqlite } from '../../../src/control/store/sqlite-runtime.ts';
import { skipUnless } from '../../skip.ts';

const insert = `INSERT INTO audit (audit_id, ts, tool, outcome, arguments) VALUES (?, ?, ?, ?, '{}')`;
const text = 'x'.repeat(4000);

let directory: string;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

async function fill(store: Database, rows: number): Promise<void> {
  for (let row = 0; row < rows; row++) {
    await store.run(insert, `row-${row}`, row, 'x', text);
  }
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oxide-guard-store-'));
});

describe('a store whose file is', () => {
  it('damaged says so, when it is opened or when the damage is met', async () => {
    const path = join(directory, 'store.sqlite');
    const store = await openSqlite(path);
    await fill(store, 100);
    await store.close();
    const size = statSync(path).size;
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(size - 8192, 0xa5), 0, size - 8192, 8192);
    closeSync(file);
    const reading = async () => {
      const again = await openSqlite(path);
      await again.all('SELECT * FROM audit ORDER BY audit_id').finally(() => again.close());
    };
    expect(await failureOf(reading())).toBe('store-corrupt');
  });

  it('cut off says so', async () => {
    const path = join(directory, 'store.sqlite');
    const store = await openSqlite(path);
    await fill(store, 100);
    await store.close();
    writeFileSync(path, readFileSync(path).subarray(0, 10_000));
    expect(await failureOf(openSqlite(path).then((again) => again.all('SELECT * FROM audit')))).toBe('store-corrupt');
  });

  it('locked for good says so, and works when it is not any more', async () => {
    const path = join(directory, 'store.sqlite');
    const store = await openSqlite(path, { patience: 200 });
    const other = new (await loadSqlite())(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    expect(await failureOf(fill(store, 1))).toBe('store-busy');
    expect(await failureOf(store.transaction((transaction) => fill(transaction, 1)))).toBe('store-busy');
    expect(await store.all('SELECT ts FROM audit')).toEqual([]);
    expect(await failureOf(openSqlite(path, { patience: 200 }))).toBe('store-busy');
    other.exec('ROLLBACK');
    await store.transaction((transaction) => fill(transaction, 1));
    other.close();
    await store.close();
  });

  it('opened by many at once gets one schema', async () => {
    const path = join(directory, 'store.sqlite');
    const stores = await Promise.all(Array.from({ length: 8 }, () => openSqlite(path)));
    await Promise.all(stores.map((store, index) => store.run(insert, `row-${index}`, index, 'x', 'ok')));
    expect(await stores[0]?.all('SELECT CAST(COUNT(*) AS BIGINT) AS count FROM audit')).toEqual([{ count: 8 }]);
    await Promise.all(stores.map((store) => store.close()));
  });
});

describe('a store on a disk', () => {
  let mounted: string | null = null;
  const mount = (...options: readonly string[]) => {
    mounted = mkdtempSync(join(tmpdir(), 'oxide-guard-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', options.join(','), 'tmpfs', mounted], { stdio: 'pipe' });
    return join(mounted, 'store.sqlite');
  };
  const unmount = () => {
    if (mounted !== null) {
      // The package's closed connections hold the file until they are collected.
      execFileSync('umount', ['-l', mounted], { stdio: 'pipe' });
      rmSync(mounted, { recursive: true });
      mounted = null;
    }
  };
  const canMount = () => {
    try {
      mount('size=64k');
      unmount();
      return true;
    } catch {
      mounted = null;
      return false;
    }
  };
  const missing = skipUnless(canMount(), 'a store on a full or read-only disk: this user may not mount one');
  afterEach(unmount);

  it.skipIf(missing)('that is full keeps what was committed, and goes on when there is space again', async () => {
    const path = mount('size=1m');
    const store = await openSqlite(path);
    let rows = 0;
    const failed = await failureOf(
      (async () => {
        for (; ; rows++) {
          await store.transaction((transaction) => transaction.run(insert, `row-${rows}`, rows, 'x', text));
        }
      })(),
    );
    expect(failed).toBe('store-full');
    expect(rows).toBeGreaterThan(5);
    expect((await store.all('SELECT audit_id FROM audit')).length).toBe(rows);
    expect(await failureOf(store.run(insert, 'another', 1, 'x', text))).toBe('store-full');
    execFileSync('mount', ['-o', 'remount,size=8m', mounted ?? ''], { stdio: 'pipe' });
    await store.transaction((transaction) => fill(transaction, 0));
    expect(await store.run(insert, 'another', 1, 'x', text)).toBe(1);
    expect(await store.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    await store.close();
  });

  it.skipIf(missing)('that is full from the start says so', async () => {
    expect(await failureOf(openSqlite(mount('size=32k')))).toBe('store-full');
  });

  it.skipIf(missing)('that may not be written says so', async () => {
    const elsewhere = join(directory, 'store.sqlite');
    await (await openSqlite(elsewhere)).close();
    const path = mount('size=4m');
    copyFileSync(elsewhere, path);
    execFileSync('mount', ['-o', 'remount,ro', mounted ?? ''], { stdio: 'pipe' });
    expect(await failureOf(openSqlite(path))).toBe('store-readonly');
  });
});
