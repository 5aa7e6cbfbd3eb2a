import { basename, resolve } from 'node:path';
import { isThere } from '../../git/files.ts';
import { askAtOnce, type Environment } from '../../git/runner.ts';
import { programName, type SimpleCommand, type Step } from '../../shell/simple-command.ts';
import { textsOf } from '../git-command/words.ts';
import { answersHold } from './git-conditions.ts';

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
 *
 * @param environment the one that the line runs in
 */
export function directoryMade(
  command: SimpleCommand,
  before: readonly Step[],
  environment: Environment,
): string | null {
  const { argv, cwd } = command;
  const words = programName(argv[0]) === 'git' ? textsOf(argv.slice(1)) : null;
  const addition = words === null ? null : readAddition(words);
  const asking = { command, question: ['rev-parse'], before, environment };
  if (addition === null || cwd.kind !== 'known' || !answersHold(asking)) {
    return null;
  }
  const path = resolve(cwd.path, addition.path);
  return !isThere(path) && isPossible(addition, cwd.path) ? path : null;
}

function isPossible({ path, commit, created, isFree }: Addition, directory: string): boolean {
  const listed = askAtOnce(['worktree', 'list', '--porcelain'], directory);
  const asked = commit ?? 'HEAD';
  const refs = [
    'for-each-ref',
    '--format=%(refname)',
    `refs/heads/${created ?? basename(path)}`,
    `refs/heads/${asked}`,
  ];
  const found = askAtOnce(refs, directory);
  const isCommit = askAtOnce(['rev-parse', '--quiet', '--verify', `${asked}^{commit}`], directory).exitCode === 0;
  if (listed.exitCode !== 0 || found.exitCode !== 0 || !isCommit) {
    return false;
  }
  const branches = new Set(found.text.split('\n'));
  if (created !== null) {
    return !branches.has(`refs/heads/${created}`);
  }
  const branch = `refs/heads/${commit ?? basename(path)}`;
  return isFree || !listed.text.split('\n').includes(`branch ${branch}`);
}
