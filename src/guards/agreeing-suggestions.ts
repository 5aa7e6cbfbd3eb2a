import type { Finding } from './finding.ts';

/**
 * Of several objections to one call each has a proposal of its own, and none may keep what another one is about.
 *
 * @param found of one call of git
 */
export function withAgreeingSuggestions(found: readonly Finding[]): readonly Finding[] {
  return found.length < 2 ? found : found.map((finding) => agreeing(finding, found));
}

function agreeing(finding: Finding, found: readonly Finding[]): Finding {
  const others = found.filter(({ rule, verdict }) => rule !== finding.rule && verdict !== 'allow');
  switch (finding.rule) {
    case 'skip-checks':
      return withoutSkipping(finding, others);
    case 'rewrite-published':
      return keepingWork(finding, others);
    case 'discard-changes':
      return stashingAll(leavingHooks(finding, others), found);
    default:
      return finding;
  }
}

/** What is objected to in a push or a commit itself. */
const aboutHistory = /push|delete|rewrite|lose/;

/** Without the skipping, the message would still be refused, and the push still be forced. */
function withoutSkipping(finding: Finding, others: readonly Finding[]): Finding {
  const other =
    others.find(({ rule, suggestion }) => rule === 'commit-message' && suggestion !== null) ??
    others.find(({ rule }) => aboutHistory.test(rule));
  return other === undefined ? finding : { ...finding, suggestion: other.suggestion };
}

/** `git merge` instead of a rebase overwrites the same files. */
function keepingWork(finding: Finding, others: readonly Finding[]): Finding {
  const kept = others.find(({ rule }) => rule === 'discard-changes')?.suggestion ?? null;
  return kept === null || kept.includes('   #') || finding.suggestion === null || !finding.suggestion.startsWith('git ')
    ? finding
    : { ...finding, suggestion: `${kept} && ${finding.suggestion}` };
}

/** A stash of ignored files would take husky's hooks along, too. */
function leavingHooks(finding: Finding, others: readonly Finding[]): Finding {
  const other = others.find(({ rule }) => rule === 'skip-checks');
  const takesHooks = finding.suggestion?.startsWith('git stash push --all ') === true;
  return other === undefined || !takesHooks ? finding : { ...finding, suggestion: other.suggestion };
}

/** Of tracked and untracked files, named by the same words, `git stash push -- DIR src` refuses untracked ones. */
function stashingAll(finding: Finding, found: readonly Finding[]): Finding {
  const plain = 'git stash push -- ';
  const options = found.flatMap(
    ({ suggestion }) => /^git stash push (--include-untracked|--all) -- /.exec(suggestion ?? '')?.[1] ?? [],
  );
  const [option] = options;
  return option === undefined || finding.suggestion?.startsWith(plain) !== true
    ? finding
    : { ...finding, suggestion: `git stash push ${option} -- ${finding.suggestion.slice(plain.length)}` };
}
