import type { ReadStream, WriteStream } from 'node:tty';
import { type Instance, render } from 'ink';
import type { Paint } from '../paint.ts';
import { type Key, readKeys } from './keyboard.ts';
import type { Screen } from './screen.ts';
import { createSurface } from './surface.ts';
import { View } from './view.tsx';

/** The view on a terminal. While it is closed the terminal is free for somebody else. */
export interface Display {
  open(): void;
  /** Prints what is finished, removes what is not, and gives input and cursor back. */
  close(): Promise<void>;
}

/** The screen tells of changes at a pace of its own; ink need not wait. */
const maxFps = 1000;

export function createDisplay(
  screen: Screen,
  paint: Paint,
  terminal: { readonly input: ReadStream; readonly output: WriteStream; readonly onKey: (key: Key) => void },
): Display {
  const { input, output, onKey } = terminal;
  // A terminal that was closed fails all writes; the signal that comes with it ends the session.
  input.on('error', () => undefined);
  output.on('error', () => undefined);
  const surface = createSurface(output);
  let instance: Instance | null = null;
  let release = (): void => undefined;
  const draw = () => {
    screen.update({ size: sizeOf(output) });
    instance = render(<View screen={screen} paint={paint} isHidden={false} />, {
      stdin: input,
      stdout: surface.stream,
      exitOnCtrlC: false,
      maxFps,
    });
  };
  const redraw = () => {
    surface.silently(() => instance?.unmount());
    surface.eraseFrame();
    draw();
  };
  return {
    open: () => {
      output.on('resize', redraw);
      draw();
      release = readKeys(input, output, onKey);
    },
    close: async () => {
      const ending = instance;
      instance = null;
      if (ending !== null) {
        release();
        output.off('resize', redraw);
        // Draws at once: everything finished is printed, and the rest is gone.
        ending.rerender(<View screen={screen} paint={paint} isHidden={true} />);
        const ended = ending.waitUntilExit();
        ending.unmount();
        await ended;
      }
    },
  };
}

export function sizeOf({ columns, rows }: WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}
