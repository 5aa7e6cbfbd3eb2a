import type { Principal } from '../principal.ts';
import type { SessionStatus } from './session.ts';
import type { PromptRequest, SessionSettings } from './spawning.ts';

/** A prompt, and where it is worked on: in a workspace's session, or a new one. */
export interface SpawnInput extends Omit<PromptRequest, 'tokenId'>, SessionSettings {
  readonly projectId: string;
  /** Null: the default one. */
  readonly workspaceId: string | null;
  readonly createWorkspace: boolean;
  readonly newSession: boolean;
  readonly principal: Principal;
}

/** A prompt for a session that is there. */
export interface MessageInput extends Omit<PromptRequest, 'tokenId'> {
  readonly projectId: string;
  readonly workspaceId: string | null;
  /** Null: the workspace's latest. */
  readonly sessionId: string | null;
  readonly principal: Principal;
}

/** Which sessions of a project are listed. */
export interface SessionListQuery {
  readonly projectId: string;
  readonly status?: SessionStatus | undefined;
  readonly limit?: number;
  readonly after?: string | null;
}

/** The prompt of a request, by whoever made it. */
export function promptOf({ text, callerId, callerTools, principal }: SpawnInput | MessageInput): PromptRequest {
  return { text, callerId, callerTools, tokenId: principal.tokenId };
}

/** What of a request holds for the whole session. */
export function settingsOf({ model, toolsAllowed, toolsDisallowed }: SessionSettings): SessionSettings {
  return { model, toolsAllowed, toolsDisallowed };
}
