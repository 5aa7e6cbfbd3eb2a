import { createServer, type Server, type ServerResponse } from 'node:http';
import { isShellTool } from '../../../src/dialects/tool-call.ts';
import { cursorService } from './cursor-service.ts';

/** What a model would ask for: one call of the agent's shell tool, then a word of farewell. */
export interface Script {
  readonly command: string;
  /** The tool that shall run it, where it is not the usual one of OpenAI's chat completions. */
  readonly tool: string | null;
  /** Called with every request after the tool call: it carries the tool's result. */
  readonly onResult: (result: string) => void;
}

type Body = Record<string, unknown>;

/**
 * A model provider on loopback that speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions, Gemini
 * generateContent and what Cursor's backend does, just enough to lead a client to one tool call.
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

/** Is this the first turn of the session that has tools? Reports the result of a later one. */
function isFirst(history: unknown, marker: string, hasTool: boolean, script: Script): boolean {
  const text = JSON.stringify(history ?? null);
  const isLater = text.includes(marker);
  if (isLater) {
    script.onResult(text);
  }
  return hasTool && !isLater;
}

function names(tools: unknown): readonly string[] {
  return Array.isArray(tools) ? tools.map((tool) => String(tool.name ?? tool.function?.name ?? tool.type)) : [];
}

function messages(body: Body, response: ServerResponse, script: Script): void {
  const calls = isFirst(body.messages, 'tool_result', names(body.tools).includes('Bash'), script);
  const input = { command: script.command, description: 'Push' };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null, usage };
  const stop_reason = calls ? 'tool_use' : 'end_turn';
  const content = calls ? { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} } : { type: 'text', text: '' };
  const delta = calls
    ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
    : { type: 'text_delta', text: 'done' };
  if (body.stream !== true) {
    json(response, {
      ...message,
      stop_reason,
      content: [calls ? { ...content, input } : { type: 'text', text: 'done' }],
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
  const calls = isFirst(body.input, 'function_call_output', tool !== undefined, script);
  const input = tool === 'exec_command' ? { cmd: script.command } : { command: script.command };
  const item = calls
    ? { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: tool, arguments: JSON.stringify(input) }
    : { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] };
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
  const calls = isFirst(body.contents, 'functionResponse', hasTool, script);
  const args = { command: script.command, description: 'Push' };
  const part = calls ? { functionCall: { name: 'run_shell_command', args } } : { text: 'done' };
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }];
  events(response, [{ candidates, usageMetadata }]);
}

function chatCompletions(body: Body, response: ServerResponse, script: Script): void {
  const shell = names(body.tools).find((name) => isShellTool(name));
  const tool = shell === undefined ? shell : (script.tool ?? shell);
  const calls = isFirst(body.messages, '"role":"tool"', tool !== undefined, script);
  const input = JSON.stringify({ command: script.command, description: 'Push' });
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: tool, arguments: input } };
  const delta = calls ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'done' };
  const finish_reason = calls ? 'tool_calls' : 'stop';
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
