import type { CAC } from 'cac';
import type { Console } from '../ui/console.ts';

/** One command of the command line: its module is loaded only when it is asked for. */
export interface Command {
  /** What its first argument can be, where that names what to do. */
  readonly actions?: readonly string[];
  /** Declares name, arguments and options on `cli`; its action resolves to the exit code. */
  register(cli: CAC, console: Console): void;
}

/** A command as the list of all has it. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
