import type { Head, HiddenChange } from '../../git/repository.ts';
import type { ConfigurationEntry } from '../../git/settings/configuration-entry.ts';
import type { Origin } from '../../shell/simple-command.ts';
import type { UnknownWord } from '../git-command/words.ts';
import type { IgnoreChange } from './files/ignore-change.ts';
import type { Indexed } from './files/indexed-entry.ts';
import { LineStashes } from './files/line-stashes.ts';
import type { Reindexed } from './files/reindexed.ts';
import type { TakenOut } from './files/taken-out.ts';
import type { Past } from './pasts.ts';
import type { BegunRebase, PutBack } from './refs/begun-rebase.ts';
import type { ForkingRebase } from './refs/fork-point.ts';
import type { MadeCommit } from './refs/made-commit.ts';
import { MadeCommits } from './refs/made-commits.ts';

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
  /** The line has fetched or imported: refs may be there that nobody knows here. */
  bringsRefs = false;
  /** Refs that the line has put at a commit which is not known, by full name, and where they stood before. */
  readonly adrift = new Map<string, string>();
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
  /** What the line has found out by asking git, on the way that it has gone on by, and where it has put branches. */
  readonly reached: ReachedCommit[] = [];
}

/** A commit that a ref has, perhaps because of what a fetch of the line has brought, or by a rebase. */
export interface ReachedCommit {
  readonly oid: string;
  /** The ref's full name. */
  readonly by: string;
  /** What the line had made of the ref by then: see {@link SharedChanges.refs}. */
  readonly since: string | null | undefined;
}

/** Where such a commit is told among the refs. */
export function reachedRef(oid: string): string {
  return `refs/reached/${oid}`;
}

/** Variables that are configured no more in one of git's files: git-config(1) "FILES". */
export interface RemovedSettings {
  readonly isMeant: (key: string) => boolean;
  readonly scope: ConfigurationEntry['scope'];
}

/** A branch of which `git rebase` has left commits out; its ref still names what it had, for what was picked. */
export interface RebasedOnto {
  readonly tip: string;
  readonly onto: string;
  /** Behind it begins what was picked; or what the upstream may have had once is left out. */
  readonly upstream: string | ForkingRebase;
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
  /** Of a submodule: where it stood when the line has staged it in its superproject; null: it has not. */
  gitlink: Past | null = null;
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
  /** Another work tree stands on the same HEAD. */
  sharesHead = false;
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
  /** How often files that commits of the line have were removed, as far as {@link takenOut} tells it. */
  readonly removals = new Map<string, number>();
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

  /** Has git a message ready that lists what `--squash` has merged? undefined: as it was before the line. */
  squashes: boolean | undefined = undefined;

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
      this.shared.stashes.areAsBefore &&
      this.fetchHead === undefined &&
      this.index.size === 0 &&
      this.restored.size === 0 &&
      this.shown.size + this.hidden.size === 0 &&
      !this.committedIndex &&
      this.saved === 'nothing'
    );
  }
}

/** What changes with HEAD, and lies beside it in the git directory. */
const ofHead = [
  'head',
  'switched',
  'headIsOpen',
  'openSwitch',
  'previousOpenSwitch',
  'presumed',
  'previousHead',
  'previouslyMade',
  'made',
  'bisection',
  'fetchHead',
  'begunRebase',
  'endedMerge',
  'endedAutostash',
  'opensRevert',
  'squashes',
] as const satisfies readonly (keyof Overlay)[];

/** Two work trees have one git directory: where HEAD goes in one of them, it goes in the other. */
export function shareHead(overlay: Overlay, other: Overlay): void {
  for (const name of ofHead) {
    Object.defineProperty(overlay, name, {
      get: () => other[name],
      set: (value: unknown) => Object.assign(other, { [name]: value }),
    });
  }
  overlay.sharesHead = true;
}

/** What two words have in common that have the same value, though it can't be known. */
export function asWritten({ source, reason, prefix, suffix }: UnknownWord): string {
  return [source.replace(/["']/g, ''), reason, prefix, suffix].join('\0');
}
