import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach } from 'vitest';
import { systemClock } from '../../../src/control/clock.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import { type HttpOptions, type HttpService, serveOverHttp } from '../../../src/control/server/http.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { createTokens } from '../../../src/control/tokens/tokens.ts';
import { madeUpDispatcher } from './made-up-tools.ts';

const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) {
    await cleanUp();
  }
});

/** A server over HTTP with made-up tools, which ends with the test. */
export async function httpServer(options: Partial<HttpOptions> = {}) {
  const database = await openSqlite(':memory:');
  const tokens = createTokens({ database, clock: systemClock, assertProject: async () => {}, watchInterval: 50 });
  const made = madeUpDispatcher({ watchToken: (id, onInvalid) => tokens.watch(id, onInvalid) });
  const shutdown = new AbortController();
  const problems: string[] = [];
  const service: HttpService = await serveOverHttp({
    dispatcher: made.dispatcher,
    tokens,
    clock: systemClock,
    version: '0.0.0',
    host: '127.0.0.1',
    port: 0,
    allowedHosts: [],
    shutdown: shutdown.signal,
    assertReady: () => database.get('SELECT 1 AS one'),
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  cleanUps.push(
    () => database.close(),
    () => service.close(),
  );
  const token = async (scope = 'admin', expiresIn: number | null = null) =>
    tokens.create({ name: scope, scope, expiresIn, principal: localAdmin });
  return { service, tokens, token, problems, shutdown, ...made };
}

/** A real client, which knows this version of the protocol only. */
export async function httpClient(url: string, secret: string, version = '2026-07-28'): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    version === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: version } } }
      : { supportedProtocolVersions: [version] },
  );
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${secret}` } },
    reconnectionOptions: {
      maxRetries: 0,
      initialReconnectionDelay: 1,
      maxReconnectionDelay: 1,
      reconnectionDelayGrowFactor: 1,
    },
  });
  cleanUps.push(() => client.close());
  await client.connect(transport);
  return client;
}
