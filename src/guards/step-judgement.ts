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

/** Errors of reading a repository that the command itself would run into. */
const refusedByGit = new Set(['not-a-repository', 'directory-missing', 'dubious-ownership', 'bare-repository-refused']);

/** git stops for the same reason, or the guard can't tell and says so. */
export async function failedJudgement(error: unknown, world: World): Promise<StepJudgement> {
  const code = error instanceof OxideError ? error.code : '';
  if (refusedByGit.has(code)) {
    return { findings: [], notes: ['git itself would stop: no repository is there that it would work on.'] };
  }
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
