import type { Git } from '../runner.ts';
import type { Ancestry } from './ancestry.ts';
import { type CommitList, parseSummaries, summaryFormat } from './commit.ts';

/** What each of two commits has that the other lacks: `left...right` of gitrevisions(7). */
export interface Divergence {
  readonly left: CommitList;
  readonly right: CommitList;
  /** Is `left` an ancestor of `right`? `no` here means that going from left to right drops `left`'s commits. */
  readonly ancestry: Ancestry;
}

/** Longer differences are counted, but not listed in full. */
const listedCommits = 500;

/**
 * One process gives ancestry and both sides' commits (two where more than 500 commits differ).
 *
 * @param left, right object names
 * @returns null where one of them is not a commit of this repository, or its history can't be walked
 */
export async function readDivergence(
  git: Git,
  left: string,
  right: string,
  shallowCommits: ReadonlySet<string>,
): Promise<Divergence | null> {
  const output = await git.run(divergenceArguments(left, right));
  if (output.exitCode !== 0) {
    return null;
  }
  const commits = parseMarkedSummaries(output.stdout.toString('utf8'));
  const isWhole = commits.length <= listedCommits;
  const listed = {
    left: commits.filter(({ mark }) => mark === '<'),
    right: commits.filter(({ mark }) => mark === '>'),
  };
  const totals = isWhole
    ? { left: listed.left.length, right: listed.right.length }
    : await countSides(git, left, right);
  const mayMeetCut = shallowCommits.size > 0 && (!isWhole || listed.right.some(({ oid }) => shallowCommits.has(oid)));
  return {
    left: { commits: listed.left.map(withoutMark), total: totals.left },
    right: { commits: listed.right.map(withoutMark), total: totals.right },
    ancestry: totals.left === 0 ? 'yes' : mayMeetCut ? 'unknown' : 'no',
  };
}

/** The question that {@link readDivergence} asks. */
export function divergenceArguments(left: string, right: string): readonly string[] {
  const format = `--format=%m%x00${summaryFormat}`;
  return ['rev-list', '--left-right', `--max-count=${listedCommits + 1}`, format, `${left}...${right}`, '--'];
}

async function countSides(
  git: Git,
  left: string,
  right: string,
): Promise<{ readonly left: number; readonly right: number }> {
  const text = await git.text(['rev-list', '--left-right', '--count', `${left}...${right}`, '--']);
  const [onlyLeft, onlyRight] = text.split(/\s/);
  return { left: Number(onlyLeft), right: Number(onlyRight) };
}

function parseMarkedSummaries(text: string) {
  return text.split('\n').flatMap((line) => {
    const end = line.indexOf('\0');
    return end === -1
      ? []
      : parseSummaries(line.slice(end + 1)).map((commit) => ({ ...commit, mark: line.slice(0, end) }));
  });
}

function withoutMark<Commit extends { readonly mark: string }>({ mark: _, ...commit }: Commit): Omit<Commit, 'mark'> {
  return commit;
}
