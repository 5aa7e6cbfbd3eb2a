import { fstatSync, writeSync } from 'node:fs';
import { ownEnvironment } from '../git/runner.ts';
import { choosePaint } from '../ui/paint.ts';
import { failureLines, type HookExit, type HookProcess } from './front.ts';

/**
 * Runs a hook and ends the process with its exit code. A repository's configuration may be a program: when it ends the
 * process, throws in a timer, or never settles (then node has nothing left to do, and would exit with 0), the hook has
 * judged nothing and refuses.
 *
 * @param name of the hook, for messages
 */
export function runHook(name: string, work: (hook: HookProcess) => Promise<HookExit>): void {
  let outcome: HookExit | null = null;
  const end = (exitCode: HookExit): void => {
    outcome = exitCode;
    process.exit(exitCode);
  };
  let lastWork = (): void => undefined;
  const giveUp = (error: unknown): void => {
    failureLines(name, error).forEach(say);
    lastWork();
  };
  const fail = (error: unknown): void => {
    giveUp(error);
    end(1);
  };
  process.on('uncaughtException', fail);
  process.on('exit', () => {
    if (outcome === null) {
      giveUp(new Error('it ended before it had judged (does a configuration file end the process?)'));
    }
    process.exitCode = outcome ?? 1;
  });
  try {
    const hook = hookProcess((other) => {
      lastWork = other;
    });
    work(hook).then(end, fail);
  } catch (error) {
    fail(error);
  }
}

/**
 * The process a hook runs in.
 *
 * @throws the system's error when the working directory is gone
 */
function hookProcess(whenEnded: HookProcess['whenEnded']): HookProcess {
  const env = ownEnvironment();
  return {
    cwd: process.cwd(),
    env,
    get paint() {
      return choosePaint({ isTTY: isTerminal(2) }, env);
    },
    get columns() {
      return isTerminal(2) ? process.stderr.columns : undefined;
    },
    say,
    whenEnded,
  };
}

/** Standard error is written by its descriptor: `process.stderr` alone would load node's streams, 5 ms for a silent hook. */
function say(line: string): void {
  writeWhole(2, `${line}\n`);
}

/** A character device that is no terminal (/dev/null) shows no colours to anybody. */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text, 'utf8');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        return; // Whoever listened has gone; the exit code still tells.
      }
    }
  }
}
