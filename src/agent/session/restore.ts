import type { AuthoredMark } from '../../tools/session-files.ts';
import type { Message, ToolCall, ToolCallResult } from '../message.ts';
import type { Usage } from '../model.ts';
import type { SessionRecord } from './record.ts';

export interface KeptVersion extends Omit<Extract<SessionRecord, { type: 'version' }>, 'type'> {}

export interface KeptCheckpoint {
  /** Null: none could be taken, and something has changed all the same. */
  readonly id: string | null;
  readonly messageId: string;
}

/** Where a session stands, as its records tell it. */
export interface SessionState {
  /** The conversation as the model sees it; every call has a result. */
  readonly messages: readonly Message[];
  readonly versions: readonly KeptVersion[];
  readonly marks: readonly AuthoredMark[];
  readonly checkpoints: readonly KeptCheckpoint[];
  readonly usage: readonly { readonly model: string; readonly usage: Usage }[];
  /** By path: the version that is on the disk, and the hash of what was written. */
  readonly applied: ReadonlyMap<string, { readonly version: number; readonly hash: string }>;
  /** Of messages, to go on counting. */
  readonly messageCount: number;
}

/** Replays a transcript. A call whose result was not written before the process was killed gets one that says so. */
export function restoreSession(records: readonly SessionRecord[]): SessionState {
  const conversation = new Conversation();
  const versions: KeptVersion[] = [];
  const marks: AuthoredMark[] = [];
  const checkpoints: KeptCheckpoint[] = [];
  const usage: { model: string; usage: Usage }[] = [];
  const applied = new Map<string, { version: number; hash: string }>();
  for (const record of records) {
    switch (record.type) {
      case 'version': {
        const { type: _, ...version } = record;
        versions.push(version);
        break;
      }
      case 'mark':
        marks.push({ path: record.path, author: record.author, mark: record.mark });
        break;
      case 'checkpoint':
        checkpoints.push({ id: record.id, messageId: record.message_id });
        break;
      case 'usage':
        usage.push({ model: record.model, usage: record.usage });
        break;
      case 'applied':
        applied.set(record.path, { version: record.version, hash: record.hash });
        break;
      default:
        conversation.take(record);
    }
  }
  const messages = conversation.messages();
  return { messages, versions, marks, checkpoints, usage, applied, messageCount: conversation.count };
}

/** A tool message whose results arrive one by one. */
interface OpenResults {
  readonly id: string;
  readonly calls: readonly ToolCall[];
  readonly results: ToolCallResult[];
}

class Conversation {
  count = 0;
  #messages: Message[] = [];
  #open: OpenResults | null = null;

  take(record: SessionRecord): void {
    switch (record.type) {
      case 'message':
        this.#close();
        this.count += 1;
        this.#messages.push(record.message);
        this.#openFor(record.message);
        break;
      case 'result':
        this.#takeResult(record.message_id, record.result);
        break;
      case 'compaction': {
        this.#close();
        this.count += 1;
        const from = this.#messages.findIndex(({ id }) => id === record.kept_from);
        this.#messages = [record.summary, ...(from === -1 ? [] : this.#messages.slice(from))];
        break;
      }
      case 'rewind': {
        this.#open = null;
        this.count += 1;
        const to = this.#messages.findIndex(({ id }) => id === record.to);
        this.#messages = [...this.#messages.slice(0, to === -1 ? 0 : to), record.correction];
        break;
      }
      case 'end':
        this.#close();
        break;
    }
  }

  messages(): readonly Message[] {
    this.#close();
    return this.#messages;
  }

  #openFor(message: Message): void {
    if (message.role === 'assistant' && message.calls.length > 0) {
      this.#open = { id: `${message.id}-results`, calls: message.calls, results: [] };
    }
  }

  #takeResult(id: string, result: ToolCallResult): void {
    if (this.#open !== null) {
      this.#open = { ...this.#open, id, results: [...this.#open.results, result] };
    }
  }

  /** The provider wants a result for every call, in the order of the calls. */
  #close(): void {
    const open = this.#open;
    this.#open = null;
    if (open === null) {
      return;
    }
    this.count += 1;
    const results = open.calls.map((call) => open.results.find(({ callId }) => callId === call.id) ?? cutShort(call));
    this.#messages.push({ role: 'tool', id: open.id, results });
  }
}

/** The result of a call of which nobody knows how it ended. */
export function cutShort({ id, name }: ToolCall): ToolCallResult {
  const content =
    'The session ended before this call did: it may have run, in part or not at all. Look before you repeat it.';
  return { callId: id, name, content, isError: true };
}
