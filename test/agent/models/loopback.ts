import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that the server got. */
export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readonly<Record<string, unknown>>;
}

export type Answer = (response: ServerResponse) => void;

export interface Loopback {
  readonly url: string;
  readonly seen: SeenRequest[];
  close(): Promise<void>;
}

/** A server that answers one request after the other as told; the last answer is repeated. */
export async function loopback(answers: readonly Answer[]): Promise<Loopback> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
      seen.push({ path: request.url ?? '', headers: request.headers, body });
      answers[Math.min(seen.length, answers.length) - 1]?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** An answer with a status and a JSON body. */
export function status(code: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return (response) =>
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Server-sent events, complete. `cut`: the connection breaks after them. */
export function events(lines: readonly string[], cut = false): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(lines.join(''), () => (cut ? response.destroy() : response.end()));
  };
}

/** Server-sent events, complete, so many bytes at a time. */
export function inPieces(lines: readonly string[], size: number): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(lines.join(''));
    const write = (from: number) => {
      if (from >= bytes.length) {
        response.end();
        return;
      }
      response.write(bytes.subarray(from, from + size));
      setImmediate(write, from + size);
    };
    write(0);
  };
}

/** Headers, and then nothing. */
export const silence: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(': wait\n\n');
};

/** What a provider says in one turn, in no provider's form. */
export interface Said {
  readonly text?: readonly string[];
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly stop?: 'end' | 'length' | 'refused';
}

/** The same in both wire formats. */
export const wires = {
  anthropic: {
    path: '/v1/messages',
    say: ({ text = [], calls = [], stop = 'end' }: Said): readonly string[] => {
      const reason = { end: calls.length > 0 ? 'tool_use' : 'end_turn', length: 'max_tokens', refused: 'refusal' }[
        stop
      ];
      const event = (type: string, data: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
      const block = (index: number, start: object, deltas: readonly object[]) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ];
      const first = text.length > 0 ? 1 : 0;
      return [
        event('message_start', {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'm',
            content: [],
            stop_reason: null,
            usage: { input_tokens: 12, cache_read_input_tokens: 8, output_tokens: 1 },
          },
        }),
        ...(first === 0
          ? []
          : block(
              0,
              { type: 'text', text: '' },
              text.map((part) => ({ type: 'text_delta', text: part })),
            )),
        ...calls.flatMap(({ id, name, arguments: json }, index) =>
          block(index + first, { type: 'tool_use', id, name, input: {} }, [
            { type: 'input_json_delta', partial_json: json.slice(0, 5) },
            { type: 'input_json_delta', partial_json: json.slice(5) },
          ]),
        ),
        event('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } }),
        event('message_stop', {}),
      ];
    },
    error: (message: string, type: string) => ({ type: 'error', error: { type, message } }),
  },
  'openai-compatible': {
    path: '/v1/chat/completions',
    say: ({ text = [], calls = [], stop = 'end' }: Said): readonly string[] => {
      const reason = { end: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', refused: 'content_filter' }[
        stop
      ];
      const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
        `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
      return [
        chunk({ role: 'assistant', content: '' }),
        ...text.map((content) => chunk({ content })),
        ...calls.flatMap(({ id, name, arguments: json }, index) => [
          chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: json.slice(0, 5) } }] }),
          chunk({ tool_calls: [{ index, function: { arguments: json.slice(5) } }] }),
        ]),
        chunk({}, reason, {
          usage: { prompt_tokens: 20, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 8 } },
        }),
        'data: [DONE]\n\n',
      ];
    },
    error: (message: string, type: string) => ({ error: { type, message } }),
  },
} as const;
