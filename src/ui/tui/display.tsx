import type { ReadStream, WriteStream } from 'node:tty';
import { type Instance, render } from 'ink';
import type { Paint } from '../paint.ts';
import { type Key, readKeys } from './keyboard.ts';
import type { Screen } from './screen.ts';
import { View } from './view.tsx';

/** The view on a terminal. While it is closed the terminal is free for somebody else. */
export interface Display {
  open(): void;
  /** Prints what is finished, removes what is not, and gives input and cursor back. */
  close(): Promise<void>;
  readonly isOpen: boolean;
}

/** ink keeps all that it has printed. After so many characters it is begun anew, so that memory stays bounded. */
const printedLimit = 500_000;

export function createDisplay(
  screen: Screen,
  paint: Paint,
  terminal: { readonly input: ReadStream; readonly output: WriteStream; readonly onKey: (key: Key) => void },
): Display {
  const { input, output, onKey } = terminal;
  let instance: Instance | null = null;
  let release = (): void => undefined;
  const draw = () => {
    instance = render(<View screen={screen} paint={paint} isHidden={false} />, {
      stdin: input,
      stdout: output,
      exitOnCtrlC: false,
    });
  };
  const erase = async () => {
    const ending = instance;
    instance = null;
    // Draws at once, so everything printed so far is on the terminal before it is forgotten.
    ending?.rerender(<View screen={screen} paint={paint} isHidden={true} />);
    const ended = ending?.waitUntilExit();
    ending?.unmount();
    screen.dropPrinted();
    await ended;
  };
  const takeSize = () => screen.update({ size: sizeOf(output) });
  screen.subscribe(() => {
    if (instance !== null && screen.printedLength() > printedLimit) {
      void erase();
      draw();
    }
  });
  return {
    get isOpen() {
      return instance !== null;
    },
    open: () => {
      screen.update({ size: sizeOf(output) });
      output.on('resize', takeSize);
      draw();
      release = readKeys(input, output, onKey);
    },
    close: async () => {
      if (instance !== null) {
        release();
        output.off('resize', takeSize);
        await erase();
      }
    },
  };
}

export function sizeOf({ columns, rows }: WriteStream): { readonly columns: number; readonly rows: number } {
  return { columns: columns || 80, rows: rows || 24 };
}
