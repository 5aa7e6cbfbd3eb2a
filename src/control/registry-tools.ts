import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import type { Tool, ToolAction, ToolContext, ToolEffect } from '../tools/tool.ts';
import { isRecord, type Validation } from '../tools/tool-input.ts';
import { failure, success, type ToolFailure, type ToolResult } from '../tools/tool-result.ts';
import type { ActionResult, ControlTool } from './action.ts';
import type { Principal, Scope } from './principal.ts';
import { kindOf, reachOf } from './server/authorization.ts';
import { chooseAction, type Dispatcher } from './server/dispatcher.ts';
import { inputSchema } from './server/input-schema.ts';

/** The way from an agent's registry to the control plane. */
export interface ControlLine {
  readonly dispatcher: () => Promise<Dispatcher>;
  /** As whom the agent's calls are made, now. */
  readonly principal: () => Promise<Principal>;
  /** Takes what the person at the agent should know, and the model need not. */
  readonly notify: (text: string) => void;
}

/** The tools that have one action at least which the scope allows. */
export function usableTools(tools: readonly ControlTool[], scope: Scope): readonly ControlTool[] {
  return tools.filter((tool) =>
    ('action' in tool ? [null] : Object.keys(tool.actions)).some(
      (action) => reachOf(kindOf(scope), tool.name, action) !== 'none',
    ),
  );
}

/** The control plane's tools as those of an agent's registry. What only looks at something is a call that reads. */
export function registryTools(tools: readonly ControlTool[], line: ControlLine): readonly Tool[] {
  return tools.map((tool) => registryTool(tool, line));
}

function registryTool(tool: ControlTool, line: ControlLine): Tool {
  const { name, description } = tool;
  const actions = 'action' in tool ? [] : Object.keys(tool.actions);
  const effects = (actions.length === 0 ? [null] : actions).map((action) => effectOfAction(name, action));
  return {
    name,
    description,
    parameters: inputSchema(tool),
    effect: effects.includes('changes') ? 'changes' : 'reads',
    ...(actions.length === 0 ? {} : { action: (input: unknown) => wantedAction(name, actions, input) }),
    validate: (input) => validate(tool, input),
    touches: () => [],
    execute: (input, context) => call(name, input, context, line).catch(failureOf),
  };
}

function effectOfAction(tool: string, action: string | null): ToolEffect {
  return reachOf('admin:ro', tool, action) === 'none' ? 'changes' : 'reads';
}

function wantedAction(tool: string, actions: readonly string[], input: unknown): ToolAction | null {
  const name = actions.find((action) => isRecord(input) && input.action === action);
  return name === undefined ? null : { name, effect: effectOfAction(tool, name) };
}

/** Whether it has the action. The dispatcher checks the fields, after the rights. */
function validate(tool: ControlTool, input: unknown): Validation {
  if (!isRecord(input)) {
    return {
      ok: false,
      failure: failure('invalid-input', `Invalid input for ${tool.name}: it must be an object.`),
    };
  }
  try {
    chooseAction(tool, input);
    return { ok: true, input };
  } catch (error) {
    return { ok: false, failure: failureOf(error) };
  }
}

async function call(name: string, input: unknown, context: ToolContext, line: ControlLine): Promise<ToolResult> {
  const { signal, progress } = context;
  const dispatcher = await line.dispatcher();
  const result = await dispatcher.call(name, input, {
    principal: await line.principal(),
    signal,
    progress: (message) => progress?.(`${message}\n`),
  });
  if (result.ok) {
    return answer(name, result, line);
  }
  const { code, message, remedy } = result.error;
  return failure(code, message, remedy === null ? {} : { remedy });
}

/** A model sees no more of a result than its text, so that the data is in it: what a command has printed is already. */
function answer(name: string, { text, data }: ActionResult, { notify }: ControlLine): ToolResult {
  if (typeof data.token === 'string') {
    // For the person: what a model reads goes to its provider, and stays in the transcript.
    notify(text);
    const kept = { ...data, token: 'shown to the person only' };
    return success(JSON.stringify(kept), kept);
  }
  return success(name === 'container' ? text : `${text}\n${JSON.stringify(data)}`, data);
}

function failureOf(error: unknown): ToolFailure {
  if (error instanceof OxideError) {
    return failure(error.code, error.message, error.remedy === null ? {} : { remedy: error.remedy });
  }
  return failure('tool-broken', `It broke: ${messageOf(error)}`);
}
