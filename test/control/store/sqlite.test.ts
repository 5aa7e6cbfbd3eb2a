import { mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { migrations } from '../../../src/control/store/migrations.ts';
import { openStore } from '../../../src/control/store/open.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { loadSqlite } from '../../../src/control/store/sqlite-runtime.ts';

const insert = `INSERT INTO audit (audit_id, ts, tool, outcome, arguments) VALUES (?, ?, ?, ?, '{}')`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'oxide-guard-store-'));
});
const directories = () => ({ state: join(directory, 'state'), projects: '', trash: '' });
const failureOf = (opening: Promise<unknown>) =>
  opening.then(
    () => null,
    (error: { code?: string }) => error.code,
  );

describe('the file of a store', () => {
  it('is for its owner alone', async () => {
    const store = await openStore(null, directories());
    await store.run(insert, 'a', 1, 'x', 'ok');
    expect(statSync(join(directory, 'state')).mode & 0o777).toBe(0o700);
    for (const name of ['store.sqlite', 'store.sqlite-wal', 'store.sqlite-shm']) {
      expect(statSync(join(directory, 'state', name)).mode & 0o777).toBe(0o600);
    }
    await store.close();
  });

  it('keeps what was committed for the next process', async () => {
    const path = join(directory, 'store.sqlite');
    const first = await openSqlite(path);
    await first.run(insert, 'a', 1, 'x', 'ok');
    await first.close();
    const second = await openStore(path, directories());
    expect(await second.get('SELECT audit_id FROM audit')).toEqual({ audit_id: 'a' });
    await second.close();
  });

  it('is refused when a newer version has used it', async () => {
    const path = join(directory, 'store.sqlite');
    const newer = await openSqlite(path, { steps: [...migrations, { number: 999, statements: [] }] });
    await newer.close();
    expect(await failureOf(openSqlite(path))).toBe('store-newer');
  });

  it('takes the steps that are missing, and none of a step that fails', async () => {
    const path = join(directory, 'store.sqlite');
    await (await openSqlite(path, { steps: [{ number: 1, statements: ['CREATE TABLE one (a BIGINT)'] }] })).close();
    const steps = [
      { number: 1, statements: ['CREATE TABLE one (a BIGINT)'] },
      { number: 2, statements: ['CREATE TABLE two (a BIGINT)', 'nonsense'] },
    ];
    await expect(openSqlite(path, { steps })).rejects.toThrow(/syntax/);
    const [first] = steps;
    const mended = [
      ...(first === undefined ? [] : [first]),
      { number: 2, statements: ['CREATE TABLE two (a BIGINT)'] },
    ];
    const store = await openSqlite(path, { steps: mended });
    expect(await store.all('SELECT number FROM schema_steps ORDER BY number')).toEqual([{ number: 1 }, { number: 2 }]);
    await store.close();
  });

  it('that is something else, damaged or a directory is told from one that is locked', async () => {
    const text = join(directory, 'text');
    writeFileSync(
      text,
      'Dear diary, this is not a database, and it never will be one, however long it is.\n'.repeat(99),
    );
    expect(await failureOf(openSqlite(text))).toBe('store-corrupt');
    mkdirSync(join(directory, 'folder'));
    expect(await failureOf(openSqlite(join(directory, 'folder')))).toBe('store-unreadable');
    expect(await failureOf(openSqlite(join(text, 'store.sqlite')))).toBe('store-unreadable');
  });

  it('waits for another process, without holding up this one', async () => {
    const path = join(directory, 'store.sqlite');
    const store = await openSqlite(path);
    const other = new (await loadSqlite())(path, { timeout: 0 });
    other.exec('BEGIN IMMEDIATE');
    const waiting = store.run(insert, 'a', 1, 'x', 'ok');
    await new Promise((resolve) => setTimeout(resolve, 200));
    other.exec('COMMIT');
    expect(await waiting).toBe(1);
    other.close();
    await store.close();
  });

  it('of a kind that is not known is refused', async () => {
    await expect(openStore('mysql://somewhere/else', directories())).rejects.toThrow(/not mysql/);
    await expect(openStore('sqlite', directories())).rejects.toMatchObject({
      message: "'sqlite' is neither the URL of a database nor the path of a file.",
      remedy: 'oxide-guard mcp --store ./sqlite.sqlite',
    });
    await expect(openStore('', directories())).rejects.toMatchObject({ code: 'unknown-store' });
  });
});
