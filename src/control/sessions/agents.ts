import type { AgentEvent } from '../../agent/event.ts';
import type { LoopEnd } from '../../agent/loop.ts';
import type { Models } from '../../agent/models/catalogue.ts';
import type { ModelPrice } from '../../config/agent-settings.ts';
import type { Tool } from '../../tools/tool.ts';
import type { PermissionPort } from '../../ui/permission.ts';
import type { Project, Workspace } from '../services.ts';
import type { Session } from './session.ts';

/** What a session of the control plane needs of an agent. */
export interface AgentRequest {
  readonly session: Session;
  readonly project: Project;
  readonly workspace: Workspace;
  readonly models: Models;
  /** Besides the agent's own. */
  readonly tools: readonly Tool[];
  /** Those that the caller lends with the prompt that is worked on. */
  readonly lent: () => readonly Tool[];
  readonly maxTurns: number;
  readonly person: PermissionPort;
  readonly emit: (event: AgentEvent) => void;
  readonly notify: (text: string) => void;
}

/** An agent at work in a workspace. */
export interface OpenAgent {
  /** Never rejects; one at a time. */
  prompt(text: string, signal: AbortSignal): Promise<LoopEnd>;
  /** Ends all that runs for it, and gives its transcript back. */
  close(reason: string): Promise<void>;
}

/** Where agents come from; a test puts its own models in. */
export interface Agents {
  /** By model name; what has none can't be held to a budget in dollars. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** Names of the tools that every agent has. */
  readonly toolNames: readonly string[];
  /** @throws OxideError where the model can't be opened */
  models(name: string | null): Promise<Models>;
  /** Begins a session, or goes on where its transcript ends. */
  open(request: AgentRequest): Promise<OpenAgent>;
  /** Forgets a session's transcript. */
  remove(sessionId: string): void;
}
