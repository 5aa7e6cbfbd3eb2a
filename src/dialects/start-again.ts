import { spawnSync } from 'node:child_process';
import type { Answer } from './dialect.ts';

/**
 * What the hook answers when node starts it without options, for a payload that is too large to be read with hashes that
 * are the same everywhere.
 *
 * @param args the words after the program
 * @throws Error when it can't be started
 */
export function startAgain(args: readonly string[], payload: string): Answer {
  const [, program = ''] = process.argv;
  const { stdout, stderr, status, error } = spawnSync(process.execPath, [program, ...args], {
    input: payload,
    encoding: 'utf8',
  });
  if (error !== undefined) {
    throw error;
  }
  return { stdout, stderr, exitCode: status ?? 2 };
}
