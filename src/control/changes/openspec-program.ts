import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, sep } from 'node:path';
import type { Environment } from '../../git/runner.ts';
import { shellEnvironment } from '../../tools/shell-environment.ts';

/** Milliseconds that it may take. */
const patience = 20_000;
const longestOutput = 4 * 1024 * 1024;

/** The `openspec` program of this machine; one that lies in the work tree is the repository's, and is not run. */
export function findOpenspec(env: Environment, workTree: string): string | null {
  const directories = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  for (const directory of directories) {
    const path = join(directory, 'openspec');
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile() && !realpathSync(path).startsWith(realpathSync(workTree) + sep)) {
        return path;
      }
    } catch {
      // Not there.
    }
  }
  return null;
}

/** The JSON that it prints, run without a shell; null where it fails, takes too long or prints none. */
export function runOpenspec(
  program: string,
  words: readonly string[],
  workTree: string,
  env: Environment,
): Promise<unknown> {
  const child = spawn(program, [...words], {
    cwd: workTree,
    env: { ...shellEnvironment(env), OPENSPEC_TELEMETRY: '0', DO_NOT_TRACK: '1', NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: patience,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    if (output.length > longestOutput) {
      child.kill('SIGKILL');
    }
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === 0 ? parsed(output) : null));
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
