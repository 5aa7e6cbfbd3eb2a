import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OxideError } from '../../errors.ts';
import { enderCommand, execVariable } from './container-scripts.ts';
import type { Engine, RunningExec } from './engine.ts';
import { EngineRefusal } from './engine-http.ts';
import type { ExecEnd, ExecRequest } from './exec-request.ts';

/** Milliseconds for the processes of an exec to end; then the container goes. */
const endingLimit = 12_000;
/** Milliseconds that output may lag behind the end of the processes. */
const outputLag = 3_000;

/**
 * Runs a command in a running container. At its time-out, or when the call is interrupted, everything that it started
 * ends; where that can't be done one by one (a fork bomb leaves no room for it), the container ends.
 *
 * @returns null when there is no such container any more, or it does not run: nothing was started
 * @throws OxideError `engine-unreachable`, `exec-failed`
 */
export async function execInContainer(engine: Engine, id: string, request: ExecRequest): Promise<ExecEnd | null> {
  const mark = randomUUID();
  const startedAt = performance.now();
  const running = await start(engine, id, mark, request);
  if (running === null) {
    return null;
  }
  const stopped = await firstOf(running, request);
  if (stopped !== null) {
    const hasEnded = await endProcesses(engine, id, mark, performance.now() - startedAt);
    await Promise.race([running.ended.catch(() => undefined), delay(outputLag, null, { ref: false })]);
    running.letGo();
    const exitCode = hasEnded ? await exitCodeOf(engine, running.execId) : null;
    return { exitCode: exitCode ?? killed, stopped, containerEnded: !hasEnded, notes: hasEnded ? [] : [endedWithAll] };
  }
  await running.ended;
  const exitCode = await exitCodeOf(engine, running.execId);
  return exitCode === null
    ? { exitCode: killed, stopped: null, containerEnded: true, notes: ['The container ended while the command ran.'] }
    : { exitCode, stopped: null, containerEnded: false, notes: [] };
}

/** 128 + SIGKILL. */
const killed = 137;
const endedWithAll =
  'Its processes could not be ended one by one, so the container was ended; the next exec starts it again.';

async function start(
  engine: Engine,
  id: string,
  mark: string,
  { command, directory, take }: ExecRequest,
): Promise<RunningExec | null> {
  try {
    const exec = {
      argv: ['/bin/sh', '-c', command],
      workingDirectory: directory,
      environment: [`${execVariable}=${mark}`],
    };
    return await engine.exec(id, exec, take);
  } catch (error) {
    if (!(error instanceof EngineRefusal)) {
      throw error;
    }
    if ((await engine.inspectContainer(id))?.running !== true) {
      return null;
    }
    const isFull = /resource temporarily unavailable|cannot allocate memory/i.test(error.message);
    throw new OxideError('exec-failed', `The command could not be started in the container: ${error.message}`, {
      ...(isFull ? { remedy: 'Stop the container, which is full of processes, and start it again.' } : {}),
      cause: error,
    });
  }
}

/** Null: it ended by itself. */
function firstOf(running: RunningExec, { timeout, signal }: ExecRequest): Promise<'timed-out' | 'interrupted' | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve('timed-out')), timeout);
    const interrupt = () => settle(() => resolve('interrupted'));
    const settle = (how: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', interrupt);
      how();
    };
    signal.addEventListener('abort', interrupt, { once: true });
    running.ended.then(
      () => settle(() => resolve(null)),
      (error) => settle(() => reject(error)),
    );
    if (signal.aborted) {
      interrupt();
    }
  });
}

/** False: the container had to be ended. */
async function endProcesses(engine: Engine, id: string, mark: string, age: number): Promise<boolean> {
  if (await endOneByOne(engine, id, mark, age)) {
    return true;
  }
  await engine.removeContainer(id);
  return false;
}

async function endOneByOne(engine: Engine, id: string, mark: string, age: number): Promise<boolean> {
  try {
    const exec = { argv: enderCommand(mark, age), workingDirectory: '/', environment: [`${execVariable}=keeper`] };
    const ender = await engine.exec(id, exec, () => undefined);
    const isDone = await Promise.race([ender.ended.then(() => true), delay(endingLimit, false, { ref: false })]);
    ender.letGo();
    return isDone && (await exitCodeOf(engine, ender.execId)) === 0;
  } catch (error) {
    if (error instanceof EngineRefusal) {
      return false;
    }
    throw error;
  }
}

/** Null: the container has gone. The engine may hear of the output's end a little before that of the process. */
async function exitCodeOf(engine: Engine, execId: string): Promise<number | null> {
  for (let attempt = 0; attempt < 40; attempt += 1) {
    try {
      const code = await engine.exitCodeOf(execId);
      if (code !== null) {
        return code;
      }
    } catch (error) {
      if (error instanceof EngineRefusal) {
        return null;
      }
      throw error;
    }
    await delay(50);
  }
  return null;
}
