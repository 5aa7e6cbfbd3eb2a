import { existsSync } from 'node:fs';
import { kindOf } from '../git/files.ts';

/** Where a command can be judged, or why one that may involve git can't. */
export type Standing =
  | { readonly kind: 'directory'; readonly cwd: string }
  | { readonly kind: 'gone'; readonly reason: string; readonly suggestion: string };

/**
 * The directory that a command begins in. Agents remove the work tree that their shell stands in: what goes to another
 * directory first (`cd /repo && git status`, `git -C /repo status`) is judged there. Where nothing says which repository
 * a git command would reach, it can't be judged; what is none of git's business can.
 */
export function standingOf(command: string, cwd: string): Standing {
  if (!/git/i.test(command) || isDirectory(cwd)) {
    return { kind: 'directory', cwd };
  }
  const named = namedDirectory(command);
  return named !== null && isDirectory(named)
    ? { kind: 'directory', cwd: named }
    : {
        kind: 'gone',
        reason: `Its directory ${cwd} is not there, so nobody knows which repository it would reach.`,
        suggestion: 'cd /path/of/the/repository && …',
      };
}

/** path_resolution(7): a dot is found in a directory alone. One that may not be entered is looked at more closely. */
function isDirectory(path: string): boolean {
  return existsSync(`${path}/.`) || kindOf(path) === 'directory';
}

const absolute = String.raw`(?:"(\/[^"$\`\\]*)"|'(\/[^']*)'|(\/[\w.,/@%+=:-]*))`;
const leadingChange = new RegExp(String.raw`^\s*cd\s+(?:--\s+)?${absolute}[^\S\n]*(?:&&|;|\n|$)`);
/** One plain command: behind an operator another one could follow that stays where it is. */
const leadingOption = new RegExp(String.raw`^\s*git\s+-C\s+${absolute}\s[^;&|()<>$\`\n]*$`);

/** An absolute path that is written out, where the line goes or git is sent before anything else. */
function namedDirectory(command: string): string | null {
  const [, ...paths] = leadingChange.exec(command) ?? leadingOption.exec(command) ?? [];
  return paths.find((path) => path !== undefined) ?? null;
}
