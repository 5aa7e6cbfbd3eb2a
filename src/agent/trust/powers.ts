import { createHash } from 'node:crypto';
import type { AgentSettingsFile, McpServerSettings } from '../../config/agent-settings.ts';

/** A file of the repository that would be run as a program, or names programs that would. */
export interface ProgramFile {
  readonly path: string;
  /** What of it counts. */
  readonly text: string;
}

/** What a repository's own configuration would do without anybody being asked. */
export interface Powers {
  /** For people, a line each. */
  readonly lines: readonly string[];
  /** SHA-256 of all of it: another word is another matter. */
  readonly digest: string;
}

/** The settings that only a trusted folder may make; everything else only restricts, or names a model. */
const powerful = ['hooks', 'mcpServers', 'baseUrl', 'sandboxNetwork', 'controlPlane'] as const;

/**
 * What a repository's settings would do that a stranger must not decide: run programs outside of the sandbox, let tool
 * calls pass unasked, send the conversation and the key elsewhere, open the network. Null: nothing.
 *
 * @param programs configurations that are programs themselves
 */
export function powersOf(settings: AgentSettingsFile, programs: readonly ProgramFile[]): Powers | null {
  const { hooks = {}, mcpServers = {}, permissions, baseUrl, sandboxNetwork, controlPlane } = settings;
  const allow = permissions?.allow ?? [];
  const lines = [
    ...programs.map(({ path }) => `${path} is a program, or loads some`),
    ...Object.entries(hooks).flatMap(([event, commands]) =>
      (commands ?? []).map(({ command }) => `hook at ${event}: ${command}`),
    ),
    ...Object.entries(mcpServers).map(([name, server]) => `MCP server ${name}: ${spelled(server)}`),
    ...allow.map((rule) => `allowed without a question: ${rule}`),
    ...(baseUrl === undefined || baseUrl === null ? [] : [`the model, and your key for it, is at ${baseUrl}`]),
    ...(sandboxNetwork === true ? ['commands in the sandbox may reach the network'] : []),
    ...(controlPlane === true ? ['the model gets the tools of the control plane'] : []),
  ];
  if (lines.length === 0) {
    return null;
  }
  const matter = { hooks, mcpServers, allow, baseUrl, sandboxNetwork, controlPlane, programs };
  return { lines, digest: createHash('sha256').update(JSON.stringify(matter)).digest('hex') };
}

function spelled(server: McpServerSettings): string {
  if ('url' in server) {
    const headers = Object.entries(server.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    return [server.url, ...headers].join(', ');
  }
  const variables = Object.entries(server.env ?? {}).map(([name, value]) => `${name}=${value}`);
  return [...variables, server.command, ...(server.args ?? [])].join(' ');
}

/** The settings of a folder that nobody trusts. What asks, denies and restricts stays. */
export function withoutPowers(settings: AgentSettingsFile): AgentSettingsFile {
  const rest = Object.entries(settings).filter(([key]) => !powerful.some((name) => name === key));
  const { permissions } = settings;
  return {
    ...Object.fromEntries(rest),
    ...(permissions === undefined ? {} : { permissions: { ...permissions, allow: [] } }),
  };
}
