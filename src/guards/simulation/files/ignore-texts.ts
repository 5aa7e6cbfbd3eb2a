import { join } from 'node:path';
import { readBlobs } from '../../../git/contents/blobs.ts';
import { mergeBase } from '../../../git/contents/incoming-files.ts';
import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { readText } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Overlay } from '../overlay.ts';
import type { IgnoreChange } from './ignore-change.ts';
import { isIgnoreFile } from './ignore-file.ts';
import { roots } from './meant-paths.ts';

/** Of ignore files, by their paths from the work tree's root; null: it is gone, or was never there. */
type Texts = Map<string, string | null>;

const everywhere = ':(top,glob)**/.gitignore';

/** What ignore files of a work tree hold, by their paths from its root. */
export interface IgnoreTexts {
  /** As far as git has changed that; null: it is gone, or was never there. */
  readonly texts: ReadonlyMap<string, string | null>;
  /** What the line had written to them until git changed any last: that counts in {@link texts}. */
  readonly written: ReadonlyMap<string, string | null>;
}

/** What tracked ignore files hold, as far as the commands so far have changed that. */
export async function ignoreTexts(overlay: Overlay, repository: Repository): Promise<IgnoreTexts> {
  const fold = new Fold(overlay, repository);
  for (const change of overlay.ignoreChanges) {
    await fold.take(change);
  }
  return fold;
}

class Fold {
  readonly texts: Texts = new Map();
  readonly written: Texts = new Map();
  /** What a stash of this line holds. */
  readonly #away: Texts = new Map();
  /** The same files, as they were committed then. */
  readonly #below: Texts = new Map();
  /** What the line has committed on a ref that it has left. */
  readonly #left = new Map<string, Texts>();
  readonly #overlay: Overlay;
  readonly #repository: Repository;

  constructor(overlay: Overlay, repository: Repository) {
    this.#overlay = overlay;
    this.#repository = repository;
  }

  async take(change: IgnoreChange): Promise<void> {
    switch (change.kind) {
      case 'checkout': {
        const committed = change.leaves === null ? [] : await this.#leave(change.leaves);
        const changed = await this.#differing(change.from, change.to);
        await this.#become([...committed, ...changed], change.to, true);
        return this.#arrive(change.arrives, change.to);
      }
      case 'checkout-paths':
        return this.#become(await this.#differingAt(change), change.to, change.removes);
      case 'changes':
        return this.#merge(change.from, change.to);
      case 'merge': {
        const base = await mergeBase(change.head, change.commit, this.#repository);
        if (base !== null) {
          await this.#merge(base, change.commit);
        }
        return this.#arrive(change.arrives, change.commit);
      }
      case 'removal': {
        const isMeant = change.onlyFiles
          ? (path: string) =>
              change.paths.some((given) => isIgnoreFile(given) && roots([given], this.#repository)(path))
          : roots(change.paths, this.#repository);
        for (const path of (await this.#tracked()).filter(isMeant)) {
          this.texts.set(path, null);
        }
        return;
      }
      case 'put-away':
        return this.#putAway(change.files, change.head);
      case 'put-back':
        return this.#putBack();
      case 'written':
        return this.#write(change.texts);
    }
  }

  /** What was written since git has changed it last is done to it. */
  #write(texts: ReadonlyMap<string, string | null>): void {
    for (const [path, text] of texts) {
      const taken = this.written.get(path);
      const before = taken === undefined ? this.#present(path) : taken;
      if (text !== before) {
        this.texts.set(path, text === null ? null : mergedText(this.#now(path), before, text));
      }
      this.written.set(path, text);
    }
  }

  #now(path: string): string | null {
    const text = this.texts.get(path);
    return text === undefined ? this.#present(path) : text;
  }

  #present(path: string): string | null {
    return readText(join(this.#repository.workTree ?? '/', path));
  }

  async #become(paths: readonly string[], commit: string | null, removes: boolean): Promise<void> {
    const texts = await this.#textsIn(commit, paths);
    for (const [path, text] of texts) {
      if (text !== null || removes) {
        this.texts.set(path, text);
      }
    }
  }

  async #merge(from: string, to: string): Promise<void> {
    const paths = await this.#differing(from, to);
    const [before, after] = [await this.#textsIn(from, paths), await this.#textsIn(to, paths)];
    for (const path of paths) {
      this.texts.set(path, mergedText(this.#now(path), before.get(path) ?? null, after.get(path) ?? null));
    }
  }

  async #putAway(files: readonly string[], head: string): Promise<void> {
    for (const [path, text] of await this.#textsIn(head, files)) {
      this.#away.set(path, this.#now(path));
      this.#below.set(path, text);
      this.texts.set(path, text);
    }
  }

  #putBack(): void {
    for (const [path, text] of this.#away) {
      this.texts.set(path, mergedText(this.#now(path), this.#below.get(path) ?? null, text));
    }
    this.#away.clear();
  }

  /** Ignore files at which two commits differ. */
  async #differing(
    from: string | null,
    to: string | null,
    pathspecs: readonly string[] = [everywhere],
  ): Promise<readonly string[]> {
    if (from === to) {
      return [];
    }
    if (from === null || to === null) {
      return this.#tracked();
    }
    const compared = ['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to, '--', ...pathspecs];
    const { stdout } = await this.#repository.git.run(compared);
    return stdout.toString('utf8').split('\0').filter(isIgnoreFile);
  }

  async #differingAt(change: Extract<IgnoreChange, { kind: 'checkout-paths' }>): Promise<readonly string[]> {
    const differing = await this.#differing(change.from, change.to, change.paths);
    const committed = change.lacksCommitted ? await this.#committed() : [];
    return [...differing, ...committed.filter(roots(change.paths, this.#repository))];
  }

  async #tracked(): Promise<readonly string[]> {
    return ((await readIndexedPaths(this.#repository)) ?? []).filter(isIgnoreFile);
  }

  /** What the line has committed stays behind. @returns the files that it may have changed */
  async #leave(ref: string): Promise<readonly string[]> {
    const committed = await this.#committed();
    this.#left.set(ref, new Map(committed.map((path) => [path, this.#now(path)])));
    return committed;
  }

  /** @param commit what the ref had before the line */
  async #arrive(ref: string | null, commit: string | null): Promise<void> {
    const left = ref === null ? undefined : this.#left.get(ref);
    const texts = left === undefined ? new Map() : await this.#textsIn(commit, [...left.keys()]);
    for (const [path, text] of left ?? []) {
      this.texts.set(path, mergedText(this.#now(path), texts.get(path) ?? null, text));
    }
  }

  /** Those that a commit of the line may have changed. */
  async #committed(): Promise<readonly string[]> {
    return [...(await this.#tracked()), ...[...this.#overlay.committed].filter(isIgnoreFile)];
  }

  async #textsIn(commit: string | null, paths: readonly string[]): Promise<Texts> {
    const found =
      commit === null
        ? []
        : await readBlobs(
            paths.map((path) => `${commit}:${path}`),
            this.#repository.git,
          );
    return new Map(paths.map((path, at) => [path, found[at] ?? null]));
  }
}

/** Lines that the other side has removed go, those that it has added come: in what order matters to few ignore files. */
export function mergedText(ours: string | null, base: string | null, theirs: string | null): string | null {
  if (ours === base) {
    return theirs;
  }
  const [own, before, after] = [ours, base, theirs].map((text) => text?.split('\n') ?? []) as [
    string[],
    string[],
    string[],
  ];
  const left = own.filter((line) => !before.includes(line) || after.includes(line));
  return [...left, ...after.filter((line) => !before.includes(line) && !left.includes(line))].join('\n');
}
