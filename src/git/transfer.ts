import { spawn } from 'node:child_process';
import { OxideError } from '../errors.ts';
import { type Environment, type GitContext, withoutRepositoryVariables } from './runner.ts';

/** How far git says it is. */
export interface TransferProgress {
  /** `Receiving objects`. */
  readonly phase: string;
  /** 0 to 100. */
  readonly percent: number;
}

export interface TransferOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: TransferProgress) => void;
  /** Milliseconds until git is stopped; default: an hour. */
  readonly timeout?: number;
}

/** Transports that carry data and start no program that a URL names; `ext::` and `fd::` do. */
const transports = 'file:git:http:https:ssh';
const maxErrorText = 64 * 1024;

/**
 * Runs a git command that may contact a remote or take long, without asking anybody for a password. What it started is
 * stopped with it.
 *
 * @throws OxideError `transfer-stopped`, `transfer-timed-out`, `transfer-failed` with git's own words, `git-missing`
 */
export function transfer(args: readonly string[], context: GitContext, options: TransferOptions = {}): Promise<void> {
  const { signal, onProgress, timeout = 60 * 60_000 } = options;
  if (signal?.aborted === true) {
    return Promise.reject(stopped(args));
  }
  const child = spawn('git', [...(context.parameters ?? []).flatMap((setting) => ['-c', setting]), ...args], {
    cwd: context.cwd,
    env: { ...withoutRepositoryVariables(context.env), ...quietEnvironment(context.env) },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own: git's helpers for ssh and https end with it.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    for (const line of chunk.split(/[\r\n]/)) {
      const progress = parseProgress(line);
      if (progress === null) {
        said = `${said}${line}\n`.slice(-maxErrorText);
      } else {
        onProgress?.(progress);
      }
    }
  });
  return new Promise((resolve, reject) => {
    const end = (error: OxideError) => {
      killGroup(child.pid);
      reject(error);
    };
    const onAbort = () => end(stopped(args));
    const timer = setTimeout(() => end(timedOut(args, timeout)), timeout);
    signal?.addEventListener('abort', onAbort, { once: true });
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (cause) => {
      done();
      reject(
        new OxideError('git-missing', `git can't be started: ${cause.message}.`, { remedy: 'git --version', cause }),
      );
    });
    child.once('close', (code) => {
      done();
      return code === 0 ? resolve() : reject(failed(args, said));
    });
  });
}

/** Nobody is there to be asked: a password comes from a credential helper or an ssh agent, or not at all. */
function quietEnvironment(env: Environment): Environment {
  return {
    LC_ALL: 'C',
    LANGUAGE: undefined,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: 'true',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_SSH_COMMAND: env.GIT_SSH_COMMAND ?? 'ssh -oBatchMode=yes',
    GIT_ALLOW_PROTOCOL: transports,
    // A server that says nothing holds nobody up, nor does it keep what a killed process has left.
    GIT_HTTP_LOW_SPEED_LIMIT: env.GIT_HTTP_LOW_SPEED_LIMIT ?? '1',
    GIT_HTTP_LOW_SPEED_TIME: env.GIT_HTTP_LOW_SPEED_TIME ?? '120',
    GIT_TRACE: undefined,
    GIT_TRACE2: undefined,
  };
}

/** `Receiving objects:  42% (5/12), 1.20 MiB | 2.40 MiB/s`, also with `remote: ` in front. */
function parseProgress(line: string): TransferProgress | null {
  const found = /^(?:remote: )?(?<phase>[A-Z][\w ]+):\s+(?<percent>\d{1,3})% \(\d+\/\d+\)/.exec(line)?.groups;
  return found?.phase === undefined ? null : { phase: found.phase, percent: Number(found.percent) };
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function stopped(args: readonly string[]): OxideError {
  return new OxideError('transfer-stopped', `git ${args[0]} was stopped before it was done.`);
}

function timedOut(args: readonly string[], timeout: number): OxideError {
  return new OxideError('transfer-timed-out', `git ${args[0]} did not end within ${timeout / 1000} s.`);
}

function failed(args: readonly string[], said: string): OxideError {
  const lines = said.split('\n').filter((line) => /^(fatal|error|ERROR|ssh|remote|Permission)/.test(line));
  const why = withoutPasswords(lines.slice(-3).join(' ') || said.trim().slice(-300));
  return new OxideError('transfer-failed', `git ${args[0]} failed: ${why}`, {
    remedy: 'Does it work by hand, without being asked for a password? git ls-remote URL',
  });
}

/** git shows URLs as they were given, with what stands before the `@`. */
export function withoutPasswords(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/gi, '$1***@');
}
