import { dirname, join } from 'node:path';
import { OxideError } from '../../errors.ts';
import { filtersOff, ownFilterNames } from '../contents/own-filters.ts';
import { homeDirectory, realPath } from '../files.ts';
import { refuseInsideGitDirectory } from '../inside-git-directory.ts';
import type { Repository } from '../repository.ts';
import { type Environment, Git, withoutRepositoryVariables } from '../runner.ts';

/** The repository parts that a snapshot needs. */
export type SnapshotRepository = Pick<Repository, 'git' | 'gitDir' | 'commonDir' | 'workTree' | 'config'>;

/** Subcommands that write nothing: they need not wait for the names of configured hooks. */
const readers: ReadonlySet<string> = new Set([
  'status',
  'ls-files',
  'check-attr',
  'for-each-ref',
  'rev-parse',
  'diff-tree',
  'check-ignore',
]);

interface Places {
  readonly workTree: string;
  readonly gitDir: string;
  readonly commonDir: string;
  /** The index that git reads and writes. */
  readonly index: string;
}

/** git in one work tree, without hooks, with what is left of a time budget. */
export class SnapshotGit {
  readonly places: Places;
  /** Filters that do not run. */
  readonly filtersOff: readonly string[];
  readonly #git: Git;
  readonly #hooksOff: () => Promise<readonly string[]>;
  readonly #deadline: number;

  constructor(
    git: Git,
    places: Places,
    filters: readonly string[],
    hooksOff: () => Promise<readonly string[]>,
    deadline: number,
  ) {
    this.#git = git;
    this.places = places;
    this.filtersOff = filters;
    this.#hooksOff = hooksOff;
    this.#deadline = deadline;
  }

  /** The same, reading and writing another index. */
  withIndex(index: string): SnapshotGit {
    return this.#with({ GIT_INDEX_FILE: index }, { index });
  }

  /** The same, in another directory with files. */
  inWorkTree(workTree: string): SnapshotGit {
    return this.#with({ GIT_WORK_TREE: workTree }, { workTree });
  }

  #with(variables: Environment, changed: Partial<Places>): SnapshotGit {
    const { context } = this.#git;
    const places = { ...this.places, ...changed };
    const git = new Git({ ...context, cwd: places.workTree, env: { ...context.env, ...variables } });
    return new SnapshotGit(git, places, this.filtersOff, this.#hooksOff, this.#deadline);
  }

  /**
   * Standard output, byte for byte in Latin-1, because paths may be in any encoding.
   *
   * @param fine exit codes that are no failure
   * @throws OxideError `checkpoint-failed`, `checkpoint-too-slow`
   */
  async run(args: readonly string[], input?: Uint8Array, fine: readonly number[] = [0]): Promise<string> {
    const isReader = readers.has(args[0] ?? '');
    const settings = isReader ? [] : (await this.#hooksOff()).flatMap((setting) => ['-c', setting]);
    const timeout = Math.max(1, this.#deadline - Date.now());
    try {
      const output = await this.#git.run([...settings, ...args], {
        timeout,
        ...(input === undefined ? {} : { input }),
      });
      if (!fine.includes(output.exitCode)) {
        throw new OxideError('checkpoint-failed', `git ${args[0]} failed: ${output.stderr.trim()}`, {
          remedy: 'git status',
        });
      }
      return output.stdout.toString('latin1');
    } catch (error) {
      if (error instanceof OxideError && error.code === 'git-timed-out') {
        throw new OxideError(
          'checkpoint-too-slow',
          'git was not done with a snapshot within its time budget: the work tree is too large, or git hangs.',
          {
            remedy: 'git status --short   # untracked directories that should be in .gitignore?',
            cause: error,
          },
        );
      }
      throw error;
    }
  }
}

/**
 * Prepares git for snapshots of a repository's work tree. Filters that the repository itself configures do not run.
 *
 * @param budget milliseconds for everything that is run with it
 * @param unfiltered further filters that must not run: those of a snapshot that is to be restored
 * @throws OxideError `checkpoint-refused` without a work tree, in the home directory and in the root directory;
 *   `outside-work-tree` inside of a git directory; `unsafe-filter`
 */
export async function openSnapshotGit(
  repository: SnapshotRepository,
  budget: number,
  unfiltered: readonly string[] = [],
): Promise<SnapshotGit> {
  const { workTree, gitDir, commonDir } = repository;
  const { context } = repository.git;
  if (workTree === null) {
    await refuseInsideGitDirectory(repository.git, context.cwd);
    throw new OxideError('checkpoint-refused', 'A bare repository has no work tree, so there is nothing to snapshot.');
  }
  const home = realPath(homeDirectory()) ?? homeDirectory();
  if (workTree === home || workTree === dirname(workTree)) {
    throw new OxideError(
      'checkpoint-refused',
      `The work tree is ${workTree}: a snapshot of all of it would take too long and too much.`,
    );
  }
  const filters = [...new Set([...(await ownFilterNames(repository)), ...unfiltered])];
  const git = new Git({
    cwd: workTree,
    // A file whose line endings would change on the way is no reason to stop.
    parameters: [
      ...(context.parameters ?? []),
      ...filtersOff(filters),
      'core.hooksPath=/dev/null',
      'core.safecrlf=false',
      'submodule.recurse=false',
    ],
    env: { ...withoutRepositoryVariables(context.env), ...identity, GIT_DIR: gitDir, GIT_WORK_TREE: workTree },
  });
  const places = { workTree, gitDir, commonDir, index: join(gitDir, 'index') };
  return new SnapshotGit(git, places, filters, () => configuredHooksOff(repository), Date.now() + budget);
}

/** Hooks by configuration (git 2.54) run whatever core.hooksPath says. */
async function configuredHooksOff(repository: SnapshotRepository): Promise<readonly string[]> {
  const configuration = await repository.config();
  return configuration.subsections('hook').map((name) => `hook.${name}.enabled=false`);
}

/** Snapshots are the guard's, and must not fail where nobody has told git who they are. */
const identity = {
  GIT_AUTHOR_NAME: 'oxide-guard',
  GIT_AUTHOR_EMAIL: 'oxide-guard@localhost',
  GIT_COMMITTER_NAME: 'oxide-guard',
  GIT_COMMITTER_EMAIL: 'oxide-guard@localhost',
};
