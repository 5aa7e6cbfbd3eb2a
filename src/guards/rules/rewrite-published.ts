import type { CommitSummary } from '../../git/commit.ts';
import { shortBranchName } from '../../git/refspec.ts';
import type { Repository } from '../../git/repository.ts';
import { type Finding, findings } from '../finding.ts';
import { shown, textOf } from '../git-command/words.ts';
import type { RewriteIntent } from '../intent.ts';
import { isProtected } from '../protection.ts';
import type { Scene } from '../scene.ts';
import { madeBelow } from '../simulation/made-commits.ts';
import { count, nameCommits } from '../wording.ts';

/** Commits that a protected branch of a remote already has and that the command would replace by others. */
export async function judgeRewrite(intent: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy, overlay } = scene;
  if (intent.range === 'head' && (await madeBelow('HEAD', overlay.made, repository)).length > 0) {
    return [];
  }
  const published = (await leadsToProtected(intent, scene)) ? await protectedTrackingRefs(scene) : [];
  const tip = await tipOf(intent, repository);
  if (published.length === 0 || tip === null) {
    return [];
  }
  const isUnpublishedHead = async () => (await repository.commits([tip], published)).total > 0;
  if (intent.range === 'head' && (await isUnpublishedHead())) {
    return [];
  }
  const rewritten = await rewrittenCommits(intent, tip, repository);
  if (rewritten === null) {
    return [];
  }
  const all = await repository.commits([tip], rewritten.except);
  const kept = await repository.commits([tip], [...rewritten.except, ...published]);
  const replaced = all.total - kept.total;
  if (replaced <= 0) {
    return [];
  }
  return findings('rewrite-published', policy, {
    message: `${intent.means} would replace ${count(replaced, 'commit')} that a protected branch has published: ${nameCommits({ commits: all.commits.slice(-1), total: replaced })}.`,
    evidence: { commits: all.commits, refs: published },
    suggestion: intent.range === 'head' ? 'git commit' : insteadOfRebase(intent.range, all.commits),
  });
}

/** A merge brings in what the rebase would; commits that are edited are taken back by others. */
function insteadOfRebase(
  { upstream, anew }: Exclude<RewriteIntent['range'], 'head'>,
  commits: readonly CommitSummary[],
): string {
  const first = commits.at(-1)?.oid.slice(0, 12) ?? 'HEAD';
  return anew ? `git revert ${first}` : `git merge ${upstream === null ? '@{upstream}' : shown(upstream)}`;
}

/** `git reset --soft HEAD~1 && git commit` is `git commit --amend` by other words. */
export async function judgeCommittedAgain(scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy, overlay } = scene;
  const { undone } = overlay;
  if (undone === null || !(await leadsToProtected({ range: 'head' }, scene))) {
    return [];
  }
  const published = await protectedTrackingRefs(scene);
  const head = (await repository.head()).oid;
  const all = await repository.commits([undone], head === null ? [] : [head]);
  const kept = await repository.commits([undone], [...(head === null ? [] : [head]), ...published]);
  const replaced = all.total - kept.total;
  return findings(
    'rewrite-published',
    policy,
    replaced <= 0
      ? null
      : {
          message: `This commit would replace ${count(replaced, 'commit')} that a protected branch has published: ${nameCommits({ commits: all.commits.slice(-1), total: replaced })}.`,
          evidence: { commits: all.commits, refs: published },
          suggestion: 'git revert HEAD',
        },
  );
}

/** Is the branch that is rewritten a protected one, or its upstream? Others may have commits of a protected one anew. */
async function leadsToProtected(
  { range }: Pick<RewriteIntent, 'range'>,
  { repository, policy }: Scene,
): Promise<boolean> {
  const head = await repository.head();
  const branch = (range === 'head' ? null : textOf(range.branch)) ?? (head.kind === 'branch' ? head.branch : null);
  const config = await repository.config();
  const upstream = branch === null ? null : config.get(`branch.${branch}.merge`);
  const names = [branch, upstream].flatMap((name) => (name === null ? [] : shortBranchName(name)));
  const defaults = await Promise.all(
    config.subsections('remote').map((remote) => repository.remoteDefaultBranch(remote)),
  );
  return names.some((name) => [null, ...defaults].some((main) => isProtected(name, policy, main)));
}

/** Remote-tracking branches of protected branches. */
async function protectedTrackingRefs({ repository, policy }: Scene): Promise<readonly string[]> {
  const remotes = (await repository.config()).subsections('remote');
  const refs = await repository.refs();
  const found: string[] = [];
  for (const remote of remotes) {
    const prefix = `refs/remotes/${remote}/`;
    const defaultBranch = await repository.remoteDefaultBranch(remote);
    for (const name of refs.keys()) {
      const branch = name.slice(prefix.length);
      if (name.startsWith(prefix) && branch !== 'HEAD' && isProtected(branch, policy, defaultBranch)) {
        found.push(name);
      }
    }
  }
  return found;
}

async function tipOf({ range }: RewriteIntent, repository: Repository): Promise<string | null> {
  const branch = range === 'head' ? null : textOf(range.branch);
  return repository.resolve(branch ?? 'HEAD');
}

async function rewrittenCommits({ range, means }: RewriteIntent, tip: string, repository: Repository) {
  if (range === 'head') {
    const parent = await repository.resolve(`${tip}^`);
    return { except: parent === null ? [] : [parent] };
  }
  const upstream = means.endsWith('--root') ? null : await upstreamOf(textOf(range.upstream), repository);
  if (upstream === null && !means.endsWith('--root')) {
    return null;
  }
  const except = upstream === null ? [] : [upstream];
  const onto = textOf(range.onto);
  const base = onto === null ? upstream : await repository.resolve(`${onto}^{commit}`);
  // Rebasing onto what is already below leaves the commits as they are, unless they are edited or made anew.
  const stays = base !== null && upstream === base && (await repository.isAncestor(base, tip)) === 'yes';
  return stays && !range.anew ? null : { except };
}

async function upstreamOf(upstream: string | null, repository: Repository): Promise<string | null> {
  return repository.resolve(`${upstream ?? '@{upstream}'}^{commit}`);
}
