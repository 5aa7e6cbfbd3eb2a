import type { Screen } from './screen.ts';
import { takePrompt } from './transcript.ts';

/** Prompts between the person and the session: what is submitted during a turn waits for the next. */
export interface PromptQueue {
  submit(text: string): void;
  /** Ends the turn before it, if there was one. Null: there will be no more. */
  next(): Promise<string | null>;
  end(): void;
}

export function createPromptQueue(screen: Screen, first: string | undefined): PromptQueue {
  let waiting: ((text: string | null) => void) | null = null;
  let isEnded = false;
  screen.update({ queued: first === undefined ? [] : [first] });
  const begin = (text: string): string => {
    const now = Date.now();
    screen.advance((transcript, page) => takePrompt(transcript, text, page));
    screen.update({ runningSince: now, now });
    return text;
  };
  return {
    submit: (text) => {
      if (waiting === null) {
        screen.update({ queued: [...screen.get().queued, text] });
      } else {
        waiting(begin(text));
        waiting = null;
      }
    },
    next: async () => {
      const [text, ...queued] = screen.get().queued;
      if (isEnded) {
        return null;
      }
      if (text !== undefined) {
        screen.update({ queued });
        return begin(text);
      }
      screen.update({ runningSince: null });
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    end: () => {
      isEnded = true;
      waiting?.(null);
      waiting = null;
    },
  };
}
