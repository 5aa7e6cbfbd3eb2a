import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../src/control/clock.ts';
import { controlDirectories } from '../../../src/control/directories.ts';
import { Projects } from '../../../src/control/projects/projects.ts';
import { ProjectStore } from '../../../src/control/projects/store.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { WorkspaceStore } from '../../../src/control/workspaces/store.ts';
import { Workspaces } from '../../../src/control/workspaces/workspaces.ts';
import { packageRoot } from '../../../src/githooks/package-place.ts';

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
}

export function temporary(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-control-')));
}

export function write(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

/** A bare repository that others clone, with one commit on `branch`. */
export function remote(branch = 'main'): string {
  const root = temporary();
  const [bare, work] = [join(root, 'remote.git'), join(root, 'work')];
  git(root, 'init', '-q', '--bare', bare);
  git(bare, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
  git(root, 'init', '-q', work);
  git(work, 'symbolic-ref', 'HEAD', `refs/heads/${branch}`);
  write(work, 'readme.md', 'hello\n');
  git(work, 'add', '-A');
  git(work, 'commit', '-qm', 'feat: first');
  git(work, 'push', '-q', bare, `HEAD:refs/heads/${branch}`);
  return bare;
}

/** Projects and workspaces in a state directory of their own. `active` stands for the sessions. */
export async function control(root = temporary()) {
  const env = { ...process.env, XDG_STATE_HOME: join(root, 'state'), XDG_DATA_HOME: join(root, 'data') };
  const directories = controlDirectories(env);
  const database = await openSqlite(':memory:');
  const active: string[] = [];
  const stopped: string[] = [];
  const ended: string[] = [];
  const forgotten: string[] = [];
  const sessions = () => ({
    forgetProject: async (projectId: string) => void forgotten.push(projectId),
    active: async () => active,
    endAll: async (_: string, workspaceId: string) => void ended.push(workspaceId),
  });
  let now = systemClock.now();
  const clock = { ...systemClock, now: () => now };
  const containers = () => ({
    stopWorkspace: async (id: string) => void stopped.push(id),
    stopProject: async (id: string) => void stopped.push(id),
    forgetProject: async (id: string) => void forgotten.push(id),
  });
  const shared = { directories, env, clock, sessions };
  const workspaces = new Workspaces({ ...shared, store: new WorkspaceStore(database), containers });
  const store = new ProjectStore(database);
  const projects = new Projects({ ...shared, store, workspaces, packageRoot: packageRoot(), containers });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { projects, workspaces, directories, active, stopped, ended, forgotten, pass, database };
}

export const plain = { name: 'one', description: '', sourceUrl: null, protectedBranches: [], limits: {} };
