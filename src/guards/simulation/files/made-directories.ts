import { basename, resolve } from 'node:path';
import { isThere } from '../../../git/files.ts';
import type { Ask } from '../../../git/runner.ts';
import { programName, type SimpleCommand, type Step } from '../../../shell/simple-command.ts';
import { textsOf } from '../../git-command/words.ts';
import { type AskingLine, answerHolds, answerTo } from '../answers/settled-questions.ts';

/** `git worktree add [-b NAME] PATH [COMMIT]`: git-worktree(1). */
interface Addition {
  readonly path: string;
  readonly commit: string | null;
  /** `-b` */
  readonly created: string | null;
  /** No branch is checked out that may be so elsewhere: `--detach`, `-B`, `--force`. */
  readonly isFree: boolean;
}

function readAddition([subcommand, action, ...rest]: readonly string[]): Addition | null {
  const takesName = (word: string | undefined) => word === '-b' || word === '-B';
  const options = rest.filter((word) => word.startsWith('-'));
  const operands = rest.filter((word, at) => !word.startsWith('-') && !takesName(rest[at - 1]));
  const [path, commit = null, ...others] = operands;
  const isPlain = options.every((word) =>
    /^(?:-[bBqdf]|--(?:quiet|detach|force|track|no-track|guess-remote))$/.test(word),
  );
  return subcommand !== 'worktree' || action !== 'add' || path === undefined || !isPlain || others.length > 0
    ? null
    : {
        path,
        commit,
        created: rest.find((_, at) => rest[at - 1] === '-b') ?? null,
        isFree: options.some((word) => /^(?:-[dBf]|--(?:detach|force))$/.test(word)),
      };
}

/**
 * The directory that a call of git makes now, if nothing unforeseen happens: of `git worktree add`, where the branch that it
 * makes or checks out is free, and the place too. Else null.
 */
export function directoryMade(
  command: SimpleCommand,
  before: readonly Step[],
  { environment, ask }: AskingLine,
): string | null {
  const { argv, cwd } = command;
  const question = programName(argv[0]) === 'git' ? textsOf(argv.slice(1)) : null;
  const addition = question === null ? null : readAddition(question);
  const holds =
    question !== null && answerHolds({ command, question, before, environment, isSettled: true }, 'revisions');
  if (addition === null || cwd.kind !== 'known' || !holds) {
    return null;
  }
  const path = resolve(cwd.path, addition.path);
  return !isThere(path) && isPossible(addition, (words) => answerTo(words, cwd.path, ask)) ? path : null;
}

/** Is there the commit, and no branch of the name that is made, or no other work tree with the one that is checked out? */
function isPossible({ path, commit, created, isFree }: Addition, ask: Ask): boolean {
  const isFound = (...words: readonly string[]) => ask(words).exitCode === 0;
  if (!isFound('rev-parse', '--quiet', '--verify', `${commit ?? 'HEAD'}^{commit}`)) {
    return false;
  }
  if (created !== null) {
    return !isFound('show-ref', '--quiet', '--verify', `refs/heads/${created}`);
  }
  const branch = `branch refs/heads/${commit ?? basename(path)}`;
  return isFree || !ask(['worktree', 'list', '--porcelain']).text.split('\n').includes(branch);
}
