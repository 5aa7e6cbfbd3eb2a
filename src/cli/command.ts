import type { CAC } from 'cac';
import type { Console } from '../ui/console.ts';

/** One command of the command line: its module is loaded only when it is asked for. */
export interface Command {
  /** Declares name, arguments and options on `cli`; its action resolves to the exit code. */
  register(cli: CAC, console: Console): void;
}

/** A command as the list of all has it. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
