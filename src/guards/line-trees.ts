import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { isDirectory } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import type { Origin } from '../shell/simple-command.ts';
import type { AddedTree, PlaceInRepository } from './place.ts';
import { type AddedWorktree, headOfWorktree } from './simulation/files/added-worktree.ts';
import { ChangesInTree, LineChanges, type OverlaidTree } from './simulation/line-changes.ts';
import { overlaid } from './simulation/overlaid-repository.ts';
import type { Overlay } from './simulation/overlay.ts';
import { replaced } from './simulation/replaced.ts';

interface LineTreesOptions {
  /** Opens the repository at a directory, as it is. */
  readonly open: (directory: string) => Promise<Repository | null>;
  /** Absolute paths of files that the line has written; grows while it is judged. */
  readonly written: readonly string[];
}

/** What the line changes in each work tree, and the work trees that it adds. */
export class LineTrees {
  readonly #open: LineTreesOptions['open'];
  readonly #written: readonly string[];
  /** By the git directory that work trees share. */
  readonly #changes = new Map<string, LineChanges>();
  /** By their tops: absolute. */
  readonly #added = new Map<string, AddedTree>();

  constructor({ open, written }: LineTreesOptions) {
    this.#open = open;
    this.#written = written;
  }

  /** `git worktree add`, where nothing was: nothing in it is at stake yet. */
  async addWorktree(path: string, { repository, likely }: PlaceInRepository, added: AddedWorktree): Promise<void> {
    if (!existsSync(path)) {
      const head = await headOfWorktree(path, added, overlaid(repository, likely));
      const tree = { key: path, begin: { head, saved: 'everything' as const } };
      const changes = new ChangesInTree(this.changesOf(repository), tree);
      const facts = { cwd: path, workTree: path, hiddenChanges: async () => [] };
      const { isHollow } = added;
      const ofTree = { repository: replaced(repository, facts), changes };
      this.#added.set(path, { ...ofTree, top: path, from: repository, isHollow });
    }
  }

  /** Has a work tree that the line adds no files yet? */
  get addsHollowTree(): boolean {
    return this.#added.size > 0 && Array.from(this.#added.values()).some(({ isHollow }) => isHollow);
  }

  /** Is it the top of a work tree that the line adds? @param path absolute */
  isAddedWorktree(path: string): boolean {
    return this.#added.has(path);
  }

  /** The work tree that the line adds around a path. @param path absolute */
  addedAround(path: string): AddedTree | null {
    for (let place = path; this.#added.size > 0; place = dirname(place)) {
      const added = this.#added.get(place);
      if (added !== undefined || place === dirname(place)) {
        return added ?? null;
      }
    }
    return null;
  }

  /**
   * A work tree that the line adds, as the commands so far leave it; null: it adds none there.
   *
   * @param path absolute
   * @param beside another work tree in the world that is looked at
   */
  addedWorktree(path: string, beside: Overlay): OverlaidTree | null {
    const added = this.#added.get(path);
    return added?.changes.inWorldOf(beside, added.repository) ?? null;
  }

  /** The same of one that was there. */
  async linkedWorktree(path: string, beside: Overlay): Promise<OverlaidTree | null> {
    const repository = isDirectory(path) ? await this.#open(path) : null;
    return repository === null ? null : this.changesIn(repository).inWorldOf(beside, repository);
  }

  /**
   * A command changes something in the work tree of another repository, which is there, if the line has done so before.
   *
   * @param path absolute
   */
  async changeThere(path: string, origin: Origin, apply: (tree: OverlaidTree) => Promise<void>): Promise<void> {
    const repository = isDirectory(path) ? await this.#open(path) : null;
    if (repository !== null && this.hasTouched(repository)) {
      this.changesIn(repository).add(origin, { mayBeRefused: false, switches: false }, (overlay) =>
        apply({ repository: overlaid(repository, overlay), overlay }),
      );
    }
  }

  /** The work tree of another repository, as a command may find it; none where none is there. @param path absolute */
  async treesBefore(path: string, origin: Origin): Promise<readonly OverlaidTree[]> {
    const repository = isDirectory(path) ? await this.#open(path) : null;
    return repository === null ? [] : this.worktreesBefore(repository, origin);
  }

  /** A work tree that was there, as a command may find it: once for each of the worlds before it. */
  async worktreesBefore(repository: Repository, origin: Origin): Promise<readonly OverlaidTree[]> {
    const overlays = await this.changesIn(repository).before(origin, true);
    return overlays.map((overlay) => ({ repository: overlaid(repository, overlay), overlay }));
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
    return (this.#changes.get(commonDir)?.count ?? 0) > 0 || this.#written.some(isIn);
  }

  /** What the line changes in the work tree of a repository. */
  changesIn(repository: Repository): ChangesInTree {
    return new ChangesInTree(this.changesOf(repository), { key: repository.gitDir });
  }

  /** What it changes in all work trees of a repository. */
  changesOf({ commonDir }: Repository): LineChanges {
    const changes = this.#changes.get(commonDir) ?? new LineChanges();
    this.#changes.set(commonDir, changes);
    return changes;
  }
}
