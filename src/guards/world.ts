import { existsSync } from 'node:fs';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import type { Directory, SimpleCommand, Step, Word } from '../shell/simple-command.ts';
import { configuredHooks, includedFiles } from './files/configured-hooks.ts';
import type { FileChange } from './files/file-change.ts';
import { workTreeAbove } from './files/guarded-file.ts';
import type { ManagersFile } from './files/hook-managers.ts';
import { ownPrograms } from './files/own-programs.ts';
import { readInvocation } from './git-command/invocation.ts';
import { known } from './git-command/words.ts';
import { LineTrees } from './line-trees.ts';
import { Places } from './places.ts';
import type { Convention } from './scene.ts';
import { OutputUses } from './simulation/answers/output-uses.ts';
import { Decisions } from './simulation/decisions.ts';
import { KeptPatches } from './simulation/files/kept-patches.ts';
import { MadeGitfiles } from './simulation/files/made-gitfiles.ts';
import { MovedPaths } from './simulation/files/moved-paths.ts';
import { Writers } from './simulation/files/writers.ts';
import { type OpeningLine, openTrusted } from './simulation/opened-place.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import { pulledBranch } from './simulation/refs/presumed-branch.ts';
import type { Repositories } from './simulation/repositories.ts';
import { Returns } from './simulation/returns.ts';
import { ScratchRepositories } from './simulation/scratch-repositories.ts';

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
  readonly gitfiles = new MadeGitfiles((top) => this.trees.isAddedWorktree(top));
  /**
   * What came before may have made repositories where none are now: `empty` ones by `git init`, or copies of others by
   * `git clone` and the like.
   */
  newRepositories: 'none' | 'empty' | 'copies' = 'none';
  /** Directories that went into an archive, absolute: what is unpacked may be a copy of each. */
  readonly packed: string[] = [];
  readonly trees = new LineTrees({ open: (directory) => this.open(directory), written: this.written });
  readonly places: Places;
  readonly scratch: ScratchRepositories;
  readonly returns: Returns;
  readonly patches: KeptPatches;
  readonly decisions: Decisions;
  readonly uses: OutputUses;
  readonly #configuredHooks = new Map<string, readonly string[]>();
  /** Files that the line tells git to include: absolute paths. */
  readonly includes = new Set<string>();
  /** Files of hook managers, as the line has left them: absolute paths. */
  readonly managersFiles = new Map<string, ManagersFile>();
  #ownPrograms: readonly string[] | null = null;
  readonly #includedFiles = new Map<string | null, ReadonlySet<string>>();
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
    const { scratch, trees, gitfiles, moved, links } = this;
    this.places = new Places({
      ...{ start: cwd, env, opening: this.#opening, trees, scratch, gitfiles, moved, links },
      mayHaveMade: () => this.newRepositories !== 'none',
      open: (directory) => this.open(directory),
    });
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

  /** A file is changed in which a hook manager looks up its checks. @param path absolute */
  noteManagersFile(path: string, kind: FileChange['kind']): void {
    if (kind !== 'mode') {
      const text = this.writtenTexts.get(path) ?? null;
      this.managersFiles.set(path, kind === 'remove' ? { kind: 'gone' } : { kind: 'written', text });
    }
  }

  /** Another program than git checks out a branch that is not known. */
  async checkOutElsewhere(command: SimpleCommand): Promise<void> {
    const place = await this.places.of(
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

  /** The repository at a directory, as it is. */
  open(directory: string): Promise<Repository | null> {
    return openTrusted(this.#opening, { cwd: directory, env: this.env });
  }

  /** How strict the repository at a directory is. */
  async conventionAt(directory: Directory): Promise<Convention> {
    const isThere = directory.kind === 'known' && existsSync(directory.path);
    return this.convention(isThere ? await this.open(directory.path).catch(() => null) : null);
  }
}
