import { OxideError } from '../errors.ts';
import type { Registry } from '../tools/registry.ts';
import { effectOf, executeTool, type Tool, type ToolContext } from '../tools/tool.ts';
import { failure, fitText, type ToolResult } from '../tools/tool-result.ts';
import type { HookVerdict } from './hooks/aggregator.ts';
import { localRemotes } from './local-remotes.ts';
import type { ToolCall, ToolCallResult } from './message.ts';
import { decideCall } from './permission-decision.ts';
import { agentOf, guardedCall, inputOfHook, sceneOf, type ToolCallPorts } from './tool-call-ports.ts';

/** A call that may run. */
export interface ReadyCall {
  readonly kind: 'ready';
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  /** A person has confirmed that it runs without the sandbox. */
  readonly unsandboxed: boolean;
  /** Who let it through. */
  readonly answer: 'policy' | 'person' | 'approval';
}

/** A call that does not run: the model gets the result. `interrupt`: the query ends, the person sees this message. */
export interface RefusedCall {
  readonly kind: 'refused';
  readonly call: ToolCall;
  readonly result: ToolResult;
  readonly interrupt: string | null;
}

export type PreparedCall = ReadyCall | RefusedCall;

/** lookup → validate → PreToolUse → rules → guard and other PermissionRequest hooks → the user. */
export async function prepareCall(call: ToolCall, ports: ToolCallPorts, signal: AbortSignal): Promise<PreparedCall> {
  const { hooks, onStage } = ports;
  const refused = (result: ToolResult, interrupt: string | null = null): RefusedCall => ({
    kind: 'refused',
    call,
    result,
    interrupt,
  });
  onStage?.('lookup', call);
  const tool = lookUp(call.name, ports.tools);
  if ('ok' in tool) {
    return refused(tool);
  }
  onStage?.('validate', call);
  const validation = tool.validate(call.input);
  if (!validation.ok) {
    return refused(validation.failure);
  }
  onStage?.('PreToolUse', call);
  const before = await hooks.emit(
    { hook_event_name: 'PreToolUse', ...sceneOf(call, tool, validation.input, ports) },
    signal,
  );
  const updated = before.updatedInput === null ? validation : tool.validate(before.updatedInput);
  if (!updated.ok) {
    return refused(inputOfHook(updated.failure.text, 'PreToolUse'));
  }
  const decision = await decideCall({ call, tool, input: updated.input, before }, ports, signal);
  return decision.kind === 'allowed'
    ? { ...decision, kind: 'ready', call, tool }
    : refused(failure(decision.code, decision.message), decision.interrupt);
}

/** checkpoint if it changes anything → sandbox → execute → PostToolUse → truncate → result. */
export async function finishCall(ready: ReadyCall, ports: ToolCallPorts, signal: AbortSignal): Promise<ToolCallResult> {
  const { call, tool, input } = ready;
  if (effectOf(tool, input) === 'changes') {
    ports.onStage?.('checkpoint', call);
    const checkpoint = await takeCheckpoint(ready, ports, signal);
    await ports.guard.record(guardedCall(call, ports), 'allow', ready.answer, checkpoint ?? undefined);
  }
  ports.onStage?.('sandbox', call);
  const context = await contextOf(ready, ports, signal);
  ports.onStage?.('execute', call);
  const result = await executeTool(tool, input, context, ports.session);
  return finish(call, await afterExecution(ready, result, ports, signal), ports);
}

async function contextOf(
  { tool, input, unsandboxed }: ReadyCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<ToolContext> {
  const { sandbox } = ports;
  const mayRead = ports.permissions.readingOf(tool.name);
  const context = { ...ports.context, ...(mayRead === undefined ? {} : { mayRead }) };
  if (sandbox === null || unsandboxed) {
    return { ...context, signal };
  }
  const command = tool.shellCommand?.(input)?.command;
  const remotes = command === undefined ? [] : await localRemotes(command, context.cwd, context.env, ports.commonDir);
  return { ...context, roots: [...context.roots, ...remotes], signal, sandbox };
}

/** The result of a call that was refused. */
export function refuseCall({ call, result }: RefusedCall, ports: ToolCallPorts): ToolCallResult {
  return finish(call, { text: result.text, isError: true }, ports);
}

/** The result of a call that never began, because the query ended. */
export function skipCall(call: ToolCall, why: string, ports: Pick<ToolCallPorts, 'emit' | 'agentId'>): ToolCallResult {
  return finish(call, { text: why, isError: true }, ports);
}

interface Outcome {
  readonly text: string;
  readonly isError: boolean;
}

function finish(
  call: ToolCall,
  { text, isError }: Outcome,
  ports: Pick<ToolCallPorts, 'emit' | 'agentId' | 'onStage'>,
): ToolCallResult {
  ports.onStage?.('truncate', call);
  const content = fitText(text).text;
  const { id, name } = call;
  ports.emit({ type: 'tool_result', id, name, is_error: isError, content, ...agentOf(ports) });
  return { callId: id, name, content, isError };
}

async function takeCheckpoint(
  { call, tool, input }: ReadyCall,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const isVirtual = ports.session.files.mode === 'virtual' && tool.shellCommand === undefined;
  if (isVirtual || signal.aborted) {
    return null;
  }
  const command = tool.shellCommand?.(input)?.command;
  const paths = tool.touches(input, ports.context.cwd).map(({ path }) => path);
  const reason = command ?? [call.name, ...paths].join(' ');
  return ports.checkpoint(reason, signal);
}

async function afterExecution(
  { call, tool, input }: ReadyCall,
  result: ToolResult,
  ports: ToolCallPorts,
  signal: AbortSignal,
): Promise<Outcome> {
  const scene = sceneOf(call, tool, input, ports);
  if (!result.ok) {
    ports.onStage?.('PostToolUseFailure', call);
    const verdict = await ports.hooks.emit(
      { hook_event_name: 'PostToolUseFailure', ...scene, error: result.text },
      signal,
    );
    return { text: withContext(result.text, verdict), isError: true };
  }
  ports.onStage?.('PostToolUse', call);
  const response = Object.keys(result.data).length === 0 ? result.text : result.data;
  const verdict = await ports.hooks.emit({ hook_event_name: 'PostToolUse', ...scene, tool_response: response }, signal);
  const { updatedOutput } = verdict;
  return {
    text: withContext(updatedOutput === null ? result.text : textOf(updatedOutput.value), verdict),
    isError: false,
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function withContext(text: string, { additionalContext, block }: HookVerdict): string {
  return [text, block, additionalContext].filter((part) => part !== null).join('\n\n');
}

function lookUp(name: string, tools: Registry): Tool | ToolResult {
  try {
    return tools.get(name);
  } catch (error) {
    if (error instanceof OxideError) {
      return failure(error.code, error.message, error.remedy === null ? {} : { remedy: error.remedy });
    }
    throw error;
  }
}
