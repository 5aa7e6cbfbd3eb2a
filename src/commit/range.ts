import { ExitCode, OxideError } from '../errors.ts';
import { gitFailure } from '../git/git-failure.ts';
import { readShallowCommits } from '../git/history/shallow.ts';
import { resolveRevisions } from '../git/refs/revision.ts';
import type { Git } from '../git/runner.ts';
import { type LintedMessage, lintWith } from './linted-message.ts';
import type { Linter } from './linter.ts';

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
  await requireCommits(git, range, shallow.size > 0);
  const revisions = range.from === null ? [range.to] : [range.to, `^${range.from}`];
  const args = ['log', '-z', '--reverse', '--no-decorate', '--no-color', '--format=%H%n%B', '--end-of-options'];
  const linted: (LintedMessage | Promise<LintedMessage>)[] = [];
  const records = new Records();
  const judge = (record: string): void => {
    const newline = record.indexOf('\n');
    linted.push(lintCommit(linter, record.slice(0, newline), record.slice(newline + 1)));
  };
  // Messages are judged while git still writes the following ones.
  const onOutput = (chunk: Buffer): void => records.add(chunk).forEach(judge);
  const output = await git.run([...args, ...revisions, '--'], { timeout, maxOutput, onOutput });
  if (output.exitCode !== 0) {
    throw gitFailure(args, output);
  }
  records.rest().forEach(judge);
  const judged = await Promise.all(linted);
  const cut = shallow.size === 0 ? undefined : judged.find(({ oid }) => oid !== null && shallow.has(oid));
  if (cut?.oid) {
    throw shallowHistory(cut.oid);
  }
  return judged;
}

function lintCommit(linter: Linter, oid: string, message: string): LintedMessage | Promise<LintedMessage> {
  const report = linter.lint(message);
  return report instanceof Promise || report.problems.length > 0
    ? lintWith(linter, message, { oid, file: null })
    : { oid, file: null, message, report, suggestion: null };
}

/** Cuts a stream into what stands between NUL characters. */
class Records {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #rest = '';

  add(chunk: Buffer): string[] {
    const records = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split('\0');
    this.#rest = records.pop() ?? '';
    return records;
  }

  /** What follows the last NUL: one record, or none. */
  rest(): string[] {
    const last = this.#rest + this.#decoder.decode();
    return last === '' ? [] : [last];
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

/** git takes a tree for an end of a range too, and then says nothing about what it left out. */
async function requireCommits(git: Git, { from, to }: CommitRange, isShallow: boolean): Promise<void> {
  const ends = from === null ? [to] : [from, to];
  const found = await resolveRevisions(
    git,
    ends.map((end) => `${end}^{commit}`),
  );
  const unknown = ends.find((end) => end === '' || found.get(`${end}^{commit}`) == null);
  if (unknown !== undefined) {
    throw unknownRevision(unknown, isShallow);
  }
}

function unknownRevision(name: string, isShallow: boolean): OxideError {
  return isShallow
    ? new OxideError('unknown-revision', `'${name}' is not in this clone, whose history is cut off (shallow).`, {
        remedy: fetchAll,
        exitCode: ExitCode.usage,
      })
    : new OxideError('unknown-revision', `'${name}' is no commit of this repository.`, {
        remedy: 'git log --oneline --all',
        exitCode: ExitCode.usage,
      });
}
