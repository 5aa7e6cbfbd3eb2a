import { messageOf } from '../../error-message.ts';
import type { Clock } from '../clock.ts';
import type { StartedSession } from '../services.ts';
import type { Database } from '../store/database.ts';
import type { Prompt } from './session.ts';
import { heardWithin, type Signals } from './signals.ts';
import { getPrompt } from './store.ts';

/** Milliseconds after which the store is asked again: another process may work on the prompt. */
const askAgain = 500;

interface OutcomeSource {
  readonly database: Database;
  readonly clock: Clock;
  /** Told, by the prompt's id, when this process has come to its end. */
  readonly promptEnds: Signals;
}

/** How a prompt ends, here or in another process. Never rejects. */
export async function promptOutcome(promptId: string, source: OutcomeSource): Promise<Awaited<StartedSession['done']>> {
  try {
    const prompt = await endedPrompt(promptId, source);
    return prompt?.outcome === 'succeeded'
      ? { outcome: 'succeeded', problem: null }
      : { outcome: 'failed', problem: prompt?.problem ?? 'The session was removed.' };
  } catch (error) {
    return { outcome: 'failed', problem: messageOf(error) };
  }
}

/** Null: its session was removed. */
async function endedPrompt(promptId: string, { database, clock, promptEnds }: OutcomeSource): Promise<Prompt | null> {
  for (;;) {
    const listener = promptEnds.listen(promptId);
    try {
      const prompt = await getPrompt(database, promptId);
      if (prompt === null || prompt.endedAt !== null) {
        return prompt;
      }
      await heardWithin(listener.heard, askAgain, clock);
    } finally {
      listener.close();
    }
  }
}
