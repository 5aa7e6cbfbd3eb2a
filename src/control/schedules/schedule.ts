export const overlaps = ['skip', 'queue', 'parallel'] as const;
export const misfires = ['skip', 'run_once'] as const;
export const sessionBehaviors = ['resume', 'new'] as const;

/** Where a run works. */
export interface Target {
  readonly projectId: string;
  /** Null: the project's default workspace. */
  readonly workspaceId: string | null;
}

/** What is set of a schedule. */
export interface ScheduleSettings {
  /** No other schedule has it. */
  readonly name: string;
  readonly cron: string;
  readonly timezone: string;
  readonly prompt: string;
  readonly targets: readonly Target[];
  /** What to do when the run before, in the same target, is not done. */
  readonly overlap: (typeof overlaps)[number];
  /** What to do about times that passed while nothing ran. */
  readonly misfire: (typeof misfires)[number];
  readonly sessionBehavior: (typeof sessionBehaviors)[number];
  readonly enabled: boolean;
}

/** Prompts that sessions are given at set times. Times are milliseconds since the epoch. */
export interface Schedule extends ScheduleSettings {
  readonly scheduleId: string;
  /** Whom it acts as: who gave it its prompt and targets. Null: the person at this machine. */
  readonly tokenId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null: none comes, or it is not enabled. */
  readonly nextAt: number | null;
  /** Runs that failed one after another. */
  readonly failures: number;
  /** Why it was disabled, where nobody did. */
  readonly pausedReason: string | null;
  /** Runs of times up to this one may not be remembered any more: none is claimed. */
  readonly forgottenUntil: number;
}

/**
 * How far a run is. `claimed`: by one process, which is about to start it. `refused`: whom it acts as may not do it.
 * `skipped`: the run before was not done. `missed`: nothing ran at its time. `lost`: its process ended before it was done.
 */
export type RunStatus =
  | 'claimed'
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'refused'
  | 'skipped'
  | 'missed'
  | 'lost';

/** One time of a schedule in one target; there is never a second for the same three. */
export interface Run {
  readonly runId: string;
  readonly scheduleId: string;
  readonly target: Target;
  /** The time that it is for; of a call, when it was made. */
  readonly slot: number;
  readonly origin: 'time' | 'call';
  readonly status: RunStatus;
  readonly claimedAt: number;
  readonly sessionId: string | null;
  readonly problem: string | null;
  readonly endedAt: number | null;
}

/** A target as the store has it in one column. Ids have no slash. */
export function targetKey({ projectId, workspaceId }: Target): string {
  return workspaceId === null ? projectId : `${projectId}/${workspaceId}`;
}

export function targetOf(key: string): Target {
  const [projectId = '', workspaceId = null] = key.split('/');
  return { projectId, workspaceId };
}
