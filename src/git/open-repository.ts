import { resolve } from 'node:path';
import { readHiddenChanges } from './contents/hidden-changes.ts';
import { filtersOff, ownFilterNames } from './contents/own-filters.ts';
import { readStatus, type StatusEntry } from './contents/status.ts';
import { discoverRepository, type Location } from './discovery.ts';
import { type Ancestry, readAncestry } from './history/ancestry.ts';
import { type CommitList, readCommits } from './history/commit.ts';
import { type Divergence, readDivergence } from './history/divergence.ts';
import { readShallowCommits } from './history/shallow.ts';
import { followRef, type Head, readHead, resolveBranchName, resolveRefName } from './refs/head.ts';
import { type RefFile, type RefValue, readRefFile } from './refs/ref-files.ts';
import { readRefs } from './refs/refs.ts';
import { type ObjectName, resolveRevisions } from './refs/revision.ts';
import { readOtherDetachedHeads } from './refs/worktree-heads.ts';
import type { HiddenChange, Repository } from './repository.ts';
import { type Environment, Git, type GitContext, type PreparedAnswers, type RunningAnswers } from './runner.ts';
import { type GitConfiguration, readConfiguration } from './settings/configuration.ts';
import { withKnownUpstream } from './settings/upstreams.ts';

/** Which repository, seen from where. */
export interface OpenOptions {
  /** Where the command stands; default: this process's directory. */
  readonly cwd?: string;
  /** The environment the command would run in, with what a hook's git left in it; default: this process's. */
  readonly env?: Environment;
  /** `--git-dir`: instead of discovery; relative to `cwd`. */
  readonly gitDir?: string;
  /** `--work-tree`; relative to `cwd`. */
  readonly workTree?: string;
  /** Words of `-c`: `push.default=nothing`. */
  readonly parameters?: readonly string[];
  /** What git has been asked already, there. */
  readonly prepared?: PreparedAnswers | undefined;
  /** What answers questions for long, of this repository alone. */
  readonly running?: RunningAnswers | undefined;
  /**
   * May filters run that the repository itself configures? For git's hooks: the git that started them obeys the
   * repository's settings anyway. Default: no.
   */
  readonly ownFilters?: boolean;
}

/**
 * Opens the repository that git would use there. Ordinary layouts cost no process.
 *
 * @returns null outside of a repository
 * @throws OxideError `directory-missing`, `dubious-ownership`, `git-missing`
 */
export async function openRepository(options: OpenOptions = {}): Promise<Repository | null> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const env = {
    ...(options.env ?? process.env),
    ...(options.gitDir === undefined ? {} : { GIT_DIR: options.gitDir }),
    ...(options.workTree === undefined ? {} : { GIT_WORK_TREE: options.workTree }),
  };
  const context: GitContext = {
    cwd,
    env,
    parameters: options.parameters ?? [],
    prepared: options.prepared,
    running: options.running,
  };
  const location = await discoverRepository(context);
  return location === null ? null : new FileRepository(context, location, options.ownFilters ?? false);
}

const defaultCommitLimit = 20;

class FileRepository implements Repository {
  readonly cwd: string;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: string | null;
  readonly git: Git;
  readonly #ownFilters: boolean;
  #config: Promise<GitConfiguration> | undefined;
  #head: Promise<Head> | undefined;
  #refs: Promise<ReadonlyMap<string, RefValue>> | undefined;
  #status: Promise<readonly StatusEntry[]> | undefined;
  #hiddenChanges: Promise<readonly HiddenChange[]> | undefined;
  #shallowCommits: ReadonlySet<string> | undefined;
  readonly #resolved = new Map<string, Promise<string | null>>();
  readonly #ancestries = new Map<string, Promise<Ancestry>>();
  readonly #divergences = new Map<string, Promise<Divergence | null>>();
  readonly #defaultBranches = new Map<string, Promise<string | null>>();

  constructor(context: GitContext, location: Location, ownFilters: boolean) {
    this.#ownFilters = ownFilters;
    this.cwd = context.cwd;
    this.gitDir = location.gitDir;
    this.commonDir = location.commonDir;
    this.workTree = location.workTree;
    this.git = new Git(context);
  }

  config(): Promise<GitConfiguration> {
    this.#config ??= readConfiguration(this.git, this);
    return this.#config;
  }

  head(): Promise<Head> {
    this.#head ??= readHead(this.git, this);
    return this.#head;
  }

  refs(): Promise<ReadonlyMap<string, RefValue>> {
    this.#refs ??= readRefs(this.git, this);
    return this.#refs;
  }

  otherHeads(): Promise<ReadonlyMap<string, string>> {
    return readOtherDetachedHeads(this);
  }

  async ref(name: string): Promise<string | null> {
    const found = followRef(this, name);
    return found === null ? ((await this.refs()).get(name)?.oid ?? null) : found.oid;
  }

  async refTarget(name: string): Promise<string> {
    return followRef(this, name)?.name ?? (await this.refs()).get(name)?.symref ?? name;
  }

  status(): Promise<readonly StatusEntry[]> {
    this.#status ??= this.#readStatus();
    return this.#status;
  }

  hiddenChanges(): Promise<readonly HiddenChange[]> {
    this.#hiddenChanges ??= readHiddenChanges(this);
    return this.#hiddenChanges;
  }

  async #readStatus(): Promise<readonly StatusEntry[]> {
    if (this.workTree === null) {
      return [];
    }
    return readStatus(this.git, this.#ownFilters ? [] : filtersOff(await ownFilterNames(this)));
  }

  remoteDefaultBranch(remote: string): Promise<string | null> {
    return remembered(this.#defaultBranches, remote, async () => {
      const name = `refs/remotes/${remote}/HEAD`;
      const file = readRefFile(this, name);
      const target = file.kind === 'unreadable' ? (await this.refs()).get(name)?.symref : targetOf(file);
      const prefix = `refs/remotes/${remote}/`;
      return target?.startsWith(prefix) ? target.slice(prefix.length) : null;
    });
  }

  resolve(revision: string): Promise<string | null> {
    return remembered(this.#resolved, revision, async () => {
      if (revision === 'HEAD') {
        return (await this.head()).oid;
      }
      const asked = await withKnownUpstream(revision, this);
      const named = resolveRefName(this, asked);
      return named === null ? ((await resolveRevisions(this.git, [asked])).get(asked)?.oid ?? null) : named.oid;
    });
  }

  async resolveAll(revisions: readonly string[]): Promise<ReadonlyMap<string, ObjectName | null>> {
    const found = new Map<string, ObjectName | null>();
    const others: string[] = [];
    for (const revision of revisions) {
      const named = resolveBranchName(this, revision);
      found.set(revision, typeof named?.oid === 'string' ? { oid: named.oid, type: 'commit' } : null);
      if (named === null) {
        others.push(revision);
      }
    }
    return others.length === 0 ? found : new Map([...found, ...(await resolveRevisions(this.git, others))]);
  }

  isAncestor(ancestor: string, descendant: string): Promise<Ancestry> {
    return remembered(this.#ancestries, `${ancestor}\0${descendant}`, async () =>
      this.#isTipOf(ancestor, descendant) || this.#isTipOf(descendant, ancestor)
        ? 'yes'
        : readAncestry(this.git, ancestor, descendant, this.shallowCommits()),
    );
  }

  /** Is this branch, full name or one of a remote, at just that commit or branch? Told from files; no where they can't. */
  #isTipOf(commit: string, branch: string): boolean {
    const tip = this.#branchTip(branch);
    return tip !== null && (tip === commit || tip === this.#branchTip(commit));
  }

  #branchTip(ref: string): string | null {
    return /^refs\/(?:heads|remotes)\//.test(ref) ? (followRef(this, ref)?.oid ?? null) : null;
  }

  commits(tips: readonly string[], except: readonly string[], limit = defaultCommitLimit): Promise<CommitList> {
    return readCommits(this.git, tips, except, limit);
  }

  divergence(left: string, right: string): Promise<Divergence | null> {
    return remembered(this.#divergences, `${left}\0${right}`, async () =>
      readDivergence(this.git, left, right, this.shallowCommits()),
    );
  }

  shallowCommits(): ReadonlySet<string> {
    this.#shallowCommits ??= readShallowCommits(this.commonDir);
    return this.#shallowCommits;
  }
}

function targetOf(file: RefFile): string | null {
  return file.kind === 'symref' ? file.target : null;
}

function remembered<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
