import { addedByAny, addedFiles } from '../../../git/contents/incoming-files.ts';
import { readTreeEntries, type TreeEntry } from '../../../git/contents/tree-entries.ts';
import type { Repository } from '../../../git/repository.ts';
import type { Word } from '../../../shell/simple-command.ts';
import type { UnknownWord } from '../../git-command/words.ts';
import { ignoredWork } from '../../ignored-files.ts';
import type { BringFilesIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { mayBeMeant } from './open-pathspecs.ts';

/** Of more files, git is asked for all that is where they are: for each it would try every one. */
const maximumPathspecs = 200;

/** The commits of which files come, or changes; a stash's entry is none. */
export function commitsOf(source: BringFilesIntent['source']): readonly Word[] {
  return source.kind === 'stash' ? [] : source.kind === 'commit' ? [source.commit] : source.commits;
}

/** The word that keeps it open what comes: a commit's, else a path's; null: all is known. */
export function openWord({ source }: BringFilesIntent): UnknownWord | null {
  const others = source.kind === 'commit' ? (source.paths ?? []) : source.kind === 'stash' ? [source.entry] : [];
  return [...commitsOf(source), ...others].find((word) => word?.kind === 'unknown') ?? null;
}

/**
 * What a commit that can't be known may have in the place of files that are not tracked: with paths any that some commit
 * has had there, without them mostly a branch is named, and what branches and tags have now counts.
 */
export async function inOpenCommits({ source, forced }: BringFilesIntent, scene: Scene): Promise<readonly TreeEntry[]> {
  const { repository } = scene;
  const paths = source.kind === 'commit' ? source.paths : undefined;
  const lying = await untrackedWork(forced, repository);
  const meant = lying.filter(paths === undefined ? () => true : mayBeMeant(paths, repository));
  if (meant.length === 0) {
    return [];
  }
  switch (source.kind) {
    case 'merge':
      return inHistory(meant, ['--not', 'HEAD'], repository);
    case 'changes':
      return inHistory(meant, source.takenBack ? [] : ['--not', 'HEAD'], repository);
    case 'commit':
      return paths !== undefined || namesAnyCommit(source.commit)
        ? inHistory(meant, [], repository)
        : atTips(meant, scene);
    case 'stash':
      return [];
  }
}

/** Also one that no branch and no tag stands on. */
function namesAnyCommit(word: Word): boolean {
  return word.kind === 'unknown' && word.names === 'commits';
}

async function untrackedWork(forced: boolean, repository: Repository): Promise<readonly string[]> {
  const { workTree } = repository;
  const ignored = workTree === null ? [] : await ignoredWork(repository, workTree);
  const untracked = forced ? (await repository.status()).filter(({ index }) => index === '?') : [];
  return [...ignored, ...untracked.map(({ path }) => path)].filter((path) => !path.endsWith('/'));
}

/** The versions that commits of branches, tags and stashes have of files. Checkpoints, which hold what is untracked, do not count. */
async function inHistory(
  paths: readonly string[],
  except: readonly string[],
  repository: Repository,
): Promise<readonly TreeEntry[]> {
  const { git, workTree } = repository;
  const stash = (await repository.ref('refs/stash')) === null ? [] : ['refs/stash'];
  const tips = ['HEAD', '--branches', '--tags', '--remotes', ...stash];
  const shown = ['--format=', '--raw', '-z', '--no-abbrev', '--no-renames', '--diff-filter=AM', '--full-history'];
  const within = paths.length > maximumPathspecs ? topNames(paths) : paths;
  const list = ['--literal-pathspecs', 'log', ...shown, ...tips, ...except, '--', ...within];
  return inTheWayOf(paths, readTreeEntries((await git.run(['-C', workTree ?? '.', ...list])).stdout));
}

/** Of more commits it is not looked up what they have. */
const maximumTips = 5000;

/** What branches and tags have there; too many of them could have anything. */
async function atTips(paths: readonly string[], { repository, overlay }: Scene): Promise<readonly TreeEntry[]> {
  const tips = await tipsOf(repository);
  if (tips.length > maximumTips) {
    return paths.map((path) => ({ path, mode: '100644', oid: '' }));
  }
  const out = overlay.filesOf ?? (await repository.head()).oid;
  const from = out ?? tips[0];
  const own = out === null && from !== undefined ? await addedFiles(null, from, repository) : [];
  const added = from === undefined ? [] : await addedByAny(from, tips, topNames(paths), repository);
  return inTheWayOf(paths, [...own, ...added]);
}

/** What comes at paths, below them, or in the place of a directory above. */
function inTheWayOf(paths: readonly string[], entries: readonly TreeEntry[]): readonly TreeEntry[] {
  const above = new Set(paths.flatMap(withDirectories));
  const files = new Set(paths);
  return entries.filter(({ path }) => above.has(path) || withDirectories(path).some((place) => files.has(place)));
}

/** A path, and the directories that it is in. */
function withDirectories(path: string): readonly string[] {
  return path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'));
}

function topNames(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => path.split('/')[0] ?? path))];
}

/** The commits of branches and tags, each once. */
async function tipsOf(repository: Repository): Promise<readonly string[]> {
  const refs = [...(await repository.refs())].filter(([ref]) => /^refs\/(?:heads|remotes|tags)\//.test(ref));
  const tips = new Set(refs.filter(([ref]) => !ref.startsWith('refs/tags/')).map(([, { oid }]) => oid));
  // A tag may be an object of its own.
  const tags = new Set(refs.map(([, { oid }]) => oid).filter((oid) => !tips.has(oid)));
  const objects = await repository.resolveAll([...tags].map((oid) => `${oid}^{commit}`));
  return [...new Set([...tips, ...[...objects.values()].flatMap((object) => object?.oid ?? [])])];
}
