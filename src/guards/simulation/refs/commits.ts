import { readPseudoRef } from '../../../git/refs/pseudo-refs.ts';
import type { Head, Repository } from '../../../git/repository.ts';
import { textOf, textsOf } from '../../git-command/words.ts';
import type { CommitIntent, GrowIntent, RewriteIntent, RewriteRange } from '../../intent.ts';
import { listedWhole } from '../answers/whole-listings.ts';
import { meant } from '../files/meant-paths.ts';
import { bringOutReplaced, replacedBy } from '../files/replaced-work.ts';
import { bringOutWork, lackedBy, takenUp } from '../files/taken-up.ts';
import type { Overlay } from '../overlay.ts';
import { branchNamed } from './branch-names.ts';
import { madeAmong, pickedCommits } from './copied-commits.ts';
import { currentRef } from './current-ref.ts';
import { type ForkingRebase, forkingRebase } from './fork-point.ts';
import { type MadeCommit, madeCommit } from './made-commit.ts';
import { madeBelow } from './made-commits.ts';
import { baseOf, leftBases } from './rebased-onto.ts';

/** A commit with what is staged, or with what it takes up by itself. */
export async function applyCommit(intent: CommitIntent, overlay: Overlay, repository: Repository): Promise<void> {
  // git refuses paths beside `--all`.
  const isRefused = intent.all && intent.paths.length > 0;
  if (intent.isLoose === true || isRefused) {
    return;
  }
  const current = await currentRef(repository);
  overlay.shared.stood.delete(current);
  const merged = intent.amend ? [] : await mergedHeads(overlay, repository);
  const files = {
    takesUp: takenUp(intent, merged.length > 0, overlay, repository),
    lacks: await lackedBy(intent, overlay.takenOut, repository),
    untracks: new Set(takesIndex(intent) ? leftOutOfIndex(overlay) : []),
  };
  const replaced = intent.amend ? overlay.made.on(current).slice(-1) : [];
  if (intent.amend) {
    await applyAmend(intent, files, current, overlay, repository);
  } else {
    overlay.made.add(current, { ...madeCommit(intent.findsNothing !== true), ...files, merged });
  }
  overlay.endedMerge = true;
  overlay.leavesSubmodules &&= !intent.all;
  if (intent.all) {
    for (const path of overlay.written) {
      if (overlay.brought.has(path)) {
        overlay.committed.add(path);
      }
    }
    overlay.written.clear();
    overlay.saved = overlay.saved === 'nothing' ? 'tracked' : overlay.saved;
  }
  await takeUpPaths(intent, overlay, repository);
  if (takesIndex(intent)) {
    takeUpIndex(overlay);
  }
  await bringOutWork(replaced, false, overlay, repository);
}

/** The other parents that a commit gets while a merge is stopped: gitrevisions(7) "MERGE_HEAD". */
async function mergedHeads({ endedMerge }: Overlay, { gitDir }: Repository): Promise<readonly string[]> {
  const lines = endedMerge ? [] : (readPseudoRef(gitDir, 'MERGE_HEAD')?.split('\n') ?? []);
  // Anything may have written the file.
  return lines.filter((line) => /^[0-9a-f]{40,64}$/.test(line));
}

/** `git commit PATH…`: what these files hold is in the commit, whatever is staged of them. */
async function takeUpPaths({ paths }: CommitIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const entries = paths.length === 0 ? [] : await repository.status();
  const tracked = entries.filter(({ index }) => index !== '?');
  const listed = listedWhole(paths, tracked, overlay, repository);
  for (const path of [...listed, ...(await meant(textsOf(paths) ?? [], tracked, repository))]) {
    takeUp(path, overlay);
  }
}

function takesIndex({ paths, includes }: CommitIntent): boolean {
  return paths.length === 0 || includes === true;
}

/** Files that are not in the index any more, and still in the work tree. */
function leftOutOfIndex({ index, unversioned }: Overlay): readonly string[] {
  return [...unversioned].filter((path) => index.get(path) === 'nothing');
}

/** What was staged is in the commit: before the line, or by it. */
export function takeUpIndex(overlay: Overlay): void {
  overlay.committedIndex = true;
  for (const path of leftOutOfIndex(overlay)) {
    overlay.untracked.add(path);
    overlay.restored.add(path);
    overlay.index.delete(path);
  }
  for (const [path, indexed] of overlay.index) {
    if (indexed === 'work tree') {
      takeUp(path, overlay);
    } else if (indexed === 'perhaps') {
      overlay.index.delete(path);
    }
  }
}

function takeUp(path: string, overlay: Overlay): void {
  overlay.committed.add(path);
  overlay.restored.add(path);
  overlay.written.delete(path);
  overlay.unversioned.delete(path);
  overlay.untracked.delete(path);
  overlay.index.delete(path);
}

/** `git reset HEAD~1`: what the line has committed is not any more. */
export function uncommit(overlay: Overlay, keepsIndex: boolean): void {
  overlay.committedIndex = false;
  for (const path of overlay.committed) {
    overlay.restored.delete(path);
    if (keepsIndex) {
      overlay.index.set(path, 'work tree');
    }
    // What git-status(1) told before the line, it tells again; what a stash has brought is nowhere else.
    const brought = overlay.brought.get(path);
    if (brought !== undefined) {
      (brought === 'tracked' || keepsIndex ? overlay.written : overlay.unversioned).add(path);
    }
  }
  overlay.committed.clear();
  for (const path of overlay.untracked) {
    overlay.restored.delete(path);
    if (keepsIndex) {
      overlay.index.set(path, 'nothing');
    } else {
      overlay.unversioned.delete(path);
    }
  }
  overlay.untracked.clear();
}

/**
 * The newest commit is replaced by another one on the same parent, with what it had and what is taken up.
 *
 * @param current the full name of the branch; `HEAD` where it is detached
 */
async function applyAmend(
  intent: CommitIntent,
  files: Pick<MadeCommit, 'takesUp' | 'lacks' | 'untracks'>,
  current: string,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const { all, paths } = intent;
  const tracked = (await repository.status()).filter(({ index }) => index !== '?');
  const given = await meant(textsOf(paths) ?? [], tracked, repository);
  const holdsWork = given.length > 0 || tracked.some(({ index }) => index !== '.' || all);
  const [newest] = overlay.made.on(current).slice(-1);
  const head = await repository.head();
  const oid = newest === undefined ? head.oid : replacedBy(newest);
  const parent = oid === null ? null : await repository.resolve(`${oid}^`);
  if (oid !== null && parent !== null) {
    await bringOutReplaced(intent, { ref: current, oid, parent }, overlay, repository);
  }
  if (newest !== undefined) {
    overlay.made.amend(current, { holdsWork, ...files });
    return;
  }
  if (head.oid === null || parent === null) {
    return;
  }
  overlay.made.add(current, { holdsWork, ...files, merged: [head.oid], mergedMade: [], takesTheirPlace: true });
  overlay.head = { ...head, oid: parent };
  if (head.kind === 'branch') {
    overlay.refs.set(head.ref, parent);
  }
}

/** Commits are picked, taken back or merged. */
export async function applyGrowth(intent: GrowIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const current = await currentRef(repository);
  overlay.shared.stood.delete(current);
  const sources = textsOf(intent.commits);
  if (sources === null) {
    // `git merge "$(git -C ../w rev-parse HEAD)"`: it may be any of those that the line has made.
    overlay.made.add(current, { ...madeCommit(false), mergedMade: intent.merges ? overlay.made.all : [] });
  } else if (intent.merges) {
    await applyMerge(sources, intent, overlay, repository);
  } else {
    const picked = await Promise.all(sources.map((source) => countPicked(source, overlay, repository)));
    const lacks = new Set([...overlay.takenOut].filter(([, { index }]) => index !== 'held').map(([path]) => path));
    const copied = intent.copies === true ? await pickedCommits(sources, overlay, repository) : {};
    for (let left = picked.reduce((sum, number) => sum + number, 0); left > 0; left -= 1) {
      // With the last of them all are picked.
      overlay.made.add(current, { ...madeCommit(false), lacks, ...(left === 1 ? copied : {}) });
    }
  }
}

/** How many commits `git cherry-pick` takes of a revision or a range. */
async function countPicked(source: string, overlay: Overlay, repository: Repository): Promise<number> {
  const [first = '', last] = source.split('..');
  if (last === undefined) {
    return 1;
  }
  const [base, tip] = await Promise.all([first, last].map((name) => repository.resolve(`${name}^{commit}`)));
  const made = (await madeAmong(source, overlay, repository)).length;
  return base == null || tip == null ? Math.max(made, 1) : (await repository.commits([tip], [base])).total + made;
}

async function applyMerge(
  sources: readonly string[],
  { fastForwards }: GrowIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const current = await currentRef(repository);
  const head = await repository.head();
  const named = await Promise.all(sources.map(async (name) => (await branchNamed(name, repository, overlay)) ?? name));
  const found = await Promise.all(named.map((name) => repository.resolve(`${name}^{commit}`)));
  const oids = found.filter((oid) => oid !== null);
  const made = (await Promise.all(named.map((name) => madeBelow(name, overlay.made, repository)))).flat();
  const isBelow = async (oid: string) => head.oid !== null && (await repository.isAncestor(oid, head.oid)) === 'yes';
  if (made.length === 0 && (await Promise.all(oids.map(isBelow))).every(Boolean)) {
    return;
  }
  const [only, another] = oids;
  const isOne = fastForwards && only !== undefined && another === undefined;
  if (isOne && (await takesItsPlace(only, made, overlay, repository))) {
    moveHead(only, made, { current, head }, overlay);
  } else if (oids.length > 0 || made.length > 0) {
    overlay.made.add(current, { holdsWork: false, merged: oids, mergedMade: made });
  }
}

/** `git rebase` of a branch that has nothing of its own: it stands where the other one does. */
export async function applyRebase(intent: RewriteIntent, overlay: Overlay, repository: Repository): Promise<void> {
  const { range } = intent;
  const { reached } = overlay.shared;
  const left = await leftBases(intent, overlay, repository);
  if (left.length > 0) {
    reached.splice(0, Infinity, ...reached.filter((one) => !left.includes(one)));
  }
  const onto = range === 'head' ? null : baseOf(range);
  const oid = onto === null ? null : await repository.resolve(`${onto}^{commit}`);
  const made = onto === null ? [] : await madeBelow(onto, overlay.made, repository);
  if (oid === null && made.length > 0) {
    // Onto a new root: what is picked stands on that.
    overlay.made.add(await currentRef(repository), { holdsWork: false, merged: [], mergedMade: made });
  }
  if (oid === null) {
    return;
  }
  if (await takesItsPlace(oid, made, overlay, repository)) {
    moveHead(oid, made, { current: await currentRef(repository), head: await repository.head() }, overlay);
    return;
  }
  if (range !== 'head') {
    await noteLeftOut(range, oid, overlay, repository);
  }
}

/** Remembers of what a rebase may have left commits out. @param oid that commits are put on */
async function noteLeftOut(range: RewriteRange, oid: string, overlay: Overlay, repository: Repository): Promise<void> {
  const behind = range.onto !== null && range.start.kind === 'after' ? range.start.commit : null;
  const upstream =
    behind === null ? await forkingFrom(range, repository) : await repository.resolve(`${textOf(behind)}^{commit}`);
  const head = await repository.head();
  if (upstream !== null && head.kind === 'branch' && head.oid !== null) {
    const keepers = new Set([...overlay.refs.keys()].filter((ref) => overlay.refs.get(ref) === head.oid));
    overlay.shared.rebasedOnto.set(head.ref, { tip: head.oid, onto: oid, upstream, keepers });
  }
}

/** What the upstream may have had once is looked up where somebody asks. */
async function forkingFrom(range: RewriteRange, repository: Repository): Promise<ForkingRebase | null> {
  return range.branch !== null || range.onto !== null ? null : forkingRebase(range, repository);
}

/** The same of a `git pull` that rebases as it is configured. */
export async function applyConfiguredRebase(
  { range }: RewriteIntent,
  overlay: Overlay,
  repository: Repository,
): Promise<void> {
  const onto = range === 'head' ? null : baseOf(range);
  const oid = onto === null ? null : await repository.resolve(`${onto}^{commit}`);
  if (range !== 'head' && oid !== null) {
    await noteLeftOut(range, oid, overlay, repository);
  }
}

/** Does this commit, with what the line has made on it, have all that is checked out? */
async function takesItsPlace(
  oid: string,
  made: readonly MadeCommit[],
  overlay: Overlay,
  repository: Repository,
): Promise<boolean> {
  const head = await repository.head();
  const before = overlay.made.on(await currentRef(repository));
  return (
    head.oid !== null &&
    (await repository.isAncestor(head.oid, oid)) === 'yes' &&
    before.every((commit) => made.includes(commit))
  );
}

function moveHead(
  oid: string,
  made: readonly MadeCommit[],
  { current, head }: { readonly current: string; readonly head: Head },
  overlay: Overlay,
): void {
  overlay.made.set(current, made);
  overlay.refs.set(current, oid);
  overlay.head = { ...head, oid };
}
