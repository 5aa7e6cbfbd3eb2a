import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import type { Socket } from 'node:net';
import type { OxideError } from '../errors.ts';
import {
  cannotStart,
  endedBySignal,
  gitFailure,
  outputTooLarge,
  refuseUnusableRepository,
  timedOut,
} from './git-failure.ts';
import { pinnedEnvironment, pinnedSettings, storedHistory, walksHistory } from './settings/pinned-settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * This process's environment, as it is now. A copy: every look into `process.env` itself asks the C library. Not on
 * Windows, where only the original finds `Path` as PATH.
 */
export function ownEnvironment(): Environment {
  return process.platform === 'win32' ? process.env : { ...process.env };
}

/**
 * What git has answered before this program began: a hook's script asks it while node starts, which costs nobody any
 * waiting. An answer holds for the very same words in the same directory and environment.
 */
export interface PreparedAnswers {
  /** Waits until git is done, the first time. Null for a question that was not asked. */
  answer(args: readonly string[]): GitOutput | null;
}

/** A git that keeps running, and answers what would else start one. */
export interface RunningAnswers {
  /** Null for what it does not answer: git is started then. */
  answer(args: readonly string[], options: RunOptions, context: GitContext): Promise<GitOutput | null> | null;
}

/** Where git runs and what it is told besides its arguments. */
export interface GitContext {
  /** Absolute directory in which git starts. */
  readonly cwd: string;
  /** The whole environment git sees, before this module pins what must be pinned. */
  readonly env: Environment;
  /** Words that would follow `-c` on git's command line: `push.default=nothing`. */
  readonly parameters?: readonly string[];
  /** What git has been asked already, in this directory and environment. */
  readonly prepared?: PreparedAnswers | undefined;
  /** For programs that ask for long. */
  readonly running?: RunningAnswers | undefined;
}

export interface RunOptions {
  /** Fed to git's standard input, which is closed afterwards; without it git reads an empty input. */
  readonly input?: string | Uint8Array;
  /** Milliseconds until git is killed. */
  readonly timeout?: number;
  /** Takes standard output as it comes; the output that is returned is empty then. */
  readonly onOutput?: (chunk: Buffer) => void;
  /** Bytes of standard output after which git is killed. */
  readonly maxOutput?: number;
  /** False for `git config --list`, which would otherwise list the settings pinned here. */
  readonly pinSettings?: boolean;
  /** History as git shows it, with what takes a commit's place: git-replace(1). Default: as it is stored. */
  readonly withReplacements?: boolean;
}

export interface GitOutput {
  readonly exitCode: number;
  readonly stdout: Buffer;
  /** In the C locale, at most its first 64 KiB. */
  readonly stderr: string;
}

/** A walk over a very large history takes seconds; a hook that takes longer than this is broken. */
const defaultTimeout = 60_000;
const defaultMaxOutput = 256 * 1024 * 1024;
const maxErrorText = 64 * 1024;

/** The variables that bind a process to one repository: `git rev-parse --local-env-vars`, as of git 2.50. */
const repositoryVariables: readonly string[] = [
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_CONFIG',
  'GIT_CONFIG_PARAMETERS',
  'GIT_CONFIG_COUNT',
  'GIT_OBJECT_DIRECTORY',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_GRAFT_FILE',
  'GIT_INDEX_FILE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_REPLACE_REF_BASE',
  'GIT_PREFIX',
  'GIT_SHALLOW_FILE',
  'GIT_COMMON_DIR',
  'GIT_INTERNAL_SUPER_PREFIX',
];

/**
 * The environment without what a hook's git left in it about its own repository: for touching another one.
 * See `git rev-parse --local-env-vars`.
 */
export function withoutRepositoryVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !repositoryVariables.includes(name)));
}

let started = 0;

/** How many git processes this program has started so far; tests and benchmarks hold it down. */
export function gitProcessesStarted(): number {
  return started;
}

/** Runs git in one directory and environment. Everything in this project that reads a repository does it through here. */
export class Git {
  readonly context: GitContext;

  constructor(context: GitContext) {
    this.context = context;
  }

  /**
   * Runs git once and resolves whatever its exit code is.
   *
   * @throws OxideError `git-missing`, `directory-missing`, `git-timed-out`, `git-output-too-large`, `git-crashed`,
   *   `dubious-ownership`, `bare-repository-refused`, `not-a-repository`
   */
  async run(args: readonly string[], options: RunOptions = {}): Promise<GitOutput> {
    const running = this.context.running?.answer(args, options, this.context) ?? null;
    const known = this.#prepared(args, options) ?? (running === null ? null : await running);
    const output = known ?? (await start(this.context, args, options));
    if (output.exitCode === 128) {
      refuseUnusableRepository(output.stderr, this.context.cwd);
    }
    return output;
  }

  /** A question that git could not answer is asked again, for its reasons. */
  #prepared(args: readonly string[], { input, onOutput, pinSettings = true }: RunOptions): GitOutput | null {
    const isPlain = input === undefined && onOutput === undefined && pinSettings && !this.context.parameters?.length;
    const output = isPlain ? (this.context.prepared?.answer(args) ?? null) : null;
    return output?.exitCode === 0 ? output : null;
  }

  /**
   * Standard output as text.
   *
   * @throws OxideError `git-failed` when git exits with anything but 0, and what {@link run} throws
   */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    const output = await this.run(args, options);
    if (output.exitCode !== 0) {
      throw gitFailure(args, output);
    }
    return output.stdout.toString('utf8');
  }
}

/** Milliseconds: a person may be waiting, and the questions are small. */
const atOnceTimeout = 2000;

/** What git answers at once, the end of its last line left out. */
export type AnswerAtOnce = Pick<GitOutput, 'exitCode'> & { readonly text: string };

/** Puts a question to git, in a directory that is settled. */
export type Ask = (args: readonly string[]) => AnswerAtOnce;

/**
 * What git answers to a question that is put where nothing can be waited for; it may know of no repository but that of `cwd`.
 * One that takes too long has no answer: nothing else can stop it.
 */
export function askAtOnce(args: readonly string[], cwd: string): AnswerAtOnce {
  started += 1;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const env = { ...withoutRepositoryVariables(ownEnvironment()), ...pinnedEnvironment };
  const { status, stdout } = spawnSync('git', [...pinnedOptions, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: atOnceTimeout,
    windowsHide: true,
  });
  return { exitCode: status ?? 128, text: (stdout ?? '').trimEnd() };
}

/** git, reading questions and writing answers for as long as it is let. */
export type RunningGit = ChildProcessByStdio<Socket, Socket, null>;

/** Starts git in the same way, to be asked again and again. What it says about errors is not read. */
export function keepRunning(context: GitContext, args: readonly string[]): RunningGit {
  started += 1;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const { cwd, env } = context;
  const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
  const options = { cwd, env: { ...env, ...pinnedEnvironment }, stdio, windowsHide: true };
  // Pipes are sockets here: child_process, "subprocess.stdio".
  return spawn('git', wordsOf(context, args, true), options) as RunningGit;
}

const pinnedOptions = asOptions(pinnedSettings);

function asOptions(settings: readonly string[]): readonly string[] {
  return settings.flatMap((setting) => ['-c', setting]);
}

function wordsOf({ parameters = [] }: GitContext, args: readonly string[], pinSettings: boolean): readonly string[] {
  return [...asOptions(parameters), ...(pinSettings ? pinnedOptions : []), ...args];
}

/** More at once only wait for each other, and while they are started nothing else happens here, not even a time-out. */
const mostAtOnce = 8;
let atOnce = 0;
const waiting: (() => void)[] = [];

async function start(context: GitContext, args: readonly string[], options: RunOptions): Promise<GitOutput> {
  if (atOnce < mostAtOnce) {
    atOnce += 1;
  } else {
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  try {
    return await startNow(context, args, options);
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      atOnce -= 1;
    } else {
      next();
    }
  }
}

function startNow(context: GitContext, args: readonly string[], options: RunOptions): Promise<GitOutput> {
  const { timeout = defaultTimeout, maxOutput = defaultMaxOutput, pinSettings = true } = options;
  started += 1;
  // Loaded with the first git process: what a hook decides from files alone does not pay for it (5 ms).
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn('git', wordsOf(context, args, pinSettings), {
      cwd: context.cwd,
      env: {
        ...context.env,
        ...pinnedEnvironment,
        ...(walksHistory(args) && options.withReplacements !== true ? storedHistory : {}),
      },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    endWithUs(child);
    // What git itself has started may outlive it and hold the pipes open: nothing is waited for after this.
    const stop = (error: OxideError) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      reject(error);
    };
    const timer = setTimeout(() => stop(timedOut(args, timeout)), timeout);
    const output = collected(child, options, () => stop(outputTooLarge(args, maxOutput)));
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(cannotStart(error, context.cwd));
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === null) {
        reject(endedBySignal(args, signal ?? 'a signal'));
      } else {
        resolve({ exitCode: code, ...output() });
      }
    });
    // git may stop reading early (it failed, or has seen enough): its exit code tells, not the broken pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
  });
}

/** Those that have not ended yet. */
const children = new Set<ChildProcess>();
let isEndWatched = false;

/** A git that hangs must not outlive a program that has given up on it. By SIGTERM, at which git takes its locks away. */
function endWithUs(child: ChildProcess): void {
  if (!isEndWatched) {
    isEndWatched = true;
    process.on('exit', () => {
      for (const other of children) {
        other.kill();
      }
    });
  }
  children.add(child);
  child.on('exit', () => children.delete(child));
}

/**
 * Keeps what git prints, or hands standard output on.
 *
 * @param tooLarge is called where there is more than may be
 */
function collected(
  { stdout, stderr }: ChildProcess,
  { maxOutput = defaultMaxOutput, onOutput }: RunOptions,
  tooLarge: () => void,
): () => Pick<GitOutput, 'stdout' | 'stderr'> {
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = '';
  stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxOutput) {
      tooLarge();
    } else if (onOutput !== undefined) {
      onOutput(chunk);
    } else {
      chunks.push(chunk);
    }
  });
  stderr?.on('data', (chunk: Buffer) => {
    if (errors.length < maxErrorText) {
      errors += chunk.toString('utf8');
    }
  });
  return () => ({ stdout: Buffer.concat(chunks), stderr: errors });
}
