import type { GuardedSession } from '../agent/guarded-session.ts';
import { ExitCode } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { count } from '../guards/wording.ts';
import { pasteable } from '../own-command.ts';
import type { PermissionMode } from '../ui/permission.ts';
import type { SessionStatus, TerminalUi } from '../ui/tui/front.ts';
import { clip, terminalLine } from '../ui/tui/terminal-text.ts';
import { hangUp, Interruption, type SessionFront } from './agent-front.ts';
import { reportText, type SessionOutput } from './agent-output.ts';
import { branchStatus } from './branch-status.ts';

/** How long a turn may take to end after the person has quit, in milliseconds. */
const endingTime = 3000;

const endingSignals = ['SIGTERM', 'SIGHUP'] as const;

export interface TerminalFrontOptions {
  readonly repository: Repository | null;
  readonly model: string;
  readonly mode: PermissionMode;
  /** The first prompt; null: the person types it. */
  readonly prompt: string | null;
  /** Prompts of the session that goes on, oldest first. */
  readonly history: readonly string[];
}

/** The terminal UI. It stays for further prompts until the person quits. */
export async function terminalFront(options: TerminalFrontOptions): Promise<SessionFront> {
  const { repository, model, mode, prompt, history } = options;
  // Loaded only here: drawing takes more code than everything else.
  const { openTerminalUi } = await import('../ui/tui/terminal-ui.ts');
  const interruption = new Interruption();
  let session: GuardedSession | null = null;
  const status: SessionStatus = { ...(await branchStatus(repository)), model, tokens: 0, mode };
  /** A turn that does not end for its interruption must not keep the person. */
  const leave = () => {
    interruption.request();
    setTimeout(() => void ui.close().then(() => process.exit(ExitCode.interrupted)), endingTime).unref();
  };
  const ui = openTerminalUi(
    {
      interrupt: () => interruption.request(),
      changeMode: (changed) => session?.changeMode(changed),
      quit: leave,
    },
    {
      input: process.stdin,
      output: process.stdout,
      environment: process.env,
      status,
      history,
      ...(prompt === null ? {} : { firstPrompt: prompt }),
    },
  );
  tellWhatWentBefore(ui, history);
  let hasHungUp = false;
  const onSignal = (signal: NodeJS.Signals) => {
    hasHungUp ||= signal === 'SIGHUP';
    leave();
    void ui.close();
  };
  for (const signal of endingSignals) {
    process.on(signal, onSignal);
  }
  // Without a listener, drawing would end the process by this signal and leave the terminal in raw mode.
  process.on('SIGINT', ui.interrupt);
  let lastWords: string | null = null;
  const followWork = () => {
    if (session !== null) {
      const { inputTokens, outputTokens } = session.report().total;
      ui.setStatus({ tokens: inputTokens + outputTokens });
      void branchStatus(repository).then((branch) => ui.setStatus(branch));
    }
  };
  return {
    person: ui.permissions,
    questions: ui.questions,
    output: shownOn(ui, {
      isInterrupted: () => interruption.isRequested,
      mayHaveMoved: followWork,
      ended: (words) => {
        lastWords = words;
      },
    }),
    prompts: typed(ui),
    interruption,
    attach: (attached) => {
      session = attached;
    },
    close: async () => {
      for (const signal of endingSignals) {
        process.off(signal, onSignal);
      }
      await ui.close();
      process.off('SIGINT', ui.interrupt);
      if (lastWords !== null) {
        process.stderr.write(`${lastWords}\n`);
      }
      if (hasHungUp) {
        hangUp();
      }
    },
  };
}

function tellWhatWentBefore(ui: TerminalUi, history: readonly string[]): void {
  const last = history.at(-1);
  if (last !== undefined) {
    const prompts = count(history.length, 'prompt');
    ui.notice(`The session goes on after ${prompts}. The last: ${clip(terminalLine(last), 200)}`);
  }
}

interface Listener {
  /** Has the person interrupted the turn? */
  isInterrupted(): boolean;
  /** Something has run that may have changed the branch. */
  mayHaveMoved(): void;
  /** What to say when the terminal is given back. */
  ended(lastWords: string): void;
}

function shownOn(ui: TerminalUi, listener: Listener): SessionOutput {
  return {
    event: (event) => {
      ui.show(event);
      if (event.type === 'result' && event.stop_reason === 'interrupted' && !listener.isInterrupted()) {
        // A hook ended it, and says why.
        ui.notice(event.text);
      }
      if (event.type === 'result' || (event.type === 'tool_result' && event.name === 'Bash')) {
        listener.mayHaveMoved();
      }
    },
    notice: (text) => ui.notice(text),
    // The `result` event has told what happened.
    error: ({ remedy }) => remedy !== null && ui.notice(`→ ${remedy}`),
    report: (report, id) =>
      listener.ended(pasteable(`${reportText(report)} · to go on: oxide-guard agent --resume ${id}`)),
  };
}

async function* typed(ui: TerminalUi): AsyncIterable<string> {
  for (let prompt = await ui.nextPrompt(); prompt !== null; prompt = await ui.nextPrompt()) {
    yield prompt;
  }
}
