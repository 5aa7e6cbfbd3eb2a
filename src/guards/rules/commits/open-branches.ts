import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import type { Finding } from '../../finding.ts';
import { isUnknown, shown, textOf, type UnknownWord } from '../../git-command/words.ts';
import type { MoveRefIntent, PushIntent } from '../../intent.ts';
import { isProtected } from '../../protection.ts';
import type { Scene } from '../../scene.ts';
import { asWritten } from '../../simulation/overlay.ts';
import { type OpenBranch, openBranches } from '../../simulation/refs/open-head.ts';
import { judgeCommandedPush } from '../pushes/commanded-push.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeLoss } from './lose-commits.ts';

/** More branches than these are looked at together, as if all of them moved. */
const maximumApart = 8;

/**
 * A push where what is checked out can't be known (`git checkout "$BRANCH" && git push`): asked about where it would
 * change a protected branch if that one were checked out.
 *
 * @param openSwitch the word that says what is checked out
 */
export async function judgeOpenPush(
  intent: PushIntent,
  openSwitch: UnknownWord,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { policy, repository, overlay } = scene;
  if (intent.request.dryRun) {
    return [];
  }
  const defaults = await defaultBranches(scene);
  const branches = await openBranches(overlay, repository, (branch) =>
    [null, ...defaults].some((one) => isProtected(branch, policy, one)),
  );
  for (const branch of branches) {
    const found = await judgeCommandedPush(intent, { ...scene, repository: branch.repository });
    if (found.some(({ rule, evidence }) => rule.startsWith('protected-') && evidence.refs.includes(branch.ref))) {
      const could = intent.request.force ? 'a protected branch, overwritten or deleted' : 'a protected branch';
      return unreadable(policy, { source: shown(openSwitch), reason: openSwitch.reason, could });
    }
  }
  return [];
}

async function defaultBranches({ repository }: Scene): Promise<readonly (string | null)[]> {
  const remotes = (await repository.config()).subsections('remote');
  return Promise.all(remotes.map((remote) => repository.remoteDefaultBranch(remote)));
}

/** `git checkout "$BRANCH" && git reset --hard origin/main`: a branch that may be checked out has commits of its own. */
export async function judgeOpenReset(intent: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const { openSwitch } = overlay;
  if (openSwitch === null || intent.ref !== null || intent.keepsWork === true) {
    return [];
  }
  const head = await repository.head();
  const judged = head.kind === 'branch' ? head.branch : null;
  const branches = await openBranches(overlay, repository, (branch) => branch !== judged);
  const moves = branches.map((branch): RefMove => ({ ref: branch.ref, to: targetOn(branch, intent, openSwitch) }));
  const targets = await Promise.all(moves.map(({ to }) => (to === null ? null : repository.resolve(`${to}^{commit}`))));
  // git refuses to go to what is not there.
  const real = moves.filter(({ to }, at) => to === null || targets[at] !== null);
  const all = await commitsOnlyReachableFrom(real, repository);
  if (all.total === 0) {
    return [];
  }
  for (const some of real.length > maximumApart ? [real] : real.map((move) => [move])) {
    const lost = await commitsOnlyReachableFrom(some, repository);
    if (lost.total > 0) {
      const refs = some.map(({ ref }) => ref);
      const means = `${intent.means} on ${shown(openSwitch)}`;
      return judgeLoss(lost, { means, may: true, refs, scene, suggestion: 'git log --branches --not --remotes' });
    }
  }
  return [];
}

/** Where the branch would go if it were checked out; null: to what can't be known. */
function targetOn({ branch, ref }: OpenBranch, { to }: MoveRefIntent, openSwitch: UnknownWord): string | null {
  const text = textOf(to);
  if (text !== null) {
    return text.replace(/^(?:HEAD|@)(?![\w./-]|@?\{-)/, ref).replace(/^@(?=\{(?:u|upstream|push)\})/, branch);
  }
  // `origin/$BRANCH` after `git checkout $BRANCH`
  const isSame = isUnknown(to) && asWritten(withoutPrefix(to)) === asWritten(withoutPrefix(openSwitch));
  return isSame ? to.prefix + branch.slice(openSwitch.prefix.length) : null;
}

function withoutPrefix(word: UnknownWord): UnknownWord {
  const source = word.source.replace(/^["']/, '');
  return { ...word, prefix: '', source: source.startsWith(word.prefix) ? source.slice(word.prefix.length) : source };
}
