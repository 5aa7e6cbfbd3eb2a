import type { Environment } from '../git/runner.ts';
import type { Tool } from '../tools/tool.ts';
import type { Clock } from './clock.ts';
import type { Control } from './control.ts';
import { localAdmin } from './principal.ts';
import { registryTools } from './registry-tools.ts';
import { controlTools, type ToolParts } from './tools.ts';

export interface AgentToolsOptions {
  readonly env: Environment;
  /** What `--store` says; null: SQLite in the state directory. */
  readonly store: string | null;
  readonly clock: Clock;
  /** Takes what the person at the agent should know. */
  readonly notify: (text: string) => void;
}

export interface AgentTools {
  readonly tools: readonly Tool[];
  /** Interrupts the sessions that were started by them; nothing, where none of the tools was called. */
  close(): Promise<void>;
}

/**
 * The control plane's tools for the registry of a person's own agent: the objects that MCP clients reach, by the same
 * dispatcher, with the rights of the local admin. The control plane is loaded and its store opened by the first call.
 * Schedules are run by servers, and not by an agent.
 */
export function agentTools({ env, store, clock, notify }: AgentToolsOptions): AgentTools {
  let opened: Promise<Control> | null = null;
  const open = (): Promise<Control> => {
    opened ??= import('./control.ts').then(({ openControl }) => openControl({ env, store, clock, notify, tools }));
    // What was in the way may be gone at the next call.
    opened.catch(() => {
      opened = null;
    });
    return opened;
  };
  const tools = controlTools(laterParts(open), { env, clock });
  return {
    tools: registryTools(tools, {
      dispatcher: async () => (await open()).dispatcher,
      principal: async () => localAdmin,
      notify,
    }),
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

function laterParts(open: () => Promise<Control>): ToolParts {
  const later = <Name extends keyof ToolParts>(name: Name): ToolParts[Name] =>
    laterPart(async () => (await open()).parts[name]);
  return {
    projects: later('projects'),
    workspaces: later('workspaces'),
    sessions: later('sessions'),
    containers: later('containers'),
    images: later('images'),
    tokens: later('tokens'),
    schedules: later('schedules'),
    options: later('options'),
    lookup: later('lookup'),
  };
}

/** Stands for a part, all of whose methods are asynchronous, until it is there. */
function laterPart<Part extends object>(open: () => Promise<Part>): Part {
  return new Proxy({} as Part, {
    get:
      (_, name) =>
      async (...input: readonly unknown[]): Promise<unknown> => {
        const part = await open();
        const method: unknown = Reflect.get(part, name);
        return typeof method === 'function' ? Reflect.apply(method, part, input) : method;
      },
  });
}
