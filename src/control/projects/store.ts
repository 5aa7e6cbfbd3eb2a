import type { SetLimits } from '../limits.ts';
import type { Project, Workspace } from '../services.ts';
import type { Database } from '../store/database.ts';
import { WorkspaceStore } from '../workspaces/store.ts';

/** A deleted project that can still be brought back. */
export interface TrashedProject extends Project {
  readonly trashedAt: number;
}

interface ProjectRow {
  readonly project_id: string;
  readonly name: string;
  readonly description: string;
  readonly source_url: string | null;
  readonly protected_branches: string;
  readonly limits: string;
  readonly default_branch: string;
  readonly created_at: number;
  readonly trashed_at: number | null;
}

/** The projects of a store. */
export class ProjectStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** A project with its default workspace. Rejects as a duplicate where the name is taken. */
  insert(project: Project, workspace: Workspace): Promise<void> {
    return this.#database.transaction(
      async (transaction) => {
        await insertProject(transaction, project);
        await new WorkspaceStore(transaction).insert(workspace);
      },
      { durable: true },
    );
  }

  async find(projectId: string): Promise<Project | null> {
    const sql = 'SELECT * FROM projects WHERE project_id = ? AND trashed_at IS NULL';
    const row = await this.#database.get<ProjectRow>(sql, projectId);
    return row === null ? null : projectOf(row);
  }

  async isNameTaken(name: string): Promise<boolean> {
    const sql = 'SELECT project_id FROM projects WHERE name = ? AND trashed_at IS NULL';
    return (await this.#database.get(sql, name)) !== null;
  }

  /** All, by name. */
  async list(): Promise<readonly Project[]> {
    const rows = await this.#database.all<ProjectRow>('SELECT * FROM projects WHERE trashed_at IS NULL');
    return rows.map(projectOf).sort((a, b) => a.name.localeCompare(b.name));
  }

  /** What is in the trash, the one trashed last first. */
  async trashed(): Promise<readonly TrashedProject[]> {
    const sql = 'SELECT * FROM projects WHERE trashed_at IS NOT NULL ORDER BY trashed_at DESC, project_id';
    const rows = await this.#database.all<ProjectRow>(sql);
    return rows.map((row) => ({ ...projectOf(row), trashedAt: row.trashed_at ?? 0 }));
  }

  /** False: it was not there, or another call was first. */
  async trash(projectId: string, now: number): Promise<boolean> {
    const sql = 'UPDATE projects SET trashed_at = ? WHERE project_id = ? AND trashed_at IS NULL';
    const trashing = (transaction: Database) => transaction.run(sql, now, projectId);
    return (await this.#database.transaction(trashing, { durable: true })) > 0;
  }

  /** Rejects as a duplicate where a newer project has the name. */
  async untrash(projectId: string): Promise<boolean> {
    const sql = 'UPDATE projects SET trashed_at = NULL WHERE project_id = ? AND trashed_at IS NOT NULL';
    return (await this.#database.run(sql, projectId)) > 0;
  }

  /** With its workspaces and sessions, for good. */
  async remove(projectId: string): Promise<void> {
    await this.#database.run('DELETE FROM projects WHERE project_id = ?', projectId);
  }
}

async function insertProject(database: Database, project: Project): Promise<void> {
  await database.run(
    `INSERT INTO projects (project_id, name, description, source_url, protected_branches, limits, default_branch, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    project.projectId,
    project.name,
    project.description,
    project.sourceUrl,
    JSON.stringify(project.protectedBranches),
    JSON.stringify(project.limits),
    project.defaultBranch,
    project.createdAt,
  );
}

function projectOf(row: ProjectRow): Project {
  return {
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    sourceUrl: row.source_url,
    protectedBranches: JSON.parse(row.protected_branches) as readonly string[],
    limits: JSON.parse(row.limits) as SetLimits,
    defaultBranch: row.default_branch,
    createdAt: row.created_at,
  };
}
