import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { Principal } from '../principal.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Dispatcher } from './dispatcher.ts';
import { bearerSecret, type Refusal, refuseForeign, unauthorized } from './http-guards.ts';
import { protocolServer } from './protocol-server.ts';
import { createProtocolSessions, type SessionBounds } from './protocol-sessions.ts';
import { createRateLimit, type Rate } from './rate-limit.ts';

export interface HttpOptions {
  readonly dispatcher: Dispatcher;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly version: string;
  readonly host: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Names in Host and Origin besides the loopback's. */
  readonly allowedHosts: readonly string[];
  readonly shutdown: AbortSignal;
  /** Rejects while the store can't be reached. */
  readonly assertReady: () => Promise<unknown>;
  readonly onProblem: (message: string) => void;
  /** Requests of one token. */
  readonly rate?: Rate;
  readonly bounds?: SessionBounds;
}

export interface HttpService {
  /** `http://127.0.0.1:8080`, as it came to be. */
  readonly url: string;
  /** Stops accepting, lets what is being answered end, and closes what stays open. */
  close(): Promise<void>;
}

/** Bytes of one request. */
const longestBody = 4 * 1024 * 1024;
const usualRate: Rate = { burst: 200, perSecond: 50 };
/** Wrong secrets from one address. */
const wrongSecretRate: Rate = { burst: 20, perSecond: 1 / 6 };
/** Milliseconds in which what is being answered may end, when the server closes or a token is revoked. */
const farewell = 2000;
const revokedFarewell = 250;

/**
 * Serves clients over streamable HTTP, at `/mcp`: each brings a token, of which its rights come.
 *
 * @throws OxideError `address-in-use`, `address-refused`
 */
export async function serveOverHttp(options: HttpOptions): Promise<HttpService> {
  const { clock, rate = usualRate } = options;
  const protocol = speakProtocol(options);
  const guard = createGuard(options, createRateLimit(rate, clock), createRateLimit(wrongSecretRate, clock));
  const streams = new OpenStreams(options.tokens, (tokenId) => protocol.endOf(tokenId));

  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.onProblem(messageOf(error));
      refuse(response, { status: 500, message: 'The server failed at this request.' });
    });
  });
  server.maxConnections = 1024;
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 5000;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/health' || path === '/ready') {
      return answerProbe(path, request, response, options);
    }
    const admitted = path === '/mcp' ? await guard(request) : { status: 404, message: 'The protocol is at /mcp.' };
    if ('status' in admitted) {
      return refuse(response, admitted);
    }
    const { tokenId } = admitted;
    if (tokenId !== null) {
      streams.add(tokenId, response);
    }
    // The secret itself goes no further than here.
    delete request.headers.authorization;
    const auth: AuthInfo = { token: '', clientId: tokenId ?? '', scopes: [], extra: { principal: admitted } };
    await protocol.answer(Object.assign(request, { auth }) as NodeIncomingMessageLike, response);
  };

  await listen(server, options);
  const { address, port, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      const until = performance.now() + farewell;
      do {
        await pause(50);
      } while (options.dispatcher.pending > 0 && performance.now() < until);
      await protocol.close();
      server.closeAllConnections();
      await closed;
      streams.close();
    },
  };
}

/** The protocol in its present version, and in the older ones, which have sessions. */
function speakProtocol(options: HttpOptions) {
  const newServer = (): Server =>
    protocolServer({ ...options, principalOf: ({ http }: ServerContext) => principalOf(http?.authInfo) });
  const sessions = createProtocolSessions(newServer, options.clock, options.bounds);
  const modern = createMcpHandler(newServer, {
    legacy: 'reject',
    maxSubscriptions: 64,
    maxRequestBodySize: longestBody,
    onerror: (error) => options.onProblem(error.message.slice(0, 300)),
  });
  const answer = toNodeHandler(
    {
      fetch: async (request, { authInfo } = {}) => {
        if (authInfo === undefined) {
          return new Response(null, { status: 401 });
        }
        return (await isLegacyRequest(request))
          ? sessions.handle(request, authInfo)
          : modern.fetch(request, { authInfo });
      },
    },
    {
      maxRequestBodySize: longestBody,
      onerror: (error) => options.onProblem(error.message.slice(0, 300)),
    },
  );
  return {
    answer,
    endOf: (tokenId: string) => sessions.endOf(tokenId),
    close: async () => {
      await sessions.close();
      await modern.close();
    },
  };
}

const limits = { maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2000, requireHostHeader: true } as const;

function principalOf(authInfo: AuthInfo | undefined): Principal {
  const principal = authInfo?.extra?.principal;
  if (principal === undefined) {
    throw new OxideError('unauthorized', 'The request has no principal.');
  }
  return principal as Principal;
}

type Guard = (request: IncomingMessage) => Promise<Principal | Refusal>;
type Limit = ReturnType<typeof createRateLimit>;

/** Host and Origin → size → secret → how often. */
function createGuard({ tokens, allowedHosts }: HttpOptions, requests: Limit, wrongSecrets: Limit): Guard {
  return async (request) => {
    const foreign = refuseForeign(request, allowedHosts);
    if (foreign !== null) {
      return foreign;
    }
    if (Number(request.headers['content-length'] ?? 0) > longestBody) {
      return { status: 413, message: `A request has at most ${longestBody} bytes.`, headers: { Connection: 'close' } };
    }
    const secret = bearerSecret(request);
    if (typeof secret !== 'string') {
      return secret;
    }
    try {
      const principal = await tokens.authenticate(secret);
      const wait = requests.take(principal.tokenId ?? '');
      return wait === 0 ? principal : tooOften(wait);
    } catch (error) {
      if (!(error instanceof OxideError) || error.code !== 'unauthorized') {
        throw error;
      }
      const wait = wrongSecrets.take(request.socket.remoteAddress ?? '');
      return wait === 0 ? unauthorized(error.message) : tooOften(wait);
    }
  };
}

function tooOften(seconds: number): Refusal {
  return { status: 429, message: `Too many requests: wait ${seconds} s.`, headers: { 'Retry-After': String(seconds) } };
}

function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  // What is left of the request is not read.
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
}

async function answerProbe(
  path: '/health' | '/ready',
  { method }: IncomingMessage,
  response: ServerResponse,
  { assertReady, shutdown }: HttpOptions,
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(response, { status: 405, message: 'Only GET.', headers: { Allow: 'GET, HEAD' } });
  }
  const isReady =
    path === '/health' ||
    (!shutdown.aborted &&
      (await assertReady().then(
        () => true,
        () => false,
      )));
  response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(method === 'HEAD' ? '' : JSON.stringify({ status: isReady ? 'ok' : 'not ready' }));
}

function listen(server: HttpServer, { host, port }: HttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const place = `${host}:${port}`;
      reject(
        error.code === 'EADDRINUSE'
          ? new OxideError('address-in-use', `Something listens on ${place} already.`, {
              remedy: 'oxide-guard mcp --http 0   # any port that is free',
            })
          : new OxideError('address-refused', `The server can't listen on ${place} (${error.message}).`),
      );
    });
    server.listen(port, host, () => resolve());
  });
}

/** What is open with each token: closed soon after it is revoked, so that a last answer can still say why. */
class OpenStreams {
  readonly #tokens: Tokens;
  readonly #endSessions: (tokenId: string) => Promise<void>;
  readonly #open = new Map<string, { readonly responses: Set<ServerResponse>; readonly endWatch: () => void }>();

  constructor(tokens: Tokens, endSessions: (tokenId: string) => Promise<void>) {
    this.#tokens = tokens;
    this.#endSessions = endSessions;
  }

  add(tokenId: string, response: ServerResponse): void {
    let entry = this.#open.get(tokenId);
    if (entry === undefined) {
      entry = { responses: new Set(), endWatch: this.#tokens.watch(tokenId, () => this.#revoked(tokenId)) };
      this.#open.set(tokenId, entry);
    }
    const { responses, endWatch } = entry;
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0 && this.#open.get(tokenId)?.responses === responses) {
        this.#open.delete(tokenId);
        endWatch();
      }
    });
  }

  close(): void {
    for (const { endWatch } of this.#open.values()) {
      endWatch();
    }
  }

  #revoked(tokenId: string): void {
    const responses = this.#open.get(tokenId)?.responses ?? new Set();
    setTimeout(() => {
      for (const response of responses) {
        response.destroy();
      }
      void this.#endSessions(tokenId);
    }, revokedFarewell);
  }
}
