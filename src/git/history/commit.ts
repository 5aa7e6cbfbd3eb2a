import { gitFailure } from '../git-failure.ts';
import type { Git } from '../runner.ts';

/** A commit as evidence shows it. */
export interface CommitSummary {
  /** Full object name, 40 or 64 hexadecimal digits. */
  readonly oid: string;
  readonly subject: string;
  readonly author: string;
  /** Author date, ISO 8601. */
  readonly date: string;
}

/** Commits that are at stake: the newest ones by name, and how many there are in all. */
export interface CommitList {
  readonly commits: readonly CommitSummary[];
  readonly total: number;
}

export const noCommits: CommitList = { commits: [], total: 0 };

/** One line a commit; parsed by {@link parseSummaries}. */
export const summaryFormat = '%H%x00%an%x00%aI%x00%s';

/**
 * Lists commits reachable from `tips` and from none of `except`, newest first, in one process (two where there are
 * more than `limit`).
 *
 * @param tips revisions
 * @param except revisions, or rev-list options that name some (`--remotes=origin`, `--all`)
 * @param limit how many to list; the total is exact all the same
 * @throws OxideError `git-failed` when a revision does not exist
 */
export async function readCommits(
  git: Git,
  tips: readonly string[],
  except: readonly string[],
  limit: number,
): Promise<CommitList> {
  if (tips.length === 0) {
    return noCommits;
  }
  const range = rangeOf(tips, except);
  const args = ['rev-list', `--max-count=${limit + 1}`, `--format=${summaryFormat}`, ...range.options, '--stdin'];
  const output = await git.run(args, { input: range.input });
  if (output.exitCode !== 0) {
    throw gitFailure(args, output);
  }
  const commits = parseSummaries(output.stdout.toString('utf8'));
  const total = commits.length <= limit ? commits.length : await countCommits(git, tips, except);
  return { commits: commits.slice(0, limit), total };
}

/** How many commits are reachable from `tips` and from none of `except`. */
export async function countCommits(git: Git, tips: readonly string[], except: readonly string[]): Promise<number> {
  const range = rangeOf(tips, except);
  return Number(await git.text(['rev-list', '--count', ...range.options, '--stdin'], { input: range.input }));
}

/**
 * Options go on the command line (git reads them from its input only since 2.42), revisions to the input: there may
 * be thousands.
 */
function rangeOf(tips: readonly string[], except: readonly string[]): { options: readonly string[]; input: string } {
  const options = except.filter((word) => word.startsWith('-'));
  const excluded = except.filter((word) => !word.startsWith('-')).map((revision) => `^${revision}`);
  return {
    options: options.length === 0 ? [] : ['--not', ...options, '--not'],
    input: [...tips, ...excluded, ''].join('\n'),
  };
}

/** `rev-list --format` puts a line `commit <oid>` before each; a subject is always one line. */
export function parseSummaries(text: string): readonly CommitSummary[] {
  const commits: CommitSummary[] = [];
  for (const line of text.split('\n')) {
    const [oid, author, date, subject] = line.split('\0');
    if (oid !== undefined && author !== undefined && date !== undefined && subject !== undefined) {
      commits.push({ oid, author, date, subject });
    }
  }
  return commits;
}
