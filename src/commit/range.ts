import { ExitCode, OxideError } from '../errors.ts';
import { type Git, gitFailure } from '../git/runner.ts';
import { readShallowCommits } from '../git/shallow.ts';
import { type LintedMessage, type Linter, lintWith } from './linter.ts';

export interface CommitRange {
  /** Exclusive; null: from the first commit on. */
  readonly from: string | null;
  /** Inclusive. */
  readonly to: string;
}

/** A very long history is read in one go. */
const timeout = 10 * 60_000;
const maxOutput = 2 * 1024 ** 3;

/**
 * Judges every commit of a range, oldest first, with one `git log`. Merges and the like pass as the linter lets them.
 *
 * @param commonDir of the repository, to see whether its history is cut
 * @throws OxideError `unknown-revision`; `shallow-history` when commits of the range may be missing here, which must
 *   not pass for "nothing wrong"
 */
export async function lintRange(
  git: Git,
  commonDir: string,
  range: CommitRange,
  linter: Linter,
): Promise<LintedMessage[]> {
  const shallow = readShallowCommits(commonDir);
  const revisions = range.from === null ? [range.to] : [range.to, `^${range.from}`];
  const args = ['log', '-z', '--reverse', '--no-decorate', '--no-color', '--format=%H%n%B', '--end-of-options'];
  const output = await git.run([...args, ...revisions, '--'], { timeout, maxOutput });
  if (output.exitCode !== 0) {
    const isUnknown = /unknown revision|bad revision|bad object|ambiguous argument/.test(output.stderr);
    throw isUnknown ? unknownRevision(range, shallow.size > 0) : gitFailure(args, output);
  }
  const linted: LintedMessage[] = [];
  for (const { oid, message } of commits(output.stdout)) {
    if (shallow.has(oid)) {
      throw shallowHistory(oid);
    }
    linted.push(await lintWith(linter, message, { oid, file: null }));
  }
  return linted;
}

function* commits(log: Buffer): Generator<{ readonly oid: string; readonly message: string }> {
  for (let start = 0; start < log.length; ) {
    const nul = log.indexOf(0, start);
    const end = nul === -1 ? log.length : nul;
    const record = log.toString('utf8', start, end);
    const newline = record.indexOf('\n');
    yield { oid: record.slice(0, newline), message: record.slice(newline + 1) };
    start = end + 1;
  }
}

const fetchAll = 'git fetch --unshallow   (in GitHub Actions: actions/checkout with fetch-depth: 0)';

function shallowHistory(oid: string): OxideError {
  return new OxideError(
    'shallow-history',
    `This clone's history is cut off at ${oid.slice(0, 10)}, so commits of the range are missing and can't be checked.`,
    { remedy: fetchAll, exitCode: ExitCode.usage },
  );
}

function unknownRevision({ from, to }: CommitRange, isShallow: boolean): OxideError {
  const names = from === null ? `'${to}'` : `'${from}' or '${to}'`;
  return isShallow
    ? new OxideError('unknown-revision', `${names} is not in this clone, whose history is cut off (shallow).`, {
        remedy: fetchAll,
        exitCode: ExitCode.usage,
      })
    : new OxideError('unknown-revision', `${names} is no revision of this repository.`, {
        remedy: 'git log --oneline --all',
        exitCode: ExitCode.usage,
      });
}
