import type { LimitName } from '../limits.ts';
import type { Project } from '../services.ts';
import type { SessionParts } from './parts.ts';
import type { Session } from './session.ts';
import { limitNames, projectLimits, type SourcedLimit } from './session-limits.ts';
import { leftOf } from './session-tree.ts';
import { countRunning, getTree } from './store.ts';

/** One limit, and what is left of it; `left` is null where there is no limit. */
export interface LimitReport extends SourcedLimit {
  readonly name: LimitName;
  readonly left: number | null;
}

/**
 * The limits of a project, or of one of its sessions, with where each comes from and what is left.
 *
 * @param session null: those that the project's next session has
 */
export async function limitReports(
  { database, limits: configured }: Pick<SessionParts, 'database' | 'limits'>,
  project: Project,
  session: Session | null,
): Promise<readonly LimitReport[]> {
  const limits = session?.limits ?? projectLimits(configured, project.limits);
  const running = await countRunning(database, project.projectId);
  const left = session === null ? null : leftOf(session.sessionId, await getTree(database, session.rootId));
  const leftIn = (name: LimitName): number | null => {
    const { value } = limits[name];
    if (value === null) {
      return null;
    }
    return name === 'max_sessions'
      ? Math.max(0, value - running)
      : name === 'max_tokens' || name === 'max_cost_usd'
        ? (left?.[name] ?? value)
        : value;
  };
  return limitNames.map((name) => ({ name, ...limits[name], left: leftIn(name) }));
}
