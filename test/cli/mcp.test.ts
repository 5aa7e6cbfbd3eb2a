import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { remote } from '../control/projects/fixture.ts';
import { httpClient, httpServer, stage } from '../control/scenarios/stage.ts';
import { oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { skipUnless } from '../skip.ts';

const initialize = request(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

function request(id: number, method: string, params: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

const call = (id: number, name: string, input: object) => request(id, 'tools/call', { name, arguments: input });

function environment(more: Record<string, string> = {}): Record<string, string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-mcp-')));
  return {
    ...(process.env as Record<string, string>),
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    ...more,
  };
}

const oxide = (env: Record<string, string>, ...words: string[]) => runOxideGuard(words, { env });

/** A server whose streams the test has in its hands. */
function server(env: Record<string, string>, ...words: string[]) {
  const child = spawn(process.execPath, [oxideGuard, 'mcp', ...words], { env, stdio: 'pipe' });
  let stderr = '';
  child.stderr.on('data', (data) => {
    stderr += data;
  });
  const lines: unknown[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)));
  return { child, lines, stderr: () => stderr, ended: once(child, 'exit') as Promise<[number | null, string | null]> };
}

async function ready({ child, lines }: { child: ChildProcess; lines: unknown[] }): Promise<void> {
  child.stdin?.write(initialize);
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1);
}

/** A session whose events end: a call that waits for more of them waits. */
async function waitingCall(env: Record<string, string>) {
  const started = server(env);
  await ready(started);
  const { child, lines } = started;
  child.stdin.write(call(2, 'project', { action: 'create', name: 'waits', source_url: remote() }));
  const dataOf = (index: number) =>
    (lines[index] as { result: { structuredContent: Record<string, string> } }).result.structuredContent;
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
  const { project_id } = dataOf(1);
  child.stdin.write(call(3, 'session', { action: 'spawn', project_id, prompt: 'x' }));
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(3);
  const { session_id } = dataOf(2);
  const get = () => call(4, 'session', { action: 'get', project_id, session_id });
  await expect
    .poll(
      async () => {
        const before = lines.length;
        child.stdin.write(get());
        await expect.poll(() => lines.length).toBe(before + 1);
        return dataOf(before);
      },
      { timeout: 20_000 },
    )
    .toMatchObject({ status: 'idle' });
  const last = lines.length;
  child.stdin.write(
    call(5, 'session', {
      action: 'events',
      project_id,
      session_id,
      since_index: Number(dataOf(last - 1).next_index),
      wait_ms: 60_000,
    }),
  );
  await pause(300);
  expect(lines.length).toBe(last);
  return { ...started, last };
}

describe('oxide-guard mcp on standard streams', () => {
  it('answers what was asked before the input ended, and ends well', () => {
    const { stdout, stderr, status } = runOxideGuard(['mcp'], {
      env: environment(),
      input: initialize + request(2, 'tools/list', {}) + call(3, 'project', { action: 'list' }),
    });
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
    expect(stderr).toMatch(/oxide-guard .* serves MCP on standard streams as admin/);
    expect(status).toBe(0);
  });

  it('says nothing but protocol on stdout, whatever comes in', () => {
    const { stdout, status } = runOxideGuard(['mcp'], {
      env: environment(),
      input: `${initialize}not json\n{"jsonrpc":"2.0"}\n[]\n\u0000\n${'x'.repeat(100_000)}\n${call(2, 'project', { action: 'list' })}`,
    });
    for (const line of stdout.trim().split('\n')) {
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
    }
    expect(stdout).toContain('"id":2');
    expect(status).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends well at %s, and answers a call that waits',
    async (signal) => {
      const env = environment({ OXIDE_GUARD_PROVIDER: `replay:${resolve('test/control/scenarios/one-turn.jsonl')}` });
      const { child, lines, last, ended, stderr } = await waitingCall(env);
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
      expect(lines[last]).toMatchObject({ id: 5 });
      expect(stderr()).not.toMatch(/^\s+at /m);
    },
  );

  it('ends when its client is gone in a call that waits', async () => {
    const env = environment({ OXIDE_GUARD_PROVIDER: `replay:${resolve('test/control/scenarios/one-turn.jsonl')}` });
    const { child, ended } = await waitingCall(env);
    child.stdin.destroy();
    child.stdout.destroy();
    expect(await ended).toEqual([0, null]);
  });

  it('ends when nobody reads its answers any more', async () => {
    const started = server(environment());
    await ready(started);
    started.child.stdout.destroy();
    started.child.stdin.on('error', () => {});
    for (let id = 2; id < 5; id += 1) {
      started.child.stdin.write(request(id, 'tools/list', {}));
      await pause(50);
    }
    expect(await started.ended).toEqual([0, null]);
    expect(started.stderr()).not.toMatch(/^\s+at /m);
  });

  it('acts with a token’s rights, until it is revoked', async () => {
    const env = environment();
    const token = oxide(env, 'tokens', 'create', 'reader', '--scope', 'admin:ro', '--json');
    const { token: secret, token_id } = JSON.parse(token.stdout) as Record<string, string>;
    const started = server({ ...env, OXIDE_GUARD_TOKEN: secret ?? '' });
    await ready(started);
    const { child, lines, stderr } = started;
    child.stdin.write(call(2, 'project', { action: 'create', name: 'x' }));
    child.stdin.write(call(3, 'project', { action: 'list' }));
    await expect.poll(() => lines.length).toBe(3);
    expect(JSON.stringify(lines)).toMatch(/"code":"forbidden"/);
    expect(stderr()).toContain('as admin:ro');
    oxide(env, 'tokens', 'revoke', token_id ?? '');
    child.stdin.write(call(4, 'project', { action: 'list' }));
    await expect.poll(() => lines.length).toBe(4);
    expect(JSON.stringify(lines[3])).toMatch(/"code":"token-revoked"/);
    child.stdin.end();
    await started.ended;
  });

  it('with a token that does not hold does not begin', () => {
    const { status, stdout, stderr } = oxide(environment({ OXIDE_GUARD_TOKEN: 'oxg_made-up' }), 'mcp');
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('The token is unknown, revoked or expired.');
    expect(stderr).not.toContain('made-up');
  });
});

describe('secrets', () => {
  it.skipIf(skipUnless(process.platform === 'linux', 'lists of processes: /proc is Linux only'))(
    'are in no list of processes, and in no environment of what it starts',
    async () => {
      const env = environment({ MY_TOKEN: '', UNRELATED_VALUE: 'server-only' });
      const secret = oxide(env, 'tokens', 'create', 'all', '--scope', 'admin').stdout.trim();
      const started = server(env, '--token', secret);
      await ready(started);
      const { child, lines, stderr } = started;
      expect(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(secret);
      child.stdin.write(call(2, 'project', { action: 'create', name: 'p', source_url: remote() }));
      await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
      const { project_id } = (lines[1] as { result: { structuredContent: Record<string, string> } }).result
        .structuredContent;
      child.stdin.write(call(3, 'container', { action: 'exec', project_id, command: 'env' }));
      child.stdin.write(call(4, 'workspace_bash', { project_id, command: 'env' }));
      await expect.poll(() => lines.length, { timeout: 30_000 }).toBe(4);
      expect(JSON.stringify(lines)).not.toContain(secret);
      expect(JSON.stringify(lines)).not.toContain('server-only');
      expect(stderr()).not.toContain(secret);
      child.stdin.end();
      await started.ended;
      const places = [env.XDG_STATE_HOME ?? '', env.XDG_DATA_HOME ?? ''];
      const found = spawnSync('grep', ['-rlaF', secret.slice(4), ...places], { encoding: 'utf8' });
      expect(found).toMatchObject({ status: 1, stdout: '' });
    },
  );
});

describe('oxide-guard mcp --http', () => {
  it('says where it is, and that a token is needed; a signal ends it well', async () => {
    const env = environment();
    const { child, said, url } = await httpServer(tmpdir(), env);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await expect.poll(said).toContain('oxide-guard tokens create NAME --scope admin');
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('refuses a token at once that another process has revoked', async () => {
    const server = await stage('http');
    try {
      const created = JSON.parse(server.run('tokens', 'create', 'other', '--scope', 'admin', '--json')) as Record<
        string,
        string
      >;
      const client = await httpClient(server.url ?? '', created.token ?? '');
      expect((await client.listTools()).tools.length).toBeGreaterThan(12);
      server.run('tokens', 'revoke', created.token_id ?? '');
      await expect(client.listTools()).rejects.toThrow();
    } finally {
      await server.close();
    }
  });

  it.each([['99999999'], ['localhost'], ['1.2.3.4:x'], ['-1']])('--http %s is wrong usage', (address) => {
    const { status, stderr } = oxide(environment(), 'mcp', `--http=${address}`);
    expect(status).toBe(2);
    expect(stderr).toContain('is no port');
  });

  it('a second signal ends it at once', async () => {
    const { child } = await httpServer(tmpdir(), environment());
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect([0, 130]).toContain(code);
  });
});

it('a server that can’t end in good order ends all the same, and says so', async () => {
  const env = environment({ OXIDE_GUARD_PROVIDER: 'replay:/nonexistent' });
  const started = server(env);
  await ready(started);
  const { child, lines } = started;
  child.stdin.write(call(2, 'project', { action: 'create', name: 'stuck', source_url: remote() }));
  await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(2);
  const { openSqlite } = await import('../../src/control/store/sqlite.ts');
  const store = await openSqlite(join(env.XDG_STATE_HOME ?? '', 'oxide-guard', 'control', 'store.sqlite'));
  // Another process holds the store, for longer than anybody waits for it.
  await store.transaction(async () => {
    child.stdin.write(call(3, 'schedule', { action: 'list' }));
    child.stdin.write(call(4, 'token', { action: 'create', name: 'waits', scope: 'admin' }));
    await pause(500);
    child.kill('SIGTERM');
    const [code] = await started.ended;
    expect(started.stderr()).toContain('did not end in 15 s');
    expect(code).toBe(1);
  });
  await store.close();
}, 60_000);
