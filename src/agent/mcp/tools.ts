import { z } from 'zod';
import type { McpServerSettings } from '../../config/agent-settings.ts';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import type { Tool, ToolContext } from '../../tools/tool.ts';
import { failure, success, type ToolResult } from '../../tools/tool-result.ts';
import { connect } from './connect.ts';
import type { McpConnection } from './connection.ts';

const protocolVersion = '2025-06-18';
/** Milliseconds that a server may take to say what it has. */
const startTime = 10_000;

const agreement = z.object({ protocolVersion: z.string() });

const toolList = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string().optional(),
      inputSchema: z.record(z.string(), z.unknown()),
    }),
  ),
  nextCursor: z.string().optional(),
});

const callResult = z.object({
  content: z.array(z.looseObject({ type: z.string() })).optional(),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
});

export interface McpTools {
  readonly tools: readonly Tool[];
  close(): void;
}

/**
 * Starts the configured MCP servers, all at the same time, and gives their tools as `mcp__SERVER__TOOL`. A server that
 * does not start is told and left out. What a server says of its own tools is not trusted: each call counts as a change.
 */
export async function openMcpTools(
  servers: Readonly<Record<string, McpServerSettings>>,
  cwd: string,
  env: Environment,
  notify: (problem: string) => void,
): Promise<McpTools> {
  const told = (name: string, error: unknown) => {
    const why = messageOf(error);
    notify(`The tools of the MCP server '${name}' are missing: ${why}`);
  };
  const connections = Object.entries(servers).flatMap(([name, server]) => {
    try {
      return [connect(name, server, cwd, env)];
    } catch (error) {
      told(name, error);
      return [];
    }
  });
  const lists = await Promise.all(
    connections.map(async (connection) => {
      try {
        return await toolsOf(connection);
      } catch (error) {
        connection.close();
        told(connection.name, error);
        return [];
      }
    }),
  );
  return {
    tools: withOwnNames(lists.flat(), notify),
    close: () => {
      for (const connection of connections) {
        connection.close();
      }
    },
  };
}

/** Names that differ only in what a tool's name can't hold, or beyond its 64 characters: the first one stays. */
function withOwnNames(tools: readonly Tool[], notify: (problem: string) => void): readonly Tool[] {
  const taken = new Set<string>();
  return tools.filter(({ name }) => {
    const isTaken = taken.has(name);
    taken.add(name);
    if (isTaken) {
      notify(`A second MCP tool would be called '${name}', too; it is left out.`);
    }
    return !isTaken;
  });
}

async function toolsOf(connection: McpConnection): Promise<readonly Tool[]> {
  const controller = new AbortController();
  const { signal } = controller;
  const late = new Error(`it said nothing for ${startTime / 1000} s`);
  const timer = setTimeout(() => controller.abort(late), startTime);
  try {
    return await listTools(connection, signal);
  } finally {
    clearTimeout(timer);
  }
}

async function listTools(connection: McpConnection, signal: AbortSignal): Promise<readonly Tool[]> {
  const clientInfo = { name: 'oxide-guard', version: '1' };
  const hello = { protocolVersion, capabilities: {}, clientInfo };
  const agreed = agreement.parse(await connection.request('initialize', hello, signal));
  connection.agree(agreed.protocolVersion);
  connection.notify('notifications/initialized');
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = toolList.parse(await connection.request('tools/list', cursor === undefined ? {} : { cursor }, signal));
    tools.push(...page.tools.map((declared) => asTool(connection, declared)));
    cursor = page.nextCursor;
  } while (cursor !== undefined && tools.length < 1000);
  return tools;
}

type Declared = z.output<typeof toolList>['tools'][number];

function asTool(connection: McpConnection, { name, description = '', inputSchema }: Declared): Tool {
  const own = `mcp__${connection.name}__${name}`.replace(/[^\w-]/g, '_').slice(0, 64);
  return {
    name: own,
    description,
    // The model's provider refuses every request in which a tool takes something else.
    parameters: { ...inputSchema, type: 'object' },
    effect: 'changes',
    // The server checks the fields by its own schema.
    validate: (input) =>
      typeof input === 'object' && input !== null && !Array.isArray(input)
        ? { ok: true, input: input as Readonly<Record<string, unknown>> }
        : { ok: false, failure: failure('invalid-input', `Invalid input for ${own}: it must be an object.`) },
    touches: () => [],
    execute: (input, context) => call(connection, name, input, context),
  };
}

async function call(
  connection: McpConnection,
  name: string,
  input: unknown,
  { signal }: ToolContext,
): Promise<ToolResult> {
  try {
    const result = callResult.parse(await connection.request('tools/call', { name, arguments: input }, signal));
    const text = (result.content ?? []).map(textOf).join('\n');
    const data = {
      content: result.content ?? [],
      ...(result.structuredContent === undefined ? {} : { structuredContent: result.structuredContent }),
    };
    return result.isError === true ? failure('mcp-tool-failed', text, { data }) : success(text, data);
  } catch (error) {
    if (signal.aborted) {
      return failure('interrupted', `${name} was interrupted before it finished.`);
    }
    if (error instanceof OxideError) {
      return failure(error.code, error.message, error.remedy === null ? {} : { remedy: error.remedy });
    }
    return failure('mcp-failed', `The MCP server '${connection.name}' gave an answer that can't be read.`);
  }
}

function textOf(part: { readonly type: string; readonly [key: string]: unknown }): string {
  return part.type === 'text' ? String(part.text) : `[${part.type} left out]`;
}
