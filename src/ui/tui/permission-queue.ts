import type { Paint } from '../paint.ts';
import type { PermissionAnswer, PermissionPort } from '../permission.ts';
import type { Key } from './keyboard.ts';
import { matterLines, openDialog, type PermissionDialog, pressDialogKey } from './permission-dialog.ts';
import type { Screen } from './screen.ts';
import { takeLines } from './transcript.ts';

/** Questions about tool calls, one on the screen at a time. */
export interface PermissionQueue {
  readonly port: PermissionPort;
  isOpen(): boolean;
  press(key: Key): void;
  /** The screen shows the first dialog anew. */
  show(): void;
  /** Closes all of them without an answer: the turn is interrupted. */
  dismiss(): void;
}

/** A dialog takes no keys for this long, in milliseconds: what was typed for the prompt must not answer it. */
const settlingTime = 400;

const interrupted: PermissionAnswer = { kind: 'nobody', reason: 'the session was interrupted' };

export function createPermissionQueue(screen: Screen, paint: Paint): PermissionQueue {
  const answers = new Map<PermissionDialog['request'], (answer: PermissionAnswer) => void>();
  let isSettled = false;
  let shown = 0;
  const first = () => screen.get().dialogs[0];
  const show = () => {
    isSettled = false;
    shown += 1;
    const current = shown;
    // Keys that came while the program was busy are read between a timer and setImmediate: they are of before, too.
    setTimeout(() => setImmediate(() => (isSettled ||= current === shown)), settlingTime).unref();
  };
  const close = (request: PermissionDialog['request'], answer: PermissionAnswer) => {
    const wasFirst = first()?.request === request;
    screen.update({ dialogs: screen.get().dialogs.filter((dialog) => dialog.request !== request) });
    if (wasFirst) {
      show();
    }
    answers.get(request)?.(answer);
    answers.delete(request);
  };
  return {
    port: {
      ask: (request, signal) =>
        new Promise((resolve) => {
          if (signal.aborted) {
            resolve(interrupted);
            return;
          }
          const onAbort = () => close(request, interrupted);
          signal.addEventListener('abort', onAbort, { once: true });
          answers.set(request, (answer) => {
            signal.removeEventListener('abort', onAbort);
            resolve(answer);
          });
          if (first() === undefined) {
            show();
          }
          screen.update({ dialogs: [...screen.get().dialogs, openDialog(request)] });
        }),
    },
    isOpen: () => first() !== undefined,
    show,
    press: (key) => {
      const dialog = first();
      if (dialog === undefined || !isSettled) {
        return;
      }
      const outcome = pressDialogKey(dialog, key);
      switch (outcome.kind) {
        case 'open':
          screen.update({ dialogs: [outcome.dialog, ...screen.get().dialogs.slice(1)] });
          return;
        case 'answered':
          close(dialog.request, outcome.answer);
          return;
        case 'show':
          screen.advance((transcript, page) => takeLines(transcript, matterLines(dialog.request, paint), page));
      }
    },
    dismiss: () => {
      for (const { request } of screen.get().dialogs) {
        close(request, interrupted);
      }
    },
  };
}
