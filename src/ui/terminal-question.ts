import { closeSync, openSync } from 'node:fs';
import type { ReadStream, WriteStream } from 'node:tty';

/** `unanswered`: there is no terminal, or nobody answered in time. */
export type Answer = 'yes' | 'no' | 'unanswered';

/** How long a question waits, in milliseconds: servers close a connection that stays idle for longer. */
export const answerTime = 120_000;

/**
 * Asks a yes/no question on the controlling terminal, never on standard input: in pre-push that is git's list of
 * updates, and a prompt that read it would take the list for the answer. Only a whole line that says yes is a yes.
 *
 * @param question one line, without the choices
 * @param timeout in milliseconds
 * @param signal takes the question back: then nobody has answered
 */
export async function askOnTerminal(question: string, timeout = answerTime, signal?: AbortSignal): Promise<Answer> {
  const line = await readOnTerminal(`${question} [y/N] `, timeout, signal);
  return line === null ? 'unanswered' : isYes(line) ? 'yes' : 'no';
}

/** Only a whole line that says yes. */
export function isYes(line: string): boolean {
  return /^\s*y(es)?\s*$/i.test(line);
}

/**
 * One line from the controlling terminal; empty where its input has ended. Null: there is no terminal, or nobody
 * answered in time.
 *
 * @param timeout in milliseconds
 */
export async function readOnTerminal(question: string, timeout: number, signal?: AbortSignal): Promise<string | null> {
  const terminal = openTerminal();
  if (terminal === null) {
    return null;
  }
  const { input, output } = terminal;
  await discardTypedAhead(input);
  // Loaded with the first question: most hooks ask none, and these modules cost them 4 ms.
  const { createInterface } = process.getBuiltinModule('node:readline');
  const lines = createInterface({ input, output, terminal: false });
  try {
    return await new Promise<string | null>((resolve) => {
      const timer = setTimeout(() => {
        output.write('\nno answer, taken as no\n');
        resolve(null);
      }, timeout);
      lines.question(question, (line) => {
        clearTimeout(timer);
        resolve(line);
      });
      lines.once('close', () => {
        clearTimeout(timer);
        resolve(signal?.aborted === true ? null : '');
      });
      signal?.addEventListener('abort', () => lines.close(), { once: true });
    });
  } finally {
    lines.close();
    input.destroy();
    output.destroy();
  }
}

/** Milliseconds in which a terminal hands over what was typed before. */
const handover = 50;

/**
 * Throws away what was typed before now, an unfinished line, too: it was meant for something else than the question that
 * follows. Ctrl+C is passed on to all that run in the foreground.
 */
export async function discardTypedAhead(input: ReadStream): Promise<void> {
  const onData = (typed: Buffer | string) => {
    if (typed.includes('\u0003')) {
      process.kill(process.platform === 'win32' ? process.pid : 0, 'SIGINT');
    }
  };
  // Only then is a line to be read that has no end yet.
  input.setRawMode(true);
  input.on('data', onData);
  await new Promise((resolve) => setTimeout(resolve, handover));
  input.off('data', onData);
  input.pause();
  input.setRawMode(false);
}

/** Is there anybody to ask? */
export function hasTerminal(): boolean {
  const terminal = openTerminal();
  terminal?.input.destroy();
  terminal?.output.destroy();
  return terminal !== null;
}

/** The controlling terminal; null where there is none (then opening it fails: ENXIO) or it is no terminal. */
export function openTerminal(): { input: ReadStream; output: WriteStream } | null {
  const [inputPath, outputPath] =
    process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
  const opened: number[] = [];
  try {
    const inputDescriptor = openSync(inputPath, 'r+');
    opened.push(inputDescriptor);
    const outputDescriptor = openSync(outputPath, 'r+');
    opened.push(outputDescriptor);
    const tty = process.getBuiltinModule('node:tty');
    return { input: new tty.ReadStream(inputDescriptor), output: new tty.WriteStream(outputDescriptor) };
  } catch {
    for (const descriptor of opened) {
      closeSync(descriptor);
    }
    return null;
  }
}
