import type { WriteStream } from 'node:tty';
import { rowsOf } from './terminal-text.ts';

/**
 * A terminal as ink is to see it. ink clears the whole terminal, with what has scrolled away, when its frame is as tall
 * as the screen, and leaves parts of the frame behind when the screen gets narrower. So it never learns of either: its
 * screen has no end, and on a resize the frame is erased by what it takes now and drawn anew.
 */
export interface Surface {
  readonly stream: WriteStream;
  /** Erases the last frame from a terminal that has wrapped its lines anew; ink must be gone by then. */
  eraseFrame(): void;
  /** Runs `action` without letting anything of it out. */
  silently(action: () => void): void;
}

/** What ink writes before a frame: erased lines, from the last one up (ansi-escapes' `eraseLines`). */
const erasure = /^(?:\x1b\[2K(?:\x1b\[1A)?)*\x1b\[G/;

export function createSurface(output: WriteStream): Surface {
  let frame = '';
  let isSilent = false;
  const write = (data: string, ...rest: (() => void)[]): boolean => {
    if (isSilent) {
      return output.write('', ...rest);
    }
    // Modes of the terminal and the barrier at the end are no frame.
    if (data !== '' && !data.startsWith('\x1b[?')) {
      frame = data.replace(erasure, '');
    }
    return output.write(data, ...rest);
  };
  const replaced: Readonly<Record<PropertyKey, unknown>> = { write, rows: Number.MAX_SAFE_INTEGER };
  const stream = new Proxy(output, {
    get: (target, key) => {
      if (Object.hasOwn(replaced, key)) {
        return replaced[key];
      }
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') {
        return value;
      }
      return (...args: unknown[]) => (args[0] === 'resize' ? stream : Reflect.apply(value, target, args));
    },
  });
  return {
    stream,
    eraseFrame: () => {
      const lines = frame.replace(/\n$/, '').split('\n');
      const rows = frame === '' ? 0 : lines.reduce((sum, line) => sum + rowsOf(line, output.columns), 0);
      // One line up, erased, for each; then down from there.
      output.write(`\r${'\x1b[1A\x1b[2K'.repeat(rows)}\x1b[J`);
      frame = '';
    },
    silently: (action) => {
      isSilent = true;
      try {
        action();
      } finally {
        isSilent = false;
      }
    },
  };
}
