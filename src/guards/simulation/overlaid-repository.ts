import type { Ancestry } from '../../git/history/ancestry.ts';
import type { CommitList } from '../../git/history/commit.ts';
import { maxSymrefDepth } from '../../git/refs/head.ts';
import type { RefValue } from '../../git/refs/ref-files.ts';
import { fullNames } from '../../git/refs/refspec.ts';
import type { ObjectName } from '../../git/refs/revision.ts';
import { ownHeadName } from '../../git/refs/worktree-heads.ts';
import type { Head, Repository, StatusEntry } from '../../git/repository.ts';
import type { Git } from '../../git/runner.ts';
import { configurationOf, type GitConfiguration } from '../../git/settings/configuration.ts';
import type { ConfigurationEntry } from '../../git/settings/configuration-entry.ts';
import { withUpstreamNamed } from '../../git/settings/upstreams.ts';
import { statusAfter } from './files/status-after.ts';
import { type Overlay, reachedRef } from './overlay.ts';
import { dependsOnBranch, withBranchSettings } from './refs/branch-settings.ts';
import { beforeMade, mergedRef, partsOf } from './refs/made-commits.ts';
import { ReplacedRepository } from './replaced.ts';

/** The repository as it will be when the commands so far have run. */
export function overlaid(repository: Repository, overlay: Overlay): Repository {
  return overlay.isEmpty ? repository : new OverlaidRepository(repository, overlay);
}

class OverlaidRepository extends ReplacedRepository<Git> {
  readonly #overlay: Overlay;

  constructor(past: Repository, overlay: Overlay) {
    super(past, past.git, null);
    this.#overlay = overlay;
  }

  override async head(): Promise<Head> {
    return this.#overlay.head ?? (await this.past.head());
  }

  override async config(): Promise<GitConfiguration> {
    const { head, replaced, settings, shared, keepsSettings } = this.#overlay;
    const read = await this.past.config();
    const config = head !== null && dependsOnBranch(read) ? await withBranchSettings(read, head, this.past) : read;
    const isLeft = ({ key, scope }: ConfigurationEntry) =>
      !replaced.has(key) && !shared.removed.some((removed) => removed.scope === scope && removed.isMeant(key));
    return keepsSettings && replaced.size === 0
      ? config
      : configurationOf([...config.entries.filter(isLeft), ...settings]);
  }

  override async ref(name: string): Promise<string | null> {
    const { refs } = this.#overlay;
    const target = refs.size === 0 ? name : await this.refTarget(name);
    const moved = refs.get(target);
    return moved === undefined ? this.past.ref(target) : moved;
  }

  override async refTarget(name: string): Promise<string> {
    const { refs, shared } = this.#overlay;
    let end = name;
    for (let depth = 0; depth < maxSymrefDepth; depth += 1) {
      end = shared.symbolicRefs.get(end) ?? end;
    }
    return refs.has(end) ? end : this.past.refTarget(end);
  }

  override async refs(): Promise<ReadonlyMap<string, RefValue>> {
    const overlay = this.#overlay;
    const { merged } = overlay.made;
    const { reached } = overlay.shared;
    const before = await this.past.refs();
    if (overlay.refs.size + merged.length + reached.length === 0) {
      return before;
    }
    const refs = new Map(before);
    for (const [name, oid] of overlay.refs) {
      if (oid === null) {
        refs.delete(name);
      } else if (name.startsWith('refs/')) {
        refs.set(name, { oid, symref: overlay.shared.symbolicRefs.has(name) ? await this.refTarget(name) : null });
      }
    }
    for (const [name, { symref }] of refs) {
      const moved = symref === null ? undefined : overlay.refs.get(symref);
      if (moved === null) {
        // git leaves out what stands for nothing.
        refs.delete(name);
      } else if (moved !== undefined) {
        refs.set(name, { oid: moved, symref });
      }
    }
    for (const oid of merged) {
      refs.set(mergedRef(oid), { oid, symref: null });
    }
    for (const { oid, by } of reached.filter(({ by, since }) => overlay.refs.get(by) === since)) {
      // Where that ref moves or goes, this one counts no more.
      refs.set(reachedRef(oid), { oid, symref: by });
    }
    return refs;
  }

  override async otherHeads(): Promise<ReadonlyMap<string, string>> {
    const heads = new Map(await this.past.otherHeads());
    for (const [name, oid] of this.#overlay.shared.heads) {
      if (oid === null) {
        heads.delete(name);
      } else if (name !== ownHeadName(this)) {
        heads.set(name, oid);
      }
    }
    return heads;
  }

  override async status(): Promise<readonly StatusEntry[]> {
    return statusAfter(await this.past.status(), this.#overlay);
  }

  override async hiddenChanges(): ReturnType<Repository['hiddenChanges']> {
    const { shown, hidden } = this.#overlay;
    const before = (await this.past.hiddenChanges()).filter(({ path }) => !shown.has(path) && !hidden.has(path));
    return [...before, ...[...hidden].map(([path, kind]) => ({ path, kind }))];
  }

  override async resolve(revision: string): Promise<string | null> {
    const asked = await this.#askedBefore(revision);
    return asked === null ? null : this.past.resolve(asked);
  }

  override async resolveAll(revisions: readonly string[]): Promise<ReadonlyMap<string, ObjectName | null>> {
    const given = new Map<string, string>();
    for (const revision of revisions) {
      given.set(revision, (await this.#askedBefore(revision)) ?? '');
    }
    const found = await this.past.resolveAll([...given.values()]);
    return new Map([...given].map(([revision, name]) => [revision, found.get(name) ?? null]));
  }

  override commits(tips: readonly string[], except: readonly string[], limit?: number): Promise<CommitList> {
    const now = (names: readonly string[]) => names.flatMap((name) => this.#refNow(name) ?? []);
    return this.past.commits(now(tips), now(except), limit);
  }

  override async isAncestor(ancestor: string, descendant: string): Promise<Ancestry> {
    const [below, above] = [this.#refNow(ancestor), this.#refNow(descendant)];
    return below === null || above === null ? 'no' : this.past.isAncestor(below, above);
  }

  /** A full name of a ref that the line has moved, as a commit; null: it is gone. Everything else as it is. */
  #refNow(name: string): string | null {
    const moved = name.startsWith('refs/') ? this.#overlay.refs.get(name) : undefined;
    return moved === undefined ? name : moved;
  }

  /** A revision as the repository has to be asked for it as it is; null: it names nothing. */
  async #askedBefore(revision: string): Promise<string | null> {
    const overlay = this.#overlay;
    const isMoved = overlay.head !== null || !overlay.keepsSettings;
    const stash = withStashNamed(revision, overlay);
    const named = isMoved && stash !== null ? await withUpstreamNamed(withPreviousNamed(stash, overlay), this) : stash;
    return named === null ? null : renamed(overlay, await beforeMade(named, overlay.made, this), this.past);
  }
}

/** `stash@{0}`, by the number that the entry had before the line has taken others out; null: the line makes it. */
function withStashNamed(revision: string, { shared: { stashes } }: Overlay): string | null {
  const groups = /^(?:refs\/)?stash(?:@\{(?<number>\d+)\})?(?<rest>[~^:].*)?$/s.exec(revision)?.groups;
  if (stashes.areAsBefore || groups === undefined) {
    return revision;
  }
  const { number = '0', rest = '' } = groups;
  const before = stashes.before(Number(number));
  return before === null ? null : `stash@{${before}}${rest}`;
}

/** `@{-1}`, where the line has switched before. */
function withPreviousNamed(revision: string, { previousHead }: Overlay): string {
  const rest = /^@\{-1\}(.*)$/s.exec(revision)?.[1];
  const name = previousHead?.kind === 'branch' ? previousHead.ref : previousHead?.oid;
  return rest === undefined || name == null ? revision : name + rest;
}

/** A revision, with the parts that the overlay has moved replaced by what they now are; null: they name nothing any more. */
async function renamed(overlay: Overlay, revision: string, past: Repository): Promise<string | null> {
  const { name, rest } = partsOf(revision);
  if (rest.startsWith('@{')) {
    return revision;
  }
  if ((name === 'HEAD' || name === '@') && overlay.head !== null) {
    const { oid } = overlay.head;
    return oid === null ? null : oid + rest;
  }
  if (name === 'FETCH_HEAD' && typeof overlay.fetchHead === 'string') {
    return overlay.fetchHead + rest;
  }
  const changed = fullNames(name).map((full) => [full, overlay.refs.get(full)] as const);
  const moved = changed.find(([, oid]) => typeof oid === 'string')?.[1] ?? null;
  if (moved !== null || !changed.some(([, oid]) => oid === null)) {
    return moved === null ? revision : moved + rest;
  }
  for (const [full, oid] of changed) {
    if (oid === undefined && (await past.ref(full)) !== null) {
      return full + rest;
    }
  }
  return null;
}
