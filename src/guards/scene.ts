import type { Policy } from '../config/policy.ts';
import type { Repository } from '../git/repository.ts';
import type { SimpleCommand, Step } from '../shell/simple-command.ts';
import type { Finding } from './finding.ts';
import type { KeptPatches } from './simulation/files/kept-patches.ts';
import type { MovedPaths } from './simulation/files/moved-paths.ts';
import type { OverlaidTree } from './simulation/line-changes.ts';
import type { Overlay } from './simulation/overlay.ts';
import type { ComingBack } from './simulation/returns.ts';

/** What a linter says of a commit message. */
export interface MessageVerdict {
  readonly valid: boolean;
  /** What is wrong, in plain words. */
  readonly problems: readonly string[];
  /** The whole message, corrected; null when that can't be done without guessing. */
  readonly corrected: string | null;
}

/** What a repository's configuration says: how strict its rules are, and how its messages are judged. */
export interface Convention {
  readonly policy: Policy;
  readonly judgeMessage: (message: string) => MessageVerdict | Promise<MessageVerdict>;
}

/** Where one git command is about to run, and everything its rules may ask. */
export interface Scene extends Convention {
  readonly command: SimpleCommand;
  /** The directory in which the line begins, absolute. */
  readonly start: string;
  /** As it will be when the commands before have run. */
  readonly repository: Repository;
  readonly overlay: Overlay;
  /** Texts of files that the line itself writes, by absolute path; null where the text can't be known. */
  readonly writtenTexts: ReadonlyMap<string, string | null>;
  /** Commands whose output such files are, and nothing else. */
  readonly printed: ReadonlyMap<string, SimpleCommand>;
  /** What other work trees have checked out may not be so any more. */
  readonly changesWorktrees: boolean;
  /** The line may have made repositories before: clones, submodules. */
  readonly makesRepositories: boolean;
  /** Changes that the line has put into files before. */
  readonly patches: KeptPatches;
  /** Those of their files that go with what the command discards: absolute paths. */
  readonly taken: ReadonlySet<string>;
  /** Where things lay before the line moved them. */
  readonly moved: MovedPaths;
  /** Links that the line has made, and where each leads: absolute paths. */
  readonly links: ReadonlyMap<string, string>;
  /** A work tree that the line adds, as the commands before leave it; null: it adds none there. @param path absolute */
  readonly addedWorktree: (path: string) => OverlaidTree | null;
  /** The same of a work tree that was there; null: no repository is there, or another one. */
  readonly linkedWorktree: (path: string) => Promise<OverlaidTree | null>;
  /** The work tree of another repository that was there, once for each way in which the commands before may leave it. */
  readonly treesBefore: (path: string) => Promise<readonly OverlaidTree[]>;
  /** Whether the line comes back to where HEAD stands; null: no, or not for sure. */
  readonly comesBack: ComingBack | null;
  /** Does the line bring back what this command puts away, before anything for which hooks should run? */
  readonly unstashes: () => boolean;
  /** Does nothing on the line give a name to what the command prints? */
  readonly staysUnnamed: () => boolean;
  /** Judges steps that this command sets off (`--exec`): what they change counts for what comes after it. */
  judgeSteps(steps: readonly Step[]): Promise<readonly Finding[]>;
  /** Judges steps that may run some other time (an alias that is set, an editor), without letting them change anything. */
  judgeLater(steps: readonly Step[]): Promise<readonly Finding[]>;
}
