import type { Call, Shell } from '../call.ts';
import type { Outcome } from '../shell-state.ts';
import type { Word } from '../simple-command.ts';

/** How a program is told what else stands in the environment of the one that it runs. */
export interface EnvironmentOptions {
  /** Options whose value is a file. */
  readonly files?: readonly string[];
  /** Options whose value is a variable: `NAME=value`. */
  readonly variables?: readonly string[];
  /** Options whose two values are a variable's name and its value. */
  readonly pairs?: readonly string[];
  /** Options whose value is a property of a unit, `Environment=` or `EnvironmentFile=`: systemd.exec(5). */
  readonly properties?: readonly string[];
  /** The file that is read where none is named. */
  readonly usual?: string;
  /** What it runs sees other files than this machine's: variables that name one are left out. */
  readonly isElsewhere?: true;
}

/** How a program that runs another one reads its words. */
export interface Wrapper {
  /** Short options that take a value. */
  readonly short?: string;
  /** Long options whose value is the next word. */
  readonly long?: readonly string[];
  /** Long options that take the next two words. */
  readonly pairs?: readonly string[];
  /** Options whose value is a file that it writes itself. */
  readonly outputs?: readonly string[];
  /** So is what stands between the options and the command. */
  readonly writesOperand?: true;
  /** Words between the options and the command. */
  readonly positional?: number;
  /** `NAME=value` words before the command change its environment. */
  readonly assignments?: boolean;
  /** Options, and files, with variables for the command. */
  readonly environment?: EnvironmentOptions;
  /** Options that change the directory. */
  readonly directory?: readonly string[];
  /** Options whose value is a script for `sh`. */
  readonly script?: readonly string[];
  /** Options with which no command runs (`command -v`, `--version`). */
  readonly without?: readonly string[];
  /** How the words of the command are run: as they are, joined into a script, or by a reader of its own. */
  readonly run?: 'words' | 'joined' | ((call: Call, options: readonly Word[], shell: Shell) => Outcome);
  /** What the command's name may mean; a program alone, unless said otherwise. */
  readonly lookup?: Call['lookup'];
  /** Options that start a shell where no command follows (`sudo -s`). */
  readonly shell?: readonly string[];
  /** It may succeed where the command fails that it runs. */
  readonly endsAlone?: true;
  /** Options may follow the first operand (`script -q file -c command`). */
  readonly mixed?: boolean;
}
