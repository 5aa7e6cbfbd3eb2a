import type { CAC } from 'cac';
import type { Console } from '../ui/console.ts';

/** One command of the command line: its module is loaded only when it is asked for. */
export interface Command {
  /** What its first argument can be, where that names what to do. */
  readonly actions?: readonly string[];
  /** Are the words behind `--` another program's? Its action gets them as the option `--`. */
  readonly forwards?: true;
  /**
   * Declares name, arguments and options on `cli`; its action resolves to the exit code. One that allows unknown options
   * reads its words itself: the action gets all of them.
   */
  register(cli: CAC, console: Console): void;
}

/** A command as the list of all has it. */
export interface CommandEntry {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}
