import type { Word } from '../../shell/simple-command.ts';

/** What a program does to a file that it is given by name. */
export interface FileChange {
  readonly path: Word;
  readonly kind: 'write' | 'remove' | 'mode';
  /** Directories stay as they are: `rm` without `-r`, `chmod +x`. */
  readonly isShallow?: boolean;
  /** What it held may be there still: an archive has it, or somebody is asked before. */
  readonly mayStay?: boolean;
  /** What is executable below is it no more: `chmod -R a-x`. */
  readonly disarms?: boolean;
  /** Surely leaves a file as it is that holds this text; counts where a listing names the file. */
  readonly leaves?: (text: string) => boolean;
  /** Directories: what one of them has under the same name, from the place where the word is open, stays. */
  readonly spares?: readonly Word[];
  /** It comes along with a directory's contents: only where this is there, and something to write over. */
  readonly broughtFrom?: Word;
  /** A directory is copied there, or into there under its name: it is about the files that come with it. */
  readonly contents?: BroughtContents;
}

export interface BroughtContents {
  readonly from: Word;
  readonly keepsName: boolean;
  /** Does not come along, by its name below the directory. */
  readonly leavesOut: (name: string) => boolean;
}

/**
 * @param words what follows the program's name, the operands among them
 * @param input what it reads, if that is known
 */
export type ChangeReader = (
  operands: readonly Word[],
  words: readonly Word[],
  input?: string | null,
) => readonly FileChange[];
