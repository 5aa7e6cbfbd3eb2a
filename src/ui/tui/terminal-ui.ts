import type { ReadStream, WriteStream } from 'node:tty';
import { terminalQuestions } from '../ask-questions.ts';
import { choosePaint } from '../paint.ts';
import { permissionModes } from '../permission.ts';
import { createDisplay, sizeOf } from './display.tsx';
import { clearEditor, pressKey } from './editor.ts';
import type { SessionControls, SessionStatus, TerminalUi } from './front.ts';
import type { Key } from './keyboard.ts';
import { createPermissionQueue } from './permission-queue.ts';
import { createPromptQueue } from './prompt-queue.ts';
import { createScreen } from './screen.ts';
import { finishText, takeEvent, takeNotice, unfold } from './transcript.ts';

export interface TerminalUiOptions {
  readonly input: ReadStream;
  readonly output: WriteStream;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly status: SessionStatus;
  /** The prompt of the command line; the first {@link TerminalUi.nextPrompt} gives it. */
  readonly firstPrompt?: string;
  /** Earlier prompts, oldest first. */
  readonly history?: readonly string[];
}

/** A second Ctrl+C within this time quits, in milliseconds. */
const quitTime = 2000;

/** Takes the terminal and draws the UI of one session on it until it is closed. */
export function openTerminalUi(controls: SessionControls, options: TerminalUiOptions): TerminalUi {
  const { input, output, environment, status, firstPrompt, history = [] } = options;
  const paint = choosePaint(output, environment);
  const screen = createScreen(paint, { status, size: sizeOf(output), history });
  const prompts = createPromptQueue(screen, firstPrompt);
  const dialogs = createPermissionQueue(screen, paint);
  let askedToQuit = 0;
  let isInterrupted = false;
  let isClosed = false;

  const quit = () => {
    prompts.end();
    dialogs.dismiss();
    controls.quit();
  };
  const hint = (text: string) => {
    screen.update({ hint: text });
    setTimeout(() => screen.get().hint === text && screen.update({ hint: null }), quitTime).unref();
  };
  const onInterrupt = () => {
    const { runningSince, editor } = screen.get();
    const isRunning = runningSince !== null;
    if (Date.now() - askedToQuit < quitTime || (isRunning && isInterrupted)) {
      quit();
    } else if (isRunning) {
      askedToQuit = Date.now();
      isInterrupted = true;
      dialogs.dismiss();
      controls.interrupt();
      hint('Interrupting. Ctrl+C again quits.');
    } else if (editor.text !== '') {
      screen.update({ editor: clearEditor(editor) });
    } else {
      askedToQuit = Date.now();
      hint('Ctrl+C again quits.');
    }
  };
  // A slip of a finger must not end all questions.
  const modes = permissionModes.filter((mode) => mode !== 'bypass' || status.mode === 'bypass');
  const changeMode = () => {
    const { status: current } = screen.get();
    const mode = modes[(modes.indexOf(current.mode) + 1) % modes.length] ?? 'default';
    screen.update({ status: { ...current, mode } });
    controls.changeMode(mode);
  };
  const onKey = (key: Key) => {
    const { editor } = screen.get();
    if (key.ctrl && key.name === 'c') {
      onInterrupt();
    } else if (dialogs.isOpen()) {
      dialogs.press(key);
    } else if (key.ctrl && key.name === 'd' && editor.text === '') {
      quit();
    } else if (key.ctrl && key.name === 'z') {
      void stop();
    } else if (key.ctrl && key.name === 'o') {
      screen.advance(unfold);
    } else if (key.shift && key.name === 'tab') {
      changeMode();
    } else {
      const outcome = pressKey(editor, key);
      if (outcome.kind !== 'ignored') {
        screen.update({ editor: outcome.editor, hint: null });
      }
      if (outcome.kind === 'submitted') {
        prompts.submit(outcome.text);
      }
    }
  };

  const display = createDisplay(screen, paint, { input, output, onKey });
  /** Stops the process as Ctrl+Z does everywhere; `fg` brings the UI back. */
  const stop = async () => {
    if (process.platform !== 'win32') {
      await display.close();
      process.once('SIGCONT', () => !isClosed && display.open());
      process.kill(process.pid, 'SIGTSTP');
    }
  };
  const clock = setInterval(() => screen.get().runningSince !== null && screen.update({ now: Date.now() }), 1000);
  let questionsBefore: Promise<unknown> = Promise.resolve();
  display.open();

  return {
    permissions: dialogs.port,
    questions: {
      ask: (questions, signal) => {
        const asked = questionsBefore.then(async () => {
          if (isClosed) {
            return { kind: 'cancelled' } as const;
          }
          screen.advance(finishText);
          await display.close();
          try {
            return await terminalQuestions(() => ({ input, output, close: () => undefined })).ask(questions, signal);
          } finally {
            display.open();
            dialogs.show();
          }
        });
        questionsBefore = asked.catch(() => undefined);
        return asked;
      },
    },
    show: (event) => {
      screen.advance((transcript, page) => takeEvent(transcript, event, page));
      if (event.type === 'result') {
        isInterrupted = false;
        screen.update({ runningSince: null });
      }
    },
    notice: (text) => screen.advance((transcript, page) => takeNotice(transcript, text, page)),
    setStatus: (change) => screen.update({ status: { ...screen.get().status, ...change } }),
    interrupt: onInterrupt,
    nextPrompt: () => {
      isInterrupted = false;
      return prompts.next();
    },
    close: async () => {
      isClosed = true;
      clearInterval(clock);
      prompts.end();
      dialogs.dismiss();
      await questionsBefore;
      await display.close();
    },
  };
}
