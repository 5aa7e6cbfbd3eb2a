import { join } from 'node:path';
import { userState } from '../audit/user-state.ts';
import { homeDirectory } from '../git/files.ts';
import type { Environment } from '../git/runner.ts';

/** Where the control plane keeps what it has (XDG Base Directory Specification). All absolute. */
export interface Directories {
  /** The store, the locks: `$XDG_STATE_HOME/oxide-guard/control`. */
  readonly state: string;
  /** A directory for each project, with `repository.git` and `workspaces/`: `$XDG_DATA_HOME/oxide-guard/projects`. */
  readonly projects: string;
  /** Deleted projects, for a while: `$XDG_DATA_HOME/oxide-guard/trash`. */
  readonly trash: string;
}

export function controlDirectories(env: Environment): Directories {
  const data = join(env.XDG_DATA_HOME || join(homeDirectory(), '.local', 'share'), 'oxide-guard');
  return {
    state: join(userState(env), 'oxide-guard', 'control'),
    projects: join(data, 'projects'),
    trash: join(data, 'trash'),
  };
}
