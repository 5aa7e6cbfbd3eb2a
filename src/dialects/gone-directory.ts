import { existsSync } from 'node:fs';
import { kindOf } from '../git/files.ts';

/**
 * Why a command that may involve git can't be judged in a directory that is not there; null where it is there, or where
 * the command is none of git's business.
 */
export function goneDirectory(command: string, cwd: string): string | null {
  // path_resolution(7): a dot is found in a directory alone. One that may not be entered is looked at more closely.
  return /git/i.test(command) && !existsSync(`${cwd}/.`) && kindOf(cwd) !== 'directory'
    ? `Its directory ${cwd} does not exist, so nobody knows which repository it would reach.`
    : null;
}
