import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Does a process run? One that has ended, but that nobody has waited for yet (a zombie), does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return process.platform !== 'linux';
  }
}

/** Waits until a condition holds; the test's own time-out is the limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) {
    await delay(10);
  }
}
