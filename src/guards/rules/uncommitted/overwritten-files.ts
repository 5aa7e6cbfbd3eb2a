import { join } from 'node:path';
import { contentsOf } from '../../../git/contents/compared-files.ts';
import { type FileInTheWay, filesInTheWay } from '../../../git/contents/files-in-the-way.ts';
import { committedContents } from '../../../git/contents/incoming-files.ts';
import { isSparse, pathsInCheckout } from '../../../git/contents/sparse-checkout.ts';
import type { TreeEntry } from '../../../git/contents/tree-entries.ts';
import { isThere } from '../../../git/files.ts';
import { submodulesOf } from '../../files/submodules.ts';
import type { Finding } from '../../finding.ts';
import { isGenerated } from '../../generated-files.ts';
import type { BringFilesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { count } from '../../wording.ts';
import { trackedChanges } from '../../work-at-stake.ts';
import { unreadable } from '../unreadable-command.ts';
import { broughtFiles, type Coming } from './brought-files.ts';
import { named, objection } from './discard-objection.ts';
import { writesIgnores } from './ignore-files.ts';
import { openWord } from './open-sources.ts';
import { wayToStash } from './ways-to-keep.ts';
import { ignoredAmong } from './written-ignores.ts';

/**
 * Files that git does not track and in whose place it would put a commit's: ignored ones, which it takes for expendable
 * (gitignore(5) "NOTES"), and where it is forced, untracked ones as well. Before it is forced it refuses to touch those,
 * but in a sparse checkout.
 */
export async function judgeBroughtFiles(given: BringFilesIntent, scene: Scene): Promise<readonly Finding[]> {
  const { repository, overlay } = scene;
  if (repository.workTree === null || overlay.isAdded) {
    return [];
  }
  const intent = given.forced || !(await isSparse(repository)) ? given : { ...given, forced: true };
  const found = new Map<string, Lost>();
  for (const coming of await broughtFiles(intent, scene)) {
    for (const file of await lostTo(coming, intent, scene)) {
      found.set(file.path, file);
    }
  }
  const lost = [...found.values()];
  const open = openWord(intent);
  const paths = lost.map(({ path }) => path);
  const ignored = lost.some(({ isIgnored }) => isIgnored);
  const noun = lost.every(({ isIgnored }) => isIgnored) ? 'ignored file' : 'untracked file';
  const roots = [...new Set(lost.map(({ path, root }) => (path.endsWith('/') ? path : root)))];
  const instead = lost.length === 0 ? '' : await wayToStash(repository, roots, ignored);
  if (open !== null && lost.length > 0) {
    const { source, reason } = open;
    return unreadable(scene.policy, {
      source,
      reason,
      could: `what overwrites ${count(lost.length, noun)} (${named(paths)})`,
      instead,
    });
  }
  return objection(scene, intent.means, paths, instead, { noun });
}

export interface Lost extends FileInTheWay {
  readonly isIgnored: boolean;
}

async function lostTo(coming: Coming, intent: BringFilesIntent, scene: Scene): Promise<readonly Lost[]> {
  const differing = await untrackedInPlaceOf(coming.files, intent.forced, scene);
  if (differing.length === 0 || (await refusesChanges(coming, intent, scene))) {
    return [];
  }
  const incoming = await coming.comingAt(differing.map((file) => file.incoming.path));
  const written = intent.source.kind === 'commit' && intent.source.paths !== undefined ? [...incoming] : null;
  const placed = new Set(written ?? (await pathsInCheckout([...incoming], scene.repository)));
  return differing.filter((file) => placed.has(file.incoming.path));
}

/**
 * Untracked files that nothing else has, where others are put; none where git refuses, because some are not ignored. What
 * the line may have moved away keeps git from nothing: `mv notes.md ../n && git switch x`.
 */
export async function untrackedInPlaceOf(
  files: readonly TreeEntry[],
  forced: boolean,
  scene: Scene,
): Promise<readonly Lost[]> {
  const lying = files.length === 0 ? [] : await untrackedInTheWay(files, forced, scene);
  const stays = ({ path }: Lost) => !scene.patches.mayHaveLeft(join(scene.repository.workTree ?? '/', path));
  const isRefused = !forced && lying.some((file) => !file.isIgnored && stays(file));
  const atStake = forced ? lying : lying.filter(({ isIgnored }) => isIgnored);
  return atStake.length === 0 || isRefused ? [] : keptNowhere(atStake, scene);
}

/** Tools make again what some of the ignored files are, and the line may have taken others away. */
async function untrackedInTheWay(files: readonly TreeEntry[], forced: boolean, scene: Scene): Promise<readonly Lost[]> {
  const { repository, overlay, patches } = scene;
  const { workTree } = repository;
  const inTheWay = workTree === null ? [] : filesInTheWay(files, workTree, forced ? () => false : isGenerated);
  if (workTree === null || inTheWay.length === 0) {
    return [];
  }
  // A submodule's files are its own matter.
  const submodules = submodulesOf(repository);
  const isOwn = (place: string) => !patches.isRemoved(place) && !submodules.includes(place.replace(/\/$/, ''));
  const there = inTheWay.filter(({ path }) => isOwn(join(workTree, path)));
  const entries = await repository.status();
  const unknown = new Set(entries.flatMap(({ index, path }) => (index === '?' ? [path] : [])));
  const isUnknown = unknownAmong([...unknown], workTree);
  const paths = there.map(({ path }) => path).filter((path) => !overlay.hasPutAway(path) && !isGenerated(path));
  const [untracked, left] = [
    paths.filter((path) => !overlay.unversioned.has(path)),
    paths.filter((path) => overlay.unversioned.has(path)),
  ];
  const mayBeIgnored = await writesIgnores([...scene.writtenTexts.keys()], repository);
  const asked = untracked.filter((path) => mayBeIgnored || !isUnknown(path));
  const ignored = new Set([...(await ignoredAmong(asked, false, scene)), ...(await ignoredAmong(left, true, scene))]);
  return there.flatMap((file) => {
    const isIgnored = ignored.has(file.path);
    return isIgnored || isUnknown(file.path) ? [{ ...file, isIgnored }] : [];
  });
}

/**
 * Tells what is not tracked. What ends in a slash is another repository, or more files than are looked at. git-status(1) is
 * silent about a repository in the place of a tracked file.
 */
function unknownAmong(untracked: readonly string[], workTree: string): (path: string) => boolean {
  const paths = new Set(untracked);
  return (path) =>
    paths.has(path) ||
    (path.endsWith('/') &&
      (isThere(join(workTree, path, '.git')) || untracked.some((other) => other.startsWith(path))));
}

/** Of more files the contents are not compared. */
const maximumFiles = 500;

/** Neither does the same come, nor does a commit have what is in them, nor what the line has put aside before. */
async function keptNowhere(all: readonly Lost[], scene: Scene): Promise<readonly Lost[]> {
  const { repository, patches } = scene;
  const lying = all.filter(({ path }) => !isInCommit(path, scene));
  const paths = lying.map(({ path }) => path);
  const oids =
    lying.length > maximumFiles
      ? new Map<string, string>()
      : await contentsOf(paths, repository.workTree ?? repository.cwd, repository);
  const differing = lying.filter(
    ({ path, incoming }) => path !== incoming.path || oids.get(path) !== incoming.oid || !oids.has(path),
  );
  // What a commit of this line's past had, and nothing else has, is untracked and not ignored.
  const ignored = differing.filter(({ path, isIgnored }) => isIgnored && oids.has(path)).map(({ path }) => path);
  const committed = await committedContents(
    ignored.flatMap((path) => oids.get(path) ?? []),
    ignored,
    repository,
  );
  const names = differing
    .filter(({ path, isIgnored }) => !isIgnored || !committed.has(oids.get(path) ?? ''))
    .map(({ path }) => path);
  const unkept = new Set(await patches.without(names, 'both', scene));
  return differing.filter(({ path }) => unkept.has(path));
}

/**
 * Has a commit of the line taken up what is there, so that it is tracked: `git add -f .env && git commit …`? What the line
 * has written there may have come after it.
 */
function isInCommit(path: string, { overlay, patches, repository }: Scene): boolean {
  const isWritten =
    overlay.unversioned.has(path) || patches.writtenIn(join(repository.workTree ?? '/', path)).length > 0;
  return overlay.committed.has(path) && !isWritten;
}

/** Tracked files with changes of their own would be overwritten, or there are any: git stops. */
async function refusesChanges(coming: Coming, { refuses }: BringFilesIntent, { repository }: Scene): Promise<boolean> {
  const changed = refuses === undefined ? [] : await trackedChanges(repository);
  if (changed.length === 0) {
    return false;
  }
  const stashes = refuses === 'all' && (await repository.config()).getBoolean('rebase.autostash', false);
  return !stashes && (refuses === 'all' || (await coming.touches(changed)));
}
