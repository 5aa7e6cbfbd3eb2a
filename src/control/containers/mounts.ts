import { type Rule, rulesOf } from '../../agent/sandbox/confinement.ts';
import { repositoryPaths } from '../../agent/sandbox/repository-paths.ts';
import { OxideError } from '../../errors.ts';
import { realPath } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';

/** A directory or file of this machine that a container has at the same path. */
export interface Mount {
  readonly path: string;
  readonly readOnly: boolean;
}

/** What of this machine the container of a workspace sees. */
export interface WorkspaceMounts {
  /** The workspace's directory without symbolic links: where it is inside, too. */
  readonly directory: string;
  /** Outer paths before inner ones. */
  readonly mounts: readonly Mount[];
  /** Files that must not come to be while commands run, as the agent's sandbox has them. */
  readonly forbidden: readonly string[];
}

/**
 * The workspace and, for git, the repository that its `.git` file names, both at their own paths. What the agent's
 * sandbox keeps from being changed is read-only here, too: hooks, settings of git, of the guard and of agents.
 *
 * @throws OxideError `workspace-missing`
 */
export async function workspaceMounts(workspace: string, env: Environment): Promise<WorkspaceMounts> {
  const directory = realPath(workspace);
  if (directory === null) {
    throw new OxideError('workspace-missing', `The workspace's directory '${workspace}' does not exist.`, {
      remedy: 'Delete the workspace and make another one.',
    });
  }
  const repository = await repositoryPaths(directory, env);
  const rules = rulesOf({
    writable: [directory, ...(repository?.writable ?? [])],
    protected: repository?.protected ?? [],
    hidden: [],
    network: false,
  });
  return {
    directory,
    mounts: rules.map(({ path, kind }: Rule) => ({ path, readOnly: kind !== 'writable' })),
    forbidden: repository?.forbidden ?? [],
  };
}

/**
 * The mounts as an engine's HostConfig has them. Podman makes a line of comma-separated values of `Mounts`, in which
 * commas and quotes have a meaning, so it gets `Binds`, in which only colons have one.
 *
 * @throws OxideError `path-not-mountable`
 */
export function hostMounts(mounts: readonly Mount[], tier: 'docker' | 'podman'): Readonly<Record<string, unknown>> {
  if (tier === 'docker') {
    return {
      Mounts: mounts.map(({ path, readOnly }) => ({ Type: 'bind', Source: path, Target: path, ReadOnly: readOnly })),
    };
  }
  const unfit = mounts.find(({ path }) => path.includes(':'));
  if (unfit !== undefined) {
    throw new OxideError('path-not-mountable', `Podman can't mount '${unfit.path}': a colon in a path ends it there.`, {
      remedy: 'Let XDG_DATA_HOME name a directory without a colon.',
    });
  }
  return { Binds: mounts.map(({ path, readOnly }) => `${path}:${path}:${readOnly ? 'ro' : 'rw'}`) };
}
