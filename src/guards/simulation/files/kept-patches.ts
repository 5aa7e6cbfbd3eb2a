import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isShownWhole } from '../../../git/contents/stash-contents.ts';
import { realPath } from '../../../git/files.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { isDevicePath } from '../../../shell/device-path.ts';
import { hasSucceeded } from '../../../shell/path.ts';
import {
  type FileWrite,
  type Origin,
  programName,
  runsBeside,
  type SimpleCommand,
} from '../../../shell/simple-command.ts';
import { isWithin, workTreeAbove } from '../../files/guarded-file.ts';
import { PathTable } from '../../files/path-table.ts';
import type { Invocation } from '../../git-command/invocation.ts';
import { textOf } from '../../git-command/words.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { type PrintedPatch, readPatch } from './printed-patch.ts';
import { changesOutput, filesWithoutDiff, renamedAmong } from './shown-differences.ts';

/** Which changes of a file are meant. */
export type Part = 'staged' | 'unstaged' | 'both';

interface Patch extends PrintedPatch {
  /** Absolute. */
  readonly path: string;
  /** It is an archive. */
  readonly isPacked?: boolean;
  readonly origin: Origin;
  /** If its command runs, it is written. */
  readonly isSure: boolean;
  /** Changes were taken back that it holds, and it was not applied since. */
  isNeeded: boolean;
  /** The command that has applied it after that, to the work tree alone. */
  broughtBackBy?: Origin;
}

/** A file or directory that a command removes. */
interface Removed {
  readonly by: Origin;
  /** See {@link FileChange.mayStay}. */
  readonly mayStay: boolean;
}

/** Who writes a patch, and how. */
type PatchWrite = Pick<FileWrite, 'printedBy' | 'append' | 'refusesExisting' | 'origin'>;

/** Who takes the changes back, and where. */
interface Place {
  readonly repository: Repository;
  readonly command: SimpleCommand;
  /** Goes as well, with everything in it: absolute. */
  readonly without?: string;
  /** Patches that go with the changes: absolute paths. */
  readonly taken?: ReadonlySet<string>;
}

/** What a command puts into files that it is told by name; null: nothing that is known. */
function writeOf(command: SimpleCommand): PatchWrite | null {
  const { argv, input, origin } = command;
  if (programName(argv[0]) !== 'tee') {
    return { printedBy: withoutOutput(command), append: false, refusesExisting: false, origin };
  }
  // What reads from it may end it early: `| tee FILE | head`.
  const isLast = origin.pipes.every((pipe) => pipe.isLast);
  if (!isLast || input?.kind !== 'unknown' || input.printedBy === undefined) {
    return null;
  }
  const append = argv.some((word) => /^(?:-\w*a\w*|--append)$/.test(textOf(word) ?? ''));
  return { printedBy: input.printedBy, append, refusesExisting: false, origin };
}

/** A link, a pipe: what is written there comes to be elsewhere, or nowhere. */
function leadsElsewhere(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile();
}

function isPlainCopy(patch: Patch | undefined): patch is Patch {
  return patch?.shows === 'work tree' && patch.isPacked !== true;
}

/** A file of nobody's work tree, and of no other name: what is copied there is there alone. */
function mayBeCopiedOver(path: string): boolean {
  const found = lstatSync(path);
  return found.isFile() && found.nlink === 1 && workTreeAbove(dirname(path)) === null;
}

/** Changes that the line has put into files: `git diff > a.patch && git checkout . && git apply a.patch`. */
export class KeptPatches {
  #patches = new PathTable<Patch>();
  /** Those that the line has moved elsewhere, by where they were. */
  #moved = new Map<string, Patch>();
  /** Absolute paths of files that the line has written: what they hold, and when, is not known well enough. */
  readonly #written: readonly string[];
  /** Links that the line has made: absolute paths. */
  readonly #links: ReadonlyMap<string, string>;
  /** Absolute paths of what the line has removed. */
  #removed = new PathTable<readonly Removed[]>();
  /** Absolute paths of what the line has moved elsewhere, and has put nothing back in the place of. */
  #movedAway = new PathTable<true>();
  /** `ulimit`: writing may fail half way. */
  isLimited = false;

  /** @param written grows while the line is judged, as the links do */
  constructor(written: readonly string[], links: ReadonlyMap<string, string>) {
    this.#written = written;
    this.#links = links;
  }

  /** As things are now: what the line writes and removes later is not in it. */
  copy(): KeptPatches {
    const copy = new KeptPatches([...this.#written], new Map(this.#links));
    copy.#patches = this.#patches.copy();
    copy.#moved = new Map(this.#moved);
    copy.#removed = this.#removed.copy();
    copy.#movedAway = this.#movedAway.copy();
    copy.isLimited = this.isLimited;
    return copy;
  }

  /** @param path of the write, absolute */
  record(path: string, { printedBy, append, refusesExisting, origin }: PatchWrite): void {
    const patch = printedBy === undefined || append || isDevicePath(path) ? null : readPatch(printedBy);
    if (patch !== null && !this.#links.has(path) && !leadsElsewhere(path)) {
      const isSure = existsSync(dirname(path)) && !refusesExisting && !this.isLimited;
      this.#patches.set(path, { ...patch, path, origin, isSure, isNeeded: false });
    }
  }

  /** `git diff --output=FILE`, `git diff | tee FILE…`. @param paths absolute */
  recordProgram(paths: readonly string[], command: SimpleCommand): void {
    const write = paths.length === 0 ? null : writeOf(command);
    if (write === null) {
      return;
    }
    for (const path of paths) {
      this.record(path, write);
    }
  }

  /**
   * `cp FILE COPY`, `mv FILE COPY`: the file as it was is there under another name, and what was kept so comes back. A
   * patch that was moved is a patch there.
   *
   * @param source absolute, as the place is
   */
  recordCopy(source: string, path: string, origin: Origin): void {
    const moved = this.#moved.get(source);
    if (isDevicePath(path)) {
      return;
    }
    if (moved !== undefined) {
      this.#patches.set(path, { ...moved, path });
      return;
    }
    for (const [, kept] of [...this.#patches.atOrAbove(source), ...this.#patches.atOrBelow(source)]) {
      kept.isNeeded = false;
    }
    const isNew = !existsSync(path);
    if (isNew || mayBeCopiedOver(path)) {
      const isThere = existsSync(source) && this.#removed.atOrAbove(source).length === 0;
      const isSure = isNew && isThere && existsSync(dirname(path)) && !this.isLimited;
      const copy = { path, shows: 'work tree', files: [source], top: null, isBinary: true } as const;
      this.#patches.set(path, { ...copy, origin, isSure, isNeeded: false });
    }
  }

  /** `tar czf ARCHIVE FILE…` @param files and directories with all that is in them: absolute, as the place is */
  recordArchive(files: readonly string[], path: string, origin: Origin): void {
    if (!isDevicePath(path) && (!existsSync(path) || lstatSync(path).isFile())) {
      const archive = { path, shows: 'work tree', isPacked: true, files, top: null, isBinary: true } as const;
      this.#patches.set(path, { ...archive, origin, isSure: false, isNeeded: false });
    }
  }

  /** `tar xzf ARCHIVE`: all that it holds is somewhere else again. */
  takeOut(path: string): void {
    const packed = this.#patches.get(path);
    if (packed?.isPacked === true) {
      packed.isNeeded = false;
    }
  }

  /** Those of the files whose changes are in no patch that is there when this command runs. */
  async without(files: readonly string[], part: Part, place: Place): Promise<readonly string[]> {
    const { repository } = place;
    if (this.#patches.size === 0 || this.#mayChangeDiffs || files.length === 0 || (await changesOutput(repository))) {
      return files;
    }
    const undiffed = await filesWithoutDiff(files, repository);
    const all = await repository.status();
    const entries = new Map(all.map((entry) => [entry.path, entry]));
    const renamed = await renamedAmong(all, repository);
    // What git status does not show, no diff does: only a copy holds it.
    return files.filter((path) => {
      const entry = entries.get(path) ?? { path, index: '?', worktree: '?' };
      return !this.#holds(entry, part, { ...place, undiffed, renamed });
    });
  }

  /** Is what a stash has in a patch that is there when this command runs? @param entry its number, from before the line */
  async keepsStash(entry: number, place: Place): Promise<boolean> {
    const { repository } = place;
    for (const patch of this.#patches.values()) {
      const isOfIt = patch.shows === 'stash' && patch.entry === entry && this.#isThere(patch, place);
      const shown = { showsBinary: patch.isBinary, showsUntracked: patch.hasUntracked === true };
      if (isOfIt && !this.#mayChangeDiffs && (await isShownWhole(`stash@{${entry}}`, shown, repository))) {
        patch.isNeeded = true;
        return true;
      }
    }
    return false;
  }

  /** Has the line written attributes, which may leave a patch empty? */
  get #mayChangeDiffs(): boolean {
    return this.#written.some((path) => /\/(?:\.gitattributes|info\/attributes)$/.test(path));
  }

  /** Is it surely there when a command runs, with the changes of its work tree? */
  #isThere({ path, top, isSure, isNeeded, origin }: Patch, { repository, command, without, taken }: Place): boolean {
    const workTree = repository.workTree ?? repository.cwd;
    return (
      (top === null || top === workTree || realPath(top) === realPath(workTree)) &&
      hasSucceeded(origin, isSure, command.origin) &&
      !runsBeside(command.origin, origin) &&
      (without === undefined || !isWithin(path, without)) &&
      // What it holds of what is gone already is lost with itself.
      (isNeeded || taken?.has(path) !== true)
    );
  }

  /** Has the line removed it, by itself or with a directory? @param path absolute */
  isRemoved(path: string): boolean {
    return this.#removed.atOrAbove(path).length > 0;
  }

  /** May it have gone from there, by itself or with a directory: removed, or moved? @param path absolute */
  mayHaveLeft(path: string): boolean {
    return this.isRemoved(path) || this.#movedAway.atOrAbove(path).length > 0;
  }

  /** How often it has surely gone so, if nothing has written it: what comes back may go again. @param path absolute */
  removalsOf(path: string): number {
    const removed = this.#removed.size === 0 ? [] : this.#removed.atOrAbove(path).flatMap(([, values]) => values);
    return this.#written.includes(path) ? 0 : removed.filter(({ mayStay }) => !mayStay).length;
  }

  /** Has a command before another one done so? `surely`: with all that the file held. */
  removedBefore(path: string, command: Origin): 'no' | 'perhaps' | 'surely' {
    const removed = this.#removed.atOrAbove(path).flatMap(([, values]) => values);
    const before = removed.filter(({ by }) => by !== command);
    const isSure = before.some(({ by, mayStay }) => !mayStay && hasSucceeded(by, true, command));
    return before.length === 0 ? 'no' : isSure ? 'surely' : 'perhaps';
  }

  /** What the line has written in a directory. @returns absolute paths */
  writtenIn(directory: string): readonly string[] {
    return this.#written.filter((path) => isWithin(path, directory));
  }

  /** Has the line removed a file that is meant? @param isMeant of absolute paths, those of whole directories too */
  removesAny(isMeant: (path: string) => boolean): boolean {
    return this.#removed.size > 0 && this.#removed.atOrBelow('/').some(([path]) => isMeant(path));
  }

  /** Has it removed nothing? */
  get removesNothing(): boolean {
    return this.#removed.size === 0;
  }

  /** Are files as they were before the line, as far as it does not change them by git? */
  get leavesFiles(): boolean {
    return this.#written.length === 0 && this.#removed.size === 0;
  }

  /** The patch that goes with a file or directory, while nothing else has what it holds; null: none. */
  lostWith(path: string): string | null {
    return this.#patches.atOrBelow(path).find(([, patch]) => patch.isNeeded)?.[0] ?? null;
  }

  /** What a path holds a plain copy of, if that is what is kept there: absolute. */
  copiedFrom(path: string): string | null {
    const [, copy] = this.#patches.atOrBelow(path).find(([, { isNeeded }]) => isNeeded) ?? [];
    return isPlainCopy(copy) && copy.path === path ? (copy.files[0] ?? null) : null;
  }

  /** A file or directory is changed: a patch there may hold something else from now on. */
  forget(path: string, change: 'changed' | 'moved' | Removed): void {
    if (typeof change === 'object') {
      this.#removed.set(path, [...(this.#removed.get(path) ?? []), change]);
    }
    if (change === 'moved') {
      this.#movedAway.set(path, true);
    } else {
      this.#movedAway.delete(path);
    }
    const patch = this.#patches.get(path);
    if (change === 'moved' && patch !== undefined && patch.shows !== 'work tree') {
      this.#moved.set(path, patch);
    } else {
      this.#moved.delete(path);
    }
    const copies = this.#patches.atOrAbove(path).filter(([, { shows }]) => shows === 'work tree');
    for (const [place] of [...this.#patches.atOrBelow(path), ...copies]) {
      this.#patches.delete(place);
    }
  }

  /** Is nothing kept? */
  get isEmpty(): boolean {
    return this.#patches.size === 0;
  }

  /** Everything that is kept in a directory. @returns paths relative to it */
  in(directory: string): readonly string[] {
    return this.#patches.atOrBelow(directory).map(([path]) => relative(directory, path));
  }

  /** Plain copies of files or directories in a directory, or that directory as a copy. @returns absolute paths */
  copiesIn(directory: string): readonly string[] {
    return this.#patches
      .atOrBelow(directory)
      .filter(([, patch]) => isPlainCopy(patch))
      .map(([path]) => path);
  }

  /** Untracked patches in a work tree that nothing else has what they hold. @returns paths relative to it */
  needed(workTree: string): readonly string[] {
    return this.#patches
      .atOrBelow(workTree)
      .filter(([, { isNeeded }]) => isNeeded)
      .map(([path]) => relative(workTree, path));
  }

  /** Tells files whose changes a command has brought back by a patch, by their absolute paths. */
  broughtBackBy(origin: Origin): (path: string) => boolean {
    const brought = [...this.#patches.values()].filter(({ broughtBackBy }) => broughtBackBy === origin);
    return (path) => brought.some(({ files }) => files.length === 0 || files.some((file) => isWithin(path, file)));
  }

  /** `git apply`: what a patch holds is in the work tree again. */
  takeApply({ words, directory }: Invocation, { input, origin }: SimpleCommand): void {
    const given = words.slice(1).flatMap((word) => textOf(word) ?? []);
    const isOnlyLooked = given.some((word) => /^--(?:check|stat|numstat|summary|cached)$/.test(word));
    const takesBack = given.some((word) => /^(?:--reverse|-R)$/.test(word));
    const paths = directory.kind === 'known' ? given.map((word) => resolve(directory.path, word)) : [];
    if (isOnlyLooked) {
      return;
    }
    const read = input?.kind === 'file' ? [input.path] : [];
    for (const path of [...paths, ...read]) {
      const patch = this.#patches.get(path);
      if (patch === undefined || patch.shows === 'stash') {
        // Whatever it is applied to, it has what the stash had.
        continue;
      }
      if (patch.isNeeded && !takesBack && !given.some((word) => /^--(?:index|3way)$|^-3$/.test(word))) {
        patch.broughtBackBy = origin;
        // What was staged is not any more.
        patch.shows = patch.shows === 'HEAD and index' ? 'HEAD and work tree' : patch.shows;
      }
      patch.isNeeded = takesBack;
    }
  }

  #holds(
    entry: StatusEntry,
    part: Part,
    { undiffed, renamed, ...place }: Place & Record<'undiffed' | 'renamed', ReadonlySet<string>>,
  ): boolean {
    const absolute = join(place.repository.workTree ?? place.repository.cwd, entry.path);
    const isPlain = !undiffed.has(entry.path);
    const holding = this.#patches
      .values()
      .filter(
        (patch) =>
          this.#isThere(patch, place) &&
          (patch.isBinary || isPlain) &&
          (patch.files.length === 0 || patch.files.some((file) => isWithin(absolute, file))) &&
          !this.#written.includes(absolute),
      );
    const [ofIndex, ofWorkTree, ofBoth, copy] = (
      ['HEAD and index', 'index and work tree', 'HEAD and work tree', 'work tree'] as const
    ).map((shows) => holding.find((patch) => patch.shows === shows));
    const whole = ofBoth ?? copy;
    // git-diff(1) shows nothing of an untracked file, and of one in conflict nothing that can be applied.
    const isCopied = entry.index === '?' || isUnmerged(entry);
    // What is staged may be in the file as well, or in HEAD.
    const isStagedElsewhere = entry.worktree === '.' || renamed.has(entry.path);
    const staged = entry.index === '.' ? [] : [ofIndex ?? (isStagedElsewhere ? whole : undefined)];
    const unstaged = entry.worktree === '.' ? [] : [ofWorkTree ?? whole];
    const ofTracked = [...(part === 'unstaged' ? [] : staged), ...(part === 'staged' ? [] : unstaged)];
    const needed = isCopied ? [copy] : ofTracked;
    const isHeld = needed.every((patch) => patch !== undefined);
    for (const patch of isHeld ? needed : []) {
      if (patch !== undefined) {
        patch.isNeeded = true;
      }
    }
    return isHeld;
  }
}

function withoutOutput({ argv, ...command }: SimpleCommand): SimpleCommand {
  const texts = argv.map((word) => textOf(word) ?? '');
  return {
    ...command,
    argv: argv.filter((_, at) => !/^--output(?:=|$)/.test(texts[at] ?? '') && texts[at - 1] !== '--output'),
  };
}
