import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { fakeClock } from '../fake-clock.ts';
import { httpClient, httpServer } from './http-fixture.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

const post = (url: string, secret: string | null, body: unknown, headers: Record<string, string> = {}) =>
  fetch(new URL('/mcp', url), {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(secret === null ? {} : { Authorization: `Bearer ${secret}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** What a server answers to bytes, until it closes the connection. */
function exchange(url: string, text: string, timeout = 5000): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.setTimeout(timeout, () => socket.destroy());
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(answer));
  });
}

describe('a client', () => {
  it.each(['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'])(
    'of protocol %s lists and calls tools',
    async (version) => {
      const { service, token } = await httpServer();
      const client = await httpClient(service.url, (await token()).secret, version);
      expect(client.getNegotiatedProtocolVersion()).toBe(version);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toContain('project');
      const result = await client.callTool({ name: 'project', arguments: { action: 'get', project_id: 'p1' } });
      expect(result).toMatchObject({ structuredContent: { ok: true, input: { project_id: 'p1' } } });
      const refused = await client.callTool({ name: 'project', arguments: {} });
      expect(refused).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'action parameter is required' }],
        structuredContent: { ok: false, error: { code: 'missing-action', message: 'action parameter is required' } },
      });
    },
  );

  it.each(['2026-07-28', '2025-06-18'])('of protocol %s is told how it goes', async (version) => {
    const { service, token } = await httpServer();
    const client = await httpClient(service.url, (await token()).secret, version);
    const told: unknown[] = [];
    await client.callTool({ name: 'image_rebuild', arguments: {} }, { onprogress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { progress: 1, total: 2, message: 'step one' },
      { progress: 2, total: 2, message: 'step two' },
    ]);
  });

  it.each(['2026-07-28', '2025-06-18'])('of protocol %s gives up on a call that waits', async (version) => {
    const { service, token, dispatcher } = await httpServer();
    const client = await httpClient(service.url, (await token()).secret, version);
    const controller = new AbortController();
    const call = client.callTool(
      { name: 'session', arguments: { action: 'events', session_id: 's1' } },
      { signal: controller.signal },
    );
    await expect.poll(() => dispatcher.pending).toBe(1);
    controller.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => dispatcher.pending).toBe(0);
  });

  it('has the rights of its own token', async () => {
    const { service, token } = await httpServer();
    const client = await httpClient(service.url, (await token('project:p1:ro')).secret);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('image_rebuild');
    expect(
      await client.callTool({ name: 'session', arguments: { action: 'spawn', project_id: 'p1', prompt: 'x' } }),
    ).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
  });
});

describe('without a token that holds', () => {
  it('nothing is answered, and nothing is said about why', async () => {
    const { service, token, tokens } = await httpServer();
    const revoked = await token();
    await tokens.revoke(revoked.record.tokenId);
    const expired = await token('admin', -1);
    const answers = [];
    for (const secret of ['oxg_x', `oxg_${'A'.repeat(43)}`, revoked.secret, expired.secret]) {
      const response = await post(service.url, secret, initialize);
      answers.push([response.status, response.headers.get('www-authenticate'), await response.text()]);
    }
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(answers[0]?.[0]).toBe(401);
    expect(answers[0]?.[1]).toContain('Bearer');
    expect((await post(service.url, null, initialize)).status).toBe(401);
  });

  it.each(['Basic b3hnOng=', 'Bearer', 'Bearer ', 'oxg_secret'])(
    'nor with "Authorization: %s"',
    async (authorization) => {
      const { service } = await httpServer();
      const response = await post(service.url, null, initialize, { Authorization: authorization });
      expect(response.status).toBe(401);
    },
  );

  it('a token in the URL is not read, even a good one', async () => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    for (const name of ['access_token', 'token']) {
      const response = await fetch(`${service.url}/mcp?${name}=${secret}`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(400);
      expect(await response.text()).not.toContain(secret);
    }
  });

  it('who tries many is made to wait', async () => {
    const { service } = await httpServer({ clock: fakeClock() });
    const statuses = [];
    for (let attempt = 0; attempt < 22; attempt += 1) {
      statuses.push((await post(service.url, 'oxg_guess', initialize)).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.at(-1)).toBe(429);
  });
});

describe('a session of an older protocol', () => {
  const begin = async (url: string, secret: string) => {
    const response = await post(url, secret, initialize);
    await response.text();
    return response.headers.get('mcp-session-id') ?? '';
  };
  const list = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

  it('is there for its own token only', async () => {
    const { service, token } = await httpServer();
    const [mine, other] = [await token(), await token()];
    const id = await begin(service.url, mine.secret);
    expect(id).not.toBe('');
    expect((await post(service.url, other.secret, list, { 'mcp-session-id': id })).status).toBe(404);
    expect((await post(service.url, mine.secret, list, { 'mcp-session-id': id })).status).toBe(200);
    expect((await post(service.url, mine.secret, list, { 'mcp-session-id': 'made-up' })).status).toBe(404);
  });

  it('ends when there are too many, the one idle for longest first', async () => {
    const { service, token } = await httpServer({ bounds: { perToken: 2, total: 10, idle: 60_000 } });
    const { secret } = await token();
    const ids = [await begin(service.url, secret)];
    await pause(5);
    ids.push(await begin(service.url, secret));
    await pause(5);
    ids.push(await begin(service.url, secret));
    const statuses = [];
    for (const id of ids) {
      statuses.push((await post(service.url, secret, list, { 'mcp-session-id': id })).status);
    }
    expect(statuses).toEqual([404, 200, 200]);
  });

  it('ends when it is idle', async () => {
    const { service, token } = await httpServer({ bounds: { perToken: 2, total: 10, idle: 100 } });
    const { secret } = await token();
    const id = await begin(service.url, secret);
    await pause(400);
    expect((await post(service.url, secret, list, { 'mcp-session-id': id })).status).toBe(404);
  });

  it('ends when its client says so', async () => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const headers = { Authorization: `Bearer ${secret}`, 'mcp-session-id': await begin(service.url, secret) };
    expect((await fetch(`${service.url}/mcp`, { method: 'DELETE', headers })).status).toBe(200);
    expect((await post(service.url, secret, list, headers)).status).toBe(404);
  });
});

describe('a token that is revoked', () => {
  it.each(['2026-07-28', '2025-06-18'])('ends a call that waits with it (protocol %s)', async (version) => {
    const { service, token, tokens, dispatcher } = await httpServer();
    const { secret, record } = await token();
    const client = await httpClient(service.url, secret, version);
    const call = client.callTool({ name: 'session', arguments: { action: 'events', session_id: 's1' } });
    await expect.poll(() => dispatcher.pending).toBe(1);
    await tokens.revoke(record.tokenId);
    expect(await call).toMatchObject({ isError: true, structuredContent: { error: { code: 'token-revoked' } } });
    await expect(client.listTools()).rejects.toThrow();
  });

  it('ends a stream that is open with it, and no other', async () => {
    const { service, token, tokens } = await httpServer();
    const open = async () => {
      const { secret, record } = await token();
      const response = await post(service.url, secret, initialize);
      await response.text();
      const stream = await fetch(`${service.url}/mcp`, {
        headers: {
          Accept: 'text/event-stream',
          Authorization: `Bearer ${secret}`,
          'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
        },
      });
      expect(stream.status).toBe(200);
      const state = { isOpen: true };
      const reader = stream.body?.getReader();
      void (async () => {
        try {
          while ((await reader?.read())?.done === false) {}
        } catch {}
        state.isOpen = false;
      })();
      return { state, record };
    };
    const [one, other] = [await open(), await open()];
    await tokens.revoke(one.record.tokenId);
    await expect.poll(() => one.state.isOpen).toBe(false);
    expect(other.state.isOpen).toBe(true);
  });

  it('while many calls are made with it, lets none through afterwards', async () => {
    const { service, token, tokens, records } = await httpServer();
    const { secret, record } = await token();
    const list = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'project', arguments: { action: 'list' } },
    });
    const first = await post(service.url, secret, initialize);
    await first.text();
    const headers = { 'mcp-session-id': first.headers.get('mcp-session-id') ?? '' };
    const calls = Array.from({ length: 20 }, async (_, index) => {
      await pause(index);
      const response = await post(service.url, secret, list(index), headers).catch(() => null);
      await response?.text().catch(() => '');
    });
    await pause(8);
    await tokens.revoke(record.tokenId);
    const before = records.length;
    await Promise.all(calls);
    // What was on its way when the token was revoked may have been let in just before.
    await pause(50);
    const after = records.length;
    expect(after - before).toBeLessThanOrEqual(20);
    // 429 where so many came with the wrong token already.
    expect([401, 429]).toContain((await post(service.url, secret, list(99), headers)).status);
    expect(records.length).toBe(after);
  });
});

describe('a page that makes a browser call', () => {
  const request = (headers: string) =>
    `POST /mcp HTTP/1.1\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;

  it.each([
    'Host: evil.example',
    'Host: 127.0.0.1.evil.example',
    'Host: localhost.evil.example:80',
    'Host: evil.example@127.0.0.1',
    'Host: 127.0.0.1/evil',
    'Host: 127.0.0.1#evil',
    'Host: 0.0.0.0',
    'Host:',
    'Host: localhost\r\nHost: evil.example',
    'Host: evil.example\r\nHost: localhost',
    'Host: localhost\r\nOrigin: http://evil.example',
    'Host: localhost\r\nOrigin: null',
    'Host: localhost\r\nOrigin: http://localhost.evil.example',
    'Host: localhost\r\nOrigin: file://localhost',
    'Host: localhost\r\nOrigin: ',
    'X-Forwarded-Host: localhost\r\nHost: evil.example',
  ])('is refused: %j', async (headers) => {
    const { service } = await httpServer();
    expect(await exchange(service.url, request(headers))).toMatch(/^HTTP\/1.1 (403|400) /);
  });

  it.each([
    'Host: localhost',
    'Host: LOCALHOST:1234',
    'Host: 127.0.0.1',
    'Host: [::1]:80',
    'Host: localhost\r\nOrigin: http://localhost:5173',
    'Host: guard.example',
  ])('is asked for its token: %j', async (headers) => {
    const { service } = await httpServer({ allowedHosts: ['guard.example'] });
    expect(await exchange(service.url, request(headers))).toMatch(/^HTTP\/1.1 401 /);
  });
});

describe('what is too much', () => {
  it('a body of 100 MB is refused before it is sent', async () => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${100 * 1024 * 1024}\r\n\r\n`;
    expect(await exchange(service.url, head)).toMatch(/^HTTP\/1.1 413 /);
  });

  it('a body of 100 MB in chunks is refused when it is too long', async () => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    let sent = 0;
    const body = new ReadableStream({
      pull: (controller) => {
        sent += 1;
        if (sent > 100) {
          controller.close();
        } else {
          controller.enqueue(chunk);
        }
      },
    });
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${secret}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      },
      body,
      duplex: 'half',
    }).catch((error: Error) => error);
    expect(response instanceof Error || response.status === 413).toBe(true);
    expect(sent).toBeLessThan(50);
  });

  it('requests of one token, and only of this one, are refused for a while', async () => {
    const { service, token } = await httpServer({ rate: { burst: 3, perSecond: 0.1 }, clock: fakeClock() });
    const [busy, quiet] = [await token(), await token()];
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      statuses.push((await post(service.url, busy.secret, initialize)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = await post(service.url, busy.secret, initialize);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post(service.url, quiet.secret, initialize)).status).toBe(200);
  });

  it('a request that never ends does not keep the others waiting', async () => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const slow = Array.from({ length: 50 }, () =>
      exchange(service.url, `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: `, 1500),
    );
    expect((await post(service.url, secret, initialize)).status).toBe(200);
    await Promise.all(slow);
  });
});

describe('what is no JSON-RPC', () => {
  it.each([
    '',
    '{',
    'null',
    '[]',
    '"text"',
    '{"jsonrpc":"1.0","id":1,"method":"tools/list"}',
    '{"jsonrpc":"2.0","id":{},"method":"tools/list"}',
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{"a":1}}}`,
    '['.repeat(100_000),
    '\u0000\u0001',
  ])('is answered with an error: %.60j', async (body) => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const response = await post(service.url, secret, body);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(await response.text()).not.toMatch(/\bat .*\.(ts|js|mjs):/);
    expect((await post(service.url, secret, initialize)).status).toBe(200);
  });

  it.each(['PUT', 'PATCH', 'OPTIONS', 'GET', 'DELETE'])('nor %s without a session', async (method) => {
    const { service, token } = await httpServer();
    const { secret } = await token();
    const response = await fetch(`${service.url}/mcp`, { method, headers: { Authorization: `Bearer ${secret}` } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
  });

  it('is elsewhere', async () => {
    const { service } = await httpServer();
    expect((await fetch(`${service.url}/`)).status).toBe(404);
    expect((await fetch(`${service.url}//evil.example/mcp`)).status).toBe(404);
  });
});

describe('whoever watches over the server', () => {
  it('asks /health and /ready without a token', async () => {
    const { service, shutdown } = await httpServer();
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
    expect(await (await fetch(`${service.url}/ready`)).json()).toEqual({ status: 'ok' });
    expect((await fetch(`${service.url}/ready`, { method: 'POST' })).status).toBe(405);
    shutdown.abort();
    expect((await fetch(`${service.url}/ready`)).status).toBe(503);
    expect((await fetch(`${service.url}/health`)).status).toBe(200);
  });

  it('learns that the store can’t be reached', async () => {
    const { service } = await httpServer({ assertReady: () => Promise.reject(new Error('gone')) });
    expect((await fetch(`${service.url}/ready`)).status).toBe(503);
  });
});

it('a port that is taken is said', async () => {
  const { service } = await httpServer();
  await expect(httpServer({ port: Number(new URL(service.url).port) })).rejects.toMatchObject({
    code: 'address-in-use',
  });
});

it('closing ends a call that waits, with an answer', async () => {
  const { service, token, dispatcher, shutdown } = await httpServer();
  const client = await httpClient(service.url, (await token()).secret);
  const call = client.callTool({ name: 'session', arguments: { action: 'events', session_id: 's1' } });
  await expect.poll(() => dispatcher.pending).toBe(1);
  shutdown.abort();
  await service.close();
  expect(await call).toMatchObject({ isError: true });
});
