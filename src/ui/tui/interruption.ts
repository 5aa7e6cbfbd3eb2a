import { clearEditor } from './editor.ts';
import type { SessionControls } from './front.ts';
import type { Screen } from './screen.ts';

/** A second Ctrl+C within this time quits, in milliseconds. */
const quitTime = 2000;

/** What was asked by Ctrl+C. */
interface Interruption {
  /** Ctrl+C. */
  request(): void;
  /** A turn has ended, or begins: what was interrupted is over. */
  forget(): void;
}

/** What Ctrl+C means: it interrupts the turn, or clears the prompt; twice quits. */
export function createInterruption(
  screen: Screen,
  { quit, interrupt }: Pick<SessionControls, 'quit' | 'interrupt'>,
): Interruption {
  let askedToQuit = 0;
  let isInterrupted = false;
  const hint = (text: string) => {
    screen.update({ hint: text });
    setTimeout(() => screen.get().hint === text && screen.update({ hint: null }), quitTime).unref();
  };
  return {
    request: () => {
      const { runningSince, editor } = screen.get();
      const isRunning = runningSince !== null;
      if (Date.now() - askedToQuit < quitTime || (isRunning && isInterrupted)) {
        quit();
      } else if (isRunning) {
        askedToQuit = Date.now();
        isInterrupted = true;
        interrupt();
        hint('Interrupting. Ctrl+C again quits.');
      } else if (editor.text !== '') {
        screen.update({ editor: clearEditor(editor) });
      } else {
        askedToQuit = Date.now();
        hint('Ctrl+C again quits.');
      }
    },
    forget: () => {
      isInterrupted = false;
    },
  };
}
