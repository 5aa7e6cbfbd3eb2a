import { z } from 'zod';
import type { HookEvent } from '../../config/agent-settings.ts';
import { isRecord } from '../../tools/tool-input.ts';
import { fitText } from '../../tools/tool-result.ts';

// Field names are those of the wire: other agents' hooks can be used as they are.

/** Absent fields mean no change. */
export interface PreToolUseHookOutput {
  readonly hookEventName: 'PreToolUse';
  readonly permissionDecision?: 'allow' | 'ask' | 'deny' | undefined;
  readonly permissionDecisionReason?: string | undefined;
  /** The whole input; it is validated again. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
}

export type PermissionDecision =
  | { readonly behavior: 'allow'; readonly updatedInput?: Readonly<Record<string, unknown>> | undefined }
  /** `interrupt` ends the query: the user sees the message, and nothing more runs. */
  | { readonly behavior: 'deny'; readonly message: string; readonly interrupt?: boolean | undefined }
  /** A person must answer, whatever rules and modes say. Of functions only: the wire has no such answer. */
  | { readonly behavior: 'ask'; readonly message: string };

/** Without a decision the request goes on to whoever is next. */
export interface PermissionRequestHookOutput {
  readonly hookEventName: 'PermissionRequest';
  readonly decision?: PermissionDecision | undefined;
}

export interface PostToolUseHookOutput {
  readonly hookEventName: 'PostToolUse';
  /** For the model, after the result. */
  readonly additionalContext?: string | undefined;
  /** Takes the place of the tool's output. */
  readonly updatedMCPToolOutput?: unknown;
}

export interface SubagentStartHookOutput {
  readonly hookEventName: 'SubagentStart';
  /** For the subagent, before its prompt. */
  readonly additionalContext?: string | undefined;
}

/** Events whose hooks can add something for the model to read. */
export interface ContextHookOutput {
  readonly hookEventName: 'PostToolUseFailure' | 'SessionStart' | 'UserPromptSubmit' | 'PreCompact';
  readonly additionalContext?: string | undefined;
}

/** Events whose hooks are told, and may block by the fields beside. */
export interface NotifiedHookOutput {
  readonly hookEventName: 'SubagentStop' | 'Stop' | 'SessionEnd';
}

export type HookSpecificOutput =
  | PreToolUseHookOutput
  | PermissionRequestHookOutput
  | PostToolUseHookOutput
  | SubagentStartHookOutput
  | ContextHookOutput
  | NotifiedHookOutput;

/** What a hook answers. */
export interface HookOutput {
  readonly hookSpecificOutput?: HookSpecificOutput | undefined;
  /** UserPromptSubmit: the prompt is refused. Stop, SubagentStop: the agent goes on, told the reason. */
  readonly decision?: 'block' | undefined;
  readonly reason?: string | undefined;
}

/** Characters of a reason that a person has to read. */
export const reasonLimit = 4000;

/** An answer may be long; a terminal and a model's memory are not. */
const reason = z.string().transform((text) => (text.length > reasonLimit ? `${text.slice(0, reasonLimit)}…` : text));
const input = z.record(z.string(), z.unknown());
const context = {
  additionalContext: z
    .string()
    .transform((text) => fitText(text).text)
    .optional(),
};

const decision = z.discriminatedUnion('behavior', [
  z.object({ behavior: z.literal('allow'), updatedInput: input.optional() }),
  z.object({
    behavior: z.literal('deny'),
    message: reason.default('A hook denies this without a reason.'),
    interrupt: z.boolean().optional(),
  }),
]);

const specificOutput = z.discriminatedUnion('hookEventName', [
  z.object({
    hookEventName: z.literal('PreToolUse'),
    permissionDecision: z.enum(['allow', 'ask', 'deny']).optional(),
    permissionDecisionReason: reason.optional(),
    updatedInput: input.optional(),
  }),
  z.object({ hookEventName: z.literal('PermissionRequest'), decision: decision.optional() }),
  z.object({ hookEventName: z.literal('PostToolUse'), ...context, updatedMCPToolOutput: z.unknown().optional() }),
  z.object({ hookEventName: z.literal('SubagentStart'), ...context }),
  z.object({
    hookEventName: z.enum(['PostToolUseFailure', 'SessionStart', 'UserPromptSubmit', 'PreCompact']),
    ...context,
  }),
  z.object({ hookEventName: z.enum(['SubagentStop', 'Stop', 'SessionEnd']) }),
]);

const hookOutput = z.object({
  hookSpecificOutput: specificOutput.optional(),
  decision: z.literal('block').optional(),
  reason: reason.optional(),
});

export type ParsedHookOutput =
  | { readonly ok: true; readonly output: HookOutput }
  | { readonly ok: false; readonly problem: string };

/** Checks what a command answered, or a function returned: fields of other agents' hooks are ignored, wrong ones refused. */
export function parseHookOutput(event: HookEvent, value: unknown): ParsedHookOutput {
  const parsed = hookOutput.safeParse(withoutNull(value));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return { ok: false, problem: `${issue?.path.join('.') || 'its answer'}: ${issue?.message ?? 'not valid'}` };
  }
  const named = parsed.data.hookSpecificOutput?.hookEventName;
  return named === undefined || named === event
    ? { ok: true, output: parsed.data }
    : { ok: false, problem: `it answers ${named}, but was asked about ${event}` };
}

/** Null says as much as an absent field: that is how some languages write one. What hooks put in the place of an input keeps its nulls. */
function withoutNull(value: unknown): unknown {
  if (!isRecord(value)) {
    return value;
  }
  const fields = Object.entries(value).filter(([, field]) => field !== null);
  const isNested = (name: string) => name === 'hookSpecificOutput' || name === 'decision';
  return Object.fromEntries(fields.map(([name, field]) => [name, isNested(name) ? withoutNull(field) : field]));
}
