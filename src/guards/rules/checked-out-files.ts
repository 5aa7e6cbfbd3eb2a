import { join, relative, resolve } from 'node:path';
import { filtersOff, ownFilterNames } from '../../git/own-filters.ts';
import type { Repository } from '../../git/repository.ts';
import { guardedFile, isWithin } from '../files/guarded-file.ts';
import { hooksDirectoryOf } from '../files/hooks-directory.ts';
import { changesKey, keyOfManifest, mayHoldKey } from '../files/manifest.ts';
import { configurationsIn, hookDirectoriesIn } from '../files/tracked-checks.ts';
import type { Finding } from '../finding.ts';
import { shown, textOf, textsOf } from '../git-command/words.ts';
import type { ChangeFilesIntent, TakeBackIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { revisionsBefore } from '../simulation/revisions-before.ts';
import { judgeGuardedFile } from './guarded-files.ts';
import { judgeNarrowing } from './narrowed-checkout.ts';
import { unreadable } from './unreadable-command.ts';

/** `git restore --source=main .husky`: files by which the checks work become what they are in another commit. */
export async function judgeCheckedOutFiles(intent: ChangeFilesIntent, scene: Scene): Promise<readonly Finding[]> {
  const { paths, to, means } = intent;
  const { repository, policy } = scene;
  const { workTree } = repository;
  if (to === 'nothing-else') {
    return judgeNarrowing(intent, scene);
  }
  const given = textsOf(paths);
  const watched = workTree === null || to === 'nothing' ? [] : await watchedPaths(workTree, given ?? [], repository);
  if (workTree === null || to === 'nothing' || watched.length === 0 || given === null) {
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
  const found = await judgeNamed(changed, means, scene);
  const hasOtherKey = changed.includes(manifest) && (await bringsOtherKey(commit, workTree, repository));
  return hasOtherKey ? [...found, ...judgeGuardedFile(keyOfManifest, manifest, 'write', policy, means)] : found;
}

async function judgeNamed(
  names: readonly string[],
  means: string,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const hooks = names.length === 0 ? null : await hooksDirectoryOf(repository);
  return names.flatMap((name) => {
    const file = guardedFile(join(repository.workTree ?? '/', name), hooks, repository.git.context.env);
    return file === null ? [] : judgeGuardedFile(file, name, 'write', policy, means);
  });
}

/** More commits than these are not looked at, each by a process of its own. */
const maximumCommits = 10;

/** `git revert COMMIT`: files by which the checks work become what they were before a commit. */
export async function judgeTakenBack({ commits, means }: TakeBackIntent, scene: Scene): Promise<readonly Finding[]> {
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
      return (await repository.git.run(compared)).stdout.toString('utf8').split('\0').filter(Boolean);
    }),
  );
  return judgeNamed([...new Set(changed.flat())], means, scene);
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
  const hooks = await hookDirectoriesIn(repository);
  const present = configurationsIn(workTree);
  const path = join(workTree, manifest);
  const isNamed = given.some((word) => /^:|[*?[]/.test(word) || isWithin(path, resolve(repository.cwd, word)));
  return [...present, ...hooks, ...(isNamed && mayHoldKey(path) ? [manifest] : [])];
}
