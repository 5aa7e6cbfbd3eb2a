import { spawn } from 'node:child_process';
import type { Environment } from '../../git/runner.ts';
import type { HookInput } from './hook-input.ts';
import { type HookOutput, parseHookOutput } from './hook-output.ts';
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

/** Bytes of an answer; more is no answer. */
const outputLimit = 1024 * 1024;

/** Runs one hook. Never rejects. */
export async function runHook(hook: Hook, input: HookInput, context: HookRunContext): Promise<HookOutcome> {
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(hook.timeout)]);
  try {
    return hook.action.kind === 'function'
      ? await runFunction(hook, hook.action.run as HookFunction, input, signal)
      : await runCommand(hook, hook.action.command, input, { ...context, signal });
  } catch (error) {
    return { kind: 'failed', hook, problem: signal.aborted ? stopped(hook, context) : messageOf(error) };
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
  const { code, stdout, stderr } = await feed(command, JSON.stringify(input), context);
  if (context.signal.aborted) {
    throw context.signal.reason;
  }
  if (code === 2) {
    return { kind: 'blocked', hook, reason: stderr.trim() || 'The hook blocks this without a reason.' };
  }
  if (code !== 0) {
    return { kind: 'failed', hook, problem: `exit code ${code ?? 'none (killed)'}: ${stderr.trim().slice(0, 500)}` };
  }
  if (stdout.trim() === '') {
    return { kind: 'answered', hook, output: {} };
  }
  const parsed = parseHookOutput(input.hook_event_name, parseJson(stdout));
  return parsed.ok
    ? { kind: 'answered', hook, output: parsed.output }
    : { kind: 'failed', hook, problem: parsed.problem };
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function feed(command: string, input: string, { cwd, env, signal }: HookRunContext): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, { cwd, env, shell: true, detached: process.platform !== 'win32', stdio: 'pipe' });
    const collected = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        if (collected[name].length < outputLimit) {
          collected[name] += chunk;
        }
      });
    }
    // A shell's children outlive it unless the whole group is ended.
    const stop = () => endGroup(child.pid);
    signal.addEventListener('abort', stop, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, ...collected });
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
