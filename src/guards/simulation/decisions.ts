import type { Fork, Path, SimpleCommand, Step } from '../../shell/simple-command.ts';

/** What something later on the line depends on. */
export class Decisions {
  readonly #steps: readonly Step[];
  #forks: ReadonlySet<Fork> | undefined;

  /** @param steps of the whole line */
  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Does it depend on the command's success whether another one runs? */
  dependOn({ origin }: SimpleCommand): boolean {
    this.#forks ??= forksOf(this.#steps);
    return this.#forks.has(origin.success);
  }
}

function forksOf(steps: readonly Step[]): ReadonlySet<Fork> {
  const forks = new Set<Fork>();
  const seen = new Set<Path>([null]);
  const open: Path[] = steps.map(({ origin }) => origin.path);
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (path !== null && !seen.has(path)) {
      seen.add(path);
      open.push(path.parent);
      if (path.kind === 'taken') {
        forks.add(path.fork);
      } else {
        open.push(...path.ways);
      }
    }
  }
  return forks;
}
