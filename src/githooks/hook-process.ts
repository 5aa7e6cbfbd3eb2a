import { fstatSync, writeSync } from 'node:fs';
import { choosePaint } from '../ui/paint.ts';
import type { HookProcess } from './front.ts';

/**
 * The process a hook runs in. Standard error is written by its descriptor: `process.stderr` alone would load node's
 * streams and cost a silent hook 5 ms.
 */
export function hookProcess(): HookProcess {
  return {
    cwd: process.cwd(),
    env: process.env,
    paint: choosePaint({ isTTY: isTerminal(2) }, process.env),
    say: (line) => writeWhole(2, `${line}\n`),
  };
}

/** A character device that is no terminal (/dev/null) shows no colours to anybody. */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

function writeWhole(descriptor: number, text: string): void {
  let rest = Buffer.from(text, 'utf8');
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        return; // Whoever listened has gone; the exit code still tells.
      }
    }
  }
}
