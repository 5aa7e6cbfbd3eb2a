import { resolvePath } from './path-resolution.ts';
import { changed, type ShellState } from './shell-state.ts';
import { beginningOf, type Word } from './simple-command.ts';

/** git(1) "OPTIONS": those whose value is the next word. */
const valued = /^(?:-[cC]|--(?:git-dir|work-tree|namespace|config-env|super-prefix|attr-source))$/;

/** Where the subcommand stands in a call of git, behind the options that are git's own. */
export function subcommandAt(argv: readonly Word[]): number {
  let at = 1;
  while (beginningOf(argv[at]).startsWith('-')) {
    at += valued.test(beginningOf(argv[at])) ? 2 : 1;
  }
  return at;
}

/** The state in which the subcommand runs: `-C`, each of them from the one before it. */
export function inGitDirectory(argv: readonly Word[], state: ShellState): ShellState {
  const own = argv.slice(1, subcommandAt(argv));
  return own.reduce((before, word, index) => {
    const path = beginningOf(own[index - 1]) === '-C' ? resolvePath(word, before.cwd) : undefined;
    return path === undefined
      ? before
      : changed(before, {
          cwd:
            path === null
              ? { kind: 'unknown', reason: 'the directory that git is told is not known' }
              : { kind: 'known', path },
        });
  }, state);
}
