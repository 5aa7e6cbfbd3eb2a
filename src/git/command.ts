import { spawn } from 'node:child_process';
import { OxideError } from '../errors.ts';
import type { GitContext } from './runner.ts';

/** What a git command and the hooks it started have printed, both streams as they came. */
export interface CommandOutput {
  readonly exitCode: number;
  readonly output: string;
}

/**
 * Runs git as a person does, with the person's settings and hooks, and shows nothing: for a front that tells about it.
 *
 * @throws OxideError `git-missing`
 */
export function captureGitCommand(args: readonly string[], { cwd, env }: GitContext): Promise<CommandOutput> {
  const child = spawn('git', [...args], { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(gitMissing(cause)));
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output }));
  });
}

/**
 * Runs a git command that belongs to the person at the terminal: its input, output, editor and hooks are theirs, and
 * nothing of their configuration is pinned.
 *
 * @returns git's exit code; 128, or 130 after Ctrl+C, when a signal ended it
 * @throws OxideError `git-missing`
 */
export function runInForeground({ cwd, env }: GitContext, args: readonly string[]): Promise<number> {
  const child = spawn('git', [...args], { cwd, env: { ...env }, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(gitMissing(cause)));
    child.once('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 128)));
  });
}

function gitMissing(cause: Error): OxideError {
  return new OxideError('git-missing', `git can't be started: ${cause.message}.`, { remedy: 'git --version', cause });
}
