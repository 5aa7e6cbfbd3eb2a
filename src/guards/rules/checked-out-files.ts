import { existsSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { filtersOff, ownFilterNames } from '../../git/own-filters.ts';
import type { Repository } from '../../git/repository.ts';
import { trackedAt } from '../../git/tracked-files.ts';
import { wholePattern } from '../../shell/pattern.ts';
import { guardedFile, isWithin } from '../files/guarded-file.ts';
import { hooksDirectoryOf } from '../files/hooks-directory.ts';
import { changesKey, keyOfManifest, mayHoldKey } from '../files/manifest.ts';
import type { Finding } from '../finding.ts';
import { shown, textOf, textsOf } from '../git-command/words.ts';
import type { ChangeFilesIntent, TakeBackIntent } from '../intent.ts';
import type { Scene } from '../scene.ts';
import { revisionsBefore } from '../simulation/revisions-before.ts';
import { judgeGuardedFile } from './guarded-files.ts';
import { unreadable } from './unreadable-command.ts';

const configurations = ['json', 'js', 'mjs', 'ts'].map((ending) => `oxide-guard.config.${ending}`);

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

/** `git sparse-checkout set src`: tracked hooks that are not among what is chosen go; by patterns, files at the top as well. */
async function judgeNarrowing(intent: ChangeFilesIntent, scene: Scene): Promise<readonly Finding[]> {
  return [...(await judgeNarrowedHooks(intent, scene)), ...(await judgeNarrowedConfiguration(intent, scene))];
}

async function judgeNarrowedConfiguration(
  { paths, byPatterns, means }: ChangeFilesIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const configured = async () => !(await repository.config()).getBoolean('core.sparsecheckoutcone', true);
  const top = repository.workTree ?? '/';
  const present = configurations.filter((path) => existsSync(join(top, path)));
  const patterns = textsOf(paths);
  if (present.length === 0 || patterns === null || !(byPatterns ?? (await configured()))) {
    return [];
  }
  const left = present.filter((name) => !isChosenBy(patterns, name));
  const tracked =
    left.length === 0
      ? []
      : await trackedAt(
          repository,
          left.map((name) => `:(top,literal)${name}`),
        );
  const file = { kind: 'guard-configuration', isThere: true } as const;
  return tracked.flatMap((name) => judgeGuardedFile(file, name, 'remove', policy, means));
}

/** gitignore(5): of the patterns that fit a file at the top the last one decides. */
function isChosenBy(patterns: readonly string[], name: string): boolean {
  const last = patterns.findLast((pattern) => {
    const glob = pattern.replace(/^!?\/?/, '').replace(/\*+/g, '*');
    const isBounded = glob.split('*').length <= mostStars;
    return isBounded && wholePattern([{ kind: 'glob', text: glob }])?.test(name) === true;
  });
  return last !== undefined && !last.startsWith('!');
}

/** A pattern with more of them takes too long to be tried, and nobody writes it. */
const mostStars = 6;

async function judgeNarrowedHooks(
  { paths, means }: ChangeFilesIntent,
  { repository, policy }: Scene,
): Promise<readonly Finding[]> {
  const hooks = await trackedHooks(repository);
  const chosen = paths.flatMap((word) => textOf(word)?.replace(/^\/|\/$/g, '') ?? []);
  const isChosen = (path: string) =>
    path === '*' || `${path}/`.startsWith(`${hooks}/`) || hooks?.startsWith(`${path}/`);
  return hooks === null || (chosen.some(isChosen) && !chosen.includes(`!${hooks}`))
    ? []
    : judgeGuardedFile({ kind: 'hooks' }, hooks, 'remove', policy, means);
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
  const hooks = await trackedHooks(repository);
  const present = configurations.filter((path) => existsSync(join(workTree, path)));
  const path = join(workTree, manifest);
  const isNamed = given.some((word) => /^:|[*?[]/.test(word) || isWithin(path, resolve(repository.cwd, word)));
  return [...present, ...(hooks === null ? [] : [hooks]), ...(isNamed && mayHoldKey(path) ? [manifest] : [])];
}

/** Where git looks for hooks, relative to the top of the work tree, if commits can bring and take files there; else null. */
async function trackedHooks(repository: Repository): Promise<string | null> {
  const { workTree } = repository;
  const hooks = workTree === null ? '' : relative(workTree, await hooksDirectoryOf(repository));
  const isTracked = hooks !== '' && !hooks.startsWith('..') && !hooks.startsWith(`.git${sep}`);
  return isTracked && existsSync(join(workTree ?? '', hooks)) ? hooks : null;
}
