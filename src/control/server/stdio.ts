import { PassThrough, type Readable, type Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Principal } from '../principal.ts';
import type { Dispatcher } from './dispatcher.ts';
import { protocolServer } from './protocol-server.ts';

export interface StdioOptions {
  readonly dispatcher: Dispatcher;
  readonly version: string;
  /** Whoever started the server; throws OxideError once the token that it was given no longer holds. */
  readonly principal: () => Promise<Principal>;
  readonly shutdown: AbortSignal;
  readonly input: Readable;
  readonly output: Writable;
  /** Takes what goes wrong with the connection; nothing but protocol may go to the output. */
  readonly onProblem: (message: string) => void;
}

/** A connection over standard streams. */
export interface StdioConnection {
  /** Settles when the client is gone: its input has ended and what it asked for is answered, or it reads no more. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds in which what was asked before the input ended may still be answered. */
const farewell = 2000;

/** Bytes of one message. */
const longestMessage = 10 * 1024 * 1024;

/** Serves one client over standard streams: in the protocol's present version, and in the older ones. */
export function serveOverStdio(options: StdioOptions): StdioConnection {
  const { dispatcher, version, principal, shutdown, input, output, onProblem } = options;
  const unanswered = new Set<string | number>();
  // The transport gives up on what is under way as soon as its input ends. A script that writes its questions and
  // closes the pipe wants answers: the end is held back until they are written.
  const held = new PassThrough();
  const inner = new StdioServerTransport(held, output, { maxBufferSize: longestMessage });
  const ended = new Promise<void>((resolve) => {
    held.once('close', resolve);
    output.once('error', () => resolve());
    output.once('close', resolve);
  });
  input.on('error', (error) => held.destroy(error));
  const answered = async () => {
    const until = performance.now() + farewell;
    do {
      await pause(10);
    } while (unanswered.size > 0 && performance.now() < until);
  };
  input.once('end', async () => {
    await answered();
    held.destroy();
  });
  input.pipe(held, { end: false });

  const connection = serveStdio(() => protocolServer({ dispatcher, version, principalOf: principal, shutdown }), {
    transport: counting(inner, unanswered),
    onerror: (error) => onProblem(error.message.slice(0, 300)),
  });
  return {
    ended,
    close: async () => {
      if (!output.destroyed && !output.errored) {
        await answered();
      }
      await connection.close();
      input.unpipe(held);
      input.destroy();
      held.destroy();
    },
  };
}

/** The same transport, which knows the requests that are not answered yet. */
function counting(inner: StdioServerTransport, unanswered: Set<string | number>): Transport {
  return {
    start: () => inner.start(),
    close: () => inner.close(),
    send: async (message) => {
      await inner.send(message);
      if (!('method' in message) && message.id !== undefined) {
        unanswered.delete(message.id);
      }
    },
    set onclose(call: () => void) {
      inner.onclose = call;
    },
    set onerror(call: (error: Error) => void) {
      inner.onerror = call;
    },
    set onmessage(call: NonNullable<Transport['onmessage']>) {
      inner.onmessage = (message) => {
        if ('method' in message && 'id' in message) {
          unanswered.add(message.id);
        } else if ('method' in message && message.method === 'notifications/cancelled') {
          unanswered.delete((message.params as { requestId: string | number }).requestId);
        }
        call(message);
      };
    },
  };
}
