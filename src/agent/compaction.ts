import type { Message } from './message.ts';
import type { Model, Usage } from './model.ts';

/** What takes the place of older messages. */
export interface Compaction {
  readonly summary: string;
  /** The first message that is kept; null: none. */
  readonly keptFrom: string | null;
  readonly usage: Usage;
}

/** Messages at the end that stay as they are, unless they begin in the middle of a turn. */
const keptMessages = 6;

const request =
  'The conversation is about to be shortened: only your next message and what comes after it will be left. Write all ' +
  'that is needed to go on without the rest: what the user wants, in their words where it matters; what was decided and ' +
  'why; files read and changed, with their paths; commands that worked; what failed; what is to be done next. No preamble.';

/** How many input tokens the next turn will have: what the last one had, or an estimate where the provider does not say. */
export function expectedTokens(messages: readonly Message[], last: Usage): number {
  return last.inputTokens > 0 ? last.inputTokens + last.outputTokens : Math.ceil(characters(messages) / 4);
}

function characters(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const { content } of message.results) {
        sum += content.length;
      }
    } else {
      sum += message.text.length;
    }
  }
  return sum;
}

/**
 * Has the model summarise the older messages. Null: there is nothing to gain, the conversation is all recent.
 *
 * @param context what PreCompact hooks want kept
 * @throws what the model throws
 */
export async function compact(
  messages: readonly Message[],
  model: Model,
  system: string,
  context: string | null,
  signal: AbortSignal,
): Promise<Compaction | null> {
  const from = keptStart(messages);
  if (from <= 1) {
    return null;
  }
  const text = context === null ? request : `${request}\n\n${context}`;
  const older: readonly Message[] = [...messages.slice(0, from), { role: 'user', id: 'compaction', text }];
  const turn = await model.turn({ system, messages: older, tools: [], signal, onText: () => {}, onNotice: () => {} });
  return turn.text === '' ? null : { summary: turn.text, keptFrom: messages[from]?.id ?? null, usage: turn.usage };
}

/** Never between calls and their results; and where the last prompt is near, it is kept in the user's words. */
function keptStart(messages: readonly Message[]): number {
  let start = Math.max(0, messages.length - keptMessages);
  while (start < messages.length && messages[start]?.role === 'tool') {
    start += 1;
  }
  return start;
}

/** How the summary stands in the conversation. */
export function summaryText(summary: string): string {
  return `[What happened before, shortened]\n\n${summary}`;
}
