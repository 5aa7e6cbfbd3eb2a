import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { skipUnless } from '../skip.ts';

/** For `skipIf`: is there no tmux to run terminals in? */
export const withoutTmux = skipUnless(
  spawnSync('tmux', ['-V']).status === 0,
  'what needs a terminal: tmux is not installed',
);

/** A real terminal with a program in it, as a person sees and types it. */
export interface TmuxTerminal {
  screen(): string;
  /** All that was shown, with what has scrolled away. */
  everything(): string;
  /** The screen with its escape sequences for colours. */
  colours(): string;
  /** Waits until the screen shows a text, and gives the screen. */
  shows(text: string | RegExp): Promise<string>;
  /** Waits until the screen no longer shows a text. */
  losesSight(text: string): Promise<string>;
  /** tmux's key names, one after the other: `Up`, `C-c`, `Enter`. */
  press(...keys: string[]): Promise<void>;
  type(text: string): void;
  /** As terminals paste: between the marks of bracketed paste, if the program asked for them. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  /** Of the program. */
  processId(): number;
  /** As somebody closes a window: the program gets SIGHUP, and its terminal is gone. */
  hangUp(): void;
}

export interface TmuxServer {
  open(
    command: readonly string[],
    options: {
      readonly cwd: string;
      readonly columns?: number;
      readonly rows?: number;
      readonly env?: NodeJS.ProcessEnv;
    },
  ): TmuxTerminal;
  end(): void;
}

const pause = 50;
/** Tries, not a time limit of the product: a busy machine is slow. */
const tries = 600;

/** A tmux of its own, which no other test and no person can meet. */
export function startTmux(name: string): TmuxServer {
  const socket = `oxide-guard-${name}-${process.pid}`;
  const tmux = (...args: string[]) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  let count = 0;
  return {
    open: (command, { cwd, columns = 80, rows = 30, env = {} }) => {
      count += 1;
      const target = `t${count}`;
      const variables = { CI: undefined, CONTINUOUS_INTEGRATION: undefined, NO_COLOR: undefined, ...env };
      const words = [
        'env',
        ...Object.entries(variables).flatMap(([key, value]) => (value === undefined ? ['-u', key] : [])),
        ...Object.entries(variables).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`])),
        ...command,
      ];
      const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
      // The shell stays, so that the screen can be read when the program has ended.
      const size = ['-x', String(columns), '-y', String(rows)];
      tmux('new-session', '-d', '-s', target, ...size, '-c', cwd, `${line}; echo "ended with $?"; exec cat`);
      const capture = (...options: string[]) => tmux('capture-pane', '-p', '-t', target, ...options);
      const until = async (holds: (screen: string) => boolean, what: string): Promise<string> => {
        for (let turn = 0; turn < tries; turn += 1) {
          const screen = capture();
          if (holds(screen)) {
            return screen;
          }
          await setTimeout(pause);
        }
        throw new Error(`the screen never ${what}:\n${capture()}`);
      };
      return {
        screen: () => capture(),
        everything: () => capture('-S', '-'),
        colours: () => capture('-e'),
        shows: (text) =>
          until((screen) => (typeof text === 'string' ? screen.includes(text) : text.test(screen)), `showed ${text}`),
        losesSight: (text) => until((screen) => !screen.includes(text), `lost ${text}`),
        press: async (...keys) => {
          for (const key of keys) {
            tmux('send-keys', '-t', target, key);
            await setTimeout(pause);
          }
        },
        type: (text) => void tmux('send-keys', '-t', target, '-l', text),
        paste: (text) => {
          tmux('set-buffer', '--', text);
          tmux('paste-buffer', '-p', '-t', target);
        },
        processId: () => {
          const shell = tmux('display-message', '-p', '-t', target, '#{pane_pid}').trim();
          return Number(
            execFileSync('ps', ['-o', 'pid=', '--ppid', shell], { encoding: 'utf8' }).trim().split('\n')[0],
          );
        },
        hangUp: () => void tmux('kill-session', '-t', target),
        resize: (x, y) => void tmux('resize-window', '-t', target, '-x', String(x), '-y', String(y)),
      };
    },
    end: () => void spawnSync('tmux', ['-L', socket, 'kill-server']),
  };
}
