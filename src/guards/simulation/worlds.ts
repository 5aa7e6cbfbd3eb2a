import { casesOf, holding, type Outcomes } from '../../shell/path.ts';
import { type Fork, type Origin, type Path, runsBeside } from '../../shell/simple-command.ts';
import type { Overlay } from './overlay.ts';

/** What a command of the line changes in a repository, or what is known of it where a test has gone one way. */
export interface Change {
  /** `knowledge` says something of what is there, without changing it. */
  readonly kind: 'change' | 'knowledge';
  /** The command. */
  readonly origin: Origin;
  /** The conditions under which it is made. */
  readonly path: Path;
  /** git may refuse it, or leave off half way, although the command runs. */
  readonly mayBeRefused: boolean;
  /** The work tree's key. */
  readonly place: string;
  readonly apply: (overlay: Overlay) => Promise<void>;
}

/** Where more forks than this have a change on either way, only the extremes are looked at. */
const maximumForks = 3;
/** More worlds than this are not told apart. */
const maximumWorlds = 6;

/**
 * What may have been made before a command: each list is one world in which it may run. Where a fork has a change on
 * either way, there is a world for each; of others there is one where all that may have been made was, and one where
 * nothing was but what surely is.
 *
 * @param changes in the order of the line
 */
export function worldsBefore(origin: Origin, changes: readonly Change[]): readonly (readonly Change[])[] {
  const view = new Before(origin, changes);
  const cases = casesOf(origin.path);
  const worlds = unique(cases.flatMap((outcomes) => view.divided(outcomes)));
  return worlds.length <= maximumWorlds ? worlds : unique(cases.flatMap((outcomes) => view.extremes(outcomes)));
}

function unique(worlds: readonly (readonly Change[])[]): readonly (readonly Change[])[] {
  return worlds.filter((world, at) => worlds.findIndex((other) => sameChanges(world, other)) === at);
}

function sameChanges(one: readonly Change[], other: readonly Change[]): boolean {
  return one.length === other.length && one.every((change, at) => change === other[at]);
}

type Standing = 'made' | 'open' | 'unmade';

/** The changes of a line as one of its commands finds them. */
class Before {
  readonly #origin: Origin;
  readonly #changes: readonly Change[];
  /** What comes on one of these has surely come before. */
  readonly #passed: ReadonlySet<Path>;
  readonly #cases = new Map<Change, readonly Outcomes[]>();

  constructor(origin: Origin, changes: readonly Change[]) {
    this.#origin = origin;
    this.#changes = changes;
    const passed = new Set<Path>([null]);
    for (let at = origin.path; at !== null; at = at.parent) {
      passed.add(at);
    }
    this.#passed = passed;
  }

  /** The worlds that are possible where forks have gone so. */
  divided(outcomes: Outcomes): readonly (readonly Change[])[] {
    const forks = this.#dividing(outcomes);
    let assigned: readonly Outcomes[] = [outcomes];
    for (const fork of forks.length > maximumForks ? [] : forks) {
      assigned = assigned.flatMap((one) => [new Map([...one, [fork, true]]), new Map([...one, [fork, false]])]);
    }
    return assigned.flatMap((one) => this.extremes(one));
  }

  /** Everything that may have been made, and what surely was. */
  extremes(outcomes: Outcomes): readonly (readonly Change[])[] {
    const standings = this.#changes.map((change) => this.#standing(change, outcomes));
    const made = this.#changes.filter((_, at) => standings[at] === 'made');
    const possible = this.#changes.filter(
      ({ kind }, at) => standings[at] === 'made' || (standings[at] === 'open' && kind === 'change'),
    );
    return made.length === possible.length ? [made] : [possible, made];
  }

  /** Forks of which either way has something that the other one has not. */
  #dividing(outcomes: Outcomes): readonly Fork[] {
    const open = this.#changes.filter((change) => this.#standing(change, outcomes) === 'open');
    const sides = new Map<Fork, Set<boolean>>();
    for (const change of open.filter(({ kind }) => kind === 'change')) {
      for (const [fork, holds] of this.#needs(change)) {
        sides.set(fork, (sides.get(fork) ?? new Set()).add(holds));
      }
    }
    // A fork counts for what a change stands behind.
    const others = this.#changes.filter((change) => change.kind === 'change' || open.includes(change));
    for (const [fork, holds] of others.flatMap((change) => [...this.#needs(change)])) {
      sides.get(fork)?.add(holds);
    }
    return [...sides].flatMap(([fork, ways]) => (ways.size === 2 && !outcomes.has(fork) ? [fork] : []));
  }

  /** What has to go one way for it to be made; a change also needs that its command succeeds. */
  #needs(change: Change): readonly (readonly [Fork, boolean])[] {
    const conditions = this.#casesOf(change).flatMap((outcomes) => [...outcomes]);
    const isOwn = change.kind === 'change';
    return isOwn ? [...conditions, [change.origin.success, true]] : conditions;
  }

  #standing(change: Change, outcomes: Outcomes): Standing {
    const { kind, mayBeRefused, path, origin } = change;
    const has = this.#passed.has(path) ? true : this.#wasTaken(change, outcomes);
    const success = kind === 'change' ? outcomes.get(origin.success) : undefined;
    if (has === false || (success === false && !mayBeRefused)) {
      return 'unmade';
    }
    const isDone = success === true || (has === true && (kind === 'knowledge' || (!mayBeRefused && success !== false)));
    return isDone && !runsBeside(origin, this.#origin) ? 'made' : 'open';
  }

  #wasTaken(change: Change, outcomes: Outcomes): boolean | null {
    const answers = this.#casesOf(change).map((conditions) => holding(conditions, outcomes));
    return answers.includes(true) ? true : answers.every((answer) => answer === false) ? false : null;
  }

  #casesOf(change: Change): readonly Outcomes[] {
    const cases = this.#cases.get(change) ?? casesOf(change.path);
    this.#cases.set(change, cases);
    return cases;
  }
}
