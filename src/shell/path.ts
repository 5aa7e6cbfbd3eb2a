import type { Condition, Either, Ends, Fork, Origin, Path, Taken, TestedOutput } from './simple-command.ts';

/** How forks have gone, as far as it is known. */
export type Outcomes = ReadonlyMap<Fork, boolean>;

/** What comes on more different paths than this is taken to stand behind a condition that nothing is known of. */
const maximumCases = 8;

export function newFork(output: TestedOutput | null = null, isGuess = false): Fork {
  return { output, isGuess, isExpected: false, ends: null };
}

export function depthOf(path: Path): number {
  return path?.depth ?? 0;
}

/** Does what is on the path come only where a guess is right? */
export function standsOnGuess(path: Path): boolean {
  return path?.onGuess ?? false;
}

/** The path on from there, where the fork has gone that way. */
export function taking(parent: Path, fork: Fork, holds: boolean): Condition {
  const onGuess = standsOnGuess(parent) || (fork.isGuess && holds);
  return { kind: 'taken', parent, depth: depthOf(parent) + 1, onGuess, fork, holds };
}

/** Where two paths part: the end of what they have in common. */
export function commonPath(a: Path, b: Path): Path {
  let [one, other] = [a, b];
  while (one !== other) {
    if (depthOf(one) >= depthOf(other)) {
      one = one?.parent ?? null;
    } else {
      other = other?.parent ?? null;
    }
  }
  return one;
}

/** The path of what comes on either of two. */
export function meeting(a: Path, b: Path): Path {
  const parent = commonPath(a, b);
  if (a === parent || b === parent || a === null || b === null || areAll(a, b)) {
    return parent;
  }
  const cases = countBetween(a, parent) + countBetween(b, parent);
  return cases > maximumCases
    ? taking(parent, newFork(), true)
    : { kind: 'either', parent, depth: depthOf(parent) + 1, onGuess: a.onGuess && b.onGuess, ways: [a, b] };
}

/** The path of what comes where both have come. */
export function together(a: Path, b: Path): Path {
  const parent = commonPath(a, b);
  if (a === parent || b === parent) {
    return a === parent ? b : a;
  }
  const known = new Map<Fork, boolean>();
  for (let at = b; at !== parent && at !== null; at = at.parent) {
    if (at.kind === 'taken') {
      known.set(at.fork, at.holds);
    }
  }
  const conditions: Condition[] = [];
  for (let at = a; at !== parent && at !== null; at = at.parent) {
    if (at.kind !== 'taken' || known.get(at.fork) !== at.holds) {
      conditions.push(at);
    }
  }
  return conditions.reduceRight<Path>((before, at) => {
    const onGuess = at.onGuess || standsOnGuess(before);
    return { ...at, parent: before, depth: depthOf(before) + 1, onGuess };
  }, b);
}

/** Are they both ways of one fork? */
function areAll(a: Condition, b: Condition): boolean {
  return a.kind === 'taken' && b.kind === 'taken' && a.parent === b.parent && a.fork === b.fork && a.holds !== b.holds;
}

function countBetween(path: Path, end: Path): number {
  let count = 1;
  for (let at = path; at !== end && at !== null; at = at.parent) {
    count *= at.kind === 'taken' ? 1 : casesOfEither(at).length;
  }
  return count;
}

const known = new WeakMap<Either, readonly Outcomes[]>();

function casesOfEither(condition: Either): readonly Outcomes[] {
  const cases = known.get(condition) ?? condition.ways.flatMap((way) => casesBetween(way, condition.parent));
  known.set(condition, cases);
  return cases;
}

/** What its going that way comes down to; null: to nothing else. */
function casesOfEnd({ fork: { ends }, holds }: Taken): readonly Outcomes[] | null {
  if (ends === null || ends === 'several') {
    return null;
  }
  const end = holds ? ends.success : ends.failure;
  return end === undefined ? null : casesBetween(end, ends.from);
}

function casesBetween(path: Path, end: Path): readonly Outcomes[] {
  const single = new Map<Fork, boolean>();
  let cases: readonly Outcomes[] = [single];
  for (let at = path; at !== end && at !== null; at = at.parent) {
    const ways = at.kind === 'taken' ? casesOfEnd(at) : casesOfEither(at);
    if (at.kind === 'taken' && ways === null) {
      single.set(at.fork, at.holds);
    } else if (ways !== null) {
      const together = cases.length * ways.length > maximumCases ? cases : cases.flatMap((one) => joined(one, ways));
      // What can't be, or is too much to follow, says nothing.
      cases = together.length === 0 ? cases : together;
    }
  }
  return cases.length === 1 && cases[0] === single ? cases : cases.map((one) => new Map([...one, ...single]));
}

/** The one together with each of the others that it does not contradict. */
function joined(one: Outcomes, others: readonly Outcomes[]): readonly Outcomes[] {
  return others
    .filter((other) => [...other].every(([fork, holds]) => one.get(fork) !== !holds))
    .map((other) => new Map([...one, ...other]));
}

/** The success of a call is that of what it runs. A word may have made several calls of one: it is that of none then. */
export function standFor(fork: Fork, ends: Ends): void {
  fork.ends = fork.ends === null ? ends : 'several';
}

/** How forks have gone in each of the cases in which a moment on the path comes. */
export function casesOf(path: Path): readonly Outcomes[] {
  return casesBetween(path, null);
}

/** The moments through which the path leads, its own and the beginning included. */
export function momentsOn(path: Path): ReadonlySet<Path> {
  const moments = new Set<Path>([null]);
  for (let at = path; at !== null; at = at.parent) {
    moments.add(at);
  }
  return moments;
}

/** The same as {@link casesOf}, where one of these moments has surely come. @param moments see {@link momentsOn} */
export function casesSince(path: Path, moments: ReadonlySet<Path>): readonly Outcomes[] {
  let end = path;
  while (end !== null && !moments.has(end)) {
    end = end.parent;
  }
  return casesBetween(path, end);
}

/** Does what is on the other path surely come, or has it, where something on this one does? */
export function implies(path: Path, other: Path): boolean {
  return (
    commonPath(path, other) === other ||
    casesOf(path).every((outcomes) => casesOf(other).some((conditions) => holding(conditions, outcomes) === true))
  );
}

/** Comes a moment on the path only where something unforeseen has happened? */
export function isUnforeseen(path: Path): boolean {
  return (
    path !== null && casesOf(path).every((outcomes) => [...outcomes].some(([fork, holds]) => fork.isExpected && !holds))
  );
}

/** Has what is on the other path come, where something on this one does and nothing unforeseen has happened? */
export function impliesForeseen(path: Path, other: Path): boolean {
  if (implies(path, other)) {
    return true;
  }
  const isForeseen = ([fork, holds]: readonly [Fork, boolean]) => fork.isExpected && holds;
  const left = casesOf(other).map((conditions) => new Map([...conditions].filter((one) => !isForeseen(one))));
  return casesOf(path).every((outcomes) => left.some((conditions) => holding(conditions, outcomes) === true));
}

/** Do the conditions hold where forks have gone so? null: that can't be told. */
export function holding(conditions: Outcomes, outcomes: Outcomes): boolean | null {
  let isOpen = false;
  for (const [fork, holds] of conditions) {
    const outcome = outcomes.get(fork);
    if (outcome === !holds) {
      return false;
    }
    isOpen ||= outcome === undefined;
  }
  return isOpen ? null : true;
}

/** Does one run only after the other has succeeded, whatever else happens? */
export function runsOnlyAfter({ path }: Origin, { success }: Origin): boolean {
  return casesOf(path).every((outcomes) => outcomes.get(success) === true);
}

/**
 * Has the other one done what it is there for when this one runs?
 *
 * @param isSure it succeeds if it runs, unless this one stands there for the case that it fails
 */
export function hasSucceeded(other: Origin, isSure: boolean, one: Origin): boolean {
  const mayHaveFailed = () => casesOf(one.path).some((outcomes) => outcomes.get(other.success) === false);
  return runsOnlyAfter(one, other) || (isSure && implies(one.path, other.path) && !mayHaveFailed());
}
