import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { ActionCall } from '../action.ts';
import type { Principal } from '../principal.ts';
import { type CallResult, failureOf } from './call-result.ts';
import type { Dispatcher } from './dispatcher.ts';
import { progressOf } from './progress.ts';

export interface ProtocolServerOptions {
  readonly dispatcher: Dispatcher;
  readonly version: string;
  /** Whoever makes a request; throws OxideError where nobody may. */
  readonly principalOf: (context: ServerContext) => Principal | Promise<Principal>;
  /** Aborted when the server shuts down. */
  readonly shutdown: AbortSignal;
}

const instructions =
  'The control plane of oxide-guard: projects (git repositories), workspaces (work trees of them), guarded coding agents ' +
  '(sessions) that work in them, containers, schedules. Tools with an `action` do several things. Begin with project ' +
  'action=create and a source_url, then session action=spawn, and follow it with session action=events. The workspace_* ' +
  'tools read and change files of a workspace and run commands in it, judged by the git guard.';

/** An MCP server over the dispatcher, for one connection: it translates, and decides nothing. */
export function protocolServer({ dispatcher, version, principalOf, shutdown }: ProtocolServerOptions): Server {
  const server = new Server({ name: 'oxide-guard', version }, { capabilities: { tools: {} }, instructions });
  server.setRequestHandler('tools/list', async (_, context) => ({
    tools: dispatcher.list(await principalOf(context)).map(
      ({ name, description, inputSchema, isReadOnly }): Tool => ({
        name,
        description,
        inputSchema: inputSchema as Tool['inputSchema'],
        annotations: { readOnlyHint: isReadOnly },
      }),
    ),
  }));
  server.setRequestHandler('tools/call', async ({ params }, context): Promise<CallToolResult> => {
    if (!dispatcher.has(params.name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool '${params.name}'.`);
    }
    try {
      const call: ActionCall = {
        principal: await principalOf(context),
        signal: AbortSignal.any([context.mcpReq.signal, shutdown]),
        progress: progressOf(context),
      };
      return toolResult(await dispatcher.call(params.name, params.arguments ?? {}, call));
    } catch (error) {
      return toolResult(failureOf(error));
    }
  });
  return server;
}

function toolResult(result: CallResult): CallToolResult {
  if (result.ok) {
    return { content: [{ type: 'text', text: result.text }], structuredContent: { ok: true, ...result.data } };
  }
  const { code, message, remedy } = result.error;
  return {
    isError: true,
    content: [{ type: 'text', text: remedy === null ? message : `${message}\n${remedy}` }],
    structuredContent: { ok: false, error: { code, message, ...(remedy === null ? {} : { remedy }) } },
  };
}
