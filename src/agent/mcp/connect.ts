import type { McpServerSettings } from '../../config/agent-settings.ts';
import type { Environment } from '../../git/runner.ts';
import type { McpConnection } from './connection.ts';
import { connectToEndpoint } from './endpoint-connection.ts';
import { connectToProgram } from './program-connection.ts';

/**
 * Opens the connection to a server, by whichever transport it is configured.
 *
 * @param cwd where a program starts
 * @throws OxideError `mcp-header` for a header whose variable is not set
 */
export function connect(name: string, server: McpServerSettings, cwd: string, env: Environment): McpConnection {
  return 'url' in server ? connectToEndpoint(name, server, env) : connectToProgram(name, server, cwd, env);
}
