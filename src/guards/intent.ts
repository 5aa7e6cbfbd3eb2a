import type { StoppedOperation } from '../git/history/stopped-operations.ts';
import type { PushRequest } from '../git/push/push-request.ts';
import type { SimpleCommand, Word } from '../shell/simple-command.ts';
import type { UnknownWord } from './git-command/words.ts';

/**
 * What one git command means to do to the repository and its remotes, spelling gone. A command may mean several things:
 * `checkout -fB main origin/main` discards changes and moves a branch.
 */
export type Intent =
  | PushIntent
  | CommitIntent
  | GrowIntent
  | TakeBackIntent
  | SkipHooksIntent
  | DiscardIntent
  | MoveRefIntent
  | DeleteRefIntent
  | RemoveWorktreeIntent
  | ForgetWorktreesIntent
  | LeaveSubmodulesIntent
  | RenameRefIntent
  | FetchIntent
  | ImportIntent
  | RewriteIntent
  | EditListIntent
  | DestroyRecoveryIntent
  | ConfigureIntent
  | RemoteIntent
  | RunIntent
  | SwitchIntent
  | CallOffIntent
  | GoOnIntent
  | TrackIntent
  | StashIntent
  | StageIntent
  | BringFilesIntent
  | ChangeFilesIntent
  | ChangeIndexIntent
  | PatchIntent
  | WriteFilesIntent
  | VersionIntent
  | PublishIntent
  | UnreadableIntent;

export interface PushIntent {
  readonly kind: 'push';
  readonly request: PushRequest;
  /** Words that name the remote or a refspec and can't be known. */
  readonly unknown: readonly UnknownWord[];
  /** What names the remote, where only that can't be known: one word, and no option. */
  readonly remote?: UnknownWord;
}

/** Where a commit takes its message from, as far as the command line tells. */
export type MessageSource =
  | { readonly kind: 'text'; readonly paragraphs: readonly Word[] }
  | { readonly kind: 'file'; readonly path: Word }
  /** An editor opens, or another commit's message is used again, or git makes it (`--fixup`). */
  | {
      readonly kind: 'elsewhere';
      /** What the editor is given: `-e -m …`, `--template=FILE`; absent where it is git's, or not known. */
      readonly begun?: { readonly by: 'message' | 'template'; readonly with: MessageSource };
      /** It is made of another commit's: `-C`, `-c`, `--fixup`, `--squash`. */
      readonly isDerived?: true;
    };

/** Arguments before and after the place of the message, as they are written. */
export interface CommitWords {
  /** `commit`, `merge`. */
  readonly subcommand: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface CommitIntent {
  readonly kind: 'commit';
  readonly message: MessageSource;
  /** The call without its message, to be pasted around another; null where it is no `git commit`. */
  readonly around: CommitWords | null;
  readonly amend: boolean;
  /** `--all`: every tracked change is committed. */
  readonly all: boolean;
  /** Files that are committed as they are in the work tree, and nothing else: `git commit FILE`. */
  readonly paths: readonly Word[];
  /** What is staged is committed beside them: `git commit --include FILE`. */
  readonly includes?: boolean;
  readonly dryRun: boolean;
  /** `git commit-tree`: no branch gets the commit. */
  readonly isLoose?: boolean;
  /** `--allow-empty`: without it git makes no commit of nothing. */
  readonly allowsEmpty?: boolean;
  /** Nothing is there to be committed, so that git refuses, or makes an empty commit where it may. */
  readonly findsNothing?: boolean;
  /** Somebody has to write, or to leave, the message: the editor may fail, and git refuse an empty one. */
  readonly opensEditor?: boolean;
  /** `--cleanup=verbatim|scissors|…`; null: git's default for the message's source. */
  readonly cleanup: Word | null;
}

/** Commits are added to the branch that is checked out, with messages of their own: `cherry-pick`, `revert`, `merge`. */
export interface GrowIntent {
  readonly kind: 'grow';
  /** What is picked, taken back or merged; a range is one word. */
  readonly commits: readonly Word[];
  readonly merges: boolean;
  /** A merge makes no commit where the branch can follow. */
  readonly fastForwards: boolean;
  /** What is picked changes here all that it has changed there. */
  readonly copies?: boolean;
  /** What a merge is told to say; absent where git writes the messages. */
  readonly said?: Pick<CommitIntent, 'message' | 'around' | 'cleanup'>;
  /** Every message goes through an editor: what the commits say, or what git makes of it. `--edit` */
  readonly edits?: 'theirs' | 'of git';
}

/** What commits have changed becomes what it was before them: `git revert`, with or without a commit. */
export interface TakeBackIntent {
  readonly kind: 'take-back';
  /** A range is one word. */
  readonly commits: readonly Word[];
  /** Of these alone; absent: of all that they have changed. */
  readonly paths?: readonly string[];
  /** Without a commit, git remembers that it is under way: it can be called off. */
  readonly staysOpen: boolean;
  readonly means: string;
}

/** The repository's hooks would not run. */
export interface SkipHooksIntent {
  readonly kind: 'skip-hooks';
  /** `--no-verify`, `HUSKY=0`, `core.hooksPath`. */
  readonly means: string;
  /** What is skipped: `the hooks of git commit`. */
  readonly skipped: string;
  /** What to do instead. */
  readonly suggestion: string;
}

/** Uncommitted work that would be gone. */
export interface DiscardIntent {
  readonly kind: 'discard';
  readonly what: Discarded;
  /** The command as people know it: `git reset --hard`. */
  readonly means: string;
}

/** Whether the same is done in submodules: by `--recurse-submodules`, or where `submodule.recurse` says so. */
export type Recursing = 'always' | 'as-configured';

/** Where files come from the index, git refuses to take any of them while one is in conflict: git-checkout(1) "--force". */
export type StopsAtConflicts = true;

export type Discarded =
  /** Every change of a tracked file, staged or not. */
  | {
      readonly kind: 'tracked';
      /** The commit whose files are checked out, where one is named. */
      readonly to?: Word;
      readonly recurses?: Recursing;
    }
  /** Changes that are staged. */
  | { readonly kind: 'staged' }
  /** Changes of the tracked files that pathspecs match. */
  | {
      readonly kind: 'paths';
      readonly paths: readonly Word[];
      readonly from: PathSource;
      /** They go, and nothing comes in their place: git-rm(1). */
      readonly removes?: true;
      /** The commit that they are taken from, where one is named. */
      readonly to?: Word;
      /** `--ignore-skip-worktree-bits` */
      readonly takesSkipped?: boolean;
      /** `--merge`: conflicts that are resolved and staged are there again. */
      readonly remakesConflicts?: boolean;
      /** What the commit does not have stays: `--overlay`, of git-checkout(1) unless it says otherwise. */
      readonly overlays?: boolean;
      /** The files alone become what a commit has, and the index keeps what is staged: git-restore(1) "--source". */
      readonly besideIndex?: boolean;
      readonly stopsAtConflicts?: StopsAtConflicts;
      /** Of files in conflict, one of the sides; in a rebase `ours` is what commits are put on: git-checkout(1). */
      readonly side?: 'ours' | 'theirs';
      readonly recurses?: Recursing;
    }
  /** `checkout NAME`: a branch if there is one, a path otherwise. */
  | {
      readonly kind: 'branch-or-path';
      readonly words: readonly Word[];
      readonly remakesConflicts?: boolean;
      readonly stopsAtConflicts?: StopsAtConflicts;
      readonly overlays?: boolean;
      readonly recurses?: Recursing;
    }
  /** Files, untracked ones too, in whose place others are put: `git mv --force SOURCE… TARGET`. */
  | { readonly kind: 'overwritten'; readonly sources: readonly Word[]; readonly target: Word }
  /** Untracked files, as git clean with these arguments finds them. */
  | { readonly kind: 'untracked'; readonly arguments: readonly Word[] }
  /** Untracked files in the directories that a sparse checkout leaves out. */
  | { readonly kind: 'outside-sparse'; readonly forced: boolean }
  /** Ignored files in the directories that a sparse checkout leaves out from now on. */
  | {
      readonly kind: 'left-out';
      readonly chosen: readonly Word[];
      /** What becomes of those that were chosen before; `needed`: git refuses where none were. */
      readonly earlier: 'dropped' | 'kept' | 'needed';
      /** See {@link ChangeFilesIntent}. */
      readonly byPatterns: boolean | null;
    }
  | { readonly kind: 'stash'; readonly entry: 'all' | Word | null }
  /** Everything in another working tree. */
  | { readonly kind: 'worktree'; readonly path: Word }
  /** Changes in submodules (no paths: in all of them); with `untracked`, their working trees go. */
  | {
      readonly kind: 'submodules';
      readonly paths: readonly Word[];
      readonly untracked: boolean;
      /** git refuses where anything there is changed: what is at stake are ignored files. */
      readonly refusesChanges?: boolean;
      readonly recurses?: Recursing;
    };

/** What is overwritten: the work tree from the index, or more; or only what is in conflict. */
export type PathSource = 'index' | 'commit' | 'conflicts';

export interface MoveRefIntent {
  readonly kind: 'move-ref';
  /** The ref that moves; null: the branch that is checked out (or a detached HEAD). */
  readonly ref: RefName | null;
  /** Where it goes; null: unknown to the guard or fetched from elsewhere. */
  readonly to: Word | null;
  /** The commits' changes stay in the work tree: `git reset` without `--hard`. */
  readonly keepsWork?: boolean;
  /** They stay in the index as well: `git reset --soft`. */
  readonly keepsIndex?: boolean;
  /** Neither the index nor the work tree follows: git-update-ref(1). */
  readonly movesAlone?: true;
  /** A symbolic ref moves by itself, not what it stands for: git-update-ref(1) "--no-deref". */
  readonly itself?: boolean;
  /** It becomes a symbolic ref; `to` is the full name of what it stands for. */
  readonly symbolic?: boolean;
  /** It is made: git refuses where it is there already. */
  readonly isNew?: boolean;
  /** It goes to a new commit that holds what `to` holds, on these parents: git-replace(1) "--graft". */
  readonly parents?: readonly Word[];
  /** A branch that is made may get an upstream. */
  readonly tracking?: Tracking;
  /** It is checked out then: a detached HEAD does not keep its commits. */
  readonly leavesHead?: boolean;
  /** git refuses without a work tree. */
  readonly needsWorkTree?: boolean;
  readonly means: string;
}

export interface DeleteRefIntent {
  readonly kind: 'delete-ref';
  readonly refs: readonly RefName[];
  /** git refuses for branches that are checked out, and deletes the others: `git branch -D`. */
  readonly sparesCheckedOut?: boolean;
  /** git refuses for branches with commits that neither their upstream nor HEAD has: `git branch -d`. */
  readonly sparesUnmerged?: boolean;
  /** What a symbolic ref stands for goes, not that itself: `git update-ref -d`. */
  readonly dereferences?: boolean;
  readonly means: string;
}

/** A linked work tree goes, and with it the HEAD that it had. */
export interface RemoveWorktreeIntent {
  readonly kind: 'remove-worktree';
  readonly path: Word;
  /** Otherwise git refuses where something in it is not committed. */
  readonly forced: boolean;
}

/** Of linked work trees whose directory is gone already, what git still knows goes: their HEADs. */
export interface ForgetWorktreesIntent {
  readonly kind: 'forget-worktrees';
  /** Where it was; null: all of them. */
  readonly path: Word | null;
  readonly means: string;
}

/** HEAD of submodules (no paths: of all of them) goes to the commit that the index names. */
export interface LeaveSubmodulesIntent {
  readonly kind: 'leave-submodules';
  readonly paths: readonly Word[];
  /** Whatever the settings say: `--checkout`. */
  readonly always: boolean;
  /** Only if the command goes into submodules. */
  readonly recurses?: Recursing;
  /** The configuration may say that a pull rebases, and then commits of submodules are rebased as well. */
  readonly rebasesAsConfigured?: boolean;
  readonly means: string;
}

/** A branch gets another name. */
export interface RenameRefIntent {
  readonly kind: 'rename-ref';
  /** Null: the branch that is checked out. */
  readonly from: RefName | null;
  readonly to: RefName;
  /** Whatever has the new name already is overwritten. */
  readonly forced: boolean;
  readonly means: string;
}

/** Refs are brought from a remote to where refspecs say, the configured ones where none are given. */
export interface FetchIntent {
  readonly kind: 'fetch';
  /** Null: the remote that git chooses by itself. */
  readonly remote: Word | null;
  /** `--all`, `git remote update` */
  readonly all: boolean;
  readonly refspecs: readonly Word[];
  /** `--refmap`: instead of the configured refspecs. */
  readonly refmap: readonly Word[];
  readonly force: boolean;
  /** Also into the branch that is checked out, without its files: `--update-head-ok`. */
  readonly updatesHead?: boolean;
  /** Refs that the remote lacks are deleted; null: the configuration decides. */
  readonly prune: boolean | null;
  /** Tags as well: `--prune-tags`; null: the configuration decides. */
  readonly pruneTags: boolean | null;
  /** `git remote prune`: nothing is fetched. */
  readonly prunesOnly: boolean;
  readonly means: string;
}

/** Branches are made or updated from a stream of commits: git-fast-import(1). */
export interface ImportIntent {
  readonly kind: 'import';
  /** Full names; with `*` at the end: any that begin so. */
  readonly refs: readonly string[];
  readonly means: string;
}

/** A ref by its full name, or by a short one within a namespace; a replacement by any name of what is replaced. */
export interface RefName {
  readonly namespace: 'refs/heads/' | 'refs/tags/' | 'refs/remotes/' | 'refs/replace/' | '';
  readonly name: Word;
}

/** Commits of the current branch (or `branch`) are replaced by others. */
export interface RewriteIntent {
  readonly kind: 'rewrite';
  readonly means: string;
  /** The list of commits goes through an editor: `git rebase -i`. */
  readonly editsList?: boolean;
  /** Nothing of what the commits change is taken: `--strategy=ours`. */
  readonly empties?: boolean;
  /** Where both sides have changed the same, it is the upstream's change that stays: `--strategy-option=ours`. */
  readonly givesWay?: boolean;
  /** The commit that is left out: `git history drop`. */
  readonly drops?: Word;
  /** `head`: only the newest commit. */
  readonly range: 'head' | RewriteRange;
}

/** The list of a rebase that has stopped goes through an editor: `git rebase --edit-todo`. */
export interface EditListIntent {
  readonly kind: 'edit-list';
}

export interface RewriteRange {
  readonly start: RewriteStart;
  /** null: the branch that is checked out. `containing`: every local branch that has the first commit. */
  readonly branch: Word | 'containing' | null;
  readonly onto: Word | null;
  /** Commits that could stay as they are become others as well. */
  readonly anew: boolean;
  /** By a list of picks: what stands on its own parent already stays as it is, unless the list is edited. */
  readonly picks?: boolean;
  /** Merges are made again, not left out: git-rebase(1) "--rebase-merges". */
  readonly keepsMerges?: boolean;
  /** What the upstream has had once is left out: git-rebase(1) "--fork-point". */
  readonly forkPoint?: 'always' | 'as configured';
}

/** Where the commits that become others begin: behind what the upstream or a commit reaches, with a commit, or at the root. */
export type RewriteStart =
  | { readonly kind: 'upstream' }
  | {
      readonly kind: 'after';
      readonly commit: Word;
      /** It is what a pull has fetched; the remote may be named by a URL or a path. */
      readonly fetched?: { readonly remote: string; readonly branch: string };
    }
  | { readonly kind: 'at'; readonly commit: Word }
  | { readonly kind: 'root' };

export interface DestroyRecoveryIntent {
  readonly kind: 'destroy-recovery';
  readonly means: string;
  /** `the reflog, by which lost commits are found again`. */
  readonly destroyed: string;
  /** Only what packs hold that nothing reaches. */
  readonly packedOnly?: boolean;
  /** Missing where the whole repository is to be kept. */
  readonly suggestion?: string | null;
}

export interface ConfigureIntent {
  readonly kind: 'configure';
  /** Null when the key can't be known. */
  readonly key: Word;
  /** Null: the variable is removed, or with `section.*` all of a section. */
  readonly value: Word | null;
  /** `--unset KEY PATTERN`: only values that match are removed. */
  readonly onlyMatching?: boolean;
  /** `--add`: beside the values that are there. */
  readonly adds?: boolean;
  /** `this call`: by `-c`, the environment or `--config-env`; it lasts no longer than the command. */
  readonly scope: 'this call' | 'local' | 'worktree' | 'global' | 'system' | 'file';
}

export interface RemoteIntent {
  readonly kind: 'remote';
  readonly action: 'add' | 'set-url' | 'remove' | 'rename' | 'set-push-url';
  readonly name: Word;
  /** The new URL, or the new name. */
  readonly value: Word | null;
  readonly mirror: boolean;
  /** `--mirror=fetch`: every ref here becomes what it is there. */
  readonly mirrorsFetch?: boolean;
}

/** git starts another program. */
export interface RunIntent {
  readonly kind: 'run';
  /** A shell command line, or a program with its arguments. */
  readonly command: Word | readonly Word[];
  /** The first of these that is set has the command line in its place. */
  readonly variables?: readonly string[];
  /** What git puts behind a command line, as a shell would be told it. */
  readonly appended?: string;
  /** `git rebase --exec`, for `explain`. */
  readonly by: string;
  /** Only where git allows this protocol: git-config(1) "protocol.*.allow". */
  readonly protocol?: 'ext';
}

/** `either`: by a word of the bisection's own, which it was given when it began. */
export type BisectSide = 'bad' | 'good' | 'skipped' | 'either';

/** A step of a bisection: git-bisect(1). */
export interface Bisecting {
  /** `mark`: also of nothing, which only looks for the next commit. `run`: marks by what a program says. */
  readonly step: 'start' | 'mark' | 'run' | 'replay';
  readonly marks: readonly { readonly side: BisectSide; readonly commit: Word }[];
}

/** The branch that is checked out changes. */
export interface SwitchIntent {
  readonly kind: 'switch';
  readonly to: Word | null;
  readonly create: boolean;
  readonly detach: boolean;
  /** `git switch`: git refuses what is no branch, and all of it while a merge, a rebase or the like has stopped. */
  readonly strict?: boolean;
  /** Where a created branch starts; null: at HEAD. */
  readonly start?: Word | null;
  /** `--orphan`: the created branch has no commits. */
  readonly orphan?: boolean;
  /** It goes back to where the operation began, if one is under way, unless `to` says otherwise. */
  readonly ends?: 'rebase' | 'bisect';
  /** git chooses a commit to check out as soon as it knows one of either side. */
  readonly bisects?: Bisecting;
  /** `git symbolic-ref HEAD refs/heads/x`: the branch need not be there, nor a work tree, and no file is touched. */
  readonly mayBeUnborn?: boolean;
  /** `--force`, `--discard-changes`: files in conflict are no hindrance. */
  readonly forced?: boolean;
  /** `-B`, `-C`: a branch of that name is no hindrance. */
  readonly resets?: boolean;
  /** A created branch may get an upstream. */
  readonly tracking?: Tracking;
}

/** What becomes the upstream of a branch that is made: git-branch(1) `--track=direct`, `--track=inherit`, `--no-track`. */
export type Tracking = 'direct' | 'inherit' | 'none' | 'as configured';

/** A stopped operation does not go on with what it has stopped at. */
export interface CallOffIntent {
  readonly kind: 'call-off';
  readonly operation: StoppedOperation;
  /**
   * `abort`: what it has brought into the work tree goes again. `skip`: the same, and it goes on with the next commit.
   * `quit`: it stays, and what `--autostash` has put away becomes a stash.
   */
  readonly way: 'abort' | 'skip' | 'quit';
}

/**
 * A stopped operation goes on. Where nothing stops it again, all is picked; of a rebase, the branch is checked out then. A
 * merge has nothing left but its commit.
 */
export interface GoOnIntent {
  readonly kind: 'go-on';
  readonly operation: Exclude<StoppedOperation, 'merge'>;
  /** `git rebase --continue`: the commit at which it has stopped is made with a message that an editor is given. */
  readonly editsMessage?: boolean;
}

/** A branch gets another upstream, which may be where its next push goes. */
export interface TrackIntent {
  readonly kind: 'track';
  /** Null: the branch that is checked out. */
  readonly branch: Word | null;
  /** `origin/main`; null: it has none any more. */
  readonly upstream: Word | null;
}

export interface StashIntent {
  readonly kind: 'stash';
  /** `remove`: it is applied and goes. `store`: a commit becomes one. */
  readonly action: 'push' | 'apply' | 'remove' | 'store';
  /** Which one is taken out (null: the newest), or which commit is stored. */
  readonly entry: Word | null;
  /** What was staged is staged again: `git stash pop --index`. */
  readonly restoresIndex?: boolean;
  readonly untracked: boolean;
  /** What is staged stays in the index, too: `git stash --keep-index`. */
  readonly keepsIndex?: boolean;
  /** Ignored files as well: `git stash --all`. */
  readonly ignored?: boolean;
  /** Only some changes are put away: pathspecs, `--patch`, `--staged`. */
  readonly partial: boolean;
  /** All changes of these paths, and no others. */
  readonly paths?: readonly Word[];
  /** The files are those of another directory than the repository's work tree. */
  readonly isBeside?: boolean;
}

/** Files join the index: untracked ones become tracked. */
export interface StageIntent {
  readonly kind: 'stage';
  readonly paths: readonly Word[];
  /** Not only what is tracked already, as by `git add -u`. */
  readonly untracked: boolean;
  /** Untracked ones even where they are ignored. */
  readonly ignored: boolean;
  /** What of them: only that they exist (`--intent-to-add`), or what somebody chooses. */
  readonly part: 'content' | 'intent' | 'chosen';
}

/** Files come into the work tree, whatever lies in their place untracked. */
export interface BringFilesIntent {
  readonly kind: 'bring-files';
  readonly source: /** All that it has, or what it has at these paths. */
    | {
        readonly kind: 'commit';
        readonly commit: Word;
        readonly paths?: readonly Word[];
        /** Where no commit is called so, the word is a path: `git checkout NAME`. */
        readonly mayBePath?: boolean;
        /** Nothing happens where HEAD has that commit: `git rebase`. */
        readonly sparesAncestors?: boolean;
        /** It comes into a directory, with all that it has: git-read-tree(1) "--prefix". */
        readonly below?: Word;
      }
    /** What each of them has that HEAD lacks. */
    | {
        readonly kind: 'merge';
        readonly commits: readonly Word[];
        /** The configuration may say that HEAD's own commits are put on theirs instead: `git pull`. */
        readonly rebasesAsConfigured?: boolean;
      }
    /** What these commits have changed, or (`takenBack`) what was there before. A range is one word. */
    | { readonly kind: 'changes'; readonly commits: readonly Word[]; readonly takenBack: boolean }
    /** What was changed when the stash was made; null: the newest one. */
    | { readonly kind: 'stash'; readonly entry: Word | null };
  /** Also over untracked files that are not ignored. */
  readonly forced: boolean;
  /** Tracked files come to be as they are in the commit: git-switch(1) "--discard-changes". */
  readonly discards?: boolean;
  /** Ignored files are left where HEAD only moves on: git-merge(1) "--no-overwrite-ignore". */
  readonly sparesIgnored?: 'fast-forward';
  /** git does nothing where a tracked file has changes that are not committed, or one that it would have to overwrite. */
  readonly refuses?: 'touched' | 'all';
  readonly means: string;
}

/** Tracked files go from the work tree (or get another name), or become what they are in another commit. */
export interface ChangeFilesIntent {
  readonly kind: 'change-files';
  /** Of `nothing-else`: files are chosen by patterns; null: as configured. git-sparse-checkout(1) "--cone": directories are. */
  readonly byPatterns?: boolean | null;
  readonly paths: readonly Word[];
  /** `nothing-else`: all others leave the work tree. `removes`: those that the commit lacks go. */
  readonly to: 'nothing' | 'nothing-else' | { readonly commit: Word; readonly removes: boolean };
  /** They get another name: of a directory everything goes along. */
  readonly moves?: true;
  /** The name, or the directory, that they get by that. */
  readonly newPlace?: Word;
  readonly means: string;
}

/** Tracked files go from the index, are others there, or what they are in HEAD (`reset`); the work tree stays as it is. */
export interface ChangeIndexIntent {
  readonly kind: 'change-index';
  readonly paths: readonly Word[];
  /** `hide`: git is told not to look at files; `show`: it does so again. */
  readonly change: 'write' | 'remove' | 'mode' | 'reset' | 'hide' | 'show';
  /** What tells it, and what `show` takes from them: `--assume-unchanged`, `--skip-worktree`. */
  readonly hidden?: 'assumed' | 'skipped';
  /** What `reset` takes them from; HEAD, where it is not there. */
  readonly from?: Word;
  /** The first of the paths is that, should it name a commit. */
  readonly mayBeginWithCommit?: true;
  readonly means: string;
}

/** A patch changes files, in the work tree, in the index, or in both. */
export interface PatchIntent {
  readonly kind: 'patch';
  /** None: it comes from standard input. */
  readonly files: readonly Word[];
  /** Leading directories that are taken off the names: `-p`. */
  readonly strip: number;
  /** What is put before them: `--directory`. */
  readonly directory: string;
  /** What it has changed is changed back. */
  readonly takesBack: boolean;
  readonly changes: 'work tree' | 'index' | 'both';
  /** What prints it, where it comes from standard input. */
  readonly printedBy?: SimpleCommand;
  readonly means: string;
}

/** Files that are written to by name: `git diff --output=FILE`. */
export interface WriteFilesIntent {
  readonly kind: 'write-files';
  readonly paths: readonly Word[];
  readonly means: string;
  /** What `git config --file` changes of the settings in them, should they be some that git reads. */
  readonly sets?: readonly Intent[];
}

/** An operation on versions, during which uncommitted changes deserve a notice. */
export interface VersionIntent {
  readonly kind: 'version';
  readonly operation: 'merge' | 'rebase' | 'pull' | 'tag';
  /** Nothing is committed, and git prepares a message that lists what was merged: `--squash`. */
  readonly squashes?: true;
  /** `git pull` that is not told whether to rebase. */
  readonly rebasesAsConfigured?: boolean;
  /** What it would put the branch on. */
  readonly from?: RewriteStart;
  /** As of a {@link RewriteIntent}, should it rebase. */
  readonly empties?: boolean;
  readonly givesWay?: boolean;
}

/** Commits reach a server of another kind, whose history git can't take back: git-svn(1), git-p4(1). */
export interface PublishIntent {
  readonly kind: 'publish';
  readonly means: string;
  /** `commits to the Subversion repository` */
  readonly says: string;
  /** What tells beforehand; absent: its own `--dry-run`. */
  readonly suggestion?: string;
}

/** A part that can't be read and where a known value could change the verdict. */
export interface UnreadableIntent {
  readonly kind: 'unreadable';
  readonly source: string;
  readonly reason: string;
  /** What it could be: `an option of git push`. */
  readonly could: string;
  /** Only where the command line sets one of these variables. */
  readonly where?: readonly string[];
  /** What the command would mean if it were that: only where something of it would be stopped. */
  readonly meaning?: readonly Intent[];
}
