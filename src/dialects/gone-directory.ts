import { kindOf } from '../git/files.ts';

/**
 * Why a command that may involve git can't be judged in a directory that is not there; null where it is there, or where
 * the command is none of git's business.
 */
export function goneDirectory(command: string, cwd: string): string | null {
  return /git/i.test(command) && kindOf(cwd) !== 'directory'
    ? `Its directory ${cwd} does not exist, so nobody knows which repository it would reach.`
    : null;
}
