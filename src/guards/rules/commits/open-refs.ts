import { commitsOnlyReachableFrom } from '../../../git/history/reachability.ts';
import { namesRevision, reachedFrom, type Word } from '../../../shell/simple-command.ts';
import type { Finding } from '../../finding.ts';
import { isUnknown, textOf } from '../../git-command/words.ts';
import type { MoveRefIntent, RefName } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { mergedRef } from '../../simulation/refs/made-commits.ts';
import { placeholderOf } from '../../simulation/refs/new-refs.ts';
import { unreadable } from '../unreadable-command.ts';

/**
 * A ref whose name is not known moves: `git branch -f "$branch" "$upstream"`. One that is checked out under such a name is
 * mostly made (`git checkout -B "$BRANCH"`), unless git has printed it.
 */
export async function judgeOpenMove({ ref, to, means }: MoveRefIntent, scene: Scene): Promise<readonly Finding[]> {
  const name = ref?.name;
  if (ref === null || !isUnknown(name) || (/checkout|switch/.test(means) && !namesRevision(name))) {
    return [];
  }
  return (await mayLose(ref, scene, textOf(to)))
    ? unreadable(scene.policy, {
        source: name.source,
        reason: name.reason,
        could: 'a branch whose commits are nowhere else',
      })
    : [];
}

/**
 * `git branch --merged main | xargs git branch -D`: does what they are merged into stay? git does not delete what is
 * checked out; another branch is one of them itself, so that a remote has to have it, or HEAD.
 */
export async function isReachedOtherwise(name: Word, { repository, overlay }: Scene): Promise<boolean> {
  const from = isUnknown(name) && name.prefix === '' && name.suffix === '' ? reachedFrom(name.names) : null;
  const isMoved = from === 'HEAD' ? overlay.head !== null : overlay.refs.has(`refs/heads/${from}`);
  const oid = from === null || isMoved ? null : await repository.resolve(`${from}^{commit}`);
  if (oid === null) {
    return false;
  }
  const head = await repository.head();
  const kept = head.oid === null ? ['--remotes'] : ['--remotes', head.oid];
  return oid === head.oid || (await repository.commits([oid], kept)).total === 0;
}

/** Could a ref whose name is not known be one that alone has commits? @param to where it goes; null: nobody knows, or nowhere */
export async function mayLose(
  { namespace, name }: RefName,
  { repository, overlay }: Scene,
  to: string | null = null,
): Promise<boolean> {
  const made = isUnknown(name) && to === null ? placeholderOf(namespace, name) : null;
  if (made !== null && overlay.made.lostBy([{ ref: made, keeps: [] }]).withWork > 0) {
    return true;
  }
  const { prefix, suffix, among } = isUnknown(name) ? name : { prefix: '', suffix: '', among: undefined };
  const isAmong = (ref: string) => among === undefined || among.includes(ref.slice(namespace.length));
  const refs = [...(await repository.refs()).keys()].filter(
    (ref) =>
      ref.startsWith(`${namespace}${prefix}`) &&
      ref.endsWith(suffix) &&
      !ref.startsWith('refs/remotes/') &&
      isAmong(ref),
  );
  if (to === null && (await mayLoseMade(refs, { repository, overlay }))) {
    return true;
  }
  const target = to === null ? null : await repository.resolve(`${to}^{commit}`);
  // A commit that git makes for another one, with the parents that it is given, is reached from here alone.
  const isReplacement = namespace === 'refs/replace/';
  const { merged } = overlay.made.lostBy(isReplacement ? refs.map((ref) => ({ ref, keeps: [] })) : []);
  const alongside = merged.map((oid) => ({ ref: mergedRef(oid), to: null }));
  const lost = await commitsOnlyReachableFrom([...refs.map((ref) => ({ ref, to: target })), ...alongside], repository);
  return lost.total > 0;
}

/** Would commits of the line go with refs, but for the one that is checked out? git deletes none that is. */
async function mayLoseMade(
  refs: readonly string[],
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<boolean> {
  const head = await repository.head();
  const others = refs.filter((ref) => !(head.kind === 'branch' && head.ref === ref));
  return overlay.made.lostBy(others.map((ref) => ({ ref, keeps: [] }))).withWork > 0;
}
