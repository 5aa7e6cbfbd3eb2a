import type { ReadMark } from '../../tools/session-files.ts';
import { isRecord } from '../../tools/tool-input.ts';
import type { StopReason } from '../event.ts';
import type { Message, ToolCallResult } from '../message.ts';
import type { Usage } from '../model.ts';
import type { ModelChoice } from '../models/catalogue.ts';

export type UserMessage = Extract<Message, { role: 'user' }>;
type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** The first line of a transcript. */
export interface SessionHeader {
  readonly type: 'session';
  readonly version: 1;
  readonly id: string;
  /** Absolute directory in which the session works. */
  readonly cwd: string;
  /** ISO 8601, UTC. */
  readonly created: string;
  readonly mode: 'disk' | 'virtual';
  readonly model: string;
  /** What the command line said of the model when the session began; whoever goes on with it need not say it again. */
  readonly chosen?: ModelChoice;
  /** The session that this one was forked from. */
  readonly parent?: string;
  /** Of a subagent's transcript. */
  readonly agent?: { readonly id: string; readonly type: string; readonly depth: number };
}

/** One line of a transcript: append-only, so the order says what came first. */
export type SessionRecord =
  | SessionHeader
  | { readonly type: 'message'; readonly message: UserMessage | AssistantMessage }
  /** One result of the tool message with this id; they come as they end, in any order. */
  | { readonly type: 'result'; readonly message_id: string; readonly result: ToolCallResult }
  | {
      readonly type: 'hook';
      readonly event: string;
      readonly hook: string;
      readonly outcome: string;
      readonly problem?: string;
    }
  | {
      readonly type: 'permission';
      readonly call_id: string;
      readonly verdict: string;
      readonly rule: string;
      readonly message: string;
    }
  /** Taken while this user message was worked on; null: it could not be. */
  | { readonly type: 'checkpoint'; readonly id: string | null; readonly message_id: string; readonly reason: string }
  /** The content lies in `files/<hash>`; `base` is the hash of the file on disk before version 1, null for none. */
  | {
      readonly type: 'version';
      readonly path: string;
      readonly version: number;
      readonly hash: string;
      readonly author: string;
      readonly reason: string;
      readonly base?: string | null;
    }
  | { readonly type: 'mark'; readonly path: string; readonly author: string; readonly mark: ReadMark }
  | { readonly type: 'usage'; readonly model: string; readonly usage: Usage }
  /** Everything before the message `kept_from` (null: everything) is replaced by the summary. */
  | { readonly type: 'compaction'; readonly summary: UserMessage; readonly kept_from: string | null }
  /** The message `to` and everything after it left the context; the correction takes their place. */
  | { readonly type: 'rewind'; readonly to: string; readonly correction: UserMessage }
  /** A version of a virtual file that was written to the disk. */
  | { readonly type: 'applied'; readonly path: string; readonly version: number; readonly hash: string }
  | { readonly type: 'end'; readonly stop: StopReason };

type Shape = Readonly<Record<string, (part: unknown) => boolean>>;

const text = (part: unknown) => typeof part === 'string';
const count = (part: unknown) => typeof part === 'number';
const hasShape = (shape: Shape) => (part: unknown) =>
  isRecord(part) && Object.entries(shape).every(([field, isRight]) => isRight(part[field]));

const userMessage: Shape = { role: (part) => part === 'user', id: text, text };
const toolCall: Shape = { id: text, name: text };
const assistantMessage: Shape = {
  role: (part) => part === 'assistant',
  id: text,
  text,
  calls: (part) => Array.isArray(part) && part.every(hasShape(toolCall)),
};

/** What a line must have so that it can be replayed; the rest is what this program wrote. */
const shapes: Readonly<Record<SessionRecord['type'], Shape>> = {
  session: { id: text, cwd: text, created: text, model: text, version: count },
  message: { message: (part) => hasShape(userMessage)(part) || hasShape(assistantMessage)(part) },
  result: {
    message_id: text,
    result: hasShape({ callId: text, name: text, content: text, isError: (part) => typeof part === 'boolean' }),
  },
  hook: {},
  permission: {},
  checkpoint: { id: (part) => part === null || text(part), message_id: text },
  version: { path: text, version: count, hash: text, author: text },
  mark: { path: text, author: text, mark: isRecord },
  usage: { model: text, usage: hasShape({ inputTokens: count, outputTokens: count, cachedInputTokens: count }) },
  compaction: { summary: hasShape(userMessage) },
  rewind: { to: text, correction: hasShape(userMessage) },
  applied: { path: text, version: count, hash: text },
  end: {},
};

/** One line of a transcript; null when it is none. */
export function parseRecord(line: string): SessionRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value.type !== 'string' || !Object.hasOwn(shapes, value.type)) {
    return null;
  }
  const record = value as unknown as SessionRecord;
  return hasShape(shapes[record.type])(value) ? record : null;
}
