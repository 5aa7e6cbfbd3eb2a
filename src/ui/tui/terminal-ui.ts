import type { ReadStream, WriteStream } from 'node:tty';
import { terminalQuestions } from '../ask-questions.ts';
import { choosePaint } from '../paint.ts';
import { permissionModes } from '../permission.ts';
import type { QuestionPort } from '../question.ts';
import { createDisplay, sizeOf } from './display.tsx';
import { type Editor, pressKey } from './editor.ts';
import type { SessionControls, SessionStatus, TerminalUi } from './front.ts';
import { createInterruption } from './interruption.ts';
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

/** What `/help` shows; docs/terminal.md tells more. */
const keysHelp = [
  'Enter          sends the prompt; during a turn it waits for the next one',
  '\\ Enter        a new line; also Alt+Enter, Ctrl+J',
  '↑ ↓            earlier prompts',
  'Shift+Tab      the next permission mode',
  'Ctrl+O         shows the last folded result in full',
  'Ctrl+C         interrupts the turn, or clears the prompt; twice quits',
  '/quit          quits; also Ctrl+D',
].join('\n');

/** Takes the terminal and draws the UI of one session on it until it is closed. */
export function openTerminalUi(controls: SessionControls, options: TerminalUiOptions): TerminalUi {
  const { input, output, environment, status, firstPrompt, history = [] } = options;
  const paint = choosePaint(output, environment);
  const screen = createScreen(paint, { status, size: sizeOf(output), history });
  const prompts = createPromptQueue(screen, firstPrompt);
  const dialogs = createPermissionQueue(screen, paint);
  let isClosed = false;

  const quit = () => {
    prompts.end();
    dialogs.dismiss();
    controls.quit();
  };
  const interruption = createInterruption(screen, {
    quit,
    interrupt: () => {
      dialogs.dismiss();
      controls.interrupt();
    },
  });
  // A slip of a finger must not end all questions.
  const modes = permissionModes.filter((mode) => mode !== 'bypass' || status.mode === 'bypass');
  const changeMode = () => {
    const { status: current } = screen.get();
    const mode = modes[(modes.indexOf(current.mode) + 1) % modes.length] ?? 'default';
    screen.update({ status: { ...current, mode } });
    controls.changeMode(mode);
  };
  const submit = (text: string) => {
    switch (text.trim()) {
      case '/help':
        return screen.advance((transcript, page) => takeNotice(transcript, keysHelp, page));
      case '/exit':
      case '/quit':
        return quit();
      default:
        return prompts.submit(text);
    }
  };
  const edit = (editor: Editor, key: Key) => {
    const outcome = pressKey(editor, key);
    if (outcome.kind !== 'ignored') {
      screen.update({ editor: outcome.editor, hint: null });
    }
    if (outcome.kind === 'submitted') {
      submit(outcome.text);
    }
  };
  const onKey = (key: Key) => {
    const { editor } = screen.get();
    if (key.ctrl && key.name === 'c') {
      interruption.request();
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
      edit(editor, key);
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
  const questions = oneAfterTheOther(async (asked, signal) => {
    if (isClosed) {
      return { kind: 'cancelled' };
    }
    screen.advance(finishText);
    await display.close();
    try {
      return await terminalQuestions(() => ({ input, output, close: () => undefined })).ask(asked, signal);
    } finally {
      display.open();
      dialogs.show();
    }
  });
  display.open();

  return {
    permissions: dialogs.port,
    questions: { ask: questions.ask },
    show: (event) => {
      screen.advance((transcript, page) => takeEvent(transcript, event, page));
      if (event.type === 'result') {
        interruption.forget();
        screen.update({ runningSince: null });
      }
    },
    notice: (text) => screen.advance((transcript, page) => takeNotice(transcript, text, page)),
    setStatus: (change) => screen.update({ status: { ...screen.get().status, ...change } }),
    interrupt: interruption.request,
    nextPrompt: () => {
      interruption.forget();
      return prompts.next();
    },
    close: async () => {
      isClosed = true;
      clearInterval(clock);
      prompts.end();
      dialogs.dismiss();
      await questions.settled();
      await display.close();
    },
  };
}

/** The terminal has room for the questions of one call; those of others wait. */
function oneAfterTheOther(ask: QuestionPort['ask']): QuestionPort & { settled(): Promise<unknown> } {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ask: (questions, signal) => {
      const asked = before.then(() => ask(questions, signal));
      before = asked.catch(() => undefined);
      return asked;
    },
    settled: () => before,
  };
}
