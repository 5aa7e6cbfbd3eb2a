import { posix } from 'node:path';
import type { Call, Shell } from './call.ts';
import { resolvePath } from './path-resolution.ts';
import { knownWord } from './simple-command.ts';

/** Options that take the next word: git-init(1), git-clone(1). */
const withValue =
  /^(?:-[bocuj]|--(?:initial-branch|template|object-format|ref-format|revision|separate-git-dir|branch|origin|config|depth|reference|reference-if-able|jobs|upload-pack|filter|server-option|shallow-since|shallow-exclude|bundle-uri))$/;

/**
 * The directory that `git init` or `git clone` of a directory makes, where nothing unforeseen happens.
 *
 * @param call the subcommand and its words, and where it runs
 * @returns `.` for the directory in which it stands; null: another command, or one that may fail
 */
export function madeRepository({ argv, state }: Pick<Call, 'argv' | 'state'>, shell: Shell): string | null {
  const words = argv.map((word) => (word.kind === 'known' ? word.value : null));
  const [subcommand, ...rest] = words;
  if ((subcommand !== 'init' && subcommand !== 'clone') || rest.includes(null)) {
    return null;
  }
  const operands = rest.filter(
    (word, at) => word !== null && !word.startsWith('-') && !withValue.test(rest[at - 1] ?? ''),
  );
  const [first = null, second = null, ...others] = operands;
  // git-clone(1) "GIT URLS"
  const resolved = (word: string) => resolvePath(knownWord(word.replace(/^file:\/\/(?=\/)/, '')), state.cwd);
  const isFree = (path: string) => !shell.overlay.exists(path) || shell.overlay.isRemoved(path);
  if (subcommand === 'init') {
    return first === null ? '.' : others.length > 0 || second !== null ? null : resolved(first);
  }
  const source = first === null ? null : resolved(first);
  const target = first === null ? null : resolved(second ?? posix.basename(first).replace(/\.git$/, ''));
  const isLocal = source !== null && shell.overlay.isDirectory(source);
  return isLocal && target !== null && others.length === 0 && isFree(target) ? target : null;
}
