import { existsSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { quoteWord } from '../quote.ts';
import { gitIn } from './bare-store.ts';
import { createCheckpoint } from './checkpoints/checkpoint.ts';
import type { EndangeredRef } from './checkpoints/checkpoint-record.ts';
import type { SkippedFile } from './checkpoints/work-tree-state.ts';
import type { CommitList } from './history/commit.ts';
import { commitsOnlyReachableFrom } from './history/reachability.ts';
import { openRepository } from './open-repository.ts';
import type { Repository } from './repository.ts';
import { type Environment, withoutRepositoryVariables } from './runner.ts';
import { type TransferOptions, transfer } from './transfer.ts';

/** Milliseconds that keeping the work may take. */
const rescueTime = 120_000;

/** Where deleted work trees leave what nothing else had. `git push` does not send these refs. */
const rescuePrefix = 'refs/oxide-guard/rescue/';

/** What a work tree has that would go with it. */
export interface WorkAtStake {
  /** Paths with changes that are not committed, untracked ones too, ignored ones not. */
  readonly uncommitted: readonly string[];
  /** Commits that no other branch, tag or remote tracking branch has. */
  readonly commits: CommitList;
}

/** A linked work tree and the branch that was made for it. */
export interface WorktreePlace {
  /** Absolute. */
  readonly directory: string;
  readonly branch: string;
}

/** How a work tree stands. */
export interface WorktreeState {
  /** Null: HEAD is detached. */
  readonly branch: string | null;
  /** Null: no commit yet. */
  readonly head: string | null;
  readonly isDirty: boolean;
  /** Against the upstream, or else the base; null where there is neither. */
  readonly ahead: number | null;
  readonly behind: number | null;
}

/**
 * Links a new work tree to a bare store.
 *
 * @param start where the branch starts that is made for it; null: the branch is there
 * @throws OxideError what {@link transfer} throws
 */
export async function addWorktree(
  store: string,
  { directory, branch, start }: WorktreePlace & { readonly start: string | null },
  env: Environment,
  options: TransferOptions = {},
): Promise<void> {
  const place = start === null ? [directory, branch] : ['--no-track', '-b', branch, directory, start];
  const context = { cwd: store, env, parameters: ['core.hooksPath=/dev/null'] };
  await transfer(['worktree', 'add', ...place], context, options);
}

/** The commit that a branch off the remote's newest should start from. */
export async function newestStart(store: string, branch: string, env: Environment): Promise<string> {
  const remote = `refs/remotes/origin/${branch}`;
  const found = await gitIn(store, env).run(['rev-parse', '--quiet', '--verify', `${remote}^{commit}`]);
  return found.exitCode === 0 ? remote : `refs/heads/${branch}`;
}

/** @throws OxideError where git fails */
export async function worktreeState(directory: string, base: string, env: Environment): Promise<WorktreeState> {
  const git = gitIn(directory, env);
  const status = await git.text(['status', '--porcelain=v2', '-z', '--branch', '--ignore-submodules=dirty']);
  const records = status.split('\0');
  const header = (name: string) =>
    records.find((record) => record.startsWith(`# branch.${name} `))?.slice(`# branch.${name} `.length) ?? null;
  const [oid, name] = [header('oid'), header('head')];
  const head = oid === null || oid === '(initial)' ? null : oid;
  const counted = head === null ? null : (parseCounts(header('ab')) ?? (await countAgainst(directory, base, env)));
  return {
    branch: name === '(detached)' ? null : name,
    head,
    isDirty: records.some((record) => record !== '' && !record.startsWith('# ')),
    ahead: counted?.ahead ?? null,
    behind: counted?.behind ?? null,
  };
}

function parseCounts(text: string | null): { ahead: number; behind: number } | null {
  const found = /^\+(?<ahead>\d+) -(?<behind>\d+)$/.exec(text ?? '')?.groups;
  return found === undefined ? null : { ahead: Number(found.ahead), behind: Number(found.behind) };
}

async function countAgainst(directory: string, base: string, env: Environment) {
  const output = await gitIn(directory, env).run(['rev-list', '--left-right', '--count', `HEAD...${base}`, '--']);
  const [ahead, behind] = output.stdout.toString('utf8').split(/\s/).map(Number);
  return output.exitCode === 0 && ahead !== undefined && behind !== undefined ? { ahead, behind } : null;
}

/**
 * What would go with a work tree and its branch; where the work tree is gone already, what goes with the branch.
 *
 * @param store the bare repository it is linked to
 */
export async function workAtStake(store: string, place: WorktreePlace, env: Environment): Promise<WorkAtStake> {
  const repository = await openPlace(store, place, env);
  const [status, commits] = await Promise.all([
    repository.status(),
    commitsOnlyReachableFrom(await goingRefs(repository, place.branch), repository, { limit: 5 }),
  ]);
  return { uncommitted: status.map(({ path }) => path), commits };
}

/** The branch that goes, and a detached HEAD. */
async function goingRefs(repository: Repository, branch: string) {
  const head = repository.workTree === null ? null : await repository.head();
  const detached = head?.kind === 'detached' ? [{ ref: 'HEAD', to: null }] : [];
  return [{ ref: `refs/heads/${branch}`, to: null }, ...detached];
}

/** Where what a work tree had is kept, and what could not be. */
export interface Rescue {
  readonly ref: string;
  readonly skipped: readonly SkippedFile[];
}

/**
 * Keeps all that a work tree has (changes, untracked files, commits) as one commit on a ref of its own.
 *
 * @throws OxideError as {@link createCheckpoint} does
 */
export async function rescueWork(store: string, name: string, place: WorktreePlace, env: Environment): Promise<Rescue> {
  const repository = await openPlace(store, place, env);
  const branch = `refs/heads/${place.branch}`;
  const tip = await repository.ref(branch);
  const refs: readonly EndangeredRef[] = tip === null ? [] : [{ name: branch, oid: tip }];
  const checkpoint =
    repository.workTree === null
      ? null
      : await createCheckpoint(repository, {
          session: `rescue-${name}`,
          reason: `before the workspace ${name} was deleted`,
          refs,
          budget: rescueTime,
        });
  const ref = `${rescuePrefix}${name}`;
  const kept = checkpoint?.oid ?? tip;
  if (kept !== null) {
    await gitIn(store, env).text(['update-ref', ref, kept]);
  }
  return { ref, skipped: checkpoint?.skipped ?? [] };
}

/** The work tree, or the store where it is gone. */
async function openPlace(store: string, { directory }: WorktreePlace, env: Environment): Promise<Repository> {
  const cwd = existsSync(directory) ? directory : store;
  const repository = await openRepository({ cwd, env: withoutRepositoryVariables(env) });
  if (repository === null) {
    throw new OxideError('not-a-repository', `'${cwd}' is no repository any more.`, {
      remedy: `ls -la ${quoteWord(cwd)}`,
    });
  }
  return repository;
}

/** Unlinks a work tree and deletes its branch, whatever is in them. Fine where either is gone already. */
export async function removeWorktree(
  store: string,
  { directory, branch }: WorktreePlace,
  env: Environment,
): Promise<void> {
  const git = gitIn(store, env);
  if (existsSync(directory)) {
    // Twice: also a locked one.
    await git.text(['worktree', 'remove', '--force', '--force', directory]);
  }
  await git.text(['worktree', 'prune']);
  await git.run(['update-ref', '-d', `refs/heads/${branch}`]);
}
