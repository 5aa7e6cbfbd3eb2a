import { spawn } from 'node:child_process';
import { messageOf } from '../../error-message.ts';
import type { Environment } from '../../git/runner.ts';
import type { HookInput } from './hook-input.ts';
import { type HookOutput, parseHookOutput, reasonLimit } from './hook-output.ts';
import type { Hook, HookFunction } from './registry.ts';

/** How one hook ended. `blocked`: a command said so by exit code 2, its reason on standard error. */
export type HookOutcome =
  | { readonly kind: 'answered'; readonly hook: Hook; readonly output: HookOutput }
  | { readonly kind: 'blocked'; readonly hook: Hook; readonly reason: string }
  /** It broke or took too long; what it might have said is not known. */
  | { readonly kind: 'failed'; readonly hook: Hook; readonly problem: string };

export interface HookRunContext {
  readonly cwd: string;
  readonly env: Environment;
  readonly signal: AbortSignal;
}

/** Characters of an answer; who writes more is ended. */
const outputLimit = 1024 * 1024;
/** Milliseconds for the rest of an answer, once the hook has ended. */
const leftoverTime = 300;

/** Runs one hook. Never rejects. */
export async function runHook(hook: Hook, input: HookInput, context: HookRunContext): Promise<HookOutcome> {
  // Not AbortSignal.any of AbortSignal.timeout: node 20 collects that as garbage while the hook writes, and it never ends.
  const controller = new AbortController();
  const { signal } = controller;
  const onAbort = () => controller.abort(context.signal.reason);
  const timer = setTimeout(() => controller.abort(), hook.timeout);
  context.signal.addEventListener('abort', onAbort, { once: true });
  if (context.signal.aborted) {
    onAbort();
  }
  try {
    return hook.action.kind === 'function'
      ? await runFunction(hook, hook.action.run as HookFunction, input, signal)
      : await runCommand(hook, hook.action.command, input, { ...context, signal });
  } catch (error) {
    return { kind: 'failed', hook, problem: signal.aborted ? stopped(hook, context) : messageOf(error) };
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener('abort', onAbort);
  }
}

function stopped({ timeout }: Hook, { signal }: HookRunContext): string {
  return signal.aborted ? 'it was interrupted' : `it took longer than ${timeout / 1000} s`;
}

async function runFunction(hook: Hook, run: HookFunction, input: HookInput, signal: AbortSignal): Promise<HookOutcome> {
  const output = await Promise.race([run(input as never, signal), rejectionOn(signal)]);
  return { kind: 'answered', hook, output: output ?? {} };
}

function rejectionOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
    }
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/**
 * Exit code 0: its standard output is JSON, or nothing. 2: it blocks, standard error says why. Anything else: it failed.
 */
async function runCommand(
  hook: Hook,
  command: string,
  input: HookInput,
  context: HookRunContext,
): Promise<HookOutcome> {
  const { code, stdout, stderr, tooMuch } = await feed(command, JSON.stringify(input), context);
  if (context.signal.aborted) {
    throw context.signal.reason;
  }
  if (tooMuch) {
    return { kind: 'failed', hook, problem: 'it wrote more than 1 MiB' };
  }
  if (code === 2) {
    const reason = stderr.trim().slice(0, reasonLimit);
    return { kind: 'blocked', hook, reason: reason || 'The hook blocks this without a reason.' };
  }
  if (code !== 0) {
    const ended = code === null ? 'it was killed' : `exit code ${code}`;
    const said = stderr.trim().slice(0, 500);
    return { kind: 'failed', hook, problem: said === '' ? ended : `${ended}: ${said}` };
  }
  if (stdout.trim() === '') {
    return { kind: 'answered', hook, output: {} };
  }
  const answer = parseJson(stdout);
  if (answer === undefined) {
    return { kind: 'failed', hook, problem: `its answer is no JSON: ${stdout.trim().slice(0, 80)}` };
  }
  const parsed = parseHookOutput(input.hook_event_name, answer);
  return parsed.ok
    ? { kind: 'answered', hook, output: parsed.output }
    : { kind: 'failed', hook, problem: parsed.problem };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly tooMuch: boolean;
}

function feed(command: string, input: string, { cwd, env, signal }: HookRunContext): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd, env, shell: true, detached: process.platform !== 'win32', stdio: 'pipe' });
    const collected = { stdout: '', stderr: '' };
    let tooMuch = false;
    // A shell's children outlive it unless the whole group is ended; one that has left the group may hold the pipes.
    const stop = () => {
      endGroup(child.pid);
      child.stdout.destroy();
      child.stderr.destroy();
    };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        collected[name] += chunk;
        if (collected[name].length > outputLimit && !tooMuch) {
          tooMuch = true;
          stop();
        }
      });
    }
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    // What it leaves running may hold the pipes open; its answer is complete.
    child.once('exit', () =>
      setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), leftoverTime),
    );
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, ...collected, tooMuch });
    });
    // A hook need not read what it is told.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    if (signal.aborted) {
      stop();
    }
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    }
  } catch {
    // It has ended already.
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
