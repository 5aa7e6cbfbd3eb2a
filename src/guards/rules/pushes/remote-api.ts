import type { Policy } from '../../../config/policy.ts';
import { type Finding, findings } from '../../finding.ts';
import type { PublishIntent } from '../../intent.ts';
import { isProtected } from '../../protection.ts';
import type { ApiCall } from '../../remote-api/effects.ts';

/** A call of a hosting service's interface that changes refs, branch protection or the repository itself. */
export function judgeApiCall(call: ApiCall, policy: Policy, defaultBranch: string | null): readonly Finding[] {
  const { effect, means } = call;
  const branch = effect.isDefault === true ? defaultBranch : effect.branch;
  const touchesProtected = effect.isDefault ?? (branch !== null && isProtected(branch, policy, defaultBranch));
  const refs = branch === null ? [] : [`refs/heads/${branch}`];
  if (effect.kind === 'update' && !touchesProtected) {
    return [];
  }
  if (touchesProtected && (effect.kind === 'overwrite' || effect.kind === 'delete')) {
    const verb = effect.kind === 'overwrite' ? 'overwrites' : 'deletes';
    return findings('remote-api-protected', policy, {
      message: `${means} ${verb} ${branch ?? 'the default branch'}, a protected branch, on the server.`,
      evidence: { refs },
      suggestion: requestOf(means),
    });
  }
  return findings('remote-api-write', policy, {
    message: `${means} ${effect.says} on the server, past every check of this repository.`,
    evidence: { refs },
    suggestion: call.suggestion,
  });
}

/** The service's own way to bring a change to a protected branch. */
function requestOf(means: string): string {
  if (/^glab\b|\bprojects\//.test(means)) {
    return 'glab mr create';
  }
  return means.startsWith('az ') ? 'az repos pr create' : 'gh pr create';
}

/** What git's bridges to other systems commit there: nothing but the server's own people take it back. */
export function judgePublished({ means, says, suggestion }: PublishIntent, policy: Policy): readonly Finding[] {
  return findings('remote-api-write', policy, {
    message: `${means} ${says} on the server.`,
    suggestion: suggestion ?? `${means} --dry-run`,
  });
}
