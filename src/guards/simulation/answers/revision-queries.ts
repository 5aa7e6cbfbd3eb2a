import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';
import { madeBelow } from '../refs/made-commits.ts';
import { namedByOutput } from './printed-revisions.ts';

/** Subcommands that print the names of commits and tags, and nothing else where {@link namedByOutput} says so. */
const printing = new Set(['rev-parse', 'rev-list', 'merge-base', 'log', 'describe', 'name-rev']);
/** Options that choose and name commits, and nothing else. */
const choosing = new Set(
  [
    'all branches tags remotes glob exclude not verify quiet short abbrev no-abbrev abbrev-ref symbolic-full-name',
    'max-count skip format pretty oneline no-patch reverse merges no-merges min-parents max-parents first-parent',
    'author committer grep since after until before topo-order date-order author-date-order ancestry-path no-walk',
    'octopus independent fork-point match always exact-match contains long candidates name-only',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Other options may write a file, read standard input or, as `-S` with a `textconv` that the repository configures, start a
 * program: what is judged may not happen in the judging.
 */
function onlyChooses(word: string): boolean {
  const name = /^--([a-z-]+)(?:=|$)/.exec(word)?.[1];
  return name === undefined ? /^(?!-)|^-(?:-|\d+|n\d*|[aiqsEF])$/.test(word) : choosing.has(name);
}

/** Could the answer to this question be one commit or tag, that git can be asked for beforehand? */
export function isRevisionQuery(words: readonly string[]): boolean {
  const names = printing.has(words[0] ?? '') ? namedByOutput(words, '')?.names : undefined;
  // `git rev-parse WORD`: that it names something is what its judge finds out.
  const isParsed = words[0] === 'rev-parse' && words.length === 2 && !(words[1] ?? '-').startsWith('-');
  return (isParsed || names === 'revisions' || names === 'commits' || names === 'tags') && words.every(onlyChooses);
}

/**
 * What git will print, where that is one name; null where it prints several, or where the line has moved what the
 * answer depends on.
 *
 * @param repository as it is
 * @param after as the line leaves it
 */
export async function revisionAnswer(
  words: readonly string[],
  overlay: Overlay,
  repository: Repository,
  after: Repository,
): Promise<string | null> {
  const operands = words.slice(1).filter((word) => !/^(?:--verify|--quiet|-q)$/.test(word));
  const [revision = ''] = operands;
  if (words[0] === 'rev-parse' && operands.length === 1 && !revision.startsWith('-')) {
    const isMade = (await madeBelow(revision, overlay.made, after)).length > 0;
    return isMade ? null : after.resolve(revision);
  }
  const isMoved = overlay.head !== null || overlay.refs.size > 0 || !overlay.made.isEmpty;
  if (isMoved || overlay.fetchHead !== undefined) {
    return null;
  }
  const { exitCode, stdout } = await repository.git.run(words);
  const [answer = '', ...others] = stdout.toString('utf8').trim().split('\n');
  return exitCode === 0 && others.length === 0 && answer !== '' ? answer : null;
}
