import type { CommitSummary } from '../../../git/history/commit.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import { type Finding, findings } from '../../finding.ts';
import { isUnknown, pasted, textOf, textsOf } from '../../git-command/words.ts';
import type { GrowIntent, RewriteIntent, RewriteRange } from '../../intent.ts';
import { protectedTrackingRefs } from '../../protected-refs.ts';
import { isProtected } from '../../protection.ts';
import type { Scene } from '../../scene.ts';
import { madeCommit } from '../../simulation/refs/made-commit.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { count, nameCommits } from '../../wording.ts';
import { unreadable } from '../unreadable-command.ts';
import { refsLost } from './lose-commits.ts';
import { replacedCommits, type Standing } from './replaced-history.ts';

/** Commits that a protected branch of a remote already has and that the command would replace by others. */
export async function judgeRewrite(intent: RewriteIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay, policy } = scene;
  const { means, range } = intent;
  if (range === 'head' && (await madeBelow('HEAD', overlay.made, repository)).length > 0) {
    return [];
  }
  const branch = await rewrittenBranch(range, scene);
  const published = branch === null ? [] : await publishedRefs(scene);
  const tip = branch === null ? null : await repository.resolve(branch);
  if (branch === null || published.length === 0 || tip === null) {
    return [];
  }
  if (range !== 'head' && range.start.kind === 'after' && isUnknown(range.start.commit) && isUnknown(range.onto)) {
    return unreadable(policy, {
      source: range.start.commit.source,
      reason: range.start.commit.reason,
      could: `a commit from which on ${means} replaces what a protected branch has published`,
    });
  }
  const isUnpublishedHead = async () => (await repository.commits([tip], published)).total > 0;
  if (range === 'head' && (await isUnpublishedHead())) {
    return [];
  }
  const isPicked = range !== 'head' && (await staysAsPicked(intent, range, tip, scene));
  const except = isPicked ? null : await keptBelow(range, { branch, tip }, scene);
  if (except === null) {
    return [];
  }
  return judgeReplaced({ branch, tip, except, published }, scene, async (replaced) => ({
    does: `${means} would replace`,
    suggestion: range === 'head' ? await insteadOfAmend(scene) : await insteadOfRebase(range, replaced, scene),
  }));
}

/** What the rewritten commits end with, what of it stays as it is, and what has been published of it. */
interface Rewritten {
  /** Short. */
  readonly branch: string;
  readonly tip: string;
  readonly except: readonly string[];
  readonly published: readonly string[];
}

/** @param say of the commits that are replaced, the newest first */
async function judgeReplaced(
  { branch, tip, except, published }: Rewritten,
  { repository, policy, overlay }: Scene,
  say: (replaced: readonly CommitSummary[]) => Promise<{ readonly does: string; readonly suggestion: string }>,
): Promise<readonly Finding[]> {
  const all = await repository.commits([tip], except);
  const kept = await repository.commits([tip], [...except, ...published]);
  const replaced = all.total - kept.total;
  if (replaced <= 0) {
    return [];
  }
  const { does, suggestion } = await say(all.commits);
  const ref = `refs/heads/${branch}`;
  return findings('rewrite-published', policy, {
    message: `${does} ${count(replaced, 'commit')} that a protected branch has published: ${nameCommits({ commits: all.commits.slice(-1), total: replaced })}.`,
    evidence: { commits: all.commits, refs: published },
    suggestion,
    loss: overlay.made.on(ref).length > 0 ? undefined : refsLost([ref], { repository }),
  });
}

const anotherCommit = 'Leave the published commits as they are, and put a new commit on top of them.';

/** What is staged becomes a commit of its own; nothing else says another thing of the one that is there. */
async function insteadOfAmend({ repository, overlay }: Scene): Promise<string> {
  const isStagedNow = (await repository.status()).some(({ index }) => index !== '.' && index !== '?' && index !== '!');
  return isStagedNow || overlay.index.size > 0 ? 'git commit' : anotherCommit;
}

/** What was changed before the line becomes a commit on top of those that the line would take apart. */
async function onTop(repository: Repository): Promise<string> {
  const changed = (await asOpened(repository).status()).filter(({ index }) => index !== '!' && index !== '?');
  const isStaged = changed.some(({ index }) => index !== '.');
  return changed.length === 0 ? anotherCommit : isStaged ? 'git commit' : 'git commit --all';
}

/** A merge brings in what the rebase would; commits that are left out are taken back by others. */
async function insteadOfRebase(
  { start, onto, anew }: RewriteRange,
  commits: readonly CommitSummary[],
  { repository }: Scene,
): Promise<string> {
  const first = commits.at(-1)?.oid ?? 'HEAD';
  const base = textOf(onto);
  const isBelow = base !== null && (await repository.isAncestor(base, 'HEAD')) === 'yes';
  if (anew) {
    return anotherCommit;
  }
  if (isBelow) {
    return reverting(first.slice(0, 12), first, repository);
  }
  if (base !== null) {
    return `git merge ${quoteWord(base)}`;
  }
  return `git merge ${start.kind === 'after' ? pasted(start.commit) : '@{upstream}'}`;
}

/** git-revert(1) "--mainline": of a merge it has to be told which side stays. */
async function reverting(name: string, commit: string, repository: Repository): Promise<string> {
  const isMerge = (await repository.resolve(`${commit}^2`)) !== null;
  return `git revert ${isMerge ? '-m 1 ' : ''}${name}`;
}

/**
 * `git reset HEAD~1 && git commit` is `git commit --amend` by other words: what comes onto a branch that has gone back
 * takes the place of what it had there.
 *
 * @param merge by which something comes onto it; absent: a commit does
 */
export async function judgeCommittedAgain(scene: Scene, merge?: GrowIntent): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const head = await repository.head();
  const stood = head.kind === 'branch' ? overlay.shared.stood.get(head.ref) : undefined;
  const after = stood === undefined ? null : await standingAfter(merge, scene);
  const branch = after === null ? null : await rewrittenBranch('head', scene);
  if (head.kind !== 'branch' || stood === undefined || after === null || branch === null) {
    return [];
  }
  const published = await publishedRefs(scene);
  const { commits, total } = await replacedCommits([...stood], after, published, scene);
  const [newest] = commits;
  return newest === undefined
    ? []
    : findings('rewrite-published', scene.policy, {
        message: `This commit would replace ${count(total, 'commit')} that a protected branch has published: ${nameCommits({ commits: commits.slice(-1), total })}.`,
        evidence: { commits, refs: published },
        suggestion: merge === undefined ? await onTop(repository) : await reverting('HEAD', newest.oid, repository),
        loss: overlay.made.on(head.ref).length > 0 ? undefined : refsLost([head.ref], { repository }),
      });
}

/** What is checked out, with another commit on it or what is merged; null: it isn't known what that is. */
async function standingAfter(merge: GrowIntent | undefined, scene: Scene): Promise<Standing | null> {
  const { repository, overlay } = scene;
  const { oid: base } = await repository.head();
  const made = await madeBelow('HEAD', overlay.made, repository);
  const sources = merge === undefined ? [] : textsOf(merge.commits);
  if (merge === undefined || sources === null) {
    return sources === null ? null : { base, made: [...made, madeCommit(true)] };
  }
  const oids = await Promise.all(sources.map((name) => repository.resolve(`${name}^{commit}`)));
  const below = await Promise.all(sources.map((name) => madeBelow(name, overlay.made, repository)));
  if (oids.some((oid, at) => oid === null && below[at]?.length === 0)) {
    return null;
  }
  const others = oids.flatMap((oid) => oid ?? []);
  const [only = null] = others;
  const isOne = merge.fastForwards && sources.length === 1 && made.length === 0 && base !== null && only !== null;
  const follows = isOne && (await repository.isAncestor(base, only)) === 'yes';
  return follows ? { base: only, made: below.flat() } : { base, made: [...made, ...below.flat()], others };
}

/** A branch whose commits become others, and that is protected or whose upstream is: others may have its commits. */
async function rewrittenBranch(range: RewriteIntent['range'], scene: Scene): Promise<string | null> {
  const { repository } = scene;
  const named = range === 'head' ? null : range.branch;
  const first = range !== 'head' && range.start.kind === 'at' ? textOf(range.start.commit) : null;
  if (named !== 'containing' || first === null) {
    const head = await repository.head();
    const branch = named === 'containing' ? null : textOf(named);
    const [found = null] = await protectedAmong([branch ?? (head.kind === 'branch' ? head.branch : '')], scene);
    return found;
  }
  const oid = await repository.resolve(`${first}^{commit}`);
  const local = [...(await repository.refs()).keys()].filter((ref) => ref.startsWith('refs/heads/'));
  for (const branch of oid === null ? [] : await protectedAmong(local.map(shortBranchName), scene)) {
    if ((await repository.isAncestor(oid ?? '', `refs/heads/${branch}`)) === 'yes') {
      return branch;
    }
  }
  return null;
}

/** Those that are protected branches, or whose upstreams are. */
async function protectedAmong(branches: readonly string[], { repository, policy }: Scene): Promise<readonly string[]> {
  const config = await repository.config();
  const defaults = await Promise.all(
    config.subsections('remote').map((remote) => repository.remoteDefaultBranch(remote)),
  );
  return branches.filter((branch) =>
    [branch, config.get(`branch.${branch}.merge`)]
      .flatMap((name) => (name === null ? [] : shortBranchName(name)))
      .some((name) => [null, ...defaults].some((main) => isProtected(name, policy, main))),
  );
}

/** Where a remote's protected branches are remembered. */
async function publishedRefs({ repository, policy }: Scene): Promise<readonly string[]> {
  return (await protectedTrackingRefs(repository, policy)).map(({ ref }) => ref);
}

/** The commits under the branch that stay as they are, with all below them; null: nothing becomes another. */
async function keptBelow(
  range: RewriteIntent['range'],
  { branch, tip }: Pick<Rewritten, 'branch' | 'tip'>,
  { repository, overlay }: Scene,
): Promise<readonly string[] | null> {
  if (range === 'head') {
    // Of a merge, what it has merged stays as well.
    return [`${tip}^@`];
  }
  const { start, onto, anew } = range;
  // Which commit it is may not be known: then it may be the first.
  if (start.kind === 'root' || (start.kind === 'at' && isUnknown(start.commit))) {
    return [];
  }
  const named = start.kind === 'upstream' ? '@{upstream}' : textOf(start.commit);
  const first = await repository.resolve(`${named ?? '@{upstream}'}^{commit}`);
  if (first === null || start.kind === 'at') {
    return first === null ? null : parentOf(first, repository);
  }
  const newBase = textOf(onto);
  const base = newBase === null ? first : await repository.resolve(`${newBase}^{commit}`);
  // Rebasing onto what is already below leaves the commits as they are, unless they are edited or made anew.
  const isBelow = first === base && (await repository.isAncestor(first, tip)) === 'yes';
  if (isBelow && !anew && (range.keepsMerges === true || !(await hasMerges(first, tip, repository)))) {
    return null;
  }
  if (newBase === null || first === base) {
    return [first];
  }
  const isRoot = base === null && (await madeBelow(newBase, overlay.made, repository)).length > 0;
  // With nothing to pick, the branch only goes to another commit.
  const isMade = overlay.made.on(`refs/heads/${branch}`).length > 0;
  const picks = async () => isMade || (await repository.commits([tip], [first])).total > 0;
  return isRoot ? [] : base !== null && (await picks()) ? [base] : null;
}

/** Without them it is a line of commits, which git leaves as it is; of merges a rebase makes one: git-rebase(1). */
async function hasMerges(first: string, tip: string, { git }: Repository): Promise<boolean> {
  return (await git.text(['rev-list', '--max-count=1', '--min-parents=2', tip, `^${first}`])) !== '';
}

/**
 * `git rebase --exec 'npm test' HEAD~3`: each commit is picked onto the one that it stands on, and git leaves it as it is.
 * What is merged on the way, and what is written for another commit (rebase.autoSquash), becomes another one.
 */
async function staysAsPicked(
  { editsList }: RewriteIntent,
  { start, onto, picks }: RewriteRange,
  tip: string,
  { repository, command }: Scene,
): Promise<boolean> {
  const editor = textOf(command.env.get('GIT_SEQUENCE_EDITOR'));
  const isEdited = editsList === true && (editor === null || !/^(?::|true|cat)$/.test(editor));
  const base = start.kind === 'after' ? textOf(start.commit) : null;
  if (picks !== true || isEdited || onto !== null || base === null) {
    return false;
  }
  const first = await repository.resolve(`${base}^{commit}`);
  if (first === null || (await repository.isAncestor(first, tip)) !== 'yes') {
    return false;
  }
  const { commits, total } = await repository.commits([tip], [first]);
  if (total > commits.length || commits.some(isForAnother)) {
    return false;
  }
  const merged = await repository.resolveAll(commits.map(({ oid }) => `${oid}^2`));
  return [...merged.values()].every((object) => object === null);
}

function isForAnother({ subject }: CommitSummary): boolean {
  return /^(?:fixup|squash|amend)! /.test(subject);
}

async function parentOf(commit: string, repository: Repository): Promise<readonly string[]> {
  const parent = await repository.resolve(`${commit}^`);
  return parent === null ? [] : [parent];
}
