import { join, relative } from 'node:path';
import { statsOf } from '../../../git/checkpoints/work-tree-state.ts';
import { contentsOf } from '../../../git/contents/compared-files.ts';
import { filesInTheWay } from '../../../git/contents/files-in-the-way.ts';
import { committedContents } from '../../../git/contents/incoming-files.ts';
import { filesInTree } from '../../../git/contents/tree-entries.ts';
import { isThere } from '../../../git/files.ts';
import type { Repository, StatusEntry } from '../../../git/repository.ts';
import { quoteWord } from '../../../quote.ts';
import type { Finding } from '../../finding.ts';
import { namesHead } from '../../git-command/discards.ts';
import { isUnknown, textsOf } from '../../git-command/words.ts';
import { isGone } from '../../gone-files.ts';
import type { BringFilesIntent, Discarded, Intent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { meant } from '../../simulation/files/meant-paths.ts';
import { asOpened } from '../../simulation/replaced.ts';
import { pathsOf } from '../../work-at-stake.ts';
import { isUnmerged } from '../../work-in-conflict.ts';
import { pullRebases } from '../commits/edits-todo.ts';
import { commitNamed } from './brought-files.ts';
import { withListedFiles } from './discard-changes.ts';
import { objection } from './discard-objection.ts';
import { mayBeMeant } from './open-pathspecs.ts';
import { type Lost, untrackedInPlaceOf } from './overwritten-files.ts';
import { conflictsBefore, wayToKeep } from './ways-to-keep.ts';

/**
 * Untracked files that stand in the place of tracked ones which are gone: a directory where a file was, a file where a
 * directory was. Whatever puts the tracked ones back removes them without a word, and a stash has only what is tracked.
 */
export async function judgePutBack(intent: Intent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  const means = meansOf(intent);
  if (means === null || repository.workTree === null || overlay.isAdded || !(await mayStash(intent, repository))) {
    return [];
  }
  const replaced = await replacedEntries(scene);
  const back = replaced.length === 0 ? [] : await putBack(intent, replaced, scene);
  const lost = await ownAmong(await untrackedInPlaceOf(back.map(asTreeEntry), true, scene), scene);
  const keepsUntracked = intent.kind === 'stash' && intent.untracked;
  const unkept = keepsUntracked ? lost.filter((file) => isLeftOut(file, repository)) : lost;
  const noun = unkept.every(({ isIgnored }) => isIgnored) ? 'ignored file' : 'untracked file';
  const way = unkept.length === 0 ? '' : await wayToKeepBoth(unkept, repository);
  return objection(
    scene,
    means,
    unkept.map(({ path }) => path),
    way,
    { noun },
  );
}

/** git-stash(1) "--include-untracked": neither what is ignored nor another repository is in it. */
function isLeftOut({ path, isIgnored }: Lost, { workTree, cwd }: Repository): boolean {
  return isIgnored || isThere(join(workTree ?? cwd, path, '.git'));
}

/** The command as people know it; null: it puts nothing back. */
function meansOf(intent: Intent): string | null {
  switch (intent.kind) {
    case 'stash':
      // Of a part, git takes the changes back by a patch, which does not go through.
      return intent.action === 'push' && !intent.partial && intent.ignored !== true ? 'git stash' : null;
    case 'bring-files':
      return discards(intent) || isOperation(intent) ? intent.means : null;
    case 'discard':
      return isOfPaths(intent.what) ? intent.means : null;
    default:
      return null;
  }
}

function isOfPaths(what: Discarded): what is Extract<Discarded, { kind: 'paths' | 'branch-or-path' }> {
  return (
    what.kind === 'branch-or-path' || (what.kind === 'paths' && what.from !== 'conflicts' && what.removes !== true)
  );
}

/** Whatever tracked files are like, they come to be as another commit has them. */
function discards({ forced, discards }: BringFilesIntent): boolean {
  return forced || discards === true;
}

/** Is it a merge or a rebase? */
function isOperation({ source }: BringFilesIntent): boolean {
  return source.kind === 'merge' || (source.kind === 'commit' && source.sparesAncestors !== undefined);
}

/** git-rebase(1), git-merge(1) "--autostash": these put all changes away, or refuse. What is no such operation goes on. */
async function mayStash(intent: Intent, repository: Repository): Promise<boolean> {
  if (intent.kind !== 'bring-files' || discards(intent) || intent.refuses === undefined) {
    return true;
  }
  const [config, head] = [await repository.config(), await repository.head()];
  const isPull = intent.source.kind === 'merge' && intent.source.rebasesAsConfigured === true;
  const mode = isPull ? pullRebases((key) => config.get(key), head.kind === 'branch' ? head.branch : null) : null;
  const rebases = intent.source.kind === 'commit' || (mode ?? 'false') !== 'false';
  return config.getBoolean(rebases ? 'rebase.autostash' : 'merge.autostash', false);
}

/** Tracked files that are gone and whose place is taken, now or before the line has committed that. */
async function replacedEntries({ repository }: Scene): Promise<readonly StatusEntry[]> {
  const found = new Map<string, StatusEntry>();
  for (const state of [asOpened(repository), repository]) {
    for (const entry of await state.status()) {
      const isGone =
        (entry.index === 'D' || entry.worktree === 'D') && !isUnmerged(entry) && entry.isSubmodule !== true;
      if (isGone) {
        found.set(entry.path, entry);
      }
    }
  }
  const top = repository.workTree ?? repository.cwd;
  // One by one: what lies in the place of several is told of one of them.
  const isTaken = (entry: StatusEntry) =>
    filesInTheWay([asTreeEntry(entry)], top, () => false).some(({ path }) => path !== entry.path);
  return [...found.values()].filter(isTaken);
}

/** What it holds is not asked where another file lies. */
function asTreeEntry({ path }: StatusEntry) {
  return { path, mode: '100644', oid: '' };
}

/** Those that the command puts back. */
async function putBack(
  intent: Intent,
  replaced: readonly StatusEntry[],
  scene: Scene,
): Promise<readonly StatusEntry[]> {
  const { repository } = scene;
  if (intent.kind === 'discard' && isOfPaths(intent.what)) {
    return putBackAt(intent.what, replaced, scene);
  }
  if (intent.kind !== 'bring-files' || !discards(intent) || intent.source.kind !== 'commit') {
    return replaced;
  }
  const { commit, mayBePath = false, paths = [] } = intent.source;
  const oid = namesHead(commit)
    ? ((await repository.head()).oid ?? 'HEAD')
    : await commitNamed(commit, mayBePath, scene);
  const held =
    oid === null
      ? null
      : await filesInTree(
          oid,
          replaced.map(({ path }) => path),
          repository,
        );
  const there = replaced.filter(({ path }) => held?.has(path) === true);
  return paths.length === 0 ? there : namedBy(paths, there, scene);
}

/** From the index comes what it has, from HEAD what that has. Of another commit it is told where its files come from. */
async function putBackAt(
  what: Extract<Discarded, { kind: 'paths' | 'branch-or-path' }>,
  replaced: readonly StatusEntry[],
  scene: Scene,
): Promise<readonly StatusEntry[]> {
  const given = await withListedFiles(what.kind === 'paths' ? what.paths : what.words, scene);
  const texts = textsOf(given);
  const isIndexed = ({ index }: StatusEntry) => index !== 'D';
  if (what.kind === 'paths') {
    const there = what.from === 'index' ? replaced.filter(isIndexed) : replaced.filter(({ index }) => index !== 'A');
    return what.to === undefined ? namedBy(given, there, scene) : [];
  }
  if (texts === null) {
    return [];
  }
  const [, from] = await pathsOf(texts, scene.repository);
  if (from === 'index') {
    return namedBy(given, replaced.filter(isIndexed), scene);
  }
  return namesHead(given[0])
    ? namedBy(
        given.slice(1),
        replaced.filter(({ index }) => index !== 'A'),
        scene,
      )
    : [];
}

async function namedBy(
  words: Extract<Discarded, { kind: 'paths' }>['paths'],
  entries: readonly StatusEntry[],
  { repository }: Scene,
): Promise<readonly StatusEntry[]> {
  if (words.some(isUnknown)) {
    const isMeant = mayBeMeant(words, repository);
    return entries.filter(({ path }) => isMeant(path));
  }
  const named = new Set(await meant(textsOf(words) ?? [], entries, repository));
  return entries.filter(({ path }) => named.has(path));
}

/** Neither links and empty files, nor what the line has moved away, nor what was only moved there and some commit has. */
async function ownAmong(lying: readonly Lost[], scene: Scene): Promise<readonly Lost[]> {
  const { repository } = scene;
  const top = repository.workTree ?? repository.cwd;
  const holding = lying.filter(({ path, incoming }) => {
    const stats = path === incoming.path ? undefined : statsOf(join(top, path));
    const holds = stats !== undefined && !stats.isSymbolicLink() && !(stats.isFile() && stats.size === 0);
    return holds && !isGone(path, top, scene);
  });
  const paths = holding.map(({ path }) => path);
  const oids = holding.length === 0 ? new Map<string, string>() : await contentsOf(paths, top, repository);
  const places = holding.map(({ incoming }) => incoming.path);
  const committed = await committedContents([...oids.values()], [...new Set([...paths, ...places])], repository);
  return holding.filter(({ path }) => !committed.has(oids.get(path) ?? ''));
}

/**
 * A stash with untracked files in it does not come back, because what is tracked is in the way: they are added before. What
 * git does not add is moved.
 */
async function wayToKeepBoth(lost: readonly Lost[], repository: Repository): Promise<string> {
  const nested = lost.find(({ path }) => path.endsWith('/'));
  if (nested !== undefined) {
    const place = relative(repository.cwd, join(repository.workTree ?? repository.cwd, nested.path));
    return `mv ${quoteWord(place)} ${quoteWord(`${place}.kept`)}`;
  }
  if ((await conflictsBefore(repository)).length > 0) {
    // A copy within what goes would go with it.
    return wayToKeep(repository, [...new Set(lost.map(({ root }) => root))]);
  }
  const ignored = [...new Set(lost.filter(({ isIgnored }) => isIgnored).map(({ root }) => `:/${root}`))];
  const forced = ignored.length === 0 ? '' : `git add --force ${ignored.map(quoteWord).join(' ')} && `;
  return `${forced}git add --all && git stash`;
}
