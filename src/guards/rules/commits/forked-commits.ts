import { withUpstreamNamed } from '../../../git/settings/upstreams.ts';
import { quoteWord } from '../../../quote.ts';
import type { Finding } from '../../finding.ts';
import { freeName } from '../../free-name.ts';
import { textOf } from '../../git-command/words.ts';
import type { RewriteIntent, VersionIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { shortName } from '../../wording.ts';
import { pullRebases } from './edits-todo.ts';
import { commitsLeftOut } from './left-out-by-onto.ts';
import { judgeLoss, refNamed } from './lose-commits.ts';

/**
 * Commits that a rebase takes for the upstream's, because its reflog says that it has had them once, and leaves out: after
 * a forced push nothing else may have them. git-merge-base(1) "DISCUSSION ON FORK-POINT MODE".
 */
export async function judgeForkedCommits({ means, range }: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository } = scene;
  if (range === 'head' || range.forkPoint === undefined || range.branch === 'containing') {
    return [];
  }
  const isOff = async () => !(await repository.config()).getBoolean('rebase.forkpoint', true);
  if (range.forkPoint === 'as configured' && (await isOff())) {
    return [];
  }
  const upstream = await upstreamOf(range, scene);
  const tip = upstream === null ? null : await repository.resolve(`${upstream}^{commit}`);
  const named = range.branch === null ? null : ({ namespace: 'refs/heads/', name: range.branch } as const);
  const ref = tip === null ? null : await refNamed(named, scene);
  const from = ref === null ? null : ref === 'HEAD' ? (await repository.head()).oid : await repository.ref(ref);
  if (upstream === null || tip === null || ref === null || from === null || from === tip) {
    return [];
  }
  const { stdout } = await repository.git.run(['merge-base', '--fork-point', upstream, from]);
  const fork = stdout.toString('utf8').trim();
  if (fork === '' || (await repository.isAncestor(fork, tip)) !== 'no') {
    return [];
  }
  const dropped = await commitsLeftOut({ ref, onto: textOf(range.onto) ?? tip, upstream: fork }, repository);
  const rewritten = dropped.total <= 0 ? new Set<string>() : await rewrittenCommits(tip, fork, scene);
  const commits = dropped.commits.filter(({ oid }) => !rewritten.has(oid));
  return judgeLoss(
    { commits, total: dropped.total - (dropped.commits.length - commits.length) },
    {
      means,
      refs: [ref],
      scene,
      suggestion: `git branch ${await freeName('kept-work', repository)} ${quoteWord(shortName(ref))}`,
    },
  );
}

/** The same by a `git pull` that rebases as configured: git-config(1) "pull.rebase". */
export async function judgeForkedPull(
  { operation, rebasesAsConfigured, from }: VersionIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  if (operation !== 'pull' || rebasesAsConfigured !== true || from === undefined) {
    return [];
  }
  const { repository } = scene;
  const [config, head] = [await repository.config(), await repository.head()];
  const mode = pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null);
  const range = { start: from, branch: null, onto: null, anew: false, forkPoint: 'always' } as const;
  return mode === null || /^(?:false|no|off|0)$/i.test(mode)
    ? []
    : judgeForkedCommits({ kind: 'rewrite', means: 'git pull', range }, scene);
}

/** By the name of a ref: only that has a reflog. Null: there is none. */
async function upstreamOf(
  { start }: Exclude<RewriteIntent['range'], 'head'>,
  { repository }: Scene,
): Promise<string | null> {
  const given = start.kind === 'upstream' ? '@{upstream}' : start.kind === 'after' ? textOf(start.commit) : null;
  return given === null ? null : withUpstreamNamed(given, repository);
}

/**
 * Those that the upstream has in another form: with the same changes, or of the same moment, author and subject, as it is
 * after a rebase or an amendment.
 */
async function rewrittenCommits(tip: string, fork: string, { repository }: Scene): Promise<ReadonlySet<string>> {
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
