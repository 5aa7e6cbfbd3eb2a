import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';
import { labels } from './container-spec.ts';
import type { Engine } from './engine.ts';
import type { EngineLink } from './engine-link.ts';
import { type ContainerRow, markContainer, runningContainers } from './store.ts';

/** Milliseconds. A container that nobody has in the store may be one that another server is just starting. */
const orphanAge = 60_000;

export interface RecoveryParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly engines: EngineLink;
  /** What containers of this state directory are labelled with. */
  readonly server: string;
}

/**
 * Brings store and engine together after a start of the server: removes the containers of servers that were killed
 * which nobody can use any more, and marks as idle what the engine does not run. Without an engine it leaves all as it
 * is.
 *
 * @returns those that run, as far as can be known
 */
export async function recoverContainers(parts: RecoveryParts): Promise<readonly ContainerRow[]> {
  const rows = await runningContainers(parts.database);
  const found = await parts.engines.find();
  return found.ok ? reconcile(rows, found.engine, parts) : rows;
}

async function reconcile(
  rows: readonly ContainerRow[],
  engine: Engine,
  { database, clock, server }: RecoveryParts,
): Promise<readonly ContainerRow[]> {
  const known = new Map(rows.map((row) => [row.workspaceId, row]));
  const present = await engine.listContainers(`${labels.server}=${server}`);
  for (const { id, running, createdAt, labels: own } of present) {
    const isKnown = known.get(own[labels.workspace] ?? '')?.engineId === id;
    if (isKnown ? !running : clock.now() - createdAt > orphanAge) {
      await engine.removeContainer(id);
    }
  }
  const running = new Set(present.filter((container) => container.running).map(({ id }) => id));
  const gone = rows.filter((row) => row.tier === engine.tier && !running.has(row.engineId ?? ''));
  for (const { workspaceId } of gone) {
    await markContainer(database, workspaceId, 'idle');
  }
  return rows.filter((row) => !gone.includes(row));
}
