import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { addedFiles, changedFiles, differingPaths, mergeBase } from '../../../git/contents/incoming-files.ts';
import { readIndexedPaths } from '../../../git/contents/index-file.ts';
import { filesInTree, readTreeEntries, type TreeEntry } from '../../../git/contents/tree-entries.ts';
import { mayHaveUntracked } from '../../../git/contents/untracked-files.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import { isGenerated } from '../../generated-files.ts';
import { namesHead } from '../../git-command/discards.ts';
import { isUnknown, textOf, textsOf } from '../../git-command/words.ts';
import type { BringFilesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { entryNumber } from '../../simulation/files/stash-changes.ts';
import { branchNamed, tracked } from '../../simulation/refs/branch-names.ts';
import { madeBelow } from '../../simulation/refs/made-commits.ts';
import { revisionsBefore } from '../../simulation/refs/revisions-before.ts';
import { pullRebases } from '../commits/edits-todo.ts';
import { mayBeMeant } from './open-pathspecs.ts';
import { commitsOf, inOpenCommits } from './open-sources.ts';

/** What a command would bring into the work tree. */
export interface Coming {
  /** Files that are not tracked now, as far as it is told without a process for each. */
  readonly files: readonly TreeEntry[];
  /** Of the files at these paths those which really come; asked only where something is in their way. */
  readonly comingAt: (paths: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Does git have to change one of these tracked files? Then it refuses where that has changes of its own. */
  readonly touches: (paths: readonly string[]) => Promise<boolean>;
}

/** Nothing comes where HEAD stands at that commit already, or where it is not known here. */
export async function broughtFiles(intent: BringFilesIntent, scene: Scene): Promise<readonly Coming[]> {
  // There may be a commit among them that can't be known.
  const open = commitsOf(intent.source).some(isUnknown) ? [await ofOpenCommits(intent, scene)] : [];
  return [...open, ...(await knownFiles(intent, scene))];
}

async function knownFiles(intent: BringFilesIntent, scene: Scene): Promise<readonly Coming[]> {
  const { source } = intent;
  switch (source.kind) {
    case 'commit': {
      if (source.below !== undefined) {
        const coming = await ofTreeBelow(source, source.below, scene);
        return coming === null ? [] : [coming];
      }
      const coming = await ofCommit(source, intent, scene);
      return coming === null ? [] : [coming];
    }
    case 'merge': {
      const comings = await Promise.all(source.commits.map((commit) => ofMerge(commit, source, intent, scene)));
      return comings.filter((coming) => coming !== null);
    }
    case 'stash': {
      const name = await stashNamed(source.entry, scene);
      return name === null || !(await mayOverwrite(intent, scene)) ? [] : [await ofChanges([name], false, scene)];
    }
    case 'changes': {
      const revisions = textsOf(source.commits);
      if (revisions === null || !(await mayOverwrite(intent, scene))) {
        return [];
      }
      const again = source.takenBack ? await trackedAgain(revisions, scene) : [];
      return [await ofChanges(await revisionsBefore(revisions, scene), source.takenBack, scene, again)];
    }
  }
}

async function ofOpenCommits(intent: BringFilesIntent, scene: Scene): Promise<Coming> {
  return {
    files: (await mayOverwrite(intent, scene)) ? await inOpenCommits(intent, scene) : [],
    comingAt: async (paths) => new Set(paths),
    touches: async () => false,
  };
}

/** Most work trees have nothing in them that is neither tracked nor made by tools. */
async function mayOverwrite({ forced }: BringFilesIntent, { repository, overlay }: Scene): Promise<boolean> {
  const isAny = forced && (await repository.status()).some(({ index }) => index === '?');
  return isAny || overlay.untracked.size > 0 || mayHaveUntracked(repository, isGenerated);
}

type Source<Kind> = Extract<BringFilesIntent['source'], { kind: Kind }>;

/** @param below a directory, from the work tree's root: git-read-tree(1) "--prefix" */
async function ofTreeBelow({ commit }: Source<'commit'>, below: Word, scene: Scene): Promise<Coming | null> {
  const directory = textOf(below);
  const to = await commitNamed(commit, false, scene);
  if (directory === null || to === null) {
    return null;
  }
  const files = await addedFiles(null, to, scene.repository);
  return {
    files: files.map((file) => ({ ...file, path: join(directory, file.path) })),
    comingAt: async (paths) => new Set(paths),
    touches: async () => false,
  };
}

async function ofCommit(source: Source<'commit'>, intent: BringFilesIntent, scene: Scene): Promise<Coming | null> {
  const { repository, overlay } = scene;
  if (namesHead(source.commit) && overlay.filesOf === null && overlay.untracked.size === 0) {
    return null;
  }
  const given = source.paths ?? [];
  // Which of them a listing names is looked up where they are known.
  const pathspecs = textsOf(given) ?? [];
  const isMeant = given.some(isUnknown) ? mayBeMeant(given, repository) : () => true;
  const to = await commitNamed(source.commit, source.mayBePath === true, scene);
  const from = overlay.filesOf ?? (await repository.head()).oid;
  const untracked = to === null ? [] : await untrackedSince(to, source.commit, scene);
  const isNothing = to === from || !(await mayOverwrite(intent, scene));
  if (to === null || (isNothing && untracked.length === 0)) {
    return null;
  }
  const isThere = async () => from !== null && (await repository.isAncestor(to, from)) === 'yes';
  return {
    files: [...(isNothing ? [] : await addedFiles(from, to, repository, pathspecs)), ...untracked].filter(({ path }) =>
      isMeant(path),
    ),
    comingAt: async (paths) => new Set(source.sparesAncestors === true && (await isThere()) ? [] : paths),
    touches: async (paths) => from !== null && (await differingPaths(from, to, paths, repository)).size > 0,
  };
}

/**
 * `git rm --cached .env && git commit …`: what the line has made untracked by a commit, and the other commit has.
 *
 * @param named the word for that one: a branch may have the line's commit as well
 */
async function untrackedSince(to: string, named: Word, { repository, overlay }: Scene): Promise<readonly TreeEntry[]> {
  const left = [...overlay.untracked].filter((path) => !overlay.index.has(path));
  const name = textOf(named) ?? '';
  const below =
    left.length === 0
      ? []
      : await madeBelow((await branchNamed(name, repository, overlay)) ?? name, overlay.made, repository);
  return entriesAt(
    to,
    left.filter((path) => !below.some(({ untracks }) => untracks?.has(path) === true)),
    repository,
  );
}

/** `git revert HEAD`, of such a commit. @param revisions by which the line's commits are named */
async function trackedAgain(
  revisions: readonly string[],
  { repository, overlay }: Scene,
): Promise<readonly TreeEntry[]> {
  const { oid } = await repository.head();
  const reverted = await Promise.all(
    revisions.map(async (name) => (await madeBelow(name, overlay.made, repository)).at(-1)?.untracks ?? []),
  );
  return oid === null
    ? []
    : entriesAt(
        oid,
        reverted.flatMap((paths) => [...paths]),
        repository,
      );
}

async function entriesAt(commit: string, paths: readonly string[], { git }: Repository): Promise<readonly TreeEntry[]> {
  const listed = ['--literal-pathspecs', 'ls-tree', '-r', '-z', '--full-tree', commit, '--', ...paths];
  return paths.length === 0 ? [] : readTreeEntries((await git.run(listed)).stdout);
}

/** A merge brings what the other side has changed since both have gone apart. */
async function ofMerge(
  commit: Word,
  { rebasesAsConfigured }: Source<'merge'>,
  intent: BringFilesIntent,
  scene: Scene,
): Promise<Coming | null> {
  const { repository } = scene;
  const to = await commitNamed(commit, false, scene);
  const head = await repository.head();
  const from = head.oid;
  if (to === null || to === from || !(await mayOverwrite(intent, scene))) {
    return null;
  }
  const rebases = async () => {
    const config = await repository.config();
    const mode = pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null);
    return rebasesAsConfigured === true && (mode ?? 'false') !== 'false';
  };
  const baseOf = async () => (from === null ? null : mergeBase(from, to, repository));
  return {
    files: await addedFiles(from, to, repository),
    comingAt: async (paths) => {
      const base = await baseOf();
      // git-merge(1) "--overwrite-ignore": it is honoured by fast-forwards alone.
      const isSpared = intent.sparesIgnored === 'fast-forward' && base === from;
      if (base !== to && (await rebases())) {
        // Theirs is checked out as a whole.
        return new Set(paths);
      }
      return isSpared ? new Set() : base === null ? new Set(paths) : differingPaths(base, to, paths, repository);
    },
    touches: async (paths) => {
      const base = await baseOf();
      return base !== null && (await differingPaths(base, to, paths, repository)).size > 0;
    },
  };
}

async function ofChanges(
  revisions: readonly string[],
  takenBack: boolean,
  scene: Scene,
  again: readonly TreeEntry[] = [],
): Promise<Coming> {
  const changed = revisions.length === 0 ? [] : await changedFiles(revisions, takenBack, scene.repository);
  const indexed = changed.length === 0 ? null : await trackedNow(scene);
  const isTracked = (path: string) => indexed?.has(path) === true && !scene.overlay.untracked.has(path);
  return {
    files: [...changed.filter(({ path }) => !isTracked(path)), ...again],
    comingAt: async (paths) => new Set(paths),
    touches: async (paths) => changed.some(({ path }) => paths.includes(path)),
  };
}

/** Paths in the index, which is another commit's once the line has switched; null: it is not known. */
async function trackedNow({ repository, overlay }: Scene): Promise<ReadonlySet<string> | null> {
  const commit = overlay.filesOf ?? overlay.head?.oid ?? null;
  return commit === null ? new Set(await readIndexedPaths(repository)) : filesInTree(commit, [], repository);
}

/** Null: there is none of that name, or the line has made it. */
async function stashNamed(entry: Word | null, { repository, overlay }: Scene): Promise<string | null> {
  const name = entry === null ? '0' : textOf(entry);
  const number = name === null ? null : entryNumber(name);
  if (number === null) {
    return name;
  }
  const before = overlay.shared.stashes.before(number);
  return before === null || (await repository.ref('refs/stash')) === null ? null : `stash@{${before}}`;
}

/** Revisions that only git can read, and reads by itself where it compares. */
const composed = /^(?:(?!@\{)[\w./@-]+[~^][\w./@~^-]*|@\{-\d+\})$/;

/**
 * A commit as git names it, or as a revision where nothing of the line changes what that means; null: it is not known.
 *
 * @param mayBePath git takes a word for a path where no ref is called so
 */
export async function commitNamed(
  word: Word,
  mayBePath: boolean,
  { repository, overlay }: Pick<Scene, 'repository' | 'overlay'>,
): Promise<string | null> {
  const name = textOf(word);
  const isUnknownFetch = overlay.fetchHead === null && name?.startsWith('FETCH_HEAD') === true;
  if (name === null || name === '' || isUnknownFetch || (name.startsWith('-') && name !== '-')) {
    return null;
  }
  const revision = name === '-' ? '@{-1}' : name;
  if (overlay.isEmpty && composed.test(revision)) {
    return revision;
  }
  const branch = (await branchNamed(name, repository, overlay)) ?? name;
  const oid = await repository.resolve(branch);
  const isPath = oid === null && mayBePath && existsSync(resolve(repository.cwd, name));
  return oid ?? (isPath ? null : tracked(branch, repository));
}
