import type { Finding } from '../guards/finding.ts';

/** How much a session may do without asking, from least to most. The guard holds in all of them. */
export const permissionModes = ['plan', 'default', 'accept-edits', 'bypass'] as const;

export type PermissionMode = (typeof permissionModes)[number];

/** A tool call that waits for a person's decision. */
export interface PermissionRequest {
  /** The tool call's. */
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Of the subagent that made the call. */
  readonly agentId?: string;
  /** Why a person is asked, in one sentence. */
  readonly reason: string;
  /** What the guard found; empty where it has no objection and only the rules or the mode ask. */
  readonly findings: readonly Finding[];
  /**
   * The rule that allowing for the session would add, e.g. `Bash(npm test:*)` or, for exactly this one,
   * `Bash(=npm test | tail)`; null: this can only be allowed once.
   */
  readonly sessionRule: string | null;
}

/** What allowing for the session means, for the person: a command line that was shown above need not be shown again. */
export function sessionOffer(sessionRule: string): string {
  return /^\w+\(=/.test(sessionRule) ? 'exactly this command line' : sessionRule;
}

export type PermissionAnswer =
  | { readonly kind: 'once' }
  | { readonly kind: 'session' }
  /** The reason goes to the model; it may be empty. */
  | { readonly kind: 'deny'; readonly reason: string }
  /** Nobody can be asked: there is no terminal, or the session was interrupted before anybody answered. */
  | { readonly kind: 'nobody'; readonly reason: string };

/** The port through which a session asks whether a tool call may run. */
export interface PermissionPort {
  /** Never rejects; an abort is answered with `nobody`. */
  ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
}
