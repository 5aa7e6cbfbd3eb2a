import type { Repository } from '../../git/repository.ts';
import type { Origin, Path } from '../../shell/simple-command.ts';
import { overlaid } from './overlaid-repository.ts';
import { Overlay, SharedChanges, shareHead } from './overlay.ts';
import { type Change, worldsBefore } from './worlds.ts';

/** More worlds than this are not kept at a time. */
const maximumKept = 16;

/** A repository in one of the worlds that a line may lead to. */
class LineWorld {
  readonly changes: Change[] = [];
  readonly #shared = new SharedChanges();
  readonly #overlays = new Map<string, Overlay>();
  /** git refuses a switch that is among the changes. */
  isRefused = false;

  overlay({ key, begin, headOf }: WorkTree): Overlay {
    const known = this.#overlays.get(key);
    if (known !== undefined) {
      return known;
    }
    const overlay = Object.assign(new Overlay(this.#shared, begin === undefined ? null : key), begin);
    this.#overlays.set(key, overlay);
    if (headOf !== undefined) {
      shareHead(overlay, this.overlay({ key: headOf }));
    }
    return overlay;
  }

  startsWith(changes: readonly Change[]): boolean {
    return this.changes.length <= changes.length && this.changes.every((change, at) => change === changes[at]);
  }

  /** The other work trees, where this is one of them; null: it is one of another world. */
  beside(overlay: Overlay): readonly Overlay[] | null {
    const overlays = [...this.#overlays.values()];
    return overlays.includes(overlay) ? overlays.filter((other) => other !== overlay) : null;
  }
}

/** A work tree of a repository. */
interface WorkTree {
  /** Its git directory; the path of one that the line adds. */
  readonly key: string;
  /** How a work tree that the line adds begins. */
  readonly begin?: Pick<Overlay, 'head' | 'saved'>;
  /** The git directory that is its own and another work tree's: a gitfile leads there that the line makes. */
  readonly headOf?: string;
}

/** What a line changes in a repository and its work trees, in order. */
export class LineChanges {
  readonly #changes: Change[] = [];
  readonly #trees = new Map<string, WorkTree>();
  #worlds: readonly LineWorld[] = [];

  add(change: Change): void {
    this.#changes.push(change);
  }

  get count(): number {
    return this.#changes.length;
  }

  /** Takes back what was added last. @param count how much is left */
  forget(count: number): void {
    this.#changes.splice(count);
  }

  /** As the work tree is if all commands before have run. */
  likely(tree: WorkTree): Promise<Overlay> | Overlay {
    this.#trees.set(tree.key, tree);
    const led = this.#led([this.#made]);
    return led instanceof Promise ? led.then((worlds) => firstOf(worlds, tree)) : firstOf(led, tree);
  }

  /** Without what is only known. */
  get #made(): readonly Change[] {
    return this.#changes.filter(({ kind }) => kind === 'change');
  }

  /**
   * As a command may find the work tree: once for each of the worlds that the commands before it may have left.
   *
   * @param looksAtWork whether it matters for the command what is there that is not committed
   */
  async before(origin: Origin, tree: WorkTree, looksAtWork: boolean): Promise<readonly Overlay[]> {
    this.#trees.set(tree.key, tree);
    const led = this.#led(worldsBefore(origin, looksAtWork ? this.#changes : this.#made));
    const worlds = led instanceof Promise ? await led : led;
    // Who says `git switch x || git switch -c x` knows that one of both is refused.
    const possible = worlds.filter(({ isRefused }) => !isRefused);
    return (possible.length === 0 ? worlds : possible).map((world) => world.overlay(tree));
  }

  /** Has the line switched branches in another work tree of this one's repository? */
  switchesBeside(overlay: Overlay): boolean {
    return this.#worlds.some((world) => world.beside(overlay)?.some(({ head }) => head !== null));
  }

  /** Another work tree in the same world; null: there is nothing to tell of it. */
  beside(overlay: Overlay, tree: WorkTree): Overlay | null {
    return this.#worlds.find((world) => world.beside(overlay) !== null)?.overlay(tree) ?? null;
  }

  /** Worlds with these changes. Waits only where some are still to be made. */
  #led(wanted: readonly (readonly Change[])[]): Promise<readonly LineWorld[]> | readonly LineWorld[] {
    const found = wanted.map((changes) => this.#worldWith(changes));
    return found.every((world) => world !== null) ? this.#kept(found) : this.#ledOn(wanted, found);
  }

  #worldWith(changes: readonly Change[]): LineWorld | null {
    const isMet = (world: LineWorld) => world.changes.length === changes.length && world.startsWith(changes);
    return this.#worlds.find(isMet) ?? (changes.length === 0 ? new LineWorld() : null);
  }

  /** Those that are there already are led on. */
  async #ledOn(
    wanted: readonly (readonly Change[])[],
    found: readonly (LineWorld | null)[],
  ): Promise<readonly LineWorld[]> {
    const led: LineWorld[] = [];
    for (const [at, changes] of wanted.entries()) {
      const free = this.#worlds.filter((world) => !found.includes(world) && !led.includes(world));
      const world = found[at] ?? longest(free.filter((other) => other.startsWith(changes))) ?? new LineWorld();
      led.push(world);
      for (const change of changes.slice(world.changes.length)) {
        await this.#apply(change, world);
      }
    }
    return this.#kept(led);
  }

  #kept(led: readonly LineWorld[]): readonly LineWorld[] {
    this.#worlds = [...led, ...this.#worlds.filter((world) => !led.includes(world))].slice(0, maximumKept);
    return led;
  }

  async #apply(change: Change, world: LineWorld): Promise<void> {
    world.changes.push(change);
    const overlay = world.overlay(this.#trees.get(change.place) ?? { key: change.place });
    await change.apply(overlay);
    world.isRefused ||= overlay.switched === 'refused';
  }
}

function firstOf([world = new LineWorld()]: readonly LineWorld[], tree: WorkTree): Overlay {
  return world.overlay(tree);
}

function longest(worlds: readonly LineWorld[]): LineWorld | null {
  const [first = null, ...others] = worlds;
  return others.reduce(
    (best, world) => (best === null || world.changes.length > best.changes.length ? world : best),
    first,
  );
}

/** A work tree with what a line has changed in it. */
export interface OverlaidTree {
  readonly repository: Repository;
  readonly overlay: Overlay;
}

/** What a line changes in one work tree, and in the repository that it belongs to. */
export class ChangesInTree {
  readonly #line: LineChanges;
  readonly #tree: WorkTree;

  constructor(line: LineChanges, tree: WorkTree) {
    this.#line = line;
    this.#tree = tree;
  }

  /** See {@link LineChanges.likely}. */
  likely(): Promise<Overlay> | Overlay {
    return this.#line.likely(this.#tree);
  }

  /** See {@link LineChanges.before}. */
  before(origin: Origin, looksAtWork: boolean): Promise<readonly Overlay[]> {
    return this.#line.before(origin, this.#tree, looksAtWork);
  }

  /** See {@link LineChanges.switchesBeside}. */
  switchBeside(overlay: Overlay): boolean {
    return this.#line.switchesBeside(overlay);
  }

  /** This work tree as it is in the world of another one: see {@link LineChanges.beside}. */
  inWorldOf(beside: Overlay, repository: Repository): OverlaidTree | null {
    const overlay = this.#line.beside(beside, this.#tree);
    return overlay === null ? null : { repository: overlaid(repository, overlay), overlay };
  }

  add(
    origin: Origin,
    { mayBeRefused, switches }: Pick<Change, 'mayBeRefused' | 'switches'>,
    apply: Change['apply'],
  ): void {
    const { path } = origin;
    this.#line.add({ kind: 'change', origin, path, mayBeRefused, switches, place: this.#tree.key, apply });
  }

  /** Something is known of the work tree as the command finds it, on a path that leads on from there. */
  know(origin: Origin, path: Path, apply: Change['apply']): void {
    const [mayBeRefused, switches] = [false, false];
    this.#line.add({ kind: 'knowledge', origin, path, mayBeRefused, switches, place: this.#tree.key, apply });
  }
}
