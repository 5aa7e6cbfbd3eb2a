import { randomUUID } from 'node:crypto';
import { type AuthInfo, type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Clock } from '../clock.ts';
import { whenRead } from './response-end.ts';

export interface SessionBounds {
  /** Sessions of one token. */
  readonly perToken: number;
  readonly total: number;
  /** Milliseconds without a request or an open stream. */
  readonly idle: number;
}

export const usualBounds: SessionBounds = { perToken: 32, total: 512, idle: 30 * 60_000 };

/** The sessions of clients that speak a protocol version before 2026-07-28; newer ones have none. */
export interface ProtocolSessions {
  handle(request: Request, authInfo: AuthInfo): Promise<Response>;
  /** Ends all sessions of a token. */
  endOf(tokenId: string): Promise<void>;
  close(): Promise<void>;
  readonly size: number;
}

interface Session {
  readonly tokenId: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
  /** Requests and streams that are open. */
  open: number;
}

/**
 * Keeps a server for each session. A session belongs to the token that began it: to any other it is not there. Where
 * there are too many, the one that was idle for longest ends; its client begins anew, as the protocol has it.
 */
export function createProtocolSessions(
  newServer: () => Server,
  clock: Clock,
  bounds: SessionBounds = usualBounds,
): ProtocolSessions {
  const sessions = new Map<string, Session>();

  const end = async (id: string) => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  /** False: all are in use. */
  const makeRoom = async (tokenId: string): Promise<boolean> => {
    const all = [...sessions];
    const own = all.filter(([, session]) => session.tokenId === tokenId);
    const isFull = own.length >= bounds.perToken;
    if (!isFull && all.length < bounds.total) {
      return true;
    }
    const leaving = idlest(isFull ? own : all);
    if (leaving !== undefined) {
      await end(leaving);
    }
    return leaving !== undefined;
  };
  const stopSweeping = regularly(clock, Math.min(60_000, bounds.idle), () => {
    const now = clock.now();
    for (const [id, { open, usedAt }] of sessions) {
      if (open === 0 && now - usedAt >= bounds.idle) {
        void end(id);
      }
    }
  });

  const begin = async (tokenId: string): Promise<Session> => {
    const session: Session = {
      tokenId,
      usedAt: clock.now(),
      open: 0,
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => {
          sessions.set(id, session);
        },
        onsessionclosed: (id) => {
          sessions.delete(id);
        },
      }),
    };
    await newServer().connect(session.transport);
    return session;
  };

  const handleIn = async (session: Session, request: Request, authInfo: AuthInfo): Promise<Response> => {
    session.usedAt = clock.now();
    session.open += 1;
    const done = () => {
      session.open -= 1;
      session.usedAt = clock.now();
    };
    try {
      return whenRead(await session.transport.handleRequest(request, { authInfo }), done);
    } catch (error) {
      done();
      throw error;
    }
  };

  return {
    handle: async (request, authInfo) => {
      const id = request.headers.get('mcp-session-id');
      if (id !== null) {
        const session = sessions.get(id);
        return session === undefined || session.tokenId !== authInfo.clientId
          ? refusal(404, -32001, 'There is no such session: begin a new one.')
          : handleIn(session, request, authInfo);
      }
      if (!(await makeRoom(authInfo.clientId))) {
        return refusal(503, -32000, 'There are too many sessions, and all are in use.');
      }
      const session = await begin(authInfo.clientId);
      const response = await handleIn(session, request, authInfo);
      if (session.transport.sessionId === undefined) {
        // It was no beginning: the transport has said so.
        await session.transport.close();
      }
      return response;
    },
    endOf: async (tokenId) => {
      const own = [...sessions].filter(([, session]) => session.tokenId === tokenId);
      await Promise.all(own.map(([id]) => end(id)));
    },
    close: async () => {
      stopSweeping();
      await Promise.all([...sessions.keys()].map(end));
    },
    get size() {
      return sessions.size;
    },
  };
}

/** @returns ends it */
function regularly(clock: Clock, interval: number, work: () => void): () => void {
  const next = () => {
    work();
    cancel = clock.after(interval, next);
  };
  let cancel = clock.after(interval, next);
  return () => cancel();
}

/** The id of the session that nobody has used for longest; undefined: all are in use. */
function idlest(sessions: readonly (readonly [id: string, session: Session])[]): string | undefined {
  const unused = sessions.filter(([, { open }]) => open === 0);
  const [first] = unused.sort(([, one], [, other]) => one.usedAt - other.usedAt);
  return first?.[0];
}

function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
