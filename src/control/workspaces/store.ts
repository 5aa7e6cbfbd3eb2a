import type { Workspace } from '../services.ts';
import type { Database } from '../store/database.ts';

interface WorkspaceRow {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly branch: string;
  readonly directory: string;
  readonly is_default: number;
  readonly created_at: number;
}

/** The session that a workspace was used by last. */
export interface LastSession {
  readonly sessionId: string;
  readonly status: string;
}

/** The workspaces of a store. */
export class WorkspaceStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert(workspace: Workspace): Promise<void> {
    await this.#database.run(
      `INSERT INTO workspaces (workspace_id, project_id, branch, directory, is_default, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      workspace.workspaceId,
      workspace.projectId,
      workspace.branch,
      workspace.directory,
      workspace.isDefault ? 1 : 0,
      workspace.createdAt,
    );
  }

  async find(projectId: string, workspaceId: string): Promise<Workspace | null> {
    const sql = 'SELECT * FROM workspaces WHERE project_id = ? AND workspace_id = ?';
    const row = await this.#database.get<WorkspaceRow>(sql, projectId, workspaceId);
    return row === null ? null : workspaceOf(row);
  }

  /** The default one first. */
  async list(projectId: string): Promise<readonly Workspace[]> {
    const rows = await this.#database.all<WorkspaceRow>(
      'SELECT * FROM workspaces WHERE project_id = ? ORDER BY is_default DESC, created_at, workspace_id',
      projectId,
    );
    return rows.map(workspaceOf);
  }

  async lastSession(workspaceId: string): Promise<LastSession | null> {
    const row = await this.#database.get<{ session_id: string; status: string }>(
      'SELECT session_id, status FROM sessions WHERE workspace_id = ? ORDER BY updated_at DESC, session_id LIMIT 1',
      workspaceId,
    );
    return row === null ? null : { sessionId: row.session_id, status: row.status };
  }

  async remove(workspaceId: string): Promise<void> {
    await this.#database.run('DELETE FROM workspaces WHERE workspace_id = ?', workspaceId);
  }
}

function workspaceOf(row: WorkspaceRow): Workspace {
  return {
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    branch: row.branch,
    directory: row.directory,
    isDefault: row.is_default !== 0,
    createdAt: row.created_at,
  };
}
