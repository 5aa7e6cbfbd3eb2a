import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives a run's temporary directories a name in common, and removes those that are left at its end: nothing is called
 * after a file's tests that are all skipped, and a process that a test left to itself may have written once more.
 */
export function setup(): () => void {
  const prefix = `guard-${randomBytes(2).toString('hex')}-`;
  process.env.TESTS_TEMPORARY = prefix;
  return () => {
    for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
      rmSync(join(tmpdir(), name), { recursive: true, force: true, maxRetries: 3 });
    }
  };
}
