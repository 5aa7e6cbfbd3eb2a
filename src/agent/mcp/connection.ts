/** Characters of one answer; a tool's result is cut to a fraction of that anyway. */
export const answerLimit = 32 * 1024 * 1024;

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
