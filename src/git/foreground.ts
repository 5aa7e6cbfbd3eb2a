import { spawn } from 'node:child_process';
import { OxideError } from '../errors.ts';
import type { GitContext } from './runner.ts';

/**
 * Runs a git command that belongs to the person at the terminal: its input, output, editor and hooks are theirs, and
 * nothing of their configuration is pinned.
 *
 * @returns git's exit code; 128 and the signal's number when a signal ended it
 * @throws OxideError `git-missing`
 */
export function runInForeground({ cwd, env }: GitContext, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, { cwd, env: { ...env }, stdio: 'inherit' });
    child.on('error', (cause) => {
      reject(new OxideError('git-missing', `git could not be started (${cause.message}).`, { cause }));
    });
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 128)));
  });
}
