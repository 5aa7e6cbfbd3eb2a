import type { Paint } from '../paint.ts';
import { type Editor, emptyEditor } from './editor.ts';
import type { SessionStatus } from './front.ts';
import type { PermissionDialog } from './permission-dialog.ts';
import { emptyTranscript, type Page, type Step, type Transcript } from './transcript.ts';

/** All that the view shows. */
export interface ScreenState {
  readonly transcript: Transcript;
  readonly editor: Editor;
  /** The first is shown, the others wait. */
  readonly dialogs: readonly PermissionDialog[];
  readonly status: SessionStatus;
  /** When the running turn began, in milliseconds; null: the session waits for a prompt. */
  readonly runningSince: number | null;
  readonly now: number;
  readonly queued: readonly string[];
  /** What a second Ctrl+C would do, or the like. */
  readonly hint: string | null;
  readonly size: { readonly columns: number; readonly rows: number };
}

export interface Screen {
  get(): ScreenState;
  subscribe(listener: () => void): () => void;
  update(change: Partial<ScreenState>): void;
  /** Takes the transcript a step further: what is finished waits to be printed. */
  advance(step: (transcript: Transcript, page: Page) => Step): void;
  /** Gives what has to be printed, once. */
  takePrinted(): string;
}

/** Views are told at most this often, in milliseconds: text streams in faster than a terminal is worth repainting. */
const frameTime = 30;

export function createScreen(
  paint: Paint,
  { status, size, history }: Pick<ScreenState, 'status' | 'size'> & { readonly history: readonly string[] },
): Screen {
  let state: ScreenState = {
    transcript: emptyTranscript,
    editor: emptyEditor(history),
    dialogs: [],
    status,
    runningSince: null,
    now: Date.now(),
    queued: [],
    hint: null,
    size,
  };
  const listeners = new Set<() => void>();
  let unprinted: string[] = [];
  let isScheduled = false;
  let lastTold = 0;
  const tell = () => {
    isScheduled = false;
    lastTold = Date.now();
    for (const listener of listeners) {
      listener();
    }
  };
  const update = (change: Partial<ScreenState>) => {
    state = { ...state, ...change };
    if (!isScheduled) {
      isScheduled = true;
      setTimeout(tell, Math.max(0, lastTold + frameTime - Date.now()));
    }
  };
  return {
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    update,
    advance: (step) => {
      const { transcript, printed } = step(state.transcript, { paint, columns: state.size.columns });
      unprinted.push(...printed.map((line) => `${line}\n`));
      update({ transcript });
    },
    takePrinted: () => {
      const text = unprinted.join('');
      unprinted = [];
      return text;
    },
  };
}
