import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isDirectory, namesIn } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import { implies } from '../shell/path.ts';
import type { Directory, Path, SimpleCommand, Word } from '../shell/simple-command.ts';
import { truePath } from './files/true-path.ts';
import { type Invocation, lastSetting } from './git-command/invocation.ts';
import { isUnknown, textOf } from './git-command/words.ts';
import type { LineTrees } from './line-trees.ts';
import type { Place, PlaceInRepository } from './place.ts';
import type { MadeGitfile, MadeGitfiles } from './simulation/files/made-gitfiles.ts';
import type { MovedPaths } from './simulation/files/moved-paths.ts';
import { ChangesInTree } from './simulation/line-changes.ts';
import {
  type FoundGitfile,
  namedPlaces,
  type OpeningLine,
  openBehindGitfile,
  openForCall,
  withTreeThatIsThere,
} from './simulation/opened-place.ts';
import { replaced } from './simulation/replaced.ts';
import type { NamedPlaces, ScratchRepositories, ScratchRepository } from './simulation/scratch-repositories.ts';

/** What the line has done so far to the places where commands may work. */
interface LineSoFar {
  /** Absolute directory in which it starts. */
  readonly start: string;
  readonly env: Environment;
  readonly opening: OpeningLine;
  readonly trees: LineTrees;
  readonly scratch: ScratchRepositories;
  readonly gitfiles: MadeGitfiles;
  readonly moved: MovedPaths;
  /** Links that it has made, and where each leads: absolute paths. */
  readonly links: ReadonlyMap<string, string>;
  /** May it have made repositories where none are now? */
  readonly mayHaveMade: () => boolean;
  /** Opens the repository at a directory, as it is. */
  readonly open: (directory: string) => Promise<Repository | null>;
}

/** Tells where a git command works, as the line leaves the file system until then. */
export class Places {
  readonly #line: LineSoFar;
  readonly #kept = new Map<string, Promise<ScratchRepository | null>>();

  constructor(line: LineSoFar) {
    this.#line = line;
  }

  /** Opens what the invocation works on, with everything that the line did to it before. */
  async of(invocation: Invocation, command: SimpleCommand): Promise<Place> {
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
    const place = this.#line.moved.before(standing);
    const isElsewhere = ofGitDir !== null && ofGitDir !== (this.#line.env.GIT_DIR ?? null);
    const isMissing = isElsewhere && !existsSync(resolve(place, ofGitDir));
    if (isMissing && this.#line.scratch.madeAt(resolve(place, ofGitDir), path) !== null) {
      // Its work tree may be one that was there.
      return { kind: 'unknown', reason: `${ofGitDir} is made by this line` };
    }
    const around = isMissing ? null : this.#directoryAround(place, path);
    if (around === null) {
      return this.#absent(isMissing ? resolve(place, ofGitDir) : standing, 'does not exist yet');
    }
    const called = { cwd: around, ...namedPlaces(ofGitDir, ofWorkTree, around === place ? null : place) };
    const opened = await openForCall(invocation, command, called, this.#line.opening);
    if (opened === null) {
      return this.#absent(standing, 'is no repository yet');
    }
    if (around !== place && invocation.words.some((word) => textOf(word)?.startsWith('..') === true)) {
      // Nobody can ask git from there yet what that names.
      return { kind: 'unknown', reason: `${directory.path} does not exist yet` };
    }
    const found = ofWorkTree === null ? opened : withTreeThatIsThere(opened);
    const repository = around === place ? found : replaced(found, { cwd: place });
    const kept = this.#line.scratch.isTemporary(directoryOf(repository)) ? await this.#keptScratch(repository) : null;
    if (kept !== null) {
      return { kind: 'scratch', scratch: kept };
    }
    const there = await this.#placeIn(repository, this.#line.trees.changesIn(repository));
    return isElsewhere && (await this.#isThrownAway(repository)) ? { ...there, isThrownAway: true } : there;
  }

  /** A git directory of nobody's that a call names beside files of somebody's, and that these do not have of their own. */
  async #isThrownAway(repository: Repository): Promise<boolean> {
    const { gitDir, workTree } = repository;
    const isNobodys =
      this.#line.scratch.isTemporary(gitDir) && (await this.#line.scratch.kept(repository, gitDir)) !== null;
    const usual = isNobodys && workTree !== null ? await this.#line.open(workTree).catch(() => null) : null;
    return isNobodys && usual?.gitDir !== gitDir;
  }

  /**
   * `cp -r REPOSITORY PATH`; what is copied into something that the line has made before belongs to that.
   *
   * @param source the repository, absolute; null where it is not known
   */
  copyRepository(path: string, conditions: Path, source: string | null): void {
    if (this.#madeAt(path, conditions) === null) {
      this.#line.scratch.copy(path, conditions, source);
    }
  }

  /**
   * What is there of a directory that the line may have made: git looks for a repository above. Null where it may be in
   * one that the line makes as well.
   */
  #directoryAround(place: string, path: Path): string | null {
    // Of a file in its place, the line may make a directory. Where the line begins, somebody stands.
    if (!this.#line.scratch.isRemoved(place, path) && (place === this.#line.start || isDirectory(place))) {
      return place;
    }
    const above = nearestDirectory(dirname(place));
    return !this.#line.mayHaveMade() && this.#line.scratch.isThere(above, path) ? above : null;
  }

  /** A directory where the links lead that this very line has made. */
  #behindLinks(directory: string): string {
    return this.#line.links.size === 0 ? directory : truePath(directory, true, this.#line.links);
  }

  /** @param from the directory in which git is told of it */
  #gitDirAsNamed(named: string | null, from: string, conditions: Path): string | null {
    if (named === null) {
      return null;
    }
    const path = resolve(from, named);
    const made = basename(path) === '.git' ? this.#line.gitfiles.at(path, conditions) : null;
    return made?.kind === 'link' && made.gitDir !== null
      ? this.#line.moved.before(made.gitDir)
      : this.#line.links.size === 0
        ? named
        : this.#behindLinks(path);
  }

  /** The gitfile that the line makes and git finds from a directory; not behind what else it makes. */
  #gitfileAt(directory: string, path: Path): MadeGitfile | null {
    const found = this.#line.gitfiles.around(directory, path);
    const known = found === null ? null : this.#line.scratch.madeAt(directory, path);
    if (found?.kind === 'copy' && known?.directory !== found.top) {
      this.#line.scratch.copy(found.top, path, found.of);
    }
    const made = found === null ? null : this.#line.scratch.madeAt(directory, path);
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
    const made = this.#gitfileAt(standing, path) ?? this.#gitfileAt(this.#line.moved.before(standing), path);
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
      gitDir: this.#line.moved.before(gitDir),
      isFresh: !this.#line.scratch.isThere(top, path) || namesIn(top).length === 0,
    };
    const opened = await openBehindGitfile(invocation, command, found, standing, this.#line.opening);
    if (opened === null) {
      return (await this.#madeAt(dirname(gitDir), path)) ?? { kind: 'none' };
    }
    const { repository, files } = opened;
    const begin = files === 'copies' ? { begin: { head: null, saved: 'everything' as const } } : {};
    const changes =
      files === 'its own'
        ? this.#line.trees.changesIn(repository)
        : new ChangesInTree(this.#line.trees.changesOf(repository), { key: top, headOf: repository.gitDir, ...begin });
    return { ...(await this.#placeIn(repository, changes)), ...(files === 'copies' ? { copy: top } : {}) };
  }

  /** What this very line makes at a directory or above it. */
  #madeAt(directory: string, path: Path): Promise<Place> | Place | null {
    const scratch = this.#line.scratch.madeAt(directory, path);
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
    const scratch = this.#line.scratch.madeAt(named, path);
    const isNamed = gitDir !== null || workTree !== null;
    const isOwn = gitDir === null || named === scratch?.directory || named === join(scratch?.directory ?? '/', '.git');
    if (scratch === null || !isOwn) {
      return isNamed ? null : this.#madeAt(from, path);
    }
    const place = this.#madeAt(isNamed ? scratch.directory : from, path);
    const files = this.#line.scratch.filesOf(scratch, places, path);
    if (files === 'own' || place === null || place instanceof Promise || place.kind !== 'scratch') {
      return place;
    }
    // Two sets of files of which nobody knows yet what commits have them.
    return scratch.files === undefined
      ? { ...place, others: files.others }
      : { kind: 'unknown', reason: `${scratch.directory} is made by this line around files` };
  }

  #worktreeAt(directory: string): Promise<PlaceInRepository> | null {
    const added = this.#line.trees.addedAround(directory);
    return added === null ? null : this.#placeIn(added.repository, added.changes);
  }

  async #placeIn(repository: Repository, changes: ChangesInTree): Promise<PlaceInRepository> {
    const likely = changes.likely();
    return { kind: 'repository', repository, likely: likely instanceof Promise ? await likely : likely, changes };
  }

  /** A repository of nobody's below the temporary directory, with what this line has set in it; null for others. */
  #keptScratch(repository: Repository): Promise<ScratchRepository | null> {
    const directory = directoryOf(repository);
    const kept = this.#kept.get(directory) ?? this.#line.scratch.kept(repository);
    this.#kept.set(directory, kept);
    return kept;
  }

  /** Is there a repository of nobody's at a directory, below the temporary one? */
  async isNobodys(directory: string): Promise<boolean> {
    const repository = this.#line.scratch.isTemporary(directory)
      ? await this.#line.open(directory).catch(() => null)
      : null;
    return repository !== null && (await this.#keptScratch(repository)) !== null;
  }

  #absent(directory: string, reason: string): Place {
    return !this.#line.mayHaveMade() ? { kind: 'none' } : { kind: 'unknown', reason: `${directory} ${reason}` };
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
