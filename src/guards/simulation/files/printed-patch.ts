import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { programName, type SimpleCommand } from '../../../shell/simple-command.ts';
import { workTreeAbove } from '../../files/guarded-file.ts';
import { readInvocation } from '../../git-command/invocation.ts';
import { hasGitVariables } from '../../git-command/own-variables.ts';
import { textsOf } from '../../git-command/words.ts';
import { entryNumber } from './stash-changes.ts';

/** Changes that a command of git prints. */
export interface PrintedPatch {
  /** What git-diff(1) compares; or it is a copy of the file itself, or has one in it. */
  shows: 'index and work tree' | 'HEAD and index' | 'HEAD and work tree' | 'work tree' | 'stash';
  /** Of the stash that it shows, the number that it had when it was written. */
  readonly entry?: number;
  /** Absolute; empty: every file of the work tree. */
  readonly files: readonly string[];
  /** The work tree whose changes it shows; null: that of any file that it names. */
  readonly top: string | null;
  readonly isBinary: boolean;
  /** Untracked files of the stash are in it. */
  readonly hasUntracked?: boolean;
}

/** Options of git-diff(1) with which a patch holds everything all the same. */
const complete =
  /^(?:-p|-u|--patch|--no-color|--no-ext-diff|--no-textconv|--full-index|--minimal|--histogram|--patience|--no-renames|-M|-U(?:[3-9]|\d\d+))$/;

/** What `git diff` or `git stash show` prints; null: nothing that is known. */
export function readPatch(command: SimpleCommand): PrintedPatch | null {
  const { words, directory, settings, gitDir, workTree } = readInvocation(
    command.argv.slice(1),
    command.cwd,
    () => null,
  );
  const [subcommand, ...rest] = textsOf(words) ?? [];
  const isPlain =
    programName(command.argv[0]) === 'git' && settings.length === 0 && gitDir === null && workTree === null;
  if (!isPlain || directory.kind === 'unknown' || hasGitVariables(command)) {
    return null;
  }
  if (subcommand === 'stash' && rest[0] === 'show') {
    return readStash(rest.slice(1), directory.path);
  }
  return subcommand === 'diff' ? readDiff(rest, directory.path) : null;
}

/** git-stash(1) "show": `-u` is no option of the patch there. */
const untracked = /^(?:-u|--include-untracked)$/;

function readStash(words: readonly string[], directory: string): PrintedPatch | null {
  const options = words.filter((word) => word.startsWith('-'));
  const [name = '0', ...others] = words.filter((word) => !word.startsWith('-'));
  const entry = entryNumber(name);
  const isBinary = options.includes('--binary');
  const isPatch = isBinary || options.some((word) => /^(?:-p|--patch|-U\d+)$/.test(word));
  const hasUntracked = options.some((word) => untracked.test(word));
  const isWhole = options.every((word) => word === '--binary' || untracked.test(word) || complete.test(word));
  return entry !== null && others.length === 0 && isPatch && isWhole
    ? { shows: 'stash', entry, files: [], top: workTreeAbove(directory), isBinary, hasUntracked }
    : null;
}

function readDiff(words: readonly string[], directory: string): PrintedPatch | null {
  const separator = words.includes('--') ? words.indexOf('--') : words.length;
  const left = words.slice(0, separator).filter((word) => !complete.test(word));
  const [isCached, isHead, isBinary] = [/^--(?:cached|staged)$/, /^(?:HEAD|@)$/, /^--binary$/].map((form) =>
    left.some((word) => form.test(word)),
  );
  const others = left.filter((word) => !/^(?:--(?:cached|staged|binary)|HEAD|@)$/.test(word));
  const paths = [...others, ...words.slice(separator + 1)];
  const againstHead = isCached ? 'HEAD and index' : 'HEAD and work tree';
  const isLiteral = (path: string) => !/^[:-]|[*?[\\]/.test(path);
  return paths.every(isLiteral) && others.every((path) => existsSync(resolve(directory, path)))
    ? {
        shows: isCached || isHead ? againstHead : 'index and work tree',
        files: paths.map((path) => resolve(directory, path)),
        top: workTreeAbove(directory),
        isBinary: isBinary === true,
      }
    : null;
}
