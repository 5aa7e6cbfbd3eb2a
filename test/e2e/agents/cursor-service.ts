import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeMessage, encodeMessage } from './protobuf.ts';
import type { Script } from './provider-server.ts';

/** Answers a request that is Cursor's. False: it is somebody else's. */
export type Service = (request: IncomingMessage, body: Buffer, response: ServerResponse) => boolean;

/** Fields of the messages of `agent.v1`, as far as they are used here. */
const AgentServerMessage = { interactionUpdate: 1, execServerMessage: 2 } as const;
const AgentClientMessage = { runRequest: 1, execClientMessage: 2, execClientControlMessage: 5 } as const;
const ExecServerMessage = { id: 1, shellStreamArgs: 14, execId: 15, backgroundShellSpawnArgs: 16 } as const;
const ShellArgs = { command: 1, toolCallId: 4 } as const;
const BackgroundShellSpawnArgs = { command: 1, toolCallId: 3 } as const;
const InteractionUpdate = { turnEnded: 14 } as const;
/** `aiserver.v1`: what the client says comes in hexadecimal. */
const BidiAppendRequest = { data: 1, requestId: 2 } as const;
const BidiRequestId = { requestId: 1 } as const;

/** Frames of Connect streams: a byte of flags, four of length. */
const endOfStream = 2;

/**
 * Cursor's backend as its SDK sees it over HTTP/1.1: the server's messages come in one stream (`RunSSE`), the client's
 * in calls of their own (`BidiAppend`); the same id joins them.
 */
export function cursorService(script: Script): Service {
  const runs = new Map<string, Run>();
  const runOf = (id: Buffer | undefined): Run => {
    const key = String(id);
    const run = runs.get(key) ?? new Run(script);
    runs.set(key, run);
    return run;
  };
  const routes: Readonly<Record<string, (body: Buffer, response: ServerResponse) => void>> = {
    '/auth/exchange_user_api_key': (_, response) => json(response, { accessToken: 'made-up', refreshToken: 'made-up' }),
    '/agent.v1.AgentService/RunSSE': (body, response) => {
      runOf(decodeMessage(body.subarray(5)).get(BidiRequestId.requestId)).open(response);
    },
    '/aiserver.v1.BidiService/BidiAppend': (body, response) => {
      const fields = decodeMessage(body);
      const id = decodeMessage(fields.get(BidiAppendRequest.requestId) ?? Buffer.alloc(0));
      response.writeHead(200, { 'content-type': 'application/proto' }).end();
      runOf(id.get(BidiRequestId.requestId)).hear(Buffer.from(String(fields.get(BidiAppendRequest.data)), 'hex'));
    },
  };
  return ({ url = '', headers }, body, response) => {
    const route = routes[url];
    const isOurs = route !== undefined || /^\/(?:agent|aiserver)\.v1\./.test(url);
    if (route !== undefined) {
      route(body, response);
    } else if (isOurs) {
      // Settings, telemetry: a message without fields is a good one of every type.
      const type = headers['content-type'] ?? '';
      response.writeHead(200, { 'content-type': type }).end(type.includes('json') ? '{}' : '');
    }
    return isOurs;
  };
}

/** One run of the agent: calls of its shell tool, one after the other, then its end. */
class Run {
  readonly #script: Script;
  #stream: ServerResponse | null = null;
  #isAsked = false;
  #heard = '';
  #turn = 0;

  constructor(script: Script) {
    this.#script = script;
  }

  open(stream: ServerResponse): void {
    stream.writeHead(200, { 'content-type': 'application/connect+proto' });
    this.#stream = stream;
    this.#call();
  }

  hear(bytes: Buffer): void {
    const message = decodeMessage(bytes);
    if (message.has(AgentClientMessage.runRequest)) {
      this.#isAsked = true;
      this.#call();
    }
    this.#heard += message.get(AgentClientMessage.execClientMessage) ?? '';
    if (message.has(AgentClientMessage.execClientControlMessage) && this.#heard !== '') {
      this.#script.onResult(this.#heard);
      this.#turn += 1;
      if (this.#turn < this.#script.wishes.length) {
        this.#heard = '';
        this.#call();
        return;
      }
      const update = encodeMessage({ [InteractionUpdate.turnEnded]: '' });
      this.#send(0, encodeMessage({ [AgentServerMessage.interactionUpdate]: update }));
      this.#send(endOfStream, Buffer.from('{}'));
      this.#stream?.end();
    }
  }

  #call(): void {
    if (!this.#isAsked || this.#stream === null) {
      return;
    }
    const { wishes, tool } = this.#script;
    const wish = wishes[this.#turn];
    const command = typeof wish === 'string' ? wish : '';
    const number = this.#turn + 1;
    const exec =
      tool === 'BackgroundShell'
        ? {
            [ExecServerMessage.backgroundShellSpawnArgs]: encodeMessage({
              [BackgroundShellSpawnArgs.command]: command,
              [BackgroundShellSpawnArgs.toolCallId]: `call_${number}`,
            }),
          }
        : {
            [ExecServerMessage.shellStreamArgs]: encodeMessage({
              [ShellArgs.command]: command,
              [ShellArgs.toolCallId]: `call_${number}`,
            }),
          };
    const call = encodeMessage({
      [ExecServerMessage.id]: number,
      [ExecServerMessage.execId]: `exec_${number}`,
      ...exec,
    });
    this.#send(0, encodeMessage({ [AgentServerMessage.execServerMessage]: call }));
  }

  #send(flags: number, message: Buffer): void {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags, 0);
    head.writeUInt32BE(message.length, 1);
    this.#stream?.write(Buffer.concat([head, message]));
  }
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
