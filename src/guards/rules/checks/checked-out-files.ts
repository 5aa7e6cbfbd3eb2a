import { join, relative, resolve } from 'node:path';
import { readBlobs } from '../../../git/contents/blobs.ts';
import { filtersOff, ownFilterNames } from '../../../git/contents/own-filters.ts';
import { trackedAt } from '../../../git/contents/tracked-files.ts';
import { readText } from '../../../git/files.ts';
import type { Repository } from '../../../git/repository.ts';
import { startsOwnHook } from '../../files/agent-hooks.ts';
import { startsSameHooks } from '../../files/agent-settings.ts';
import { checksIn } from '../../files/checks-in-work-tree.ts';
import { guardedFile, isWithin } from '../../files/guarded-file.ts';
import { hooksDirectoryOf } from '../../files/hooks-directory.ts';
import { changesKey, keyOfManifest, mayHoldKey } from '../../files/manifest.ts';
import type { Finding } from '../../finding.ts';
import { shown, textOf, textsOf } from '../../git-command/words.ts';
import type { ChangeFilesIntent, TakeBackIntent } from '../../intent.ts';
import type { Scene } from '../../scene.ts';
import { isPlain, roots } from '../../simulation/files/meant-paths.ts';
import { revisionsBefore } from '../../simulation/refs/revisions-before.ts';
import { unreadable } from '../unreadable-command.ts';
import { judgeGuardedFile } from './guarded-files.ts';
import { judgeNarrowing } from './narrowed-checkout.ts';

/** `git restore --source=main .husky`: files by which the checks work become what they are in another commit. */
export async function judgeCheckedOutFiles(intent: ChangeFilesIntent, scene: Scene): Promise<readonly Finding[]> {
  const { paths, to, means } = intent;
  const { repository, policy } = scene;
  const { workTree } = repository;
  if (to === 'nothing-else') {
    return judgeNarrowing(intent, scene);
  }
  const given = textsOf(paths);
  if (to === 'nothing') {
    return intent.moves === true || given === null ? [] : judgeRemovedAmong(given, means, scene);
  }
  const watched = workTree === null ? [] : await watchedPaths(workTree, given ?? [], repository);
  if (workTree === null || watched.length === 0 || given === null) {
    return [];
  }
  const commit = textOf(to.commit);
  if (commit === null) {
    const isNamed = given.some((path) => watched.includes(relative(workTree, resolve(repository.cwd, path))));
    const { source, reason } = to.commit.kind === 'unknown' ? to.commit : { source: shown(to.commit), reason: '' };
    return isNamed ? unreadable(policy, { source, reason, could: 'a commit with other checks' }) : [];
  }
  const filter = to.removes ? [] : ['--diff-filter=a'];
  const settings = filtersOff(await ownFilterNames(repository)).flatMap((setting) => ['-c', setting]);
  const compared = ['diff', '--name-only', '--no-renames', '-z', ...filter, commit, '--', ...given];
  const output = await repository.git.run([...settings, ...compared]);
  const changed = output.stdout.toString('utf8').split('\0').filter(Boolean);
  const found = await judgeNamed(
    await withOtherHooks(changed, { before: null, after: commit }, repository),
    means,
    scene,
  );
  const hasOtherKey = changed.includes(manifest) && (await bringsOtherKey(commit, workTree, repository));
  return hasOtherKey ? [...found, ...judgeGuardedFile(keyOfManifest, manifest, 'write', policy, { means })] : found;
}

/**
 * `git rm -r .`: what git tracks of the checks goes with everything else. Files and directories that are named are judged
 * as if `rm` removed them. On a branch without commits it is what `git switch --orphan` does.
 */
async function judgeRemovedAmong(given: readonly string[], means: string, scene: Scene): Promise<readonly Finding[]> {
  const { repository, policy } = scene;
  const { workTree, cwd } = repository;
  const isWhole = (path: string) => !isPlain(path) || resolve(cwd, path) === workTree || /^:\/?$/.test(path);
  const pathspecs = given.some((path) => !path.startsWith(':!') && isWhole(path)) ? given : [];
  const watched = pathspecs.length === 0 || workTree === null ? [] : await checksIn(repository);
  if (watched.length === 0 || (await repository.head()).oid === null) {
    return [];
  }
  const hooks = await hooksDirectoryOf(repository);
  const isWatched = (path: string) => watched.some((one) => path === one || path.startsWith(`${one}/`));
  const named = given.filter((path) => !isWhole(path)).map((path) => resolve(cwd, path));
  return (await trackedAt(repository, pathspecs)).filter(isWatched).flatMap((path) => {
    const place = join(workTree ?? '/', path);
    const file = named.some((one) => isWithin(place, one))
      ? null
      : guardedFile(place, hooks, repository.git.context.env);
    return file === null ? [] : judgeGuardedFile(file, path, 'remove', policy, { means });
  });
}

/**
 * Agents' settings count only where they start other hooks.
 *
 * @param names of files that change, from the top of the work tree
 * @param after the revision that has them as they become, or as they were
 * @param before the revision with which that one is compared; null: the work tree
 */
async function withOtherHooks(
  names: readonly string[],
  { before, after }: { readonly before: string | null; readonly after: string },
  { git, workTree }: Repository,
): Promise<readonly string[]> {
  const path = (name: string) => join(workTree ?? '/', name);
  const settings = names.filter((name) => startsOwnHook(path(name)));
  const textsIn = (revision: string) =>
    readBlobs(
      settings.map((name) => `${revision}:${name}`),
      git,
    );
  const [now, then] = [
    before === null ? settings.map((name) => readText(path(name))) : await textsIn(before),
    await textsIn(after),
  ];
  const kept = settings.filter((_, at) => startsSameHooks(now[at] ?? null, then[at] ?? null));
  return names.filter((name) => !kept.includes(name));
}

async function judgeNamed(
  names: readonly string[],
  means: string,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const hooks = names.length === 0 ? null : await hooksDirectoryOf(repository);
  return names.flatMap((name) => {
    const file = guardedFile(join(repository.workTree ?? '/', name), hooks, repository.git.context.env);
    return file === null ? [] : judgeGuardedFile(file, name, 'write', policy, { means });
  });
}

/** More commits than these are not looked at, each by a process of its own. */
const maximumCommits = 10;

/** `git revert COMMIT`: files by which the checks work become what they were before a commit. */
export async function judgeTakenBack(
  { commits, paths = [], means }: TakeBackIntent,
  scene: Scene,
): Promise<readonly Finding[]> {
  const { repository } = scene;
  const { workTree } = repository;
  const watched = workTree === null ? [] : await watchedPaths(workTree, [], repository);
  if (watched.length === 0) {
    return [];
  }
  const pathspecs = watched.map((path) => `:(top,literal)${path}`);
  const revisions = await revisionsBefore((textsOf(commits) ?? []).slice(0, maximumCommits), scene);
  const changed = await Promise.all(
    revisions.map(async (commit) => {
      const of = ['-r', '--root', '-m', '--no-commit-id', commit];
      const compared = ['diff-tree', '--name-only', '--no-renames', '-z', ...of, '--', ...pathspecs];
      const names = (await repository.git.run(compared)).stdout.toString('utf8').split('\0').filter(Boolean);
      return withOtherHooks(names, { before: `${commit}^`, after: commit }, repository);
    }),
  );
  const isMeant = paths.length > 0 && paths.every(isPlain) ? roots(paths, repository) : () => true;
  return judgeNamed([...new Set(changed.flat())].filter(isMeant), means, scene);
}

const manifest = 'package.json';

/** The package.json of another commit has another configuration of the guard, or none. */
async function bringsOtherKey(commit: string, workTree: string, { git }: Repository): Promise<boolean> {
  const output = await git.run(['cat-file', 'blob', `${commit}:${manifest}`]);
  const text = output.exitCode === 0 ? output.stdout.toString('utf8') : '{}';
  return changesKey(join(workTree, manifest), 'write', { text, writer: '' });
}

/**
 * Files and directories of the work tree by which the checks work, relative to its top.
 *
 * @param given pathspecs: a package.json is looked at only where they name it
 */
async function watchedPaths(
  workTree: string,
  given: readonly string[],
  repository: Repository,
): Promise<readonly string[]> {
  const path = join(workTree, manifest);
  const isNamed = given.some((word) => /^:|[*?[]/.test(word) || isWithin(path, resolve(repository.cwd, word)));
  return [...(await checksIn(repository)), ...(isNamed && mayHoldKey(path) ? [manifest] : [])];
}
