import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { OxideError } from '../errors.ts';
import type { Environment } from '../git/runner.ts';
import { childrenOf, isGroupRunning, processesWith } from './process-table.ts';
import { watchGroup } from './process-watchdog.ts';

/** A program with everything it will start. */
export interface ProcessRequest {
  readonly argv: readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: Environment;
  /** A sandbox ends everything inside when its first process ends. */
  readonly sandboxed: boolean;
  readonly signal: AbortSignal;
  /** Milliseconds; null: as long as it takes. */
  readonly timeout: number | null;
  readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

export interface ProcessEnd {
  /** 128 and the signal's number when a signal ended it. */
  readonly exitCode: number;
  readonly stopped: 'interrupted' | 'timed-out' | null;
  /** What it wrote to descriptor 3. */
  readonly reported: string;
}

/** Set for every process of an agent; tells `oxide-guard` who calls, and finds what has left its process group. */
export const agentVariable = 'OXIDE_GUARD_AGENT';

/** Milliseconds between SIGTERM and SIGKILL. */
const grace = 2_000;
/** Milliseconds that output may lag behind the end of the process that was started (`> >(tee log)`). */
const outputLag = 150;

const agentMark = randomUUID();
let started = 0;

/**
 * Runs a program in a process group of its own, without a terminal and with an empty input. When it ends, is
 * interrupted or takes too long, everything that it started ends, too: SIGTERM first, SIGKILL after two seconds.
 *
 * @throws OxideError `program-missing`, `directory-missing`
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessEnd> {
  const { argv, cwd, sandboxed, signal, timeout, onOutput } = request;
  started += 1;
  const mark = `${agentMark}.${started}`;
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd,
    env: { ...request.env, [agentVariable]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { pid, stdout, stderr } = child;
  if (pid === undefined) {
    const [error] = await once(child, 'error').catch((cause) => [cause]);
    throw cannotStart(program, error as NodeJS.ErrnoException);
  }
  // A sandbox ends with its parent once it has asked the kernel for that: until then it would outlive a `kill -9`.
  const unwatch = watchGroup(pid, `${agentVariable}=${agentMark}`);
  stdout?.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'));
  stderr?.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'));
  let reported = '';
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    reported = (reported + chunk.toString('utf8')).slice(-maxReport);
  });

  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const closed = once(child, 'close');
  const stop = stopper(pid, sandboxed, exited);
  const interrupt = () => stop.because('interrupted');
  const timer = timeout === null ? undefined : setTimeout(() => stop.because('timed-out'), timeout);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) {
    interrupt();
  }
  const [code, by] = await exited;
  clearTimeout(timer);
  signal.removeEventListener('abort', interrupt);
  await Promise.race([closed, delay(outputLag, null, { ref: false })]);
  if (!sandboxed) {
    await endLeftovers(pid, mark);
  }
  unwatch();
  await Promise.race([closed, delay(grace, null, { ref: false })]);
  for (const stream of child.stdio) {
    stream?.destroy();
  }
  return { exitCode: code ?? 128 + (by === null ? 0 : constants.signals[by]), stopped: stop.reason(), reported };
}

/** Longer than any path. */
const maxReport = 16 * 1024;

function stopper(pid: number, sandboxed: boolean, exited: Promise<unknown>) {
  let reason: ProcessEnd['stopped'] = null;
  return {
    reason: () => reason,
    because: (why: 'interrupted' | 'timed-out') => {
      if (reason !== null) {
        return;
      }
      reason = why;
      // SIGTERM to bwrap itself would kill what is inside at once: it goes to the session inside.
      const inside = sandboxed ? childrenOf(pid) : [];
      for (const group of inside.length > 0 ? inside : [pid]) {
        sendToGroup(group, 'SIGTERM');
      }
      void Promise.race([exited.then(() => true), delay(grace, false, { ref: false })]).then((hasExited) => {
        if (!hasExited) {
          sendToGroup(pid, 'SIGKILL');
        }
      });
    },
  };
}

/** What was left behind: in the process group, or outside of it by `setsid` and daemons (found on Linux only). */
async function endLeftovers(group: number, mark: string): Promise<void> {
  const leftovers = () => processesWith(agentVariable, mark);
  const hasLeftovers = () => isGroupRunning(group) || leftovers().length > 0;
  if (!hasLeftovers()) {
    return;
  }
  const send = (signal: NodeJS.Signals) => {
    sendToGroup(group, signal);
    leftovers().forEach((pid) => {
      sendTo(pid, signal);
    });
  };
  send('SIGTERM');
  for (let waited = 0; waited < grace && hasLeftovers(); waited += 20) {
    await delay(20);
  }
  send('SIGKILL');
}

function sendToGroup(group: number, signal: NodeJS.Signals): void {
  sendTo(-group, signal);
}

function sendTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function cannotStart(program: string, error: NodeJS.ErrnoException): OxideError {
  return new OxideError('program-missing', `${program} can't be started (${error.code ?? error.message}).`, {
    remedy: `Install ${program}, or put it on PATH.`,
    cause: error,
  });
}
