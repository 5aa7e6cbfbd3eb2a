import type { Repository } from '../../../git/repository.ts';
import { withUpstreamNamed } from '../../../git/settings/upstreams.ts';
import { textOf } from '../../git-command/words.ts';
import type { RewriteRange } from '../../intent.ts';

/** A branch that is put on an upstream whose reflog may tell what it has had once. */
export interface ForkingRebase {
  /** By the name of a ref: only that has a reflog. */
  readonly upstream: string;
  /** Where that stands. */
  readonly tip: string;
}

/** What commits of an upstream that was overwritten a rebase leaves out, for having been published once. */
export interface Forked {
  /** The last commit that the upstream once had. */
  readonly fork: string;
  /** Of those which it has no more the ones that it has in another form. */
  readonly rewritten: ReadonlySet<string>;
}

/** Does `git rebase` look for the fork point? Null: it does not. git-rebase(1) "--fork-point". */
export async function forkingRebase(
  { forkPoint, branch, start }: RewriteRange,
  repository: Repository,
): Promise<ForkingRebase | null> {
  if (forkPoint === undefined || branch === 'containing') {
    return null;
  }
  if (forkPoint === 'as configured' && !(await repository.config()).getBoolean('rebase.forkpoint', true)) {
    return null;
  }
  const given = start.kind === 'upstream' ? '@{upstream}' : start.kind === 'after' ? textOf(start.commit) : null;
  const upstream = given === null ? null : await withUpstreamNamed(given, repository);
  const tip = upstream === null ? null : await repository.resolve(`${upstream}^{commit}`);
  return upstream === null || tip === null ? null : { upstream, tip };
}

/**
 * Where a branch has forked off, if what is behind that is no longer in the upstream. git-merge-base(1) "DISCUSSION ON
 * FORK-POINT MODE".
 *
 * @param from the tip of the branch
 */
export async function forkedFrom(
  { upstream, tip }: ForkingRebase,
  from: string,
  repository: Repository,
): Promise<Forked | null> {
  const { stdout } = await repository.git.run(['merge-base', '--fork-point', upstream, from]);
  const fork = stdout.toString('utf8').trim();
  return fork === '' || (await repository.isAncestor(fork, tip)) !== 'no'
    ? null
    : { fork, rewritten: await rewrittenCommits(tip, fork, repository) };
}

/**
 * Those that the upstream has in another form: with the same changes, or of the same moment, author and subject, as it is
 * after a rebase or an amendment.
 */
async function rewrittenCommits(tip: string, fork: string, repository: Repository): Promise<ReadonlySet<string>> {
  const list = ['log', '--left-right', '--cherry-mark', '--no-merges', '--format=%m %H %at %ae %s', `${tip}...${fork}`];
  const { stdout } = await repository.git.run(list);
  const lines = stdout
    .toString('utf8')
    .split('\n')
    .map((line) => /^(\S) (\S+) (.*)$/.exec(line) ?? []);
  const theirs = new Set(
    lines.flatMap(([, side, , written]) => (side === '<' && written !== undefined ? [written] : [])),
  );
  return new Set(
    lines.flatMap(([, side, oid = '', written = '']) =>
      side === '=' || (side === '>' && theirs.has(written)) ? [oid] : [],
    ),
  );
}
