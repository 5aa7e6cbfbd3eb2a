import type { AgentEvent } from '../../agent/event.ts';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Tool } from '../../tools/tool.ts';
import type { CallerLine } from './caller-tools.ts';
import type { EventWriter } from './event-writer.ts';
import type { SessionParts } from './parts.ts';
import type { PromptEnd } from './prompt-end.ts';
import type { CallerTool, Session } from './session.ts';

/** What is lent to the session with the prompt that is worked on. */
export interface Loan {
  readonly callerId: string | null;
  readonly tools: readonly CallerTool[];
  readonly made: readonly Tool[];
}

/** How a session reaches whoever lent it tools; what is asked and answered becomes events. */
export function callerLine(
  { parts, session }: { readonly parts: SessionParts; readonly session: Session },
  writer: EventWriter,
  loan: () => Loan,
): CallerLine {
  return {
    requests: parts.requests,
    sessionId: session.sessionId,
    callerId: () => loan().callerId,
    tools: () => loan().tools,
    onAsked: ({ requestId, callerId, kind, tool, input, expiresAt }) =>
      writer.emit('caller_request', {
        request_id: requestId,
        kind,
        tool,
        input,
        caller_id: callerId,
        expires_at: new Date(expiresAt).toISOString(),
      }),
    onAnswered: ({ requestId, tool }, { kind }) =>
      writer.emit('caller_answer', { request_id: requestId, tool, outcome: kind }),
  };
}

/** What the agent tells, as callers may know it. */
export function tellEvent(event: AgentEvent, writer: EventWriter): void {
  const { type, ...fields } = event;
  if (event.type === 'text') {
    writer.text(event.text, event.agent_id);
  } else if (event.type === 'session') {
    // Where the workspace lies on this machine is nothing for callers.
    writer.emit(type, { session_id: event.session_id, model: event.model });
  } else {
    writer.emit(type, fields);
  }
}

/** What an agent that could not be opened comes to. */
export function tellFailure(error: unknown, writer: EventWriter): PromptEnd {
  const message = messageOf(error);
  const [code, remedy] = error instanceof OxideError ? [error.code, error.remedy] : ['session-broken', null];
  writer.emit('error', { code, message, ...(remedy === null ? {} : { remedy }) });
  return { outcome: 'failed', problem: message };
}
