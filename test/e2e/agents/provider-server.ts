import { createServer, type Server, type ServerResponse } from 'node:http';
import { isShellTool } from '../../../src/dialects/tool-call.ts';
import { cursorService } from './cursor-service.ts';

/** What a model would ask for: calls of the agent's shell tool, one after the other, then a word of farewell. */
export interface Script {
  readonly commands: readonly string[];
  /** The tool that shall run it, where it is not the usual one of OpenAI's chat completions. */
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

/** The call that a turn of the session asks for: the command, and the turn's number, from 1. */
interface Turn {
  readonly command: string;
  readonly number: number;
}

/** What is left to ask for; null: nothing, or the session has no such tool. Reports the results that there are. */
function nextTurn(history: unknown, marker: string, hasTool: boolean, script: Script): Turn | null {
  const text = JSON.stringify(history ?? null);
  const results = text.split(marker).length - 1;
  if (results > 0) {
    script.onResult(text);
  }
  const command = script.commands[results];
  return hasTool && command !== undefined ? { command, number: results + 1 } : null;
}

function names(tools: unknown): readonly string[] {
  return Array.isArray(tools) ? tools.map((tool) => String(tool.name ?? tool.function?.name ?? tool.type)) : [];
}

function messages(body: Body, response: ServerResponse, script: Script): void {
  const turn = nextTurn(body.messages, '"type":"tool_result"', names(body.tools).includes('Bash'), script);
  const input = { command: turn?.command, description: 'Push' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
  const stop_reason = turn === null ? 'end_turn' : 'tool_use';
  const content =
    turn === null
      ? { type: 'text', text: '' }
      : { type: 'tool_use', id: `toolu_${turn.number}`, name: 'Bash', input: {} };
  const delta =
    turn !== null
      ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
      : { type: 'text_delta', text: 'done' };
  if (body.stream !== true) {
    json(response, {
      ...message,
      stop_reason,
      content: [turn === null ? { type: 'text', text: 'done' } : { ...content, input }],
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
  const tool = names(body.tools).find((name) => name === 'exec_command' || name === 'shell_command');
  const turn = nextTurn(body.input, '"type":"function_call_output"', tool !== undefined, script);
  const input = JSON.stringify(tool === 'exec_command' ? { cmd: turn?.command } : { command: turn?.command });
  const item =
    turn === null
      ? { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
      : {
          type: 'function_call',
          id: `fc_${turn.number}`,
          call_id: `call_${turn.number}`,
          name: tool,
          arguments: input,
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
  const hasTool = JSON.stringify(body.tools ?? null).includes('"run_shell_command"');
  const turn = nextTurn(body.contents, '"functionResponse":', hasTool, script);
  const args = { command: turn?.command, description: 'Push' };
  const part = turn === null ? { text: 'done' } : { functionCall: { name: 'run_shell_command', args } };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }];
  events(response, [{ candidates, usageMetadata }]);
}

function chatCompletions(body: Body, response: ServerResponse, script: Script): void {
  const shell = names(body.tools).find((name) => isShellTool(name));
  const tool = shell === undefined ? shell : (script.tool ?? shell);
  const turn = nextTurn(body.messages, '"role":"tool"', tool !== undefined, script);
  const input = JSON.stringify({ command: turn?.command, description: 'Push' });
  const call = { index: 0, id: `call_${turn?.number}`, type: 'function', function: { name: tool, arguments: input } };
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
