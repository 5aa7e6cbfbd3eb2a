import { execFileSync } from 'node:child_process';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../../src/control/store/migrations.ts';
import { openStore } from '../../../src/control/store/open.ts';
import { openPostgres } from '../../../src/control/store/postgres.ts';
import type { OxideError } from '../../../src/errors.ts';
import { skipUnless } from '../../skip.ts';
import { type Cluster, postgresPrograms, startCluster } from './cluster.ts';

const insert = `INSERT INTO audit (audit_id, ts, tool, outcome, arguments) VALUES (?, ?, ?, ?, '{}')`;
const directories = { state: '', projects: '', trash: '' };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: OxideError) => error,
  );

const programs = postgresPrograms();
const missing = skipUnless(programs !== null, 'PostgreSQL: initdb and postgres are not installed');

describe.skipIf(missing)('a store in a PostgreSQL server', () => {
  let cluster: Cluster | undefined;
  const schema = async () => (await cluster?.schema()) ?? '';
  beforeAll(async () => {
    cluster = await startCluster(programs ?? '');
  });
  afterAll(() => cluster?.stop());

  /** Ends all connections of a store but one's own, as an administrator or a restart does. */
  async function endConnections(url: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'oxide-guard'");
    await client.end();
  }

  it('is opened by its URL, and finds what was there', async () => {
    const url = await schema();
    const first = await openStore(url, directories);
    expect(first.engine).toBe('postgres');
    await first.run(insert, 'a', 1, 'x', 'ok');
    await first.close();
    const second = await openStore(url.replace('postgres://', 'postgresql://'), directories);
    expect(await second.all('SELECT audit_id FROM audit')).toEqual([{ audit_id: 'a' }]);
    await second.close();
  });

  it('gets one schema when many open it at once', async () => {
    const url = await schema();
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgres(url)));
    expect(await stores[0]?.all('SELECT number FROM schema_steps')).toEqual(
      migrations.map(({ number }) => ({ number })),
    );
    await Promise.all(stores.map((store) => store.close()));
  });

  it('is refused when a newer version has used it', async () => {
    const url = await schema();
    await (await openPostgres(url, { steps: [...migrations, { number: 999, statements: [] }] })).close();
    expect(await failureOf(openPostgres(url))).toMatchObject({ code: 'store-newer' });
  });

  it('gives sums and comparisons as numbers, as SQLite does', async () => {
    const store = await openPostgres(await schema());
    await store.run(insert, 'a', 1_790_000_000_000, 'x', 'ok');
    await store.run(insert, 'b', 1_790_000_000_001, 'x', 'ok');
    expect(await store.get('SELECT SUM(ts) AS sum, COUNT(*) AS count, MAX(ts) > 5 AS late FROM audit')).toEqual({
      sum: 3_580_000_000_001,
      count: 2,
      late: 1,
    });
    await store.close();
  });

  it('takes text with a NUL, which it can’t keep', async () => {
    const store = await openPostgres(await schema());
    await store.run(insert, 'a', 1, 'x\0y', 'ok');
    expect(await store.get('SELECT tool FROM audit')).toEqual({ tool: 'x\ufffdy' });
    await store.close();
  });

  it('that ends its connections fails what is under way, and is connected to again', async () => {
    const url = await schema();
    const store = await openPostgres(url);
    const under = store.transaction(async (transaction) => {
      await transaction.run(insert, 'a', 1, 'x', 'ok');
      await endConnections(url);
      await new Promise((resolve) => setTimeout(resolve, 100));
      await transaction.run(insert, 'b', 1, 'x', 'ok');
    });
    expect(await failureOf(under)).toMatchObject({ code: 'store-unreachable' });
    await endConnections(url);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await store.transaction((transaction) => transaction.run(insert, 'c', 1, 'x', 'ok'));
    expect(await store.all('SELECT audit_id FROM audit')).toEqual([{ audit_id: 'c' }]);
    await store.close();
  });

  it('whose connections broke unnoticed fails a statement, and is connected to again', async () => {
    const url = await schema();
    const store = await openPostgres(url);
    const ask = () => Promise.all(Array.from({ length: 8 }, () => store.all('SELECT pg_sleep(0.05)')));
    await ask();
    // While this waits, nothing here can hear of it.
    const end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'oxide-guard'";
    execFileSync(join(programs ?? '', 'psql'), [url, '-c', end], { stdio: 'pipe' });
    await Promise.allSettled([ask(), ask()]);
    await expect.poll(() => store.get('SELECT 1 AS one').catch(() => null)).toEqual({ one: 1 });
    await store.close();
  });

  it('whose lock another process keeps says so, and lets single statements through', async () => {
    const url = await schema();
    const store = await openPostgres(url, { patience: 300 });
    const other = await openPostgres(url);
    let letGo: () => void = () => undefined;
    const holding = other.transaction(
      () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    const refused = await failureOf(store.transaction((transaction) => transaction.run(insert, 'a', 1, 'x', 'ok')));
    expect(refused).toMatchObject({ code: 'store-busy' });
    expect(await store.run(insert, 'b', 1, 'x', 'ok')).toBe(1);
    letGo();
    await holding;
    expect(await store.transaction((transaction) => transaction.run(insert, 'a', 1, 'x', 'ok'))).toBe(1);
    await Promise.all([store.close(), other.close()]);
  });
});

describe('a PostgreSQL server that can’t be reached', () => {
  it.each([
    'postgres://ada:s3cr%40t@127.0.0.1:1/state',
    'postgres://ada@127.0.0.1:1/state?password=s3cr%40t',
    'postgres://ada:s3cr%40t@no-such-host.invalid/state',
    'postgres://ada:s3cr%40t@/state?host=/no/such/directory',
  ])('is named without its password: %s', async (url) => {
    const failure = await failureOf(openPostgres(url));
    expect(failure).toMatchObject({ code: 'store-unreachable' });
    expect(`${failure?.message} ${failure?.remedy}`).toContain('ada@');
    expect(`${failure?.message} ${failure?.remedy}`).not.toContain('s3cr');
  });

  it.each([
    ['ends the connection', (socket: Socket) => socket.end()],
    ['resets the connection', (socket: Socket) => socket.resetAndDestroy()],
  ])('and %s right after it was made is told of, and does not end the process', async (_, breakOff) => {
    // Of the protocol's messages: AuthenticationOk, ReadyForQuery (PostgreSQL manual, 55.7 Message Formats).
    const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write(welcome);
        socket.once('data', () => breakOff(socket));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // With nobody to hear an error event, node throws it where nothing catches it: the test runner fails then.
    expect(await failureOf(openPostgres(`postgres://ada@127.0.0.1:${port}/state`))).toMatchObject({
      code: 'store-unreachable',
    });
    server.close();
  });

  it.each(['postgres://[', 'postgres://ada:s3cr%40t@host:notaport/x'])('nor a URL that is none: %s', async (url) => {
    const failure = await failureOf(openPostgres(url));
    expect(failure).toMatchObject({ code: 'unknown-store' });
    expect(`${failure?.message} ${failure?.remedy}`).not.toContain('s3cr');
  });
});
