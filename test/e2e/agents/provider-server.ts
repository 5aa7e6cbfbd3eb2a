import { createServer, type Server, type ServerResponse } from 'node:http';
import { cursorService } from './cursor-service.ts';
import { type ToolUse, toolUse, type Wish } from './tool-use.ts';

/** What a model would ask for: calls of the agent's tools, one after the other, then a word of farewell. */
export interface Script {
  readonly wishes: readonly Wish[];
  /** The tool that shall run commands, where it is not the client's usual one. */
  readonly tool: string | null;
  /** Called with every request after the tool call: it carries the tool's result. */
  readonly onResult: (result: string) => void;
}

type Body = Record<string, unknown>;

/**
 * A model provider on loopback that speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini
 * generateContent and what Cursor's backend does, just enough to lead a client to its tool calls.
 */
export function providerServer(script: Script): Server {
  const cursor = cursorService(script);
  return createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      if (cursor(request, bytes, response)) {
        return;
      }
      const body = parse(bytes.toString());
      const route = routes.find(([pattern]) => pattern.test(request.url ?? ''));
      if (route === undefined) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"not here"}}');
      } else {
        route[1](body, response, script);
      }
    });
  });
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

const routes: readonly (readonly [RegExp, (body: Body, response: ServerResponse, script: Script) => void])[] = [
  [/count_?tokens/i, (_, response) => json(response, { input_tokens: 1, totalTokens: 1 })],
  [/^\/v1\/messages/, messages],
  [/\/responses/, responses],
  [/generateContent/i, generateContent],
  [/\/chat\/completions/, chatCompletions],
  [/\/models/, (_, response) => json(response, { data: [], models: [], items: [{ id: 'test', displayName: 'test' }] })],
];

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

function events(response: ServerResponse, list: readonly unknown[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of list) {
    const name = (event as { type?: string }).type;
    const data = typeof event === 'string' ? event : JSON.stringify(event);
    response.write(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`);
  }
  response.end();
}

/** The call that a turn of the session asks for, and the turn's number, from 1. */
interface Turn extends ToolUse {
  readonly number: number;
}

/** What is left to ask for; null: nothing, or the session has no such tool. Reports the results that there are. */
function nextTurn(history: unknown, marker: RegExp, tools: unknown, script: Script): Turn | null {
  const text = JSON.stringify(history ?? null);
  const results = text.match(marker)?.length ?? 0;
  if (results > 0) {
    script.onResult(text);
  }
  const wish = script.wishes[results];
  const use = wish === undefined ? null : toolUse(wish, tools, script.tool);
  return use === null ? null : { ...use, number: results + 1 };
}

function messages(body: Body, response: ServerResponse, script: Script): void {
  const turn = nextTurn(body.messages, /"type":"tool_result"/g, body.tools, script);
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
  const stop_reason = turn === null ? 'end_turn' : 'tool_use';
  const content =
    turn === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${turn.number}`, name: turn.name, input: {} };
  const delta =
    turn !== null
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
      : { type: 'text_delta', text: 'done' };
  if (body.stream !== true) {
    json(response, {
      ...message,
      stop_reason,
      content: [turn === null ? { type: 'text', text: 'done' } : { ...content, input: turn.input }],
    });
    return;
  }
  events(response, [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: content },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function responses(body: Body, response: ServerResponse, script: Script): void {
  const turn = nextTurn(body.input, /"type":"(?:function|custom_tool)_call_output"/g, body.tools, script);
  const item =
    turn === null
      ? { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
      : {
          id: `fc_${turn.number}`,
          call_id: `call_${turn.number}`,
          name: turn.name,
          ...(typeof turn.input === 'string'
            ? { type: 'custom_tool_call', input: turn.input }
            : { type: 'function_call', arguments: JSON.stringify(turn.input) }),
        };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  events(response, [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
  ]);
}

function generateContent(body: Body, response: ServerResponse, script: Script): void {
  const turn = nextTurn(body.contents, /"functionResponse":/g, body.tools, script);
  const part = turn === null ? { text: 'done' } : { functionCall: { name: turn.name, args: turn.input } };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }];
  events(response, [{ candidates, usageMetadata }]);
}

function chatCompletions(body: Body, response: ServerResponse, script: Script): void {
  const turn = nextTurn(body.messages, /"role":"tool"/g, body.tools, script);
  const used = { name: turn?.name, arguments: JSON.stringify(turn?.input) };
  const call = { index: 0, id: `call_${turn?.number}`, type: 'function', function: used };
  const delta = turn === null ? { role: 'assistant', content: 'done' } : { role: 'assistant', tool_calls: [call] };
  const finish_reason = turn === null ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const chunk = { id: 'c1', object: 'chat.completion.chunk', created: 1, model: body.model };
  if (body.stream !== true) {
    json(response, {
      ...chunk,
      object: 'chat.completion',
      choices: [{ index: 0, message: delta, finish_reason }],
      usage,
    });
    return;
  }
  events(response, [
    { ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
    '[DONE]',
  ]);
}
