import { createInterface } from 'node:readline';
import { text as readText } from 'node:stream/consumers';
import type { GuardedSession } from '../agent/guarded-session.ts';
import { ExitCode, OxideError } from '../errors.ts';
import { terminalQuestions } from '../ui/ask-questions.ts';
import type { Console } from '../ui/console.ts';
import type { PermissionPort } from '../ui/permission.ts';
import type { QuestionPort } from '../ui/question.ts';
import type { SessionOutput } from './agent-output.ts';
import { terminalPermissions } from './terminal-permissions.ts';

/** Where a session meets its person: plain lines, or the terminal UI. */
export interface SessionFront {
  readonly person: PermissionPort;
  readonly questions: QuestionPort;
  readonly output: SessionOutput;
  readonly prompts: AsyncIterable<string>;
  readonly interruption: Interruption;
  /** The session that it shows from now on. */
  attach(session: GuardedSession): void;
  close(): Promise<void>;
}

/** Ends the prompt that is worked on, not the session. */
export class Interruption {
  #controller = new AbortController();

  /** For the next prompt. */
  signal(): AbortSignal {
    if (this.#controller.signal.aborted) {
      this.#controller = new AbortController();
    }
    return this.#controller.signal;
  }

  get isRequested(): boolean {
    return this.#controller.signal.aborted;
  }

  request(): void {
    this.#controller.abort();
  }
}

/** Lines on the standard streams. Ctrl+C interrupts cleanly; a second one ends the process. */
export function plainFront(output: SessionOutput, prompts: AsyncIterable<string>, console: Console): SessionFront {
  const interruption = new Interruption();
  let hasHungUp = false;
  const onSignal = (signal: NodeJS.Signals) => {
    hasHungUp ||= signal === 'SIGHUP';
    if (interruption.isRequested) {
      process.exit(ExitCode.interrupted);
    }
    interruption.request();
  };
  // Under nohup(1) none of them is a terminal, and SIGHUP must not be listened to: it is ignored then.
  const hasTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
  const signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', ...(hasTerminal ? (['SIGHUP'] as const) : [])];
  for (const signal of signals) {
    process.on(signal, onSignal);
  }
  return {
    person: terminalPermissions(console),
    questions: terminalQuestions(),
    output,
    prompts,
    interruption,
    attach: () => {},
    close: async () => {
      for (const signal of signals) {
        process.off(signal, onSignal);
      }
      if (hasHungUp) {
        hangUp();
      }
    },
  };
}

/**
 * Ends the process by the signal that told it that its terminal is gone: now that nobody listens any more, as it would
 * have ended it before. Node's own way to the end resets the terminal, and aborts where there is none (node::ResetStdio).
 */
export function hangUp(): void {
  process.kill(process.pid, 'SIGHUP');
}

/**
 * The prompt of the command line, or of a pipe; at a terminal one line after the other.
 *
 * @throws OxideError `usage` when the pipe is empty
 */
export async function plainPrompts(prompt: string | null, console: Console): Promise<AsyncIterable<string>> {
  if (prompt !== null) {
    return only(prompt);
  }
  if (process.stdin.isTTY === true) {
    return typedLines(console);
  }
  const piped = (await readText(process.stdin)).trim();
  if (piped === '') {
    throw new OxideError('usage', 'No prompt was given.', {
      remedy: 'oxide-guard agent "…"',
      exitCode: ExitCode.usage,
    });
  }
  return only(piped);
}

async function* only(prompt: string): AsyncIterable<string> {
  yield prompt;
}

async function* typedLines(console: Console): AsyncIterable<string> {
  for (;;) {
    const prompt = await readPrompt(console.colors.bold('> '));
    if (prompt === null) {
      return;
    }
    if (prompt.trim() !== '') {
      yield prompt;
    }
  }
}

/** Milliseconds within which the lines of a paste follow each other. */
const pasteTime = 50;

/**
 * One prompt: a line, or all that was pasted; where its last line has no end yet, Enter ends it. Null at the end of
 * input and on Ctrl+C.
 */
function readPrompt(mark: string): Promise<string | null> {
  // Opened for one prompt at a time: while the agent works, the terminal belongs to its questions.
  const reader = createInterface({ input: process.stdin, output: process.stderr, prompt: mark });
  const lines: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  reader.on('line', (line) => {
    lines.push(line);
    clearTimeout(timer);
    timer = setTimeout(() => reader.line === '' && reader.close(), pasteTime);
  });
  reader.once('SIGINT', () => {
    lines.length = 0;
    reader.close();
  });
  reader.prompt();
  return new Promise((resolve) => {
    reader.once('close', () => {
      clearTimeout(timer);
      resolve(lines.length === 0 ? null : lines.join('\n'));
    });
  });
}
