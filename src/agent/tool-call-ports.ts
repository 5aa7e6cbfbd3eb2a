import type { Registry } from '../tools/registry.ts';
import type { Sandbox } from '../tools/session-ports.ts';
import type { Tool, ToolContext, ToolSession } from '../tools/tool.ts';
import { failure, type ToolResult } from '../tools/tool-result.ts';
import type { PermissionPort } from '../ui/permission.ts';
import type { AgentEvent } from './event.ts';
import type { GitGuard, GuardedCall } from './git-guard.ts';
import type { HookBus } from './hooks/bus.ts';
import type { ToolCall } from './message.ts';
import type { Permissions } from './permissions.ts';

/** The stages of one tool call, in their order. */
export type ToolCallStage =
  | 'lookup'
  | 'validate'
  | 'PreToolUse'
  | 'rules'
  | 'PermissionRequest'
  | 'user'
  | 'checkpoint'
  | 'sandbox'
  | 'execute'
  | 'PostToolUse'
  | 'PostToolUseFailure'
  | 'truncate';

/** What a tool call goes through; the main agent and its subagents differ only in these. */
export interface ToolCallPorts {
  readonly tools: Registry;
  readonly hooks: HookBus;
  readonly permissions: Permissions;
  readonly guard: GitGuard;
  readonly person: PermissionPort;
  /** Takes a checkpoint of the work tree; null: none could be taken, or none is wanted. */
  readonly checkpoint: (reason: string, signal: AbortSignal) => Promise<string | null>;
  /** Null: command lines run without one. */
  readonly sandbox: Sandbox | null;
  readonly allowUnsandboxed: boolean;
  /** Of the session's repository; null outside of one. */
  readonly commonDir: string | null;
  readonly context: Omit<ToolContext, 'signal' | 'sandbox'>;
  readonly session: ToolSession;
  /** Of a subagent. */
  readonly agentId?: string;
  readonly emit: (event: AgentEvent) => void;
  /** The conversation has gone back: the calls that are left belong to what is no more. */
  readonly isRewound?: () => boolean;
  /** Told when a stage begins; for tests of the order. */
  readonly onStage?: (stage: ToolCallStage, call: ToolCall) => void;
}

/** What hooks of a tool call are told. */
export function sceneOf(call: ToolCall, tool: Tool, input: Readonly<Record<string, unknown>>, ports: ToolCallPorts) {
  return {
    session_id: ports.session.id,
    cwd: ports.context.cwd,
    ...agentOf(ports),
    tool_name: tool.name,
    tool_input: input,
    tool_use_id: call.id,
  };
}

export function agentOf({ agentId }: Pick<ToolCallPorts, 'agentId'>): { readonly agent_id?: string } {
  return agentId === undefined ? {} : { agent_id: agentId };
}

export function guardedCall({ id }: ToolCall, { agentId }: Pick<ToolCallPorts, 'agentId'>): GuardedCall {
  return { id, agentId };
}

/** An input that a hook gave is held to the same form as the model's. */
export function inputOfHook(problem: string, event: string): ToolResult {
  return failure(
    'invalid-hook-input',
    `A ${event} hook gave an updatedInput that is not valid, so nothing ran. ${problem}`,
  );
}
