import { emitKeypressEvents, type Interface, type Key as NodeKey } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';

/** One key press, or one paste (`name` is `paste`). */
export interface Key {
  /** `return`, `up`, `a`, … as node names them; empty where there is no name. */
  readonly name: string;
  /** What it writes; empty for keys that write nothing. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
  readonly shift: boolean;
}

/** How long a lone Esc waits for the rest of a sequence, in milliseconds. */
const escapeTime = 50;

/** https://invisible-island.net/xterm/ctlseqs/ctlseqs.html, "Bracketed Paste Mode" */
const bracketedPaste = { on: '\x1b[?2004h', off: '\x1b[?2004l' };

/**
 * Reads keys from a terminal in raw mode, with pastes told apart from typing.
 *
 * @returns gives the terminal back as it was; what is typed afterwards is for the next reader
 */
export function readKeys(input: ReadStream, output: WriteStream, onKey: (key: Key) => void): () => void {
  let pasted: string[] | null = null;
  const take = (
    text: string | undefined,
    { name = '', ctrl = false, meta = false, shift = false, sequence }: NodeKey,
  ) => {
    if (name === 'paste-start') {
      pasted = [];
    } else if (name === 'paste-end') {
      onKey({ name: 'paste', text: (pasted ?? []).join(''), ctrl: false, meta: false, shift: false });
      pasted = null;
    } else if (pasted !== null) {
      pasted.push(text ?? sequence ?? '');
    } else {
      const writes = !ctrl && !meta && text !== undefined && !/[\x00-\x1f\x7f]/.test(text);
      onKey({ name, text: writes ? text : '', ctrl, meta, shift });
    }
  };
  emitKeypressEvents(input, { escapeCodeTimeout: escapeTime } as unknown as Interface);
  const restorePaste = () => void output.write(bracketedPaste.off);
  process.once('exit', restorePaste);
  input.setRawMode(true);
  output.write(bracketedPaste.on);
  input.on('keypress', take);
  input.resume();
  return () => {
    input.off('keypress', take);
    input.pause();
    input.setRawMode(false);
    process.off('exit', restorePaste);
    restorePaste();
  };
}
