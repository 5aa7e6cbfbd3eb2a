import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDirectory, namesIn } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import { implies } from '../shell/path.ts';
import type { Directory, Origin, Path, SimpleCommand, Step, Word } from '../shell/simple-command.ts';
import { configuredHooks, includedFiles } from './files/configured-hooks.ts';
import type { FileChange } from './files/file-change.ts';
import { workTreeAbove } from './files/guarded-file.ts';
import type { ManagersFile } from './files/hook-managers.ts';
import { ownPrograms } from './files/own-programs.ts';
import { truePath } from './files/true-path.ts';
import { type Invocation, lastSetting, readInvocation } from './git-command/invocation.ts';
import { isUnknown, known, textOf } from './git-command/words.ts';
import type { Convention } from './scene.ts';
import { OutputUses } from './simulation/answers/output-uses.ts';
import { Decisions } from './simulation/decisions.ts';
import { type AddedWorktree, headOfWorktree } from './simulation/files/added-worktree.ts';
import { KeptPatches } from './simulation/files/kept-patches.ts';
import { type MadeGitfile, MadeGitfiles } from './simulation/files/made-gitfiles.ts';
import { MovedPaths } from './simulation/files/moved-paths.ts';
import { Writers } from './simulation/files/writers.ts';
import { ChangesInTree, LineChanges, type OverlaidTree } from './simulation/line-changes.ts';
import {
  type FoundGitfile,
  namedPlaces,
  type OpeningLine,
  openBehindGitfile,
  openForCall,
  openTrusted,
  withTreeThatIsThere,
} from './simulation/opened-place.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { Overlay } from './simulation/overlay.ts';
import { pulledBranch } from './simulation/refs/presumed-branch.ts';
import { replaced } from './simulation/replaced.ts';
import type { Repositories } from './simulation/repositories.ts';
import { Returns } from './simulation/returns.ts';
import { type NamedPlaces, ScratchRepositories, type ScratchRepository } from './simulation/scratch-repositories.ts';

/** Where a git command works. */
export type Place =
  | {
      readonly kind: 'repository';
      /** As it is. */
      readonly repository: Repository;
      /** What the line has changed, if everything before has run. */
      readonly likely: Overlay;
      readonly changes: ChangesInTree;
      /** Only its files are somebody's: a git directory below the temporary one that the call names beside them. */
      readonly isThrownAway?: boolean;
      /** The top of its work tree, where the files there are copies: see {@link MadeGitfiles}. */
      readonly copy?: string;
    }
  /** Something in the line decides it that can't be known. */
  | {
      readonly kind: 'unknown';
      /** On another machine: its work trees are nobody's here. */
      readonly isElsewhere?: boolean;
      readonly reason: string;
    }
  | {
      readonly kind: 'scratch';
      readonly scratch: ScratchRepository;
      /** The call works on files of others; see {@link ScratchRepositories.filesOf}. */
      readonly others?: string | null;
    }
  /** No repository is there: git would stop. */
  | { readonly kind: 'none' };

export type PlaceInRepository = Extract<Place, { kind: 'repository' }>;

/** A work tree that the line adds. */
export interface AddedTree extends Pick<PlaceInRepository, 'repository' | 'changes'> {
  readonly top: string;
  /** The one from which it is added. */
  readonly from: Repository;
  /** No file has been checked out yet: `--no-checkout`. */
  isHollow: boolean;
}

export interface WorldOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly convention: (repository: Repository | null) => Promise<Convention>;
  readonly repositories: Repositories;
  /** What the whole line does. */
  readonly steps: readonly Step[];
}

/** Every repository as the command line so far leaves it. */
export class World {
  /** Absolute directory in which the line starts. */
  readonly start: string;
  readonly env: Environment;
  readonly convention: WorldOptions['convention'];
  readonly #opening: OpeningLine;
  /** By the git directory that work trees share. */
  readonly #changes = new Map<string, LineChanges>();
  /** Absolute paths of files that the line has written. */
  readonly written: string[] = [];
  /** What they hold now, where that is known. */
  readonly writtenTexts = new Map<string, string | null>();
  readonly writers = new Writers();
  /** The commands whose output files are, and nothing else: by absolute paths. */
  readonly printed = new Map<string, SimpleCommand>();
  /** Links that the line has made, and where each leads: absolute paths. */
  readonly links = new Map<string, string>();
  /** Copies whose files are links to those that were copied, and the files or directories which these are. */
  readonly linkedCopies = new Map<string, string>();
  readonly moved = new MovedPaths();
  readonly gitfiles = new MadeGitfiles((top) => this.isAddedWorktree(top));
  /**
   * What came before may have made repositories where none are now: `empty` ones by `git init`, or copies of others by
   * `git clone` and the like.
   */
  newRepositories: 'none' | 'empty' | 'copies' = 'none';
  /** Directories that went into an archive, absolute: what is unpacked may be a copy of each. */
  readonly packed: string[] = [];
  readonly scratch: ScratchRepositories;
  readonly returns: Returns;
  readonly patches: KeptPatches;
  readonly decisions: Decisions;
  readonly uses: OutputUses;
  readonly #worktrees = new Map<string, AddedTree>();
  readonly #configuredHooks = new Map<string, readonly string[]>();
  /** Files that the line tells git to include: absolute paths. */
  readonly includes = new Set<string>();
  /** Files of hook managers, as the line has left them: absolute paths. */
  readonly managersFiles = new Map<string, ManagersFile>();
  #ownPrograms: readonly string[] | null = null;
  readonly #includedFiles = new Map<string | null, ReadonlySet<string>>();
  readonly #kept = new Map<string, Promise<ScratchRepository | null>>();
  /** `git worktree` came before: what is checked out elsewhere may have changed. */
  changesWorktrees = false;

  constructor({ cwd, env, convention, repositories, steps }: WorldOptions) {
    this.start = cwd;
    this.env = env;
    this.convention = convention;
    this.#opening = { repositories, steps, env, links: this.links, moved: this.moved };
    this.returns = new Returns(steps);
    this.decisions = new Decisions(steps);
    this.uses = new OutputUses(steps);
    this.patches = new KeptPatches(this.written, this.links);
    this.scratch = new ScratchRepositories(env, cwd);
  }

  /** A variable as the command sees it; null: unset. */
  variable(command: SimpleCommand, name: string): Word | null {
    const changed = command.env.get(name);
    if (changed !== undefined) {
      return changed;
    }
    const value = this.env[name];
    return value === undefined ? null : known(value);
  }

  /** Opens what the invocation works on, with everything that the line did to it before. */
  async place(invocation: Invocation, command: SimpleCommand): Promise<Place> {
    const { directory, gitDir, workTree } = invocation;
    const reason = unknownPart(directory, gitDir, workTree);
    if (reason !== null || directory.kind === 'unknown') {
      const isElsewhere = directory.kind === 'unknown' && directory.isElsewhere === true;
      return { kind: 'unknown', reason: reason ?? 'the directory is not known', isElsewhere };
    }
    const ofWorkTree = textOf(workTree);
    const standing = this.#behindLinks(directory.path);
    const { path } = command.origin;
    const ofGitDir = this.#gitDirAsNamed(textOf(gitDir), directory.path, path);
    const made =
      this.#behindGitfile(standing, ofGitDir, invocation, command) ??
      this.#madeAsNamed(absolutePlaces(standing, ofGitDir, ofWorkTree, invocation), path);
    if (made !== null) {
      return made;
    }
    const place = this.moved.before(standing);
    const isElsewhere = ofGitDir !== null && ofGitDir !== (this.env.GIT_DIR ?? null);
    const isMissing = isElsewhere && !existsSync(resolve(place, ofGitDir));
    if (isMissing && this.scratch.madeAt(resolve(place, ofGitDir), path) !== null) {
      // Its work tree may be one that was there.
      return { kind: 'unknown', reason: `${ofGitDir} is made by this line` };
    }
    const around = isMissing ? null : this.#directoryAround(place, path);
    if (around === null) {
      return this.#absent(isMissing ? resolve(place, ofGitDir) : standing, 'does not exist yet');
    }
    const called = { cwd: around, ...namedPlaces(ofGitDir, ofWorkTree, around === place ? null : place) };
    const opened = await openForCall(invocation, command, called, this.#opening);
    if (opened === null) {
      return this.#absent(standing, 'is no repository yet');
    }
    if (around !== place && invocation.words.some((word) => textOf(word)?.startsWith('..') === true)) {
      // Nobody can ask git from there yet what that names.
      return { kind: 'unknown', reason: `${directory.path} does not exist yet` };
    }
    const found = ofWorkTree === null ? opened : withTreeThatIsThere(opened);
    const repository = around === place ? found : replaced(found, { cwd: place });
    const kept = this.scratch.isTemporary(directoryOf(repository)) ? await this.#keptScratch(repository) : null;
    if (kept !== null) {
      return { kind: 'scratch', scratch: kept };
    }
    const there = await this.#placeIn(repository, this.#changesIn(repository));
    return isElsewhere && (await this.#isThrownAway(repository)) ? { ...there, isThrownAway: true } : there;
  }

  /** A git directory of nobody's that a call names beside files of somebody's, and that these do not have of their own. */
  async #isThrownAway(repository: Repository): Promise<boolean> {
    const { gitDir, workTree } = repository;
    const isNobodys = this.scratch.isTemporary(gitDir) && (await this.scratch.kept(repository, gitDir)) !== null;
    const usual = isNobodys && workTree !== null ? await this.open(workTree).catch(() => null) : null;
    return isNobodys && usual?.gitDir !== gitDir;
  }

  /** `git worktree add`, where nothing was: nothing in it is at stake yet. */
  async addWorktree(path: string, { repository, likely }: PlaceInRepository, added: AddedWorktree): Promise<void> {
    if (!existsSync(path)) {
      const head = await headOfWorktree(path, added, overlaid(repository, likely));
      const tree = { key: path, begin: { head, saved: 'everything' as const } };
      const changes = new ChangesInTree(this.#changesOf(repository), tree);
      const facts = { cwd: path, workTree: path, hiddenChanges: async () => [] };
      const { isHollow } = added;
      const ofTree = { repository: replaced(repository, facts), changes };
      this.#worktrees.set(path, { ...ofTree, top: path, from: repository, isHollow });
    }
  }

  /** Has a work tree that the line adds no files yet? */
  get addsHollowTree(): boolean {
    return this.#worktrees.size > 0 && Array.from(this.#worktrees.values()).some(({ isHollow }) => isHollow);
  }

  /** Is it the top of a work tree that the line adds? @param path absolute */
  isAddedWorktree(path: string): boolean {
    return this.#worktrees.has(path);
  }

  /**
   * `cp -r REPOSITORY PATH`; what is copied into something that the line has made before belongs to that.
   *
   * @param source the repository, absolute; null where it is not known
   */
  copyRepository(path: string, conditions: Path, source: string | null): void {
    if (this.#madeAt(path, conditions) === null) {
      this.scratch.copy(path, conditions, source);
    }
  }

  /** A file is changed in which a hook manager looks up its checks. @param path absolute */
  noteManagersFile(path: string, kind: FileChange['kind']): void {
    if (kind !== 'mode') {
      const text = this.writtenTexts.get(path) ?? null;
      this.managersFiles.set(path, kind === 'remove' ? { kind: 'gone' } : { kind: 'written', text });
    }
  }

  /** Another program than git checks out a branch that is not known. */
  async checkOutElsewhere(command: SimpleCommand): Promise<void> {
    const place = await this.place(
      readInvocation([], command.cwd, (name) => this.variable(command, name)),
      command,
    );
    if (place.kind === 'repository') {
      const { repository, changes } = place;
      const decides = this.decisions.dependOn(command);
      changes.add(command.origin, { mayBeRefused: true, switches: decides }, async (overlay) => {
        overlay.headIsOpen = true;
        overlay.shared.bringsRefs = true;
        if (decides) {
          overlay.presumed = await pulledBranch(command.origin, overlaid(repository, overlay));
        }
      });
    }
  }

  /**
   * A work tree that the line adds, as the commands so far leave it; null: it adds none there.
   *
   * @param path absolute
   * @param beside another work tree in the world that is looked at
   */
  addedWorktree(path: string, beside: Overlay): OverlaidTree | null {
    const added = this.#worktrees.get(path);
    return added?.changes.inWorldOf(beside, added.repository) ?? null;
  }

  /** The same of one that was there. */
  async linkedWorktree(path: string, beside: Overlay): Promise<OverlaidTree | null> {
    const repository = isDirectory(path) ? await this.open(path) : null;
    return repository === null ? null : this.#changesIn(repository).inWorldOf(beside, repository);
  }

  /**
   * A command changes something in the work tree of another repository, which is there, if the line has done so before.
   *
   * @param path absolute
   */
  async changeThere(path: string, origin: Origin, apply: (tree: OverlaidTree) => Promise<void>): Promise<void> {
    const repository = isDirectory(path) ? await this.open(path) : null;
    if (repository !== null && this.hasTouched(repository)) {
      this.#changesIn(repository).add(origin, { mayBeRefused: false, switches: false }, (overlay) =>
        apply({ repository: overlaid(repository, overlay), overlay }),
      );
    }
  }

  /** The work tree of another repository, as a command may find it; none where none is there. @param path absolute */
  async treesBefore(path: string, origin: Origin): Promise<readonly OverlaidTree[]> {
    const repository = isDirectory(path) ? await this.open(path) : null;
    return repository === null ? [] : this.worktreesBefore(repository, origin);
  }

  /** A work tree that was there, as a command may find it: once for each of the worlds before it. */
  async worktreesBefore(repository: Repository, origin: Origin): Promise<readonly OverlaidTree[]> {
    const overlays = await this.#changesIn(repository).before(origin, true);
    return overlays.map((overlay) => ({ repository: overlaid(repository, overlay), overlay }));
  }

  /**
   * What is there of a directory that the line may have made: git looks for a repository above. Null where it may be in
   * one that the line makes as well.
   */
  #directoryAround(place: string, path: Path): string | null {
    // Of a file in its place, the line may make a directory. Where the line begins, somebody stands.
    if (!this.scratch.isRemoved(place, path) && (place === this.start || isDirectory(place))) {
      return place;
    }
    const above = nearestDirectory(dirname(place));
    return this.newRepositories === 'none' && this.scratch.isThere(above, path) ? above : null;
  }

  /** A directory where the links lead that this very line has made. */
  #behindLinks(directory: string): string {
    return this.links.size === 0 ? directory : truePath(directory, true, this.links);
  }

  /** @param from the directory in which git is told of it */
  #gitDirAsNamed(named: string | null, from: string, conditions: Path): string | null {
    if (named === null) {
      return null;
    }
    const path = resolve(from, named);
    const made = basename(path) === '.git' ? this.gitfiles.at(path, conditions) : null;
    return made?.kind === 'link' && made.gitDir !== null
      ? this.moved.before(made.gitDir)
      : this.links.size === 0
        ? named
        : this.#behindLinks(path);
  }

  /** The gitfile that the line makes and git finds from a directory; not behind what else it makes. */
  #gitfileAt(directory: string, path: Path): MadeGitfile | null {
    const found = this.gitfiles.around(directory, path);
    const known = found === null ? null : this.scratch.madeAt(directory, path);
    if (found?.kind === 'copy' && known?.directory !== found.top) {
      this.scratch.copy(found.top, path, found.of);
    }
    const made = found === null ? null : this.scratch.madeAt(directory, path);
    return found !== null && (made === null || made.directory.length < found.top.length) ? found : null;
  }

  /**
   * What a call works on that finds a gitfile which the line makes; null: it finds none.
   *
   * @param named the git directory, where the call names one: then it looks for none
   */
  #behindGitfile(
    standing: string,
    named: string | null,
    invocation: Invocation,
    command: SimpleCommand,
  ): Promise<Place> | Place | null {
    if (named !== null) {
      return null;
    }
    const { path } = command.origin;
    const made = this.#gitfileAt(standing, path) ?? this.#gitfileAt(this.moved.before(standing), path);
    if (made?.kind !== 'link') {
      return made?.kind === 'added' ? this.#worktreeAt(made.of) : null;
    }
    const { top, gitDir } = made;
    return gitDir === null
      ? { kind: 'unknown', reason: `it is not known where ${join(top, '.git')} leads` }
      : this.#placeBehind({ top, gitDir }, standing, invocation, command);
  }

  async #placeBehind(
    { top, gitDir }: Pick<FoundGitfile, 'top' | 'gitDir'>,
    standing: string,
    invocation: Invocation,
    command: SimpleCommand,
  ): Promise<Place> {
    const { path } = command.origin;
    const found: FoundGitfile = {
      top,
      gitDir: this.moved.before(gitDir),
      isFresh: !this.scratch.isThere(top, path) || namesIn(top).length === 0,
    };
    const opened = await openBehindGitfile(invocation, command, found, standing, this.#opening);
    if (opened === null) {
      return (await this.#madeAt(dirname(gitDir), path)) ?? { kind: 'none' };
    }
    const { repository, files } = opened;
    const begin = files === 'copies' ? { begin: { head: null, saved: 'everything' as const } } : {};
    const changes =
      files === 'its own'
        ? this.#changesIn(repository)
        : new ChangesInTree(this.#changesOf(repository), { key: top, headOf: repository.gitDir, ...begin });
    return { ...(await this.#placeIn(repository, changes)), ...(files === 'copies' ? { copy: top } : {}) };
  }

  /** What this very line makes at a directory or above it. */
  #madeAt(directory: string, path: Path): Promise<Place> | Place | null {
    const scratch = this.scratch.madeAt(directory, path);
    if (scratch?.inOther !== undefined && !implies(path, scratch.inOther.madeUnder)) {
      return { kind: 'unknown', reason: `${scratch.directory} may be no repository of its own` };
    }
    return scratch === null ? this.#worktreeAt(directory) : { kind: 'scratch', scratch };
  }

  /**
   * What this line makes where a call works. It may work on files of others all the same: where it names the git
   * directory or the work tree (git(1) "--git-dir", "--work-tree"), or that is configured.
   */
  #madeAsNamed(places: NamedPlaces, path: Path): Promise<Place> | Place | null {
    const { from, gitDir, workTree } = places;
    const named = gitDir ?? from;
    const scratch = this.scratch.madeAt(named, path);
    const isNamed = gitDir !== null || workTree !== null;
    const isOwn = gitDir === null || named === scratch?.directory || named === join(scratch?.directory ?? '/', '.git');
    if (scratch === null || !isOwn) {
      return isNamed ? null : this.#madeAt(from, path);
    }
    const place = this.#madeAt(isNamed ? scratch.directory : from, path);
    const files = this.scratch.filesOf(scratch, places, path);
    if (files === 'own' || place === null || place instanceof Promise || place.kind !== 'scratch') {
      return place;
    }
    // Two sets of files of which nobody knows yet what commits have them.
    return scratch.files === undefined
      ? { ...place, others: files.others }
      : { kind: 'unknown', reason: `${scratch.directory} is made by this line around files` };
  }

  #worktreeAt(directory: string): Promise<PlaceInRepository> | null {
    const added = this.addedAround(directory);
    return added === null ? null : this.#placeIn(added.repository, added.changes);
  }

  /** The work tree that the line adds around a path. @param path absolute */
  addedAround(path: string): AddedTree | null {
    for (let place = path; this.#worktrees.size > 0; place = dirname(place)) {
      const added = this.#worktrees.get(place);
      if (added !== undefined || place === dirname(place)) {
        return added ?? null;
      }
    }
    return null;
  }

  async #placeIn(repository: Repository, changes: ChangesInTree): Promise<PlaceInRepository> {
    const likely = changes.likely();
    return { kind: 'repository', repository, likely: likely instanceof Promise ? await likely : likely, changes };
  }

  /** A repository of nobody's below the temporary directory, with what this line has set in it; null for others. */
  #keptScratch(repository: Repository): Promise<ScratchRepository | null> {
    const directory = directoryOf(repository);
    const kept = this.#kept.get(directory) ?? this.scratch.kept(repository);
    this.#kept.set(directory, kept);
    return kept;
  }

  /** See {@link configuredHooks}; read once for a line. */
  configuredHooks(workTree: string): readonly string[] {
    const hooks = this.#configuredHooks.get(workTree) ?? configuredHooks(workTree, this.env);
    this.#configuredHooks.set(workTree, hooks);
    return hooks;
  }

  /**
   * Does git take settings from a file where the line begins, or in the work tree that it is in?
   *
   * @param path absolute
   */
  isIncluded(path: string, workTree: string | null): boolean {
    const isIn = (top: string | null) => {
      const files = this.#includedFiles.get(top) ?? includedFiles(top, this.env);
      this.#includedFiles.set(top, files);
      return files.has(path);
    };
    return this.includes.has(path) || isIn(workTree) || isIn(workTreeAbove(this.start));
  }

  /** See {@link ownPrograms}; of the work tree in which the line begins. */
  ownPrograms(): readonly string[] {
    const top = this.#ownPrograms === null ? workTreeAbove(this.start) : null;
    this.#ownPrograms ??= top === null ? [] : ownPrograms(top);
    return this.#ownPrograms;
  }

  /** Is there a repository of nobody's at a directory, below the temporary one? */
  async isNobodys(directory: string): Promise<boolean> {
    const repository = this.scratch.isTemporary(directory) ? await this.open(directory).catch(() => null) : null;
    return repository !== null && (await this.#keptScratch(repository)) !== null;
  }

  /** Looks at what would change, and leaves every repository as it was. */
  async apart<Result>(look: () => Promise<Result>): Promise<Result> {
    const before = new Map([...this.#changes].map(([commonDir, changes]) => [commonDir, changes.count]));
    try {
      return await look();
    } finally {
      for (const [commonDir, changes] of this.#changes) {
        changes.forget(before.get(commonDir) ?? 0);
      }
    }
  }

  /** Has a command of the line done anything in a repository, or written a file of its work tree? */
  hasTouched({ commonDir, workTree }: Repository): boolean {
    const isIn = (path: string) => workTree !== null && path.startsWith(`${workTree}/`);
    return (this.#changes.get(commonDir)?.count ?? 0) > 0 || this.written.some(isIn);
  }

  #changesIn(repository: Repository): ChangesInTree {
    return new ChangesInTree(this.#changesOf(repository), { key: repository.gitDir });
  }

  #changesOf({ commonDir }: Repository): LineChanges {
    const changes = this.#changes.get(commonDir) ?? new LineChanges();
    this.#changes.set(commonDir, changes);
    return changes;
  }

  /** The repository at a directory, as it is. */
  open(directory: string): Promise<Repository | null> {
    return openTrusted(this.#opening, { cwd: directory, env: this.env });
  }

  /** How strict the repository at a directory is. */
  async conventionAt(directory: Directory): Promise<Convention> {
    const isThere = directory.kind === 'known' && existsSync(directory.path);
    return this.convention(isThere ? await this.open(directory.path).catch(() => null) : null);
  }

  #absent(directory: string, reason: string): Place {
    return this.newRepositories === 'none' ? { kind: 'none' } : { kind: 'unknown', reason: `${directory} ${reason}` };
  }
}

function absolutePlaces(
  from: string,
  gitDir: string | null,
  workTree: string | null,
  { settings }: Invocation,
): NamedPlaces {
  const passing = lastSetting(settings, 'core.worktree');
  return {
    from,
    gitDir: gitDir === null ? null : resolve(from, gitDir),
    workTree: workTree === null ? null : resolve(from, workTree),
    passing: passing === undefined ? undefined : textOf(passing.value),
  };
}

function nearestDirectory(path: string): string {
  return isDirectory(path) || path === dirname(path) ? path : nearestDirectory(dirname(path));
}

function directoryOf({ workTree, gitDir }: Repository): string {
  return workTree ?? gitDir;
}

function unknownPart(directory: Directory, ...words: readonly (Word | null)[]): string | null {
  if (directory.kind === 'unknown') {
    return directory.reason;
  }
  return words.find(isUnknown)?.reason ?? null;
}
