import { join } from 'node:path';
import type { Directories } from '../directories.ts';

/** Where one project's files are. All absolute. */
export interface ProjectPlace {
  readonly root: string;
  /** The bare repository. */
  readonly repository: string;
  /** Holds a directory for each workspace. */
  readonly workspaces: string;
}

export function projectPlace({ projects }: Directories, projectId: string): ProjectPlace {
  const root = join(projects, projectId);
  return { root, repository: join(root, 'repository.git'), workspaces: join(root, 'workspaces') };
}
