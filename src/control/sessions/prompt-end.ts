import type { LoopEnd } from '../../agent/loop.ts';
import type { PromptOutcome } from './session.ts';

/** A prompt that has ended. */
export interface EndedPrompt extends PromptEnd {
  readonly promptId: string;
}

/** How a prompt ended, and why it did not succeed; null: it did. */
export interface PromptEnd {
  readonly outcome: PromptOutcome;
  readonly problem: string | null;
}

/** What the end of the agent's loop means for the prompt that it worked on. */
export function promptEnd({ stop, text, turns, error }: LoopEnd): PromptEnd {
  switch (stop) {
    case 'end_turn':
      return { outcome: 'succeeded', problem: null };
    case 'max_turns':
      return { outcome: 'failed', problem: `It used up its ${turns} turns (max_turns).` };
    case 'interrupted':
      return { outcome: 'interrupted', problem: text === '' ? 'It was interrupted.' : `It was interrupted: ${text}` };
    case 'error':
      return { outcome: 'failed', problem: error?.message ?? 'It failed.' };
  }
}
