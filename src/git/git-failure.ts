import { existsSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';

/** What of a run of git tells why it failed. */
interface FailedRun {
  readonly exitCode: number;
  readonly stderr: string;
}

/** The error for a git command that failed in a way nobody foresaw; carries git's own last line. */
export function gitFailure(args: readonly string[], { exitCode, stderr }: FailedRun): OxideError {
  const command = args.find((word) => !word.startsWith('-')) ?? '';
  const said = stderr.trim().split('\n').at(-1) ?? '';
  return new OxideError('git-failed', `git ${command} failed (exit code ${exitCode}): ${said}`, {
    remedy: 'git status   # does git itself work here?',
  });
}

/** For a git that was not even started: there is none, or the directory is gone. */
export function cannotStart(error: Error, cwd: string): OxideError {
  if (!existsSync(cwd)) {
    return directoryMissing(cwd, error);
  }
  return new OxideError('git-missing', `git could not be started (${error.message}), so nothing can be checked.`, {
    remedy: 'Install git 2.25 or newer, or put it on PATH.',
    cause: error,
  });
}

/** For a working directory that is gone: git itself refuses to start there. */
export function directoryMissing(cwd: string, cause?: unknown): OxideError {
  return new OxideError('directory-missing', `The directory '${cwd}' does not exist, so no repository can be read.`, {
    remedy: 'Change to an existing directory and try again.',
    cause,
  });
}

/** For a git that did not end of its own: what it would have said is not known. */
export function endedBySignal(args: readonly string[], signal: string): OxideError {
  const command = args.find((word) => !word.startsWith('-')) ?? '';
  return new OxideError('git-crashed', `git ${command} was ended by ${signal}, so nothing can be checked.`, {
    remedy: 'git status   # does git itself work here?',
  });
}

/** @param timeout milliseconds */
export function timedOut(args: readonly string[], timeout: number): OxideError {
  return new OxideError('git-timed-out', `git ${args[0] ?? ''} did not answer within ${timeout / 1000} s.`, {
    remedy: 'git commit-graph write --reachable   # makes walks over a long history fast',
  });
}

/** @param maxOutput bytes */
export function outputTooLarge(args: readonly string[], maxOutput: number): OxideError {
  const mebibytes = Math.round(maxOutput / 1024 / 1024);
  return new OxideError('git-output-too-large', `git ${args[0] ?? ''} printed more than ${mebibytes} MiB.`);
}

/**
 * Tells apart why git would not work in a repository; other failures it leaves to the caller.
 *
 * @throws OxideError `dubious-ownership`, `bare-repository-refused`, `not-a-repository`
 */
export function refuseUnusableRepository(stderr: string, cwd: string): void {
  if (/detected dubious ownership|unsafe repository/.test(stderr)) {
    const directory = /repository (?:at )?\(?'([^']+)'/.exec(stderr)?.[1] ?? cwd;
    throw new OxideError(
      'dubious-ownership',
      `git refuses to read '${directory}' because another user owns it, so nothing can be checked.`,
      { remedy: `git config --global --add safe.directory ${quoteWord(directory)}` },
    );
  }
  if (/cannot use bare repository/.test(stderr)) {
    throw new OxideError(
      'bare-repository-refused',
      `git refuses the bare repository at '${cwd}' because safe.bareRepository is 'explicit'.`,
      { remedy: 'git --git-dir=. …' },
    );
  }
  if (/not a git repository/.test(stderr)) {
    throw new OxideError('not-a-repository', `'${cwd}' is not in a git repository.`, {
      remedy: 'Change into a repository, or make one: git init',
    });
  }
}
