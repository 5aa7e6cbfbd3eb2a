import type { Repository } from '../../../git/repository.ts';
import type { Finding } from '../../finding.ts';
import { textOf } from '../../git-command/words.ts';
import type { Bisecting, SwitchIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { marksOf, namedBy, startOf, stepOf } from '../../simulation/refs/bisection.ts';
import { replaced } from '../../simulation/replaced.ts';
import { isHeldByConflict } from './left-head.ts';
import { judgeMoves } from './lose-commits.ts';

/** Where git writes down at which commit a bisection began. */
const beginning = 'BISECT_START';

/**
 * git-bisect(1): each step checks out another commit, and leaves what was made on the one before. Where it began is
 * kept as long as it is under way, for that is where `git bisect reset` goes back to, and so is what is marked.
 */
export async function judgeBisection(
  intent: SwitchIntent,
  bisects: Bisecting,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const isDetached = (await repository.head()).kind === 'detached';
  const step = isDetached ? await stepOf(bisects, overlay, repository) : null;
  if (step?.before == null || step.leadsTo === 'nowhere' || (await isHeldByConflict(intent, repository))) {
    return [];
  }
  const leaving = ['HEAD', ...step.takesAway].map((ref) => ({ ref, to: null }));
  const found = await judgeMoves(leaving, 'git bisect', scene);
  if (found.length === 0) {
    return [];
  }
  const staying = (await marksOf(repository)).filter((name) => !step.takesAway.includes(name));
  const start = startOf('bisect', overlay, repository);
  const given = bisects.marks.flatMap(({ commit }) => namedBy(commit, overlay) ?? []);
  const kept = [...(start === null ? [] : [start]), ...given, ...staying];
  return judgeMoves([...leaving, ...kept.map((to) => ({ ref: 'HEAD', to }))], 'git bisect', scene);
}

/** git-bisect(1) "reset": HEAD goes back to where it was, or elsewhere, and the marks go. */
export async function judgeEndedBisection({ to }: SwitchIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const start = startOf('bisect', overlay, repository);
  const back = to === null ? start : textOf(to);
  if (back === null || (await repository.head()).kind !== 'detached') {
    return [];
  }
  const marks = await marksOf(repository);
  const moves = [{ ref: 'HEAD', to: back }, ...[...marks, beginning].map((ref) => ({ ref, to: null }))];
  return judgeMoves(moves, 'git bisect reset', { ...scene, repository: withBeginning(start, repository) });
}

/** As if git wrote it down as a ref. */
function withBeginning(start: string | null, repository: Repository): Repository {
  const oid = start !== null && /^[0-9a-f]{40,64}$/.test(start) ? start : null;
  return oid === null
    ? repository
    : replaced(repository, {
        refs: async () => new Map([...(await repository.refs()), [beginning, { oid, symref: null }]]),
        ref: async (name) => (name === beginning ? oid : repository.ref(name)),
      });
}
