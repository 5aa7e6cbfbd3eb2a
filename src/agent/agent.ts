import type { RestoredFiles, RewindOutcome, RewindRequest, Timeline } from '../tools/session-ports.ts';
import { failure } from '../tools/tool-result.ts';
import { runCalls } from './call-batches.ts';
import { compact, expectedTokens, summaryText } from './compaction.ts';
import type { HookInput } from './hooks/hook-input.ts';
import { addUsage, asOxideError, type LoopEnd, runLoop } from './loop.ts';
import type { Message } from './message.ts';
import { type Model, noUsage, type Usage } from './model.ts';
import type { SessionRecord, UserMessage } from './session/record.ts';
import { cutShort } from './session/restore.ts';
import { agentOf, type ToolCallPorts } from './tool-call-ports.ts';

/** How often a Stop hook may send the agent on, for one prompt. */
const stopLimit = 5;

export interface AgentOptions {
  readonly model: Model;
  readonly system: string;
  readonly maxTurns: number;
  /** Input tokens at which older messages are summarised. */
  readonly compactAt: number;
  /** Where it stands: empty, or restored. */
  readonly messages: readonly Message[];
  /** Messages that there have been, for ids that stay unique after a resume. */
  readonly messageCount: number;
  readonly calls: Omit<ToolCallPorts, 'isRewound' | 'session'> & {
    readonly session: Omit<ToolCallPorts['session'], 'timeline'>;
  };
  readonly record: (record: SessionRecord) => void;
  /** Takes what the person should know and the model need not. */
  readonly notify: (text: string) => void;
  /** Brings files back to what they were before a message. */
  readonly restoreBefore: (messageIds: readonly string[]) => Promise<RestoredFiles>;
}

/** What a prompt has taken so far. */
interface Spent {
  turns: number;
  usage: Usage;
}

/** One agent, main or sub: holds the conversation, and runs the loop on it. */
export class Agent {
  #messages: readonly Message[];
  #count: number;
  #rewound: readonly Message[] | null = null;
  /** The prompt that is worked on. */
  #prompt: string | null = null;
  readonly #options: AgentOptions;
  readonly #ports: ToolCallPorts;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#messages = options.messages;
    this.#count = options.messageCount;
    const timeline: Timeline = { rewind: (request) => this.#rewind(request) };
    this.#ports = {
      ...options.calls,
      isRewound: () => this.#rewound !== null,
      session: { ...options.calls.session, timeline },
    };
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** The id of the user message that is worked on; checkpoints are kept with it. */
  get currentPrompt(): string | null {
    return this.#prompt;
  }

  /** Takes a prompt through the loop. Never rejects. */
  async prompt(text: string, signal: AbortSignal): Promise<LoopEnd> {
    const spent: Spent = { turns: 0, usage: noUsage };
    try {
      const message: UserMessage = { role: 'user', id: this.#newId(), text };
      this.#append(message);
      this.#prompt = message.id;
      const end = await this.#work(spent, signal);
      this.#messages = this.#rewound ?? this.#messages;
      this.#options.record({ type: 'end', stop: end.stop });
      return end;
    } catch (error) {
      // The transcript could not be written: what it holds is what has happened.
      return this.#broken(spent, error);
    } finally {
      this.#rewound = null;
    }
  }

  #work(spent: Spent, signal: AbortSignal): Promise<LoopEnd> {
    const { model, system, maxTurns, record, calls } = this.#options;
    let stops = 0;
    return runLoop(
      this.#messages,
      {
        model,
        system,
        tools: calls.tools,
        maxTurns,
        runCalls: (turn, interruption, onResult) => runCalls(turn, this.#ports, interruption, onResult),
        onText: (part) => calls.emit({ type: 'text', text: part, ...agentOf(calls) }),
        onNotice: this.#options.notify,
        append: (added) => this.#append(added),
        onResult: (id, result) => record({ type: 'result', message_id: id, result }),
        onUsage: (usage) => {
          spent.turns += 1;
          spent.usage = addUsage(spent.usage, usage);
          record({ type: 'usage', model: model.name, usage });
        },
        arrange: (messages, usage, interruption) => this.#arrange(messages, usage, interruption),
        onStop: async (last, interruption) => {
          stops += 1;
          return stops > stopLimit ? null : this.#mayStop(last, stops > 1, interruption);
        },
        newId: () => this.#newId(),
      },
      signal,
    );
  }

  #broken(spent: Spent, error: unknown): LoopEnd {
    const last = this.#messages.at(-1);
    if (last?.role === 'assistant' && last.calls.length > 0) {
      const results = last.calls.map(cutShort);
      this.#messages = [...this.#messages, { role: 'tool', id: this.#newId(), results }];
    }
    return { stop: 'error', text: '', ...spent, messages: this.#messages, error: asOxideError(error) };
  }

  #newId(): string {
    this.#count += 1;
    return `m${this.#count}`;
  }

  #append(message: Message): void {
    // The results of a tool message are recorded one by one, as they end.
    if (message.role !== 'tool') {
      this.#options.record({ type: 'message', message });
    }
    this.#messages = [...this.#messages, message];
  }

  async #mayStop(last: string, active: boolean, signal: AbortSignal): Promise<string | null> {
    const { calls } = this.#options;
    if (calls.agentId !== undefined) {
      return null;
    }
    const input = { hook_event_name: 'Stop', last_message: last, stop_hook_active: active } as const;
    return (await this.#emit({ ...input, ...this.#scene() }, signal)).block;
  }

  #scene() {
    const { calls } = this.#options;
    return { session_id: calls.session.id, cwd: calls.context.cwd, ...agentOf(calls) };
  }

  #emit(input: HookInput, signal: AbortSignal) {
    return this.#options.calls.hooks.emit(input, signal);
  }

  async #arrange(messages: readonly Message[], last: Usage, signal: AbortSignal): Promise<readonly Message[]> {
    if (this.#rewound !== null) {
      this.#messages = this.#rewound;
      this.#rewound = null;
      return this.#messages;
    }
    if (expectedTokens(messages, last) < this.#options.compactAt) {
      return messages;
    }
    return this.#compact(messages, signal);
  }

  async #compact(messages: readonly Message[], signal: AbortSignal): Promise<readonly Message[]> {
    const { model, system, record, notify } = this.#options;
    const input = { hook_event_name: 'PreCompact', trigger: 'auto' } as const;
    const hooks = await this.#emit({ ...input, ...this.#scene() }, signal);
    const compaction =
      hooks.block === null ? await compact(messages, model, system, hooks.additionalContext, signal) : null;
    if (compaction === null) {
      return messages;
    }
    const { keptFrom, usage } = compaction;
    const summary: UserMessage = { role: 'user', id: this.#newId(), text: summaryText(compaction.summary) };
    record({ type: 'usage', model: model.name, usage });
    record({ type: 'compaction', summary, kept_from: keptFrom });
    const from = messages.findIndex(({ id }) => id === keptFrom);
    const left = from === -1 ? messages.length : from;
    notify(`The conversation had become long: ${left} older messages were replaced by a summary.`);
    this.#messages = [summary, ...(from === -1 ? [] : messages.slice(from))];
    return this.#messages;
  }

  async #rewind({ messagePrefix, courseCorrection, restoreCode }: RewindRequest): Promise<RewindOutcome> {
    const { record, restoreBefore } = this.#options;
    const to = this.#messages.findLastIndex(
      ({ role, ...message }) => role === 'user' && 'text' in message && message.text.startsWith(messagePrefix),
    );
    const found = this.#messages[to];
    if (found === undefined || found.role !== 'user') {
      return failure('no-such-message', `No message of the user begins with '${messagePrefix}'; nothing has changed.`, {
        remedy: `They begin with: ${this.#beginnings()}`,
      });
    }
    const left = this.#messages.slice(to);
    const restored = restoreCode ? await restoreBefore(left.map(({ id }) => id)) : 'unwanted';
    const correction: UserMessage = { role: 'user', id: this.#newId(), text: courseCorrection };
    record({ type: 'rewind', to: found.id, correction });
    this.#rewound = [...this.#messages.slice(0, to), correction];
    this.#prompt = correction.id;
    return { ok: true, message: found.text, removedMessages: left.length, restored };
  }

  #beginnings(): string {
    const texts = this.#messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
    return texts
      .slice(-5)
      .map((text) => JSON.stringify(text.slice(0, 40)))
      .join(', ');
  }
}
