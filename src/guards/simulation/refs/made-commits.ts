import { fullNames } from '../../../git/refs/refspec.ts';
import type { Head } from '../../../git/repository.ts';
import { type PastRevision, Pasts } from '../pasts.ts';
import { copiedBy, type MadeCommit, madeCopiedBy, reachedFrom } from './made-commit.ts';

/** Tells where HEAD stands at that point of the line. */
interface CheckedOut {
  readonly head: () => Promise<Head>;
}

/** What is lost of the commits that a line makes. */
interface LostCommits {
  /** How many hold work that nothing else has, nor copies of them that stay. */
  readonly withWork: number;
  /** Commits that were there before and that only these reached by their merges. */
  readonly merged: readonly string[];
  /** Commits that were there before and whose changes the others of the line hold as well. */
  readonly copied: ReadonlySet<string>;
}

/** Commits that the line makes on top of what the refs have. */
export class MadeCommits {
  /** The newest last, by the full name of the ref; `HEAD` where it is detached. */
  readonly #on: Map<string, readonly MadeCommit[]>;
  /** The name of this work tree's own HEAD among those of others. */
  readonly #head: string;
  readonly pasts = new Pasts();

  /**
   * @param on shared with the repository's other work trees
   * @param addedTree path of a work tree that the line adds; null: one that was there
   */
  constructor(on: Map<string, readonly MadeCommit[]> = new Map(), addedTree: string | null = null) {
    this.#on = on;
    this.#head = headOf(addedTree);
  }

  get isEmpty(): boolean {
    return this.#on.size === 0 && this.pasts.isEmpty;
  }

  on(ref: string): readonly MadeCommit[] {
    return this.#on.get(this.#name(ref)) ?? [];
  }

  #name(ref: string): string {
    return ref === 'HEAD' ? this.#head : ref;
  }

  /** A work tree that the line has added goes, and its HEAD with it. */
  removeTree(path: string): void {
    this.#on.delete(headOf(path));
  }

  set(ref: string, commits: readonly MadeCommit[]): void {
    if (commits.length === 0) {
      this.#on.delete(this.#name(ref));
    } else {
      this.#on.set(this.#name(ref), commits);
    }
  }

  add(ref: string, commit: MadeCommit): void {
    this.set(ref, [...this.on(ref), commit]);
  }

  /** `git commit --amend`, of the newest. @param taken what it takes up beside what that had */
  amend(ref: string, taken: Pick<MadeCommit, 'holdsWork' | 'takesUp' | 'lacks' | 'untracks'>): void {
    const earlier = this.on(ref).slice(0, -1);
    this.set(ref, [...earlier, { ...taken, merged: [], mergedMade: this.on(ref).slice(-1), takesTheirPlace: true }]);
  }

  /** What is on the other refs. */
  beside(ref: string): readonly MadeCommit[] {
    return [...this.#on].flatMap(([name, commits]) => (name === this.#name(ref) ? [] : commits));
  }

  /** Every commit that the line has made and that is still on something. */
  get all(): readonly MadeCommit[] {
    return [...this.#on.values()].flat();
  }

  /** Commits that were there before and that a ref reaches by a merge of this line. */
  get merged(): readonly string[] {
    return [...reachedFrom(this.all)].flatMap(({ merged }) => merged);
  }

  /** The same of one ref. */
  mergedOn(ref: string): readonly string[] {
    return [...reachedFrom(this.on(ref))].flatMap(({ merged }) => merged);
  }

  /**
   * The commits that no ref reaches any more.
   *
   * @param moves refs that move, and what of these commits is reached from where they go
   */
  lostBy(moves: readonly { readonly ref: string; readonly keeps: readonly MadeCommit[] }[]): LostCommits {
    const moving = new Set(moves.map(({ ref }) => this.#name(ref)));
    const staying = [...this.#on].flatMap(([ref, commits]) => (moving.has(ref) ? [] : commits));
    const left = [...staying, ...moves.flatMap(({ keeps }) => keeps)];
    const kept = reachedFrom(left);
    const reached = [...reachedFrom([...moving].flatMap((ref) => this.#on.get(ref) ?? []))];
    const lost = reached.filter((commit) => !kept.has(commit));
    const copied = madeCopiedBy(left);
    const stillMerged = new Set([...kept].flatMap(({ merged }) => merged));
    return {
      withWork: lost.filter((commit) => commit.holdsWork && !copied.has(commit)).length,
      merged: lost.flatMap(({ merged }) => merged).filter((oid) => !stillMerged.has(oid)),
      copied: copiedBy(left),
    };
  }
}

/** What commits of the line go on from beside the commit that they were made on; of what one replaces, its parents. */
export function goneOnFrom(commits: readonly MadeCommit[]): readonly string[] {
  return [...reachedFrom(commits)].flatMap(({ merged, takesTheirPlace }) =>
    takesTheirPlace === true ? merged.map((oid) => `${oid}^@`) : merged,
  );
}

/** Where the commits are told that were there before and that merges of the line reach. */
export function mergedRef(oid: string): string {
  return `refs/merged/${oid}`;
}

function headOf(addedTree: string | null): string {
  return addedTree === null ? 'HEAD' : `HEAD ${addedTree}`;
}

/** Commits of this line that a revision reaches: all that are on `HEAD`, all but the newest of them on `HEAD~1`. */
export async function madeBelow(
  revision: string,
  made: MadeCommits,
  checkedOut: CheckedOut,
): Promise<readonly MadeCommit[]> {
  if (made.isEmpty) {
    return [];
  }
  const past = await pastMeant(revision, made, checkedOut);
  const { name, rest } = past?.kind === 'in the line' ? { name: '', rest: past.rest } : partsOf(revision);
  const commits =
    past?.kind === 'in the line' ? past.past.made : made.on((await refMeant(name, made, checkedOut)) ?? '');
  const parent = otherParent(rest, commits);
  return parent === null ? reachedBy(rest, commits) : reachedBy(parent.rest, parent.made);
}

/** @param commits the newest last @param rest how far a revision goes back from there */
function reachedBy(rest: string, commits: readonly MadeCommit[]): readonly MadeCommit[] {
  const { depth, rest: open } = ancestry(rest, commits.length);
  return /^(?:\^\{\w*\})?$/.test(open) ? commits.slice(0, commits.length - depth) : [];
}

/** What a merge of the line has merged: a commit that was there, and commits of the line on top of it. */
interface OtherParent {
  readonly oid: string;
  readonly made: readonly MadeCommit[];
  readonly rest: string;
}

/** `HEAD^2`, where that is a merge of the line; null: another revision. */
function otherParent(rest: string, commits: readonly MadeCommit[]): OtherParent | null {
  const { depth, rest: open } = ancestry(rest, commits.length);
  const [step, number] = /^\^(\d+)/.exec(open) ?? [];
  const merge = commits.at(-1 - depth);
  const oid = merge?.takesTheirPlace === true ? undefined : merge?.merged[Number(number) - 2];
  if (step === undefined || merge === undefined || oid === undefined || depth === commits.length) {
    return null;
  }
  return { oid, made: merge.merged.length === 1 ? merge.mergedMade : [], rest: open.slice(step.length) };
}

/** A revision as it has to be asked for before the line has made its commits: `HEAD~3` after two commits is `HEAD~1`. */
export async function beforeMade(revision: string, made: MadeCommits, checkedOut: CheckedOut): Promise<string> {
  const past = await pastMeant(revision, made, checkedOut);
  if (past?.kind === 'before the line') {
    return past.revision;
  }
  if (past !== null) {
    const { oid, made: commits } = past.past;
    return oid === null ? revision : belowMade(oid, past.rest, commits);
  }
  const { name, rest } = partsOf(revision);
  const ref = made.isEmpty ? null : await refMeant(name, made, checkedOut);
  return ref === null ? revision : belowMade(name, rest, made.on(ref));
}

/** @param start what the commits of the line stand on */
function belowMade(start: string, rest: string, commits: readonly MadeCommit[]): string {
  const parent = otherParent(rest, commits);
  return parent === null
    ? start + withoutNewest(rest, commits.length)
    : parent.oid + withoutNewest(parent.rest, parent.made.length);
}

function withoutNewest(rest: string, made: number): string {
  const { rest: open, over } = ancestry(rest, made);
  return (over === 0 ? '' : `~${over}`) + open;
}

/** `HEAD~2^{tree}`: `HEAD` and `~2^{tree}`. */
export function partsOf(revision: string): { readonly name: string; readonly rest: string } {
  const [, name = revision, rest = ''] = /^([^~^:@]+|@(?!\{))(.*)$/s.exec(revision) ?? [];
  return { name, rest };
}

/**
 * Reads `~2`, `^`, `^1` at the beginning as far as they stay among the newest commits.
 *
 * @returns how many of these are left behind, how many more commits it goes back, and what comes after that
 */
function ancestry(
  rest: string,
  newest: number,
): { readonly depth: number; readonly over: number; readonly rest: string } {
  let back = 0;
  let open = rest;
  while (back < newest || open === rest) {
    const [step, count] = /^~(\d*)|^\^1?(?![\d{@!-])/.exec(open) ?? [];
    if (step === undefined) {
      break;
    }
    back += step.startsWith('~') && count !== '' ? Number(count) : 1;
    open = open.slice(step.length);
  }
  return { depth: Math.min(back, newest), over: Math.max(0, back - newest), rest: open };
}

async function pastMeant(revision: string, made: MadeCommits, checkedOut: CheckedOut): Promise<PastRevision | null> {
  if (made.pasts.isEmpty || !/@\{\d+\}|^ORIG_HEAD/.test(revision)) {
    return null;
  }
  const head = await checkedOut.head();
  return made.pasts.find(revision, head.kind === 'branch' ? head.ref : 'HEAD');
}

/** The full name of the ref, with commits of this line on it, that a revision starts from. */
async function refMeant(name: string, made: MadeCommits, checkedOut: CheckedOut): Promise<string | null> {
  if (name !== 'HEAD' && name !== '@') {
    return fullNames(name).find((full) => made.on(full).length > 0) ?? null;
  }
  const head = await checkedOut.head();
  return head.kind === 'branch' ? head.ref : 'HEAD';
}
