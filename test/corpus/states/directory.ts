import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const wanted = 1 << 30;

/** Whether a script below `directory` can be started: containers like to mount their memory without that. */
function starts(directory: string): boolean {
  const script = join(directory, 'starts');
  writeFileSync(script, '#!/bin/sh\n');
  chmodSync(script, 0o755);
  try {
    execFileSync(script);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(script);
  }
}

function inMemory(prefix: string): string | null {
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < wanted) {
      return null;
    }
    const directory = mkdtempSync(join(memory, prefix));
    if (starts(directory)) {
      return directory;
    }
    rmSync(directory, { recursive: true });
  } catch {
    // No such file system, or it may not be written.
  }
  return null;
}

/**
 * A new directory for the states and their copies, which the caller removes. In memory where that is possible: thousands of
 * copies are written and removed, and a disk takes two to three times as long.
 */
export function corpusDirectory(prefix: string): string {
  return inMemory(prefix) ?? mkdtempSync(join(tmpdir(), prefix));
}
