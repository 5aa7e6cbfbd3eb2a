import picocolors from 'picocolors';
import { wantsColors } from './paint.ts';

/** Where a command writes. Colours are off without a terminal and with NO_COLOR. */
export interface Console {
  /** The result: what a script reads. */
  out(text: string): void;
  /** Everything else: progress, notices, errors. */
  err(text: string): void;
  readonly colors: Colors;
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** A console on this process's standard streams. Lines get their newline here. */
export function processConsole(): Console {
  return {
    out: (text) => process.stdout.write(`${text}\n`),
    err: (text) => process.stderr.write(`${text}\n`),
    // picocolors' own default would colour whatever runs in CI, files and pipes too.
    colors: picocolors.createColors(wantsColors(process.stdout, process.env)),
  };
}
