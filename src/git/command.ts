import { spawn } from 'node:child_process';
import { OxideError } from '../errors.ts';
import type { Environment } from './runner.ts';

export interface CommandContext {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Runs git as a person does, not to read facts: with the person's settings and hooks, on this process's terminal.
 *
 * @returns git's exit code
 * @throws OxideError `git-missing`
 */
export async function runGitCommand(args: readonly string[], context: CommandContext): Promise<number> {
  return (await start(args, context, 'inherit')).exitCode;
}

/**
 * The same with what git and its hooks print, both streams as they come.
 *
 * @throws OxideError `git-missing`
 */
export function captureGitCommand(
  args: readonly string[],
  context: CommandContext,
): Promise<{ readonly exitCode: number; readonly output: string }> {
  return start(args, context, 'pipe');
}

function start(
  args: readonly string[],
  { cwd, env }: CommandContext,
  output: 'inherit' | 'pipe',
): Promise<{ exitCode: number; output: string }> {
  const child = spawn('git', [...args], {
    cwd,
    env: { ...env },
    stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', (cause) => reject(gitMissing(cause)));
    child.once('close', (code) => resolve({ exitCode: code ?? 1, output: said }));
  });
}

function gitMissing(cause: Error): OxideError {
  return new OxideError('git-missing', `git can't be started: ${cause.message}.`, { remedy: 'git --version', cause });
}
