import { messageOf } from '../error-message.ts';
import { OxideError } from '../errors.ts';
import { type Finding, findings } from './finding.ts';
import type { LookedAt } from './looked-at.ts';
import type { World } from './world.ts';

/** What was made of one step, before it is put into the judgement. */
export interface StepJudgement {
  readonly findings: readonly Finding[];
  readonly notes: readonly string[];
  /** What the rules have looked at, and may have nothing against. */
  readonly lookedAt?: LookedAt;
}

/** Errors of opening the repository that it works on, which the command itself would run into. */
const refusedByGit = new Set(['not-a-repository', 'directory-missing', 'dubious-ownership', 'bare-repository-refused']);

/** Does git stop for the same reason? @param error of opening the repository that a command works on */
export function isRefusedByGit(error: unknown): boolean {
  return error instanceof OxideError && refusedByGit.has(error.code);
}

/** The guard can't tell, and says so. */
export async function failedJudgement(error: unknown, world: World): Promise<StepJudgement> {
  const { policy } = await world.convention(null);
  const message = messageOf(error);
  return {
    findings: findings('guard-failure', policy, {
      message: `What this command does could not be worked out: ${message}`,
      suggestion: error instanceof OxideError ? error.remedy : 'oxide-guard doctor',
    }),
    notes: [],
  };
}
