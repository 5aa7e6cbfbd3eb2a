import type { CallerRequest } from './caller-requests.ts';
import type { Session } from './session.ts';

type Shown = Readonly<Record<string, unknown>>;

/** A session as results show it: by the names of the wire, times as ISO 8601. */
export function sessionShown(session: Session): Shown {
  return {
    session_id: session.sessionId,
    project_id: session.projectId,
    workspace_id: session.workspaceId,
    parent_id: session.parentId,
    depth: session.depth,
    status: session.status,
    model: session.model,
    tools_allowed: session.toolsAllowed,
    tools_disallowed: session.toolsDisallowed,
    used: session.used,
    created_at: iso(session.createdAt),
    updated_at: iso(session.updatedAt),
    ended_at: session.endedAt === null ? null : iso(session.endedAt),
    end_reason: session.endReason,
    next_index: session.nextSeq,
  };
}

export function requestShown(request: CallerRequest): Shown {
  return {
    request_id: request.requestId,
    kind: request.kind,
    tool: request.tool,
    input: request.input,
    caller_id: request.callerId,
    created_at: iso(request.createdAt),
    expires_at: iso(request.expiresAt),
  };
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
