import { join } from 'node:path';
import { readText } from '../../../git/files.ts';
import { hasPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { textOf } from '../../git-command/words.ts';
import type { Bisecting, BisectSide } from '../../intent.ts';
import type { Bisection, Overlay } from '../overlay.ts';
import { madeBelow } from './made-commits.ts';

/** git-bisect(1): the marks are refs, the bad one of which there is one alone. */
const marks = 'refs/bisect/';

/** Where an operation began that is under way: a branch, or a commit. */
export function startOf(operation: 'rebase' | 'bisect', { bisection }: Overlay, { gitDir }: Repository): string | null {
  const start = operation === 'bisect' ? (bisection?.start ?? null) : null;
  if (start !== null) {
    return start.kind === 'branch' ? start.branch : start.oid;
  }
  if (operation === 'bisect' && bisection === null) {
    return null;
  }
  const files = operation === 'bisect' ? ['BISECT_START'] : ['rebase-merge/head-name', 'rebase-apply/head-name'];
  const [name] = files.flatMap((file) => readText(join(gitDir, file))?.trim() ?? []);
  return name === undefined || name === 'detached HEAD' ? null : shortBranchName(name);
}

/** What a step of a bisection does. */
export interface BisectionStep {
  /** The one under way before; null: none was. */
  readonly before: Bisection | null;
  readonly after: Bisection;
  /** HEAD goes where the one before began, or to a commit that git chooses. */
  readonly leadsTo: 'start' | 'chosen' | 'nowhere';
  /** Full names of the marks that it takes away, or puts elsewhere. */
  readonly takesAway: readonly string[];
}

/** What it does; null: git refuses it, for no bisection is under way. */
export async function stepOf(
  { step, marks: made }: Bisecting,
  overlay: Overlay,
  repository: Repository,
): Promise<BisectionStep | null> {
  const before = overlay.bisection === undefined ? await underWay(repository) : overlay.bisection;
  const all = await marksOf(repository);
  if (step === 'start' || step === 'replay') {
    const start = before === null ? await repository.head() : before.start;
    const after = { start, sides: sidesOf(step === 'replay' ? ['either'] : made.map(({ side }) => side)) };
    return { before, after, leadsTo: choosesAt(after) ?? (before === null ? 'nowhere' : 'start'), takesAway: all };
  }
  if (before === null) {
    return null;
  }
  const movesBad = step === 'run' || made.some(({ side }) => side === 'bad' || side === 'either');
  const after = { ...before, sides: new Set([...before.sides, ...sidesOf(made.map(({ side }) => side))]) };
  const staysPut = hasPseudoRef(repository.gitDir, 'BISECT_HEAD');
  return {
    before,
    after,
    leadsTo: (staysPut ? null : choosesAt(after)) ?? 'nowhere',
    takesAway: movesBad ? all.filter(isBad) : [],
  };
}

function choosesAt({ sides }: Bisection): 'chosen' | null {
  return sides.size === 2 ? 'chosen' : null;
}

function sidesOf(sides: readonly BisectSide[]): ReadonlySet<'bad' | 'good'> {
  const both = sides.includes('either');
  return new Set((['bad', 'good'] as const).filter((side) => both || sides.includes(side)));
}

/** Full names of the marks that are there. */
export async function marksOf(repository: Repository): Promise<readonly string[]> {
  return [...(await repository.refs()).keys()].filter((name) => name.startsWith(marks));
}

/** Of good and of skipped commits there may be several: each mark has the commit's name. */
function isBad(mark: string): boolean {
  return !/-[0-9a-f]{40,64}$/.test(mark);
}

/** git-bisect(1) "Alternate terms": whoever has begun it may call the sides otherwise. */
async function underWay(repository: Repository): Promise<Bisection | null> {
  if (!readText(join(repository.gitDir, 'BISECT_START'))) {
    return null;
  }
  const names = await marksOf(repository);
  const sides = names.flatMap((name): ('bad' | 'good')[] =>
    isBad(name) ? ['bad'] : name.startsWith(`${marks}skip-`) ? [] : ['good'],
  );
  return { start: null, sides: new Set(sides) };
}

/** The bisection is as the step leaves it, and so are its marks. */
export async function applyStep(
  { marks: made }: Bisecting,
  { after, takesAway }: BisectionStep,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const names = made.map(({ commit }) => namedBy(commit, overlay));
  const found = await Promise.all(
    names.map(async (name) => ({
      oid: name === null ? null : await repository.resolve(`${name}^{commit}`),
      below: name === null ? [] : await madeBelow(name, overlay.made, repository),
    })),
  );
  overlay.bisection = after;
  forget(takesAway, overlay);
  for (const [at, { side }] of made.entries()) {
    const { oid = null, below = [] } = found[at] ?? {};
    if (oid !== null) {
      const mark = `${marks}${side === 'bad' || side === 'either' ? 'bad' : `${side}-${oid}`}`;
      overlay.refs.set(mark, oid);
      overlay.made.set(mark, below);
    }
  }
}

/** What is checked out since git has chosen a commit is not known. */
export function namedBy(commit: Word, { headIsOpen }: Overlay): string | null {
  const name = textOf(commit);
  return headIsOpen && /^(?:HEAD|@)(?!\w)/.test(name ?? '') ? null : name;
}

/** git-bisect(1) "reset": the marks go with it. */
export async function endBisection(overlay: Overlay, repository: Repository): Promise<void> {
  overlay.bisection = null;
  forget(await marksOf(repository), overlay);
}

function forget(names: readonly string[], overlay: Overlay): void {
  for (const name of names) {
    overlay.refs.set(name, null);
    overlay.made.set(name, []);
  }
}
