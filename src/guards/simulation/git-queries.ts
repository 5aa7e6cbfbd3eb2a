import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimpleCommand, Word } from '../../shell/simple-command.ts';
import { programName } from '../../shell/simple-command.ts';
import { workTreeAbove } from '../files/guarded-file.ts';
import { known, textsOf } from '../git-command/words.ts';
import { answerPathQuery, gitDirectoriesOf } from './git-directories.ts';

/** Questions whose answer is the name of the branch that is checked out. */
const branchQueries: ReadonlySet<string> = new Set([
  'branch --show-current',
  'rev-parse --abbrev-ref HEAD',
  'rev-parse --abbrev-ref @',
  'symbolic-ref --short HEAD',
  'symbolic-ref --short -q HEAD',
  'symbolic-ref -q --short HEAD',
  'symbolic-ref --quiet --short HEAD',
]);

/** Commands that may change the answers before the question is put. */
const switching = /\b(?:checkout|switch|symbolic-ref|worktree|clone|init|rebase|bisect|-[mM])\b/;

/**
 * What git would print for the few questions that people put into a push: which branch, which directory. Read from the
 * files themselves, without a process.
 *
 * @param source the whole command line: where it may switch branches, the branch is not told
 */
export function answerQuery(source: string): (command: SimpleCommand) => string | null {
  const mayMove = switching.test(source.replaceAll('symbolic-ref --', '').replaceAll('symbolic-ref -q', ''));
  return ({ argv, cwd, env }) => {
    const words = textsOf(argv.slice(1));
    if (programName(argv[0]) !== 'git' || words === null || cwd.kind === 'unknown' || env.has('GIT_DIR')) {
      return null;
    }
    const query = words.join(' ');
    const top = workTreeAbove(cwd.path);
    if (top === null) {
      return null;
    }
    if (query === 'rev-parse --show-toplevel') {
      return `${top}\n`;
    }
    const path = answerPathQuery(words, top);
    if (path !== null) {
      return `${path}\n`;
    }
    const branch = branchQueries.has(query) && !mayMove ? currentBranch(top) : null;
    return branch === null ? null : `${branch}\n`;
  };
}

function currentBranch(top: string): string | null {
  const directories = gitDirectoriesOf(top);
  try {
    const head = directories === null ? '' : readFileSync(join(directories.gitDir, 'HEAD'), 'utf8');
    return /^ref: refs\/heads\/(.+)$/m.exec(head)?.[1] ?? null;
  } catch {
    return null;
  }
}

const substitution = /\$\(\s*git\s+([^()`$]*?)\s*\)/;

/** Does a word ask for the branch that is checked out at that moment? */
export function asksForBranch(word: Word): boolean {
  return word.kind === 'unknown' && branchQueries.has(queryIn(word.source));
}

function queryIn(source: string): string {
  return (substitution.exec(source)?.[1] ?? '').replace(/\s*2>\s*\/dev\/null$/, '').replace(/\s+/g, ' ');
}

/** The word with the branch in the question's place; itself where more than that can't be known. */
export function withBranch(word: Word, branch: string): Word {
  if (word.kind === 'known' || !asksForBranch(word)) {
    return word;
  }
  const text = word.source.replace(substitution, () => branch).replace(/["']/g, '');
  return /[$`\\*?[]/.test(text) ? word : known(text);
}
