import type { Registry } from '../tools/registry.ts';
import { effectOf } from '../tools/tool.ts';
import type { ToolCall, ToolCallResult } from './message.ts';
import { finishCall, type PreparedCall, prepareCall, refuseCall, skipCall } from './tool-call.ts';
import type { ToolCallPorts } from './tool-call-ports.ts';

/** What came of the calls of one turn. */
export interface CallsOutcome {
  /** One for every call, in source order. */
  readonly results: readonly ToolCallResult[];
  /** A hook ended the query: what the person is told. */
  readonly interrupt: string | null;
}

/** Told of every result as soon as it is there: the session keeps it. */
export type OnResult = (result: ToolCallResult) => void;

/**
 * Runs the calls of one turn in source order; calls that only read and stand side by side run at the same time, once
 * all of them may. When the query ends in between, the calls that are left get a result without running.
 */
export async function runCalls(
  calls: readonly ToolCall[],
  ports: ToolCallPorts,
  signal: AbortSignal,
  onResult: OnResult,
): Promise<CallsOutcome> {
  const results = new Map<ToolCall, ToolCallResult>();
  const keep = (call: ToolCall, result: ToolCallResult) => {
    results.set(call, result);
    onResult(result);
  };
  let interrupt: string | null = null;
  for (const batch of batches(calls, ports.tools)) {
    const isRewound = ports.isRewound?.() === true;
    if (interrupt === null && !isRewound && !signal.aborted) {
      interrupt = await runBatch(batch, ports, signal, keep);
    }
    for (const call of batch.filter((pending) => !results.has(pending))) {
      const why = isRewound ? 'the conversation was rewound' : (interrupt ?? 'the user interrupted');
      keep(call, skipCall(call, `Not run: ${why}`, ports));
    }
  }
  return { results: calls.flatMap((call) => results.get(call) ?? []), interrupt };
}

function batches(calls: readonly ToolCall[], tools: Registry): readonly (readonly ToolCall[])[] {
  const byName = new Map(tools.list().map((tool) => [tool.name, tool]));
  const found: ToolCall[][] = [];
  let isOpen = false;
  for (const call of calls) {
    const tool = byName.get(call.name);
    const reads = tool !== undefined && effectOf(tool, call.input) === 'reads';
    if (reads && isOpen) {
      found.at(-1)?.push(call);
    } else {
      found.push([call]);
    }
    isOpen = reads;
  }
  return found;
}

/** @returns why the query ends, or null; then some calls may have no result */
async function runBatch(
  batch: readonly ToolCall[],
  ports: ToolCallPorts,
  signal: AbortSignal,
  keep: (call: ToolCall, result: ToolCallResult) => void,
): Promise<string | null> {
  const prepared: PreparedCall[] = [];
  for (const call of batch) {
    const { id, name, input } = call;
    ports.emit({
      type: 'tool_call',
      id,
      name,
      input,
      ...(ports.agentId === undefined ? {} : { agent_id: ports.agentId }),
    });
    const preparation = await prepareCall(call, ports, signal);
    prepared.push(preparation);
    if (preparation.kind === 'refused') {
      keep(call, refuseCall(preparation, ports));
      if (preparation.interrupt !== null) {
        return preparation.interrupt;
      }
    }
    if (signal.aborted) {
      return null;
    }
  }
  const ready = prepared.filter((preparation) => preparation.kind === 'ready');
  await Promise.all(ready.map(async (call) => keep(call.call, await finishCall(call, ports, signal))));
  return null;
}
