import { casesOf, casesSince, holding, momentsOn, type Outcomes } from '../../shell/path.ts';
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
  /** It checks out another branch. */
  readonly switches: boolean;
  /** The work tree's key. */
  readonly place: string;
  readonly apply: (overlay: Overlay) => Promise<void>;
}

/** What has been made in one world, in the order of the line. */
type Made = readonly Change[];

/** Where more forks than this have a change on either way, not each of their combinations is looked at. */
const maximumForks = 3;
/** More worlds than this are not told apart. */
const maximumWorlds = 6;
/** So many switches are looked at that may be the last one. */
const maximumSwitches = 4;
/** After more changes than this only the extremes are looked at: each other world has to be made from its beginning. */
const maximumChanges = 200;

/**
 * What may have been made before a command: each list is one world in which it may run. Where a fork has a change on
 * either way, there is a world for each; of others there is one where all that may have been made was, one where
 * nothing was but what surely is, and one for each switch of branches that may be the last.
 *
 * @param changes in the order of the line
 */
export function worldsBefore(origin: Origin, changes: readonly Change[]): readonly Made[] {
  // Before the first command of a line, and in most lines before all of them.
  if (changes.length === 0) {
    return [changes];
  }
  const view = new Before(origin, changes);
  const cases = casesOf(origin.path);
  const extremes = () => cases.flatMap((outcomes) => view.extremes(outcomes));
  return changes.length > maximumChanges
    ? unique(extremes())
    : unique([...(toldApart(cases, view) ?? extremes()), ...cases.flatMap((outcomes) => view.switched(outcomes))]);
}

/** A world for each way that forks may go; null: there are too many. */
function toldApart(cases: readonly Outcomes[], view: Before): readonly Made[] | null {
  const worlds: Made[] = [];
  for (const outcomes of cases) {
    const divided = view.divided(outcomes);
    if (divided === null) {
      return null;
    }
    worlds.push(...divided);
  }
  const different = unique(worlds);
  return different.length > maximumWorlds ? null : different;
}

function unique(worlds: readonly Made[]): readonly Made[] {
  return worlds.filter((world, at) => worlds.findIndex((other) => sameChanges(world, other)) === at);
}

function sameChanges(one: Made, other: Made): boolean {
  return one.length === other.length && one.every((change, at) => change === other[at]);
}

type Standing = 'made' | 'open' | 'unmade';

/** A change, and how forks have to go for it beyond what has surely come before; null: it comes whatever they do. */
interface Pending {
  readonly change: Change;
  readonly conditions: readonly Outcomes[] | null;
}

/** The changes of a line as one of its commands finds them. */
class Before {
  readonly #origin: Origin;
  readonly #pending: readonly Pending[];
  /** What is foreseen of commands, where no change stands behind one of them for the case that it fails. */
  readonly #foreseen: Outcomes;

  constructor(origin: Origin, changes: readonly Change[]) {
    this.#origin = origin;
    const passed = momentsOn(origin.path);
    this.#pending = changes.map((change) => ({
      change,
      conditions: passed.has(change.path) ? null : casesSince(change.path, passed),
    }));
    this.#foreseen = foreseenOf(this.#pending);
  }

  /** The worlds that are possible where forks have gone so; null: there are too many. */
  divided(outcomes: Outcomes): readonly Made[] | null {
    const forks = this.#dividing(outcomes);
    if (forks.length > maximumForks) {
      return null;
    }
    let assigned: readonly Outcomes[] = [outcomes];
    for (const fork of forks) {
      assigned = assigned.flatMap((one) => [new Map([...one, [fork, true]]), new Map([...one, [fork, false]])]);
    }
    return assigned.flatMap((one) => this.extremes(one));
  }

  /** Everything that may have been made, and what surely was. */
  extremes(outcomes: Outcomes): readonly Made[] {
    const standings = this.#pending.map((pending) => this.#standing(pending, outcomes));
    const made = this.#those((at) => standings[at] === 'made');
    const possible = this.#those((at, { kind }) => isPossible(standings[at], kind));
    return made.length === possible.length ? [made] : [possible, made];
  }

  /** For each of the last switches that may have been made: the world where it is the last one. */
  switched(outcomes: Outcomes): readonly Made[] {
    const isOpenSwitch = (pending: Pending) => pending.change.switches && this.#standing(pending, outcomes) === 'open';
    const switches = this.#pending.filter(isOpenSwitch).slice(-maximumSwitches);
    return switches.map((last) => {
      const conditions = last.conditions?.find((one) => holding(one, outcomes) !== false) ?? [];
      const assigned = new Map([...outcomes, ...conditions, [last.change.origin.success, true]]);
      const standings = this.#pending.map((pending) => this.#standing(pending, assigned));
      const end = this.#pending.indexOf(last);
      return this.#those((at, { kind }) => (at <= end ? isPossible(standings[at], kind) : standings[at] === 'made'));
    });
  }

  #those(isMeant: (at: number, change: Change) => boolean): Made {
    return this.#pending.filter(({ change }, at) => isMeant(at, change)).map(({ change }) => change);
  }

  /** Forks of which either way has something that the other one has not. */
  #dividing(outcomes: Outcomes): readonly Fork[] {
    const isOpen = this.#pending.map((pending) => this.#standing(pending, outcomes) === 'open');
    const sides = new Map<Fork, Set<boolean>>();
    for (const pending of this.#pending.filter(({ change }, at) => isOpen[at] && change.kind === 'change')) {
      for (const [fork, holds] of needs(pending)) {
        sides.set(fork, (sides.get(fork) ?? new Set()).add(holds));
      }
    }
    // A fork counts for what a change stands behind.
    const others = this.#pending.filter(({ change }, at) => change.kind === 'change' || isOpen[at]);
    for (const pending of sides.size === 0 ? [] : others) {
      for (const [fork, holds] of needs(pending)) {
        sides.get(fork)?.add(holds);
      }
    }
    return [...sides].flatMap(([fork, ways]) => (ways.size === 2 && !outcomes.has(fork) ? [fork] : []));
  }

  #standing({ change, conditions }: Pending, outcomes: Outcomes): Standing {
    const { kind, mayBeRefused, origin } = change;
    const has = wasTaken(conditions, this.#foreseen.size === 0 ? outcomes : new Map([...this.#foreseen, ...outcomes]));
    const success = kind === 'change' ? outcomes.get(origin.success) : undefined;
    if (has === false || (success === false && !mayBeRefused)) {
      return 'unmade';
    }
    // One of several commands may have succeeded that a word has made of one: `git push ${Q:+--dry-run}`.
    const isSure = success === true || kind === 'knowledge' || (!mayBeRefused && success !== false);
    const isDone = has === true && isSure;
    return isDone && !runsBeside(origin, this.#origin) ? 'made' : 'open';
  }
}

function isPossible(standing: Standing | undefined, kind: Change['kind']): boolean {
  return standing === 'made' || (standing === 'open' && kind === 'change');
}

function foreseenOf(pending: readonly Pending[]): Outcomes {
  const foreseen = new Map<Fork, boolean>();
  const failing = new Set<Fork>();
  const note = (fork: Fork, holds: boolean) => {
    if (fork.isExpected && holds) {
      foreseen.set(fork, true);
    } else if (fork.isExpected) {
      failing.add(fork);
    }
  };
  for (const { change, conditions } of pending) {
    for (const outcomes of conditions ?? []) {
      for (const [fork, holds] of outcomes) {
        note(fork, holds);
      }
    }
    if (change.kind === 'change') {
      note(change.origin.success, true);
    }
  }
  for (const fork of failing) {
    foreseen.delete(fork);
  }
  return foreseen;
}

/** What has to go one way for it to be made; a change also needs that its command succeeds. */
function needs({ change, conditions }: Pending): readonly (readonly [Fork, boolean])[] {
  const all = conditions?.flatMap((outcomes) => [...outcomes]) ?? [];
  return change.kind === 'change' ? [...all, [change.origin.success, true]] : all;
}

function wasTaken(conditions: Pending['conditions'], outcomes: Outcomes): boolean | null {
  if (conditions === null) {
    return true;
  }
  const answers = conditions.map((one) => holding(one, outcomes));
  return answers.includes(true) ? true : answers.every((answer) => answer === false) ? false : null;
}
