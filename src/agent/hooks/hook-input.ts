import type { HookEvent } from '../../config/agent-settings.ts';

/** Of every event: who asks, and where. */
interface Scene {
  readonly session_id: string;
  readonly cwd: string;
  /** Absent for the main agent. */
  readonly agent_id?: string;
}

interface ToolScene {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
}

/** What each event tells its hooks besides the scene. */
interface HookDetails {
  readonly PreToolUse: ToolScene;
  readonly PermissionRequest: ToolScene;
  readonly PostToolUse: ToolScene & { readonly tool_response: unknown };
  readonly PostToolUseFailure: ToolScene & { readonly error: string };
  readonly SubagentStart: { readonly subagent_type: string; readonly prompt: string };
  readonly SubagentStop: { readonly subagent_type: string; readonly last_message: string };
  readonly SessionStart: { readonly source: 'startup' | 'resume' };
  readonly UserPromptSubmit: { readonly prompt: string };
  readonly PreCompact: { readonly trigger: 'auto' };
  readonly Stop: { readonly last_message: string; readonly stop_hook_active: boolean };
  readonly SessionEnd: { readonly reason: string };
}

export type HookInputOf<Event extends HookEvent> = Scene & HookDetails[Event] & { readonly hook_event_name: Event };

/** What a hook reads: field names are those of the wire. */
export type HookInput = { [Event in HookEvent]: HookInputOf<Event> }[HookEvent];

/** What a hook's matcher is held against: a tool's name, a subagent's type; null for events that have neither. */
export function subjectOf(input: HookInput): string | null {
  switch (input.hook_event_name) {
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return input.tool_name;
    case 'SubagentStart':
    case 'SubagentStop':
      return input.subagent_type;
    default:
      return null;
  }
}
