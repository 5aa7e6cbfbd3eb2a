import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import { type McpTools, openMcpTools } from '../../../src/agent/mcp/tools.ts';
import type { McpEndpoint } from '../../../src/config/agent-settings.ts';
import { contextIn } from '../../tools/fixture.ts';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** The protocol's own server, with tools that add, fail and hang; it notes what it is sent. */
async function officialServer({ json = false } = {}) {
  const seen: { method: string; headers: IncomingMessage['headers'] }[] = [];
  const server = new Server({ name: 'calc', version: '1' }, { capabilities: { tools: {} } });
  const cancelled: unknown[] = [];
  server.setRequestHandler('tools/list', async () => ({
    tools: ['add', 'fail', 'hang'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { a = 0, b = 0 } = (params.arguments ?? {}) as { a?: number; b?: number };
    if (params.name === 'hang') {
      await new Promise((resolve) => context.mcpReq.signal.addEventListener('abort', resolve));
      cancelled.push(context.mcpReq.signal.reason);
    }
    return params.name === 'fail'
      ? { isError: true, content: [{ type: 'text' as const, text: 'went wrong' }] }
      : { content: [{ type: 'text' as const, text: String(a + b) }] };
  });
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    enableJsonResponse: json,
  });
  await server.connect(transport);
  cleanUps.push(() => server.close());
  const handler = toNodeHandler({ fetch: (request: Request) => transport.handleRequest(request) });
  const url = await listen((request, response) => {
    seen.push({ method: request.method ?? '', headers: request.headers });
    void handler(request as NodeIncomingMessageLike, response);
  });
  return { url, seen, cancelled };
}

async function open(endpoint: McpEndpoint, env: Readonly<Record<string, string>> = {}) {
  const problems: string[] = [];
  const opened: McpTools = await openMcpTools({ calc: endpoint }, '/', env, (problem) => problems.push(problem));
  cleanUps.push(() => opened.close());
  const run = (name: string, input: object, signal = new AbortController().signal) =>
    opened.tools.find((tool) => tool.name === `mcp__calc__${name}`)?.execute(input, { ...contextIn('/tmp'), signal });
  return { ...opened, problems, run };
}

/** A server that is none: it answers everything in one way. */
const answering =
  (status: number, headers: Readonly<Record<string, string>>, body: string) =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, headers).end(body);

describe.each([
  ['a stream of events', false],
  ['JSON', true],
])('an MCP server over HTTP that answers with %s', (_, json) => {
  it('gives its tools, and runs them in one session', async () => {
    const { url, seen } = await officialServer({ json });
    const { tools, run, problems, close } = await open({ url });
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(['add', 'fail', 'hang'].map((name) => `mcp__calc__${name}`));
    expect(await run('add', { a: 2, b: 3 })).toMatchObject({ ok: true, text: '5' });
    expect(await run('fail', {})).toMatchObject({ ok: false, text: 'went wrong' });
    const [first, ...later] = seen;
    expect(first?.headers['mcp-session-id']).toBeUndefined();
    expect(new Set(later.map(({ headers }) => headers['mcp-session-id'])).size).toBe(1);
    expect(later.at(-1)?.headers).toMatchObject({ 'mcp-protocol-version': '2025-06-18' });
    close();
    await expect.poll(() => seen.at(-1)?.method).toBe('DELETE');
  });

  it('is told when the user interrupts', async () => {
    const { url, cancelled } = await officialServer({ json });
    const { run } = await open({ url });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await run('hang', {}, controller.signal)).toMatchObject({ ok: false, error: { code: 'interrupted' } });
    await expect.poll(() => cancelled.length).toBe(1);
  });

  it('gets its headers, with variables of the environment in them', async () => {
    const { url, seen } = await officialServer({ json });
    const headers = { Authorization: 'Bearer ${CALC_TOKEN}', 'X-Region': '${REGION:-north}' };
    await open({ url, headers }, { CALC_TOKEN: 'abc' });
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer abc', 'x-region': 'north' });
  });
});

describe('an MCP server over HTTP that does not work', () => {
  it('is told with the variable that its header lacks, and is not spoken to', async () => {
    const { url, seen } = await officialServer();
    const { problems, tools } = await open({ url, headers: { Authorization: 'Bearer ${CALC_TOKEN}' } });
    expect(problems).toEqual([expect.stringContaining('needs CALC_TOKEN, which is not set')]);
    expect([tools, seen]).toEqual([[], []]);
  });

  it.each([
    ['refuses the key', answering(401, {}, ''), 'refuses the key (HTTP 401)'],
    ['is not there', answering(404, {}, ''), 'has ended the session, or is not there'],
    ['fails', answering(500, {}, 'oops'), 'answers with HTTP 500'],
    ['sends elsewhere', answering(302, { location: 'http://127.0.0.1:1/' }, ''), 'it redirects, which is not followed'],
    ['answers with something else', answering(200, { 'content-type': 'text/html' }, '<html>'), 'gave no answer'],
    ['ends its stream early', answering(200, { 'content-type': 'text/event-stream' }, 'data: {"js'), 'gave no answer'],
    [
      'answers another request',
      answering(200, { 'content-type': 'application/json' }, '{"jsonrpc":"2.0","id":99,"result":{}}'),
      'gave no answer',
    ],
    ['breaks off', (_: IncomingMessage, response: ServerResponse) => response.destroy(), "can't be reached"],
  ])('because it %s is left out', async (_, listener, problem) => {
    const url = await listen(listener);
    const { problems, tools } = await open({ url, headers: { Authorization: 'Bearer secret' } });
    expect(tools).toEqual([]);
    expect(problems).toEqual([expect.stringContaining(problem)]);
    expect(problems.join()).not.toContain('secret');
  });

  it('answers in pieces, with other messages in between', async () => {
    const answer = (id: number, result: object) => JSON.stringify({ jsonrpc: '2.0', id, result });
    const url = await listen(async (request, response) => {
      let body = '';
      for await (const chunk of request) {
        body += String(chunk);
      }
      const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string };
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      const results: Record<string, object> = {
        initialize: { protocolVersion: '2025-03-26', capabilities: {}, serverInfo: { name: 'x', version: '1' } },
        'tools/list': { tools: [{ name: 'ümlaut', inputSchema: {} }] },
      };
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write(
        ': a comment\r\n\r\nevent: message\r\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\r\n\r\n',
      );
      const bytes = Buffer.from(`id: 1\r\ndata: ${answer(id, results[method ?? ''] ?? {})}\r\n\r\n`);
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
      }
      // It stays open: the answer is there all the same.
    });
    const { tools, problems } = await open({ url });
    expect(problems).toEqual([]);
    expect(tools).toMatchObject([{ name: 'mcp__calc___mlaut' }]);
  });
});
