/** A commit that the command line itself makes: its name can't be known. */
export interface MadeCommit {
  /** It holds work that nothing else has, unlike a merge, or a picked commit as long as what it was picked from is there. */
  holdsWork: boolean;
  /** Commits that go where it goes: what it merges or replaces; those that were there by name, and others of this line. */
  readonly merged: readonly string[];
  readonly mergedMade: readonly MadeCommit[];
  /** Commits that were there before and whose changes it holds as well: what it was picked from. */
  readonly copies?: readonly string[];
  /** The same of others of this line. */
  readonly copiesMade?: readonly MadeCommit[];
  /** It was made in the place of these, and does not go on from them: `git commit --amend`. */
  readonly takesTheirPlace?: boolean;
  /** Files of which it has taken up what was not committed, from the work tree's root; found out where it matters. */
  readonly takesUp?: () => Promise<ReadonlySet<string>>;
  /** Of what the commits before it have taken up, the files that it does not have. */
  readonly lacks?: ReadonlySet<string>;
  /** Files that the work tree keeps, and that it does not have any more: `git rm --cached`. */
  readonly untracks?: ReadonlySet<string>;
}

/** Another commit; each is an object of its own. */
export function madeCommit(holdsWork: boolean): MadeCommit {
  return { holdsWork, merged: [], mergedMade: [] };
}

/** Files of which the newest of some commits has what was not committed before the line. @param commits the newest last */
export async function workIn(commits: readonly MadeCommit[]): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const { takesUp, mergedMade, lacks } of commits) {
    const others = await Promise.all(mergedMade.map((commit) => workIn([commit])));
    const taken = await takesUp?.();
    for (const path of [...others.flatMap((paths) => [...paths]), ...(taken ?? [])]) {
      held.add(path);
    }
    for (const path of lacks ?? []) {
      held.delete(path);
    }
  }
  return held;
}

/** Files of which some commit, or one that it merges, has that: not what it replaces. */
export async function workKept(commits: readonly MadeCommit[]): Promise<ReadonlySet<string>> {
  const kept = await Promise.all(
    commits.map(async (commit) =>
      commit.takesTheirPlace === true
        ? [...(await workIn([commit]))]
        : [...((await commit.takesUp?.()) ?? []), ...(await workKept(commit.mergedMade))],
    ),
  );
  return new Set(kept.flat());
}

/** Files of which some commit, or one that it merges or replaces, has that. */
export async function workReached(commits: readonly MadeCommit[]): Promise<ReadonlySet<string>> {
  const taken = await Promise.all(
    [...reachedFrom(commits)].map(async ({ takesUp }) => [...((await takesUp?.()) ?? [])]),
  );
  return new Set(taken.flat());
}

/** The commits whose changes these hold as well, not by way of others that they have taken the place of. */
export function copiedBy(commits: readonly MadeCommit[]): ReadonlySet<string> {
  return new Set(standingAmong(commits).flatMap(({ copies }) => copies ?? []));
}

/** The commits of the line whose changes these hold as well, in the same way, and those that these were picked from. */
export function madeCopiedBy(commits: readonly MadeCommit[]): ReadonlySet<MadeCommit> {
  const copied = new Set<MadeCommit>();
  const open = standingAmong(commits).flatMap(({ copiesMade }) => copiesMade ?? []);
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (!copied.has(commit)) {
      copied.add(commit);
      open.push(...(commit.copiesMade ?? []));
    }
  }
  return copied;
}

/** With what they merge, without those that others have taken the place of. */
function standingAmong(commits: readonly MadeCommit[]): readonly MadeCommit[] {
  const standing = commits.filter(({ takesTheirPlace }) => takesTheirPlace !== true);
  return [...standing, ...standing.flatMap(({ mergedMade }) => standingAmong(mergedMade))];
}

/** These commits, and all that go where they go. */
export function reachedFrom(commits: readonly MadeCommit[]): ReadonlySet<MadeCommit> {
  const reached = new Set<MadeCommit>();
  const open = [...commits];
  for (let commit = open.pop(); commit !== undefined; commit = open.pop()) {
    if (!reached.has(commit)) {
      reached.add(commit);
      open.push(...commit.mergedMade);
    }
  }
  return reached;
}
