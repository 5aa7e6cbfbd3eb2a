import type { HookEvent } from '../../config/agent-settings.ts';
import type { HookSpecificOutput, PermissionDecision } from './hook-output.ts';
import type { HookOutcome } from './runner.ts';

/** What all hooks of one event say together. Absent fields mean no change. */
export interface HookVerdict {
  /** The strongest of all: deny > ask > allow. Null: nobody said anything. */
  readonly decision: 'allow' | 'ask' | 'deny' | null;
  /** Why, of those who decided. */
  readonly message: string;
  /** Ends the query. */
  readonly interrupt: boolean;
  /** The whole input; of several hooks that give one, the last's. Not from hooks that were overruled by a denial. */
  readonly updatedInput: Readonly<Record<string, unknown>> | null;
  /** For the model; of several hooks, joined by an empty line. */
  readonly additionalContext: string | null;
  readonly updatedOutput: { readonly value: unknown } | null;
  /** Why the agent must go on (Stop), or the prompt is refused (UserPromptSubmit). */
  readonly block: string | null;
}

interface Vote {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly message: string;
  readonly interrupt: boolean;
}

const strength = { allow: 0, ask: 1, deny: 2 } as const;

/** Merges what hooks answered: a denial beats a question, a question an allowance, whatever their order. */
export function aggregate(outcomes: readonly HookOutcome[]): HookVerdict {
  const votes = outcomes.flatMap(votesOf);
  const strongest = votes.reduce<Vote | null>(
    (best, vote) => (best === null || strength[vote.decision] > strength[best.decision] ? vote : best),
    null,
  );
  const deciding = votes.filter(({ decision }) => decision === strongest?.decision);
  const outputs = outcomes.flatMap((outcome) =>
    outcome.kind === 'answered' && outcome.output.hookSpecificOutput !== undefined
      ? [outcome.output.hookSpecificOutput]
      : [],
  );
  const contexts = outputs.flatMap((output) =>
    'additionalContext' in output && output.additionalContext ? [output.additionalContext] : [],
  );
  return {
    decision: strongest?.decision ?? null,
    message: deciding.flatMap(({ message }) => (message === '' ? [] : [message])).join('\n'),
    interrupt: strongest?.decision === 'deny' && deciding.some(({ interrupt }) => interrupt),
    updatedInput: strongest?.decision === 'deny' ? null : (outputs.flatMap(updatedInputOf).at(-1) ?? null),
    additionalContext: contexts.length === 0 ? null : contexts.join('\n\n'),
    updatedOutput: outputs.flatMap(updatedOutputOf).at(-1) ?? null,
    block: blockOf(outcomes),
  };
}

function votesOf(outcome: HookOutcome): readonly Vote[] {
  switch (outcome.kind) {
    case 'blocked':
      return [{ decision: 'deny', message: outcome.reason, interrupt: false }];
    case 'failed':
      return isGate(outcome.hook.event)
        ? [
            {
              decision: 'ask',
              message: `The hook '${outcome.hook.name}' failed: ${outcome.problem}.`,
              interrupt: false,
            },
          ]
        : [];
    case 'answered':
      return votesOfOutput(outcome.output.hookSpecificOutput);
  }
}

/** A gate that broke is not open: a person decides in its place. */
function isGate(event: HookEvent): boolean {
  return event === 'PreToolUse' || event === 'PermissionRequest';
}

function votesOfOutput(output: HookSpecificOutput | undefined): readonly Vote[] {
  switch (output?.hookEventName) {
    case 'PreToolUse':
      return output.permissionDecision === undefined
        ? []
        : [
            {
              decision: output.permissionDecision,
              message: output.permissionDecisionReason ?? '',
              interrupt: false,
            },
          ];
    case 'PermissionRequest':
      return output.decision === undefined ? [] : [voteOf(output.decision)];
    default:
      return [];
  }
}

function voteOf(decision: PermissionDecision): Vote {
  switch (decision.behavior) {
    case 'allow':
      return { decision: 'allow', message: '', interrupt: false };
    case 'ask':
      return { decision: 'ask', message: decision.message, interrupt: false };
    case 'deny':
      return { decision: 'deny', message: decision.message, interrupt: decision.interrupt === true };
  }
}

function updatedInputOf(output: HookSpecificOutput): readonly Readonly<Record<string, unknown>>[] {
  if (output.hookEventName === 'PreToolUse') {
    return output.updatedInput === undefined ? [] : [output.updatedInput];
  }
  if (output.hookEventName === 'PermissionRequest' && output.decision?.behavior === 'allow') {
    return output.decision.updatedInput === undefined ? [] : [output.decision.updatedInput];
  }
  return [];
}

function updatedOutputOf(output: HookSpecificOutput): readonly { readonly value: unknown }[] {
  const updated = output.hookEventName === 'PostToolUse' ? (output.updatedMCPToolOutput ?? null) : null;
  return updated === null ? [] : [{ value: updated }];
}

function blockOf(outcomes: readonly HookOutcome[]): string | null {
  const reasons = outcomes.flatMap((outcome) => {
    if (outcome.kind === 'blocked') {
      return [outcome.reason];
    }
    return outcome.kind === 'answered' && outcome.output.decision === 'block'
      ? [outcome.output.reason ?? 'A hook blocks this without a reason.']
      : [];
  });
  return reasons.length === 0 ? null : reasons.join('\n');
}
