import { join } from 'node:path';
import { readText } from '../../../git/files.ts';
import { shortBranchName } from '../../../git/refs/refspec.ts';
import type { Repository } from '../../../git/repository.ts';
import type { SwitchIntent } from '../../intent.ts';
import type { Bisection, Overlay } from '../overlay.ts';

/** Where an operation began that is under way: a branch, or a commit. */
export function startOf(operation: 'rebase' | 'bisect', { bisection }: Overlay, { gitDir }: Repository): string | null {
  const start = operation === 'bisect' ? (bisection?.start ?? null) : null;
  if (start !== null) {
    return start.kind === 'branch' ? start.branch : start.oid;
  }
  const files = operation === 'bisect' ? ['BISECT_START'] : ['rebase-merge/head-name', 'rebase-apply/head-name'];
  const [name] = files.flatMap((file) => readText(join(gitDir, file))?.trim() ?? []);
  return name === undefined || name === 'detached HEAD' ? null : shortBranchName(name);
}

/**
 * A bisection begins, or a commit is marked.
 *
 * @returns whether git checks out the first commit that it chooses; where HEAD is detached already, it stays so
 */
export async function bisectsOn(
  { begins, sides }: NonNullable<SwitchIntent['bisects']>,
  overlay: Overlay,
  repository: Repository,
): Promise<boolean> {
  const before: Bisection | null = begins
    ? { start: await repository.head(), sides: new Set() }
    : (overlay.bisection ?? (await underWay(repository)));
  if (before === null) {
    return false;
  }
  const now = new Set([...before.sides, ...sides]);
  overlay.bisection = { ...before, sides: now };
  return now.size === 2 && before.sides.size < 2;
}

/** git-bisect(1): the marks are refs. */
async function underWay(repository: Repository): Promise<Bisection | null> {
  if (readText(join(repository.gitDir, 'BISECT_START')) === null) {
    return null;
  }
  const names = [...(await repository.refs()).keys()];
  const sides = (['bad', 'good'] as const).filter((side) =>
    names.some((name) => name.startsWith(`refs/bisect/${side}`)),
  );
  return { start: null, sides: new Set(sides) };
}
