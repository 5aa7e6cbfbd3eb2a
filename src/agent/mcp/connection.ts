import type { McpServerSettings } from '../../config/agent-settings.ts';
import type { Environment } from '../../git/runner.ts';
import { connectToEndpoint } from './endpoint-connection.ts';
import { connectToProgram } from './program-connection.ts';

/** An MCP server that is spoken to: JSON-RPC 2.0. */
export interface McpConnection {
  readonly name: string;
  /**
   * @throws OxideError `mcp-failed` with what the server said, `mcp-gone` when it has ended; the signal's reason when
   *   it is aborted, and then the server is told
   */
  request(method: string, parameters: object, signal: AbortSignal): Promise<unknown>;
  /** Best effort: nobody answers a notification. */
  notify(method: string, parameters?: object): void;
  /** The version of the protocol that both have agreed on. */
  agree(protocolVersion: string): void;
  close(): void;
}

/**
 * Opens the connection to a server, by whichever transport it is configured.
 *
 * @param cwd where a program starts
 * @throws OxideError `mcp-header` for a header whose variable is not set
 */
export function connect(name: string, server: McpServerSettings, cwd: string, env: Environment): McpConnection {
  return 'url' in server ? connectToEndpoint(name, server, env) : connectToProgram(name, server, cwd, env);
}
