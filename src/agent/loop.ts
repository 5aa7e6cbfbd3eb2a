import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import type { Registry } from '../tools/registry.ts';
import type { CallsOutcome, OnResult } from './call-batches.ts';
import type { StopReason } from './event.ts';
import type { Message, ToolCall } from './message.ts';
import { type Model, type ModelTurn, noUsage, type Usage } from './model.ts';

/** What the loop asks of the agent that runs it. Nothing is kept here. */
export interface LoopPorts {
  readonly model: Model;
  readonly system: string;
  readonly tools: Registry;
  readonly maxTurns: number;
  /** Runs the calls of one turn; never rejects. */
  readonly runCalls: (calls: readonly ToolCall[], signal: AbortSignal, onResult: OnResult) => Promise<CallsOutcome>;
  readonly onText: (text: string) => void;
  readonly onNotice: (text: string) => void;
  /** Keeps a message that is complete. A tool message's results were kept one by one. */
  readonly append: (message: Message) => void;
  readonly onResult: (messageId: string, result: Parameters<OnResult>[0]) => void;
  readonly onUsage: (usage: Usage) => void;
  /** The messages that the next turn sees: they may have been summarised, or the conversation rewound. */
  readonly arrange: (messages: readonly Message[], usage: Usage, signal: AbortSignal) => Promise<readonly Message[]>;
  /** Why the agent must go on although it wants to stop; null: it may stop. */
  readonly onStop: (text: string, signal: AbortSignal) => Promise<string | null>;
  readonly newId: () => string;
}

export interface LoopEnd {
  readonly stop: StopReason;
  /** The last turn's text; what the person is told when a hook ended the query. */
  readonly text: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly messages: readonly Message[];
  /** Of `error`. */
  readonly error: OxideError | null;
}

/**
 * Model → text (finish) or calls (run, append the results, ask the model again), until there are no calls or the turns
 * are used up. Never rejects; whatever ends it, every call of the conversation has a result.
 */
export async function runLoop(start: readonly Message[], ports: LoopPorts, signal: AbortSignal): Promise<LoopEnd> {
  let messages = start;
  let usage = noUsage;
  let last = noUsage;
  let turns = 0;
  const ids = new Set(
    start.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
  );
  const append = (message: Message) => {
    ports.append(message);
    messages = [...messages, message];
  };
  const end = (stop: StopReason, text: string, error: OxideError | null = null): LoopEnd => ({
    stop,
    text,
    turns,
    usage,
    messages,
    error,
  });
  for (let text = ''; ; ) {
    if (signal.aborted) {
      return end('interrupted', text);
    }
    if (turns >= ports.maxTurns) {
      return end('max_turns', text);
    }
    let turn: ModelTurn;
    try {
      messages = await ports.arrange(messages, last, signal);
      turn = await takeTurn(messages, ports, signal);
    } catch (error) {
      return signal.aborted ? end('interrupted', text) : end('error', text, asOxideError(error));
    }
    turns += 1;
    last = turn.usage;
    usage = addUsage(usage, turn.usage);
    ports.onUsage(turn.usage);
    text = turn.text;
    if (turn.stop === 'refused') {
      return end('error', text, refused(ports.model));
    }
    const calls = turn.calls.map((call) => withOwnId(call, ids));
    append({ role: 'assistant', id: ports.newId(), text, calls });
    if (calls.length > 0) {
      const id = ports.newId();
      const onResult: OnResult = (result) => ports.onResult(id, result);
      const outcome = turn.stop === 'length' ? cutOff(calls, onResult) : await ports.runCalls(calls, signal, onResult);
      append({ role: 'tool', id, results: outcome.results });
      if (outcome.interrupt !== null) {
        return end('interrupted', outcome.interrupt);
      }
      continue;
    }
    const goOn = turn.stop === 'length' ? continuation : await ports.onStop(text, signal);
    if (goOn === null) {
      return end('end_turn', text);
    }
    append({ role: 'user', id: ports.newId(), text: goOn });
  }
}

function takeTurn(
  messages: readonly Message[],
  { model, system, tools, onText, onNotice }: LoopPorts,
  signal: AbortSignal,
): Promise<ModelTurn> {
  const declared = tools.list().map(({ name, description, parameters }) => ({ name, description, parameters }));
  return model.turn({ system, messages, tools: declared, signal, onText, onNotice });
}

/** Servers that count calls anew in every turn, or give them no ids, would have one call's result taken for another's. */
function withOwnId(call: ToolCall, taken: Set<string>): ToolCall {
  const base = call.id === '' ? 'call' : call.id;
  let id = call.id;
  for (let count = 2; id === '' || taken.has(id); count += 1) {
    id = `${base}_${count}`;
  }
  taken.add(id);
  return id === call.id ? call : { ...call, id };
}

const continuation = 'Your output was cut off at its limit. Go on exactly where it stopped.';

/** The last call is not complete, and those before it may depend on it. */
function cutOff(calls: readonly ToolCall[], onResult: OnResult): CallsOutcome {
  const results = calls.map(({ id, name }) => ({
    callId: id,
    name,
    content:
      'Not run: your output was cut off at its limit, so the call may not be complete. Make it again, in smaller parts.',
    isError: true,
  }));
  results.forEach(onResult);
  return { results, interrupt: null };
}

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
  };
}

function refused({ name }: Model): OxideError {
  return new OxideError('model-refused', `'${name}' refused to answer (content filter).`, {
    remedy: 'Say it in other words, or use another model.',
  });
}

/** As an error of the model, unless it is one that says more. */
export function asOxideError(error: unknown): OxideError {
  return error instanceof OxideError
    ? error
    : new OxideError('model-failed', messageOf(error), {
        remedy: 'Go on with: oxide-guard agent --continue',
        cause: error,
      });
}
