import { OxideError } from '../../errors.ts';
import { isRecord } from '../../tools/tool-input.ts';

/** An answer to a request: JSON-RPC 2.0, "Response object". */
export interface McpResponse {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** The answer that a text holds; null for notifications, requests of the server, and what is no JSON. */
export function asResponse(text: string): McpResponse | null {
  try {
    const message = JSON.parse(text) as Partial<McpResponse> & { readonly method?: unknown };
    const isAnswer = typeof message === 'object' && message !== null && typeof message.id === 'number';
    return isAnswer && message.method === undefined ? (message as McpResponse) : null;
  } catch {
    return null;
  }
}

/** @throws OxideError `mcp-failed` */
export function outcomeOf({ result, error }: McpResponse, server: string): unknown {
  if (error !== undefined) {
    const said = isRecord(error) && typeof error.message === 'string' ? error.message : JSON.stringify(error);
    throw new OxideError('mcp-failed', `The MCP server '${server}' says: ${said}`);
  }
  return result;
}
