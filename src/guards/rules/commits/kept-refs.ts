import type { CommitList } from '../../../git/history/commit.ts';
import { commitsOnlyReachableFrom, type RefMove } from '../../../git/history/reachability.ts';
import { quoteWord } from '../../../quote.ts';
import { freeName } from '../../free-name.ts';
import { mirrorHere } from '../../mirror-of.ts';
import type { Scene } from '../../scene.ts';
import { shortName } from '../../wording.ts';

/** A ref that moves or goes. */
export interface LeavingRef extends RefMove {
  /** What it stands on; null: only what the line makes. */
  readonly tip: string | null;
}

/** A command with more names is no longer read. */
const mostNamed = 8;

/**
 * One command that keeps what the refs lose, each by another name; of many, a copy of the repository.
 *
 * @param lost by all of them
 */
export async function keepingRefs(leaving: readonly LeavingRef[], lost: CommitList, scene: Scene): Promise<string> {
  const { repository, overlay } = scene;
  const losing = await losingAmong(leaving, lost, scene);
  if (losing.length > mostNamed) {
    return mirrorHere;
  }
  const names = new Set<string>();
  const kept = new Set<string>();
  const commands: string[] = [];
  for (const { tip, ...move } of losing) {
    const short = shortName(move.ref);
    // What the line makes on a branch has no name yet but the branch's.
    const old = overlay.made.on(move.ref).length > 0 ? quoteWord(short) : (tip?.slice(0, 12) ?? '');
    if (!kept.has(old) || short !== move.ref) {
      const [kind, wanted] = otherName(move);
      const name = await freeName(wanted, repository, null, names);
      commands.push(`git ${kind} ${quoteWord(name)} ${old}`);
      names.add(name);
      kept.add(old);
    }
  }
  return commands.join(' && ');
}

/** Those that stand on what is lost: what another ref reaches is kept with all that is below it. */
async function losingAmong(
  leaving: readonly LeavingRef[],
  lost: CommitList,
  { repository, overlay }: Scene,
): Promise<readonly LeavingRef[]> {
  if (leaving.length < 2) {
    return leaving;
  }
  const isCut = lost.total > lost.commits.length;
  const { commits } = isCut ? await commitsOnlyReachableFrom(leaving, repository, { limit: lost.total }) : lost;
  const oids = new Set(commits.map(({ oid }) => oid));
  // An annotated tag is an object of its own.
  const tips = await repository.resolveAll(leaving.flatMap(({ tip }) => (tip === null ? [] : `${tip}^{commit}`)));
  const losing = leaving.filter(
    ({ ref, tip }) => overlay.made.on(ref).length > 0 || oids.has(tips.get(`${tip}^{commit}`)?.oid ?? ''),
  );
  return losing.length === 0 ? leaving.slice(0, 1) : losing;
}

/** A ref that goes leaves its name to what keeps it, which is of the other kind. */
function otherName({ ref, to }: RefMove): readonly ['branch' | 'tag', string] {
  if (to !== null || !ref.startsWith('refs/')) {
    return ['branch', 'kept-work'];
  }
  return [ref.startsWith('refs/tags/') ? 'branch' : 'tag', `kept-${shortName(ref).replaceAll('/', '-')}`];
}
