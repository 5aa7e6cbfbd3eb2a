import type { Ancestry } from '../../git/history/ancestry.ts';
import type { CommitList } from '../../git/history/commit.ts';
import type { RefValue } from '../../git/refs/ref-files.ts';
import { fullNames } from '../../git/refs/refspec.ts';
import type { ObjectName } from '../../git/refs/revision.ts';
import { ownHeadName } from '../../git/refs/worktree-heads.ts';
import type { Head, HiddenChange, Repository, StatusEntry } from '../../git/repository.ts';
import type { Git } from '../../git/runner.ts';
import { configurationOf, type GitConfiguration } from '../../git/settings/configuration.ts';
import type { ConfigurationEntry } from '../../git/settings/configuration-entry.ts';
import { withUpstreamNamed } from '../../git/settings/upstreams.ts';
import type { Origin } from '../../shell/simple-command.ts';
import type { UnknownWord } from '../git-command/words.ts';
import type { IgnoreChange } from './files/ignore-change.ts';
import { entryAfter, entryCommitted, type Indexed, isChanged } from './files/indexed-entry.ts';
import { LineStashes } from './files/line-stashes.ts';
import type { Reindexed } from './files/reindexed.ts';
import type { TakenOut } from './files/taken-out.ts';
import type { BegunRebase, PutBack } from './refs/begun-rebase.ts';
import { dependsOnBranch, withBranchSettings } from './refs/branch-settings.ts';
import type { MadeCommit } from './refs/made-commit.ts';
import { beforeMade, MadeCommits, mergedRef, partsOf } from './refs/made-commits.ts';
import { ReplacedRepository } from './replaced.ts';

/** A switch of which it can't be known whether it succeeds: what runs only after it stands on that branch. */
export interface PresumedBranch {
  readonly after: Origin;
  readonly head: Head;
  /** Of a branch that it creates under a name that can't be known. */
  readonly name: UnknownWord | null;
  /** The remote that git finds the branch on, where it is known. */
  readonly remote: string | null;
  /** git would have refused the name of a branch that was there. */
  readonly isNew: boolean;
}

/** A bisection that is under way. */
export interface Bisection {
  /** Where HEAD stood when the line began it; null: it was under way before the line. */
  readonly start: Head | null;
  /** Of which sides git knows a commit. */
  readonly sides: ReadonlySet<'bad' | 'good'>;
}

/** Changes that every work tree of a repository sees. */
export class SharedChanges {
  /** Refs that were created, moved or (null) deleted, by full name. */
  readonly refs = new Map<string, string | null>();
  /** Commits at which branches, tags or HEAD stood before the line has put them elsewhere, or deleted them. */
  readonly left = new Set<string>();
  /** The same, by the full name of the ref, as long as nothing has come onto it there. */
  readonly stood = new Map<string, ReadonlySet<string>>();
  /** What symbolic refs stand for that the line makes, both by full name. */
  readonly symbolicRefs = new Map<string, string>();
  readonly settings: ConfigurationEntry[] = [];
  /** Names of remotes that were not there before the line. */
  readonly remotes = new Set<string>();
  /** Keys of which only the value in `settings` is left. */
  readonly replaced = new Set<string>();
  /** What the line has removed of what was configured before it. */
  readonly removed: RemovedSettings[] = [];
  /** Commits that the line makes, by the ref that has them. */
  readonly made = new Map<string, readonly MadeCommit[]>();
  readonly stashes = new LineStashes();
  /** At which commit work trees that were there have a detached HEAD (null: they have none), by what others call it. */
  readonly heads = new Map<string, string | null>();
  /** By the full name of the branch. */
  readonly rebasedOnto = new Map<string, RebasedOnto>();
  /** What the line has found out by asking git, on the way that it has gone on by. */
  readonly reached: ReachedCommit[] = [];
}

/** A commit that a ref has, perhaps because of what a fetch of the line has brought. */
export interface ReachedCommit {
  readonly oid: string;
  /** The ref's full name. */
  readonly by: string;
  /** What the line had made of the ref by then: see {@link SharedChanges.refs}. */
  readonly since: string | null | undefined;
}

/** Variables that are configured no more in one of git's files: git-config(1) "FILES". */
export interface RemovedSettings {
  readonly isMeant: (key: string) => boolean;
  readonly scope: ConfigurationEntry['scope'];
}

/** A branch of which `git rebase --onto` has left commits out; its ref still names what it had, for what was picked. */
export interface RebasedOnto {
  readonly tip: string;
  readonly onto: string;
  /** Behind it begins what was picked. */
  readonly upstream: string;
  /** The refs that the line had put at the tip before: they keep what was left out. */
  readonly keepers: ReadonlySet<string>;
}

/** What the commands so far have changed in one work tree, as far as it can change a later verdict. */
export class Overlay {
  readonly shared: SharedChanges;
  /** Where HEAD stands now; null: where it really stands. */
  head: Head | null = null;
  /** Where the last switch led, if it was known to work or to be refused by git. */
  switched: Head | 'refused' | 'unknown' = 'unknown';
  /** HEAD may stand at another commit than is known: a switch has led to one that is not known. */
  headIsOpen = false;
  /** What the last switch was given, where that can't be known: any branch may be checked out that it could name. */
  openSwitch: UnknownWord | null = null;
  /** The same of where HEAD stood before it. */
  previousOpenSwitch: UnknownWord | null = null;
  /** Where a switch leads that may fail. */
  presumed: PresumedBranch | null = null;
  /** Where HEAD stood before the last switch; null: as git remembers. */
  previousHead: Head | null = null;
  /** The bisection that the line has begun, or goes on with; null: it has ended it; undefined: it is as it was. */
  bisection: Bisection | null | undefined = undefined;
  /** What was made on it, where it was detached. */
  previouslyMade: readonly MadeCommit[] = [];
  /** See {@link SharedChanges}. */
  readonly refs: Map<string, string | null>;
  readonly settings: ConfigurationEntry[];
  readonly replaced: Set<string>;
  readonly made: MadeCommits;
  /** What FETCH_HEAD names after a fetch; null: what was fetched is not known here; undefined: nothing was. */
  fetchHead: string | null | undefined = undefined;
  /** Paths, relative to the work tree's root, that were written. */
  readonly written = new Set<string>();
  /** Those of them that a stash of this line holds. */
  readonly writtenAway = new Set<string>();
  /** How many of the files that the line has written are among them, or were until they were committed. */
  recordedWrites = 0;
  /** Paths whose changes are gone: they are as HEAD has them, or not there. */
  readonly restored = new Set<string>();
  /** Those of them that a stash of this line holds. */
  readonly stashed = new Set<string>();
  /** Those of these again that were untracked before the line has added them: in the index when they come back. */
  readonly addedAway = new Set<string>();
  /** Those of them that a commit of this line holds. */
  readonly committed = new Set<string>();
  /** Paths whose changes come from a stash that is still there, and are nothing else. */
  readonly inStash = new Set<string>();
  /** Paths whose changes an entry held that was there before the line, and that it has brought back. */
  readonly brought = new Map<string, 'tracked' | 'untracked'>();
  /** Such a commit holds what was staged before the line, too. */
  committedIndex = false;
  /** Ignored files that a stash of this line holds, and directories of such, from the work tree's root; empty: all. */
  readonly ignoredAway = new Set<string>();
  /** Paths that were in a commit which was undone, or in the index: untracked now. */
  readonly unversioned = new Set<string>();
  /** Those of them that a commit of the line does not have any more. */
  readonly untracked = new Set<string>();
  /** What the commands have made of the ignore files that git tracks. */
  readonly ignoreChanges: IgnoreChange[] = [];
  /** Paths among {@link unversioned} that were ignored before that. */
  readonly revealed = new Set<string>();
  /** Paths among {@link unversioned} that the line has added though they are ignored. */
  readonly forced = new Set<string>();
  /** Files by which the checks work, as HEAD has them, that the line has taken from the index alone. */
  readonly uncached = new Set<string>();
  /** Tags that this line makes and whose names can't be known. */
  readonly #madeTags = new Set<string>();
  /** Files of which a commit of the line has work, and the index or the work tree has not. */
  readonly takenOut = new Map<string, TakenOut>();
  /** What the index has of a path, relative to the work tree's root, since the line changed it. */
  readonly index = new Map<string, Indexed>();
  /** What commands have made of it at paths that they name; the last one counts. */
  readonly reindexed: Reindexed[] = [];
  /** Paths that were as they are staged, until the line has made the files alone another: nothing but the index has that. */
  readonly onlyStaged = new Set<string>();
  /** Work that was there is saved or committed: `git stash`, `git commit -a`. */
  saved: 'nothing' | 'tracked' | 'everything' = 'nothing';
  /** It was a stash that saved it: submodules stand where they stood. */
  leavesSubmodules = false;

  /** The line adds this work tree: no file was in it before. */
  readonly isAdded: boolean;

  /** The commit whose files the index has, where HEAD was put elsewhere without them: `git symbolic-ref HEAD …`; null: HEAD's. */
  filesOf: string | null = null;

  /** The merge that had stopped before the line is over. */
  endedMerge = false;

  /** A stash of this line has left the index as it was. */
  keepsIndex = false;

  /** `git revert --no-commit` came before, and nothing that ends it. */
  opensRevert = false;

  /** The rebase that the line has begun and that a conflict may have stopped. */
  begunRebase: BegunRebase | null = null;

  /** What it has put back since of the commit that a rebase has stopped at; null: nothing. */
  putBackPicks: PutBack | null = null;

  /** What `--autostash` had put away is back, or a stash. */
  endedAutostash = false;

  /** Paths with changes that git was told not to look at, until the line has told it otherwise. */
  readonly shown = new Set<string>();

  /** Paths with changes at which the line has told git not to look. */
  readonly hidden = new Map<string, HiddenChange['kind']>();

  /** @param addedTree path of the work tree, where the line adds it */
  constructor(shared: SharedChanges = new SharedChanges(), addedTree: string | null = null) {
    this.shared = shared;
    this.isAdded = addedTree !== null;
    this.refs = shared.refs;
    this.settings = shared.settings;
    this.replaced = shared.replaced;
    this.made = new MadeCommits(shared.made, addedTree);
    shared.stashes.watch(this.inStash);
  }

  /** HEAD leaves for where a word leads that can't be known; null: for what is known. */
  switchOpenly(to: UnknownWord | null): void {
    this.previousOpenSwitch = this.openSwitch;
    this.openSwitch = to;
  }

  /** `git tag "$TAG"`: whatever the name is. */
  addTag(name: UnknownWord): void {
    this.#madeTags.add(asWritten(name));
  }

  /** Is this surely the name of a tag that the line makes? git refuses a name that is a branch as well. */
  hasMadeTag(name: UnknownWord): boolean {
    return this.#madeTags.has(asWritten(name));
  }

  /** Is an ignored file in a stash of this line? */
  hasPutAway(path: string): boolean {
    return [...this.ignoredAway].some((root) => root === '' || `${path}/`.startsWith(`${root}/`));
  }

  /** What git-status(1) tells at this moment, whatever the line changes later. @param before what it tells before the line */
  statusNow(): (before: readonly StatusEntry[]) => readonly StatusEntry[] {
    const { saved, leavesSubmodules, committedIndex } = this;
    const [shown, restored, written, unversioned] = [
      new Set(this.shown),
      new Set(this.restored),
      new Set(this.written),
      new Set(this.unversioned),
    ];
    const [index, hidden] = [new Map(this.index), new Map(this.hidden)];
    const now = { saved, leavesSubmodules, committedIndex, shown, restored, written, unversioned, index, hidden };
    return (before) => statusAfter(before, now);
  }

  replaceSetting(key: string, value: string): void {
    this.replaced.add(key);
    this.settings.splice(0, Infinity, ...this.settings.filter((other) => other.key !== key));
    this.settings.push({ key, value, scope: 'local' });
  }

  /** What the line itself has set is one of the repository's own settings, or overrides them. */
  removeSettings(removed: RemovedSettings): void {
    const { isMeant } = removed;
    this.settings.splice(0, Infinity, ...this.settings.filter(({ key }) => !isMeant(key)));
    this.shared.removed.push(removed);
    for (const key of [...this.replaced].filter(isMeant)) {
      // Those of git's other files count again.
      this.replaced.delete(key);
      this.shared.removed.push({ isMeant: (other) => other === key, scope: 'local' });
    }
  }

  /** Is git configured as it was before the line? */
  get keepsSettings(): boolean {
    return this.settings.length === 0 && this.shared.removed.length === 0;
  }

  get isEmpty(): boolean {
    return (
      this.head === null &&
      this.refs.size === 0 &&
      this.keepsSettings &&
      this.made.isEmpty &&
      this.written.size === 0 &&
      this.unversioned.size === 0 &&
      this.shared.reached.length === 0 &&
      this.shared.heads.size === 0 &&
      this.fetchHead === undefined &&
      this.index.size === 0 &&
      this.restored.size === 0 &&
      this.shown.size + this.hidden.size === 0 &&
      !this.committedIndex &&
      this.saved === 'nothing'
    );
  }
}

/** The repository as it will be when the commands so far have run. */
export function overlaid(repository: Repository, overlay: Overlay): Repository {
  return overlay.isEmpty ? repository : new OverlaidRepository(repository, overlay);
}

class OverlaidRepository extends ReplacedRepository<Git> {
  readonly #overlay: Overlay;

  constructor(past: Repository, overlay: Overlay) {
    super(past, past.git, null);
    this.#overlay = overlay;
  }

  override async head(): Promise<Head> {
    return this.#overlay.head ?? (await this.past.head());
  }

  override async config(): Promise<GitConfiguration> {
    const { head, replaced, settings, shared, keepsSettings } = this.#overlay;
    const read = await this.past.config();
    const config = head !== null && dependsOnBranch(read) ? await withBranchSettings(read, head, this.past) : read;
    const isLeft = ({ key, scope }: ConfigurationEntry) =>
      !replaced.has(key) && !shared.removed.some((removed) => removed.scope === scope && removed.isMeant(key));
    return keepsSettings && replaced.size === 0
      ? config
      : configurationOf([...config.entries.filter(isLeft), ...settings]);
  }

  override async ref(name: string): Promise<string | null> {
    const { refs } = this.#overlay;
    const target = refs.size === 0 ? name : await this.refTarget(name);
    const moved = refs.get(target);
    return moved === undefined ? this.past.ref(target) : moved;
  }

  override async refTarget(name: string): Promise<string> {
    const { refs, shared } = this.#overlay;
    const target = shared.symbolicRefs.get(name);
    if (target === undefined) {
      return refs.has(name) ? name : this.past.refTarget(name);
    }
    return shared.symbolicRefs.has(target) ? target : this.refTarget(target);
  }

  override async refs(): Promise<ReadonlyMap<string, RefValue>> {
    const overlay = this.#overlay;
    const { merged } = overlay.made;
    const { reached } = overlay.shared;
    const before = await this.past.refs();
    if (overlay.refs.size + merged.length + reached.length === 0) {
      return before;
    }
    const refs = new Map(before);
    for (const [name, oid] of overlay.refs) {
      if (oid === null) {
        refs.delete(name);
      } else if (name.startsWith('refs/')) {
        refs.set(name, { oid, symref: overlay.shared.symbolicRefs.get(name) ?? null });
      }
    }
    for (const [name, { symref }] of refs) {
      const moved = symref === null ? undefined : overlay.refs.get(symref);
      if (moved === null) {
        // git leaves out what stands for nothing.
        refs.delete(name);
      } else if (moved !== undefined) {
        refs.set(name, { oid: moved, symref });
      }
    }
    for (const oid of merged) {
      refs.set(mergedRef(oid), { oid, symref: null });
    }
    for (const { oid, by } of reached.filter(({ by, since }) => overlay.refs.get(by) === since)) {
      // Where that ref moves or goes, this one counts no more.
      refs.set(`refs/reached/${oid}`, { oid, symref: by });
    }
    return refs;
  }

  override async otherHeads(): Promise<ReadonlyMap<string, string>> {
    const heads = new Map(await this.past.otherHeads());
    for (const [name, oid] of this.#overlay.shared.heads) {
      if (oid === null) {
        heads.delete(name);
      } else if (name !== ownHeadName(this)) {
        heads.set(name, oid);
      }
    }
    return heads;
  }

  override async status(): Promise<readonly StatusEntry[]> {
    return statusAfter(await this.past.status(), this.#overlay);
  }

  override async hiddenChanges(): ReturnType<Repository['hiddenChanges']> {
    const { shown, hidden } = this.#overlay;
    const before = (await this.past.hiddenChanges()).filter(({ path }) => !shown.has(path) && !hidden.has(path));
    return [...before, ...[...hidden].map(([path, kind]) => ({ path, kind }))];
  }

  override async resolve(revision: string): Promise<string | null> {
    const asked = await this.#askedBefore(revision);
    return asked === null ? null : this.past.resolve(asked);
  }

  override async resolveAll(revisions: readonly string[]): Promise<ReadonlyMap<string, ObjectName | null>> {
    const given = new Map<string, string>();
    for (const revision of revisions) {
      given.set(revision, (await this.#askedBefore(revision)) ?? '');
    }
    const found = await this.past.resolveAll([...given.values()]);
    return new Map([...given].map(([revision, name]) => [revision, found.get(name) ?? null]));
  }

  override commits(tips: readonly string[], except: readonly string[], limit?: number): Promise<CommitList> {
    const now = (names: readonly string[]) => names.flatMap((name) => this.#refNow(name) ?? []);
    return this.past.commits(now(tips), now(except), limit);
  }

  override async isAncestor(ancestor: string, descendant: string): Promise<Ancestry> {
    const [below, above] = [this.#refNow(ancestor), this.#refNow(descendant)];
    return below === null || above === null ? 'no' : this.past.isAncestor(below, above);
  }

  /** A full name of a ref that the line has moved, as a commit; null: it is gone. Everything else as it is. */
  #refNow(name: string): string | null {
    const moved = name.startsWith('refs/') ? this.#overlay.refs.get(name) : undefined;
    return moved === undefined ? name : moved;
  }

  /** A revision as the repository has to be asked for it as it is; null: it names nothing. */
  async #askedBefore(revision: string): Promise<string | null> {
    const overlay = this.#overlay;
    const isMoved = overlay.head !== null || !overlay.keepsSettings;
    const named = isMoved ? await withUpstreamNamed(withPreviousNamed(revision, overlay), this) : revision;
    return named === null ? null : renamed(overlay, await beforeMade(named, overlay.made, this), this.past);
  }
}

/** What the line has made of the files. */
type FilesNow = Pick<
  Overlay,
  | 'shown'
  | 'hidden'
  | 'saved'
  | 'leavesSubmodules'
  | 'restored'
  | 'index'
  | 'written'
  | 'committedIndex'
  | 'unversioned'
>;

function statusAfter(before: readonly StatusEntry[], overlay: FilesNow): readonly StatusEntry[] {
  const entries = [...before, ...[...overlay.shown].map((path) => ({ path, index: '.', worktree: 'M' }))];
  const isLeft = ({ index, isSubmodule }: StatusEntry) =>
    index === '?'
      ? overlay.saved !== 'everything'
      : overlay.saved === 'nothing' || (overlay.leavesSubmodules && isSubmodule === true);
  const left = entries.filter((entry) => isLeft(entry) && !overlay.restored.has(entry.path));
  const indexed = (entry: StatusEntry) => {
    const has = overlay.index.get(entry.path);
    // What the line writes may come after it has staged the file.
    const isOpen = has === undefined || (has === 'work tree' && entry.index !== '?' && overlay.written.has(entry.path));
    return isOpen ? entry : entryAfter(entry, has);
  };
  const isCommitted = ({ path }: StatusEntry) => overlay.committedIndex && !overlay.index.has(path);
  const tracked = left.map((entry) => (isCommitted(entry) ? entryCommitted(entry) : indexed(entry))).filter(isChanged);
  const seen = new Set(tracked.map(({ path }) => path));
  const written = [...overlay.written].filter((path) => !seen.has(path));
  const unversioned = [...overlay.unversioned].filter((path) => !seen.has(path));
  const all = [
    ...tracked,
    ...written.map((path) => ({ path, index: '.', worktree: 'M' })),
    ...unversioned.map((path) => indexed({ path, index: '?', worktree: '?' })),
  ];
  return overlay.hidden.size === 0 ? all : all.map((entry) => withoutHidden(entry, overlay)).filter(isChanged);
}

/** Of a file at which git does not look, what is staged is told all the same. */
function withoutHidden(entry: StatusEntry, { hidden }: FilesNow): StatusEntry {
  return hidden.has(entry.path) ? { ...entry, worktree: '.' } : entry;
}

/** `@{-1}`, where the line has switched before. */
function withPreviousNamed(revision: string, { previousHead }: Overlay): string {
  const rest = /^@\{-1\}(.*)$/s.exec(revision)?.[1];
  const name = previousHead?.kind === 'branch' ? previousHead.ref : previousHead?.oid;
  return rest === undefined || name == null ? revision : name + rest;
}

/** A revision, with the parts that the overlay has moved replaced by what they now are; null: they name nothing any more. */
async function renamed(overlay: Overlay, revision: string, past: Repository): Promise<string | null> {
  const { name, rest } = partsOf(revision);
  if (rest.startsWith('@{')) {
    return revision;
  }
  if ((name === 'HEAD' || name === '@') && overlay.head !== null) {
    const { oid } = overlay.head;
    return oid === null ? null : oid + rest;
  }
  if (name === 'FETCH_HEAD' && typeof overlay.fetchHead === 'string') {
    return overlay.fetchHead + rest;
  }
  const changed = fullNames(name).map((full) => [full, overlay.refs.get(full)] as const);
  const moved = changed.find(([, oid]) => typeof oid === 'string')?.[1] ?? null;
  if (moved !== null || !changed.some(([, oid]) => oid === null)) {
    return moved === null ? revision : moved + rest;
  }
  for (const [full, oid] of changed) {
    if (oid === undefined && (await past.ref(full)) !== null) {
      return full + rest;
    }
  }
  return null;
}

/** What two words have in common that have the same value, though it can't be known. */
export function asWritten({ source, reason, prefix, suffix }: UnknownWord): string {
  return [source.replace(/["']/g, ''), reason, prefix, suffix].join('\0');
}
