import type { Database } from '../store/database.ts';

/** What runs a workspace's commands. */
export type Tier = 'docker' | 'podman' | 'bwrap';

/**
 * `idle`: it was stopped because nobody used it, or it has gone; the next exec starts it again. `stopped`: somebody
 * asked for that.
 */
export type ContainerStatus = 'running' | 'idle' | 'stopped';

/** A workspace's container as the store has it. */
export interface ContainerRow {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly tier: Tier;
  /** The engine's id of it; null under bubblewrap, where each command has a sandbox of its own. */
  readonly engineId: string | null;
  readonly image: string;
  readonly status: ContainerStatus;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly usedAt: number;
}

interface StoredRow {
  readonly workspace_id: string;
  readonly project_id: string;
  readonly tier: Tier;
  readonly engine_id: string | null;
  readonly image: string;
  readonly status: ContainerStatus;
  readonly started_at: number;
  readonly used_at: number;
}

const columns = 'workspace_id, project_id, tier, engine_id, image, status, started_at, used_at';

export async function readContainer(database: Database, workspaceId: string): Promise<ContainerRow | null> {
  const row = await database.get<StoredRow>(`SELECT ${columns} FROM containers WHERE workspace_id = ?`, workspaceId);
  return row === null ? null : rowOf(row);
}

export async function runningContainers(database: Database): Promise<readonly ContainerRow[]> {
  const rows = await database.all<StoredRow>(`SELECT ${columns} FROM containers WHERE status = ?`, 'running');
  return rows.map(rowOf);
}

/** The workspaces of a project that have had a container. */
export async function containersOf(database: Database, projectId: string): Promise<readonly ContainerRow[]> {
  const rows = await database.all<StoredRow>(`SELECT ${columns} FROM containers WHERE project_id = ?`, projectId);
  return rows.map(rowOf);
}

/** Keeps a container that runs; one of the same workspace before it is forgotten. */
export async function writeContainer(database: Database, row: ContainerRow): Promise<void> {
  await database.run(
    `INSERT INTO containers (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (workspace_id) DO UPDATE SET project_id = excluded.project_id, tier = excluded.tier,
       engine_id = excluded.engine_id, image = excluded.image, status = excluded.status,
       started_at = excluded.started_at, used_at = excluded.used_at`,
    row.workspaceId,
    row.projectId,
    row.tier,
    row.engineId,
    row.image,
    row.status,
    row.startedAt,
    row.usedAt,
  );
}

export async function markContainer(database: Database, workspaceId: string, status: ContainerStatus): Promise<void> {
  await database.run('UPDATE containers SET status = ? WHERE workspace_id = ?', status, workspaceId);
}

export async function removeContainerRow(database: Database, workspaceId: string): Promise<void> {
  await database.run('DELETE FROM containers WHERE workspace_id = ?', workspaceId);
}

/** @param now milliseconds since the epoch */
export async function touchContainer(database: Database, workspaceId: string, now: number): Promise<void> {
  await database.run('UPDATE containers SET used_at = ? WHERE workspace_id = ? AND used_at < ?', now, workspaceId, now);
}

function rowOf(row: StoredRow): ContainerRow {
  return {
    workspaceId: row.workspace_id,
    projectId: row.project_id,
    tier: row.tier,
    engineId: row.engine_id,
    image: row.image,
    status: row.status,
    startedAt: row.started_at,
    usedAt: row.used_at,
  };
}
