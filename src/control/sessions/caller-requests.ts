import { randomUUID } from 'node:crypto';
import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import type { Database, SqlRow } from '../store/database.ts';
import { heardWithin, Signals } from './signals.ts';

/** `tool`: a call of a tool that a caller has lent. `permission`: may a call of the session run? */
export type CallerRequestKind = 'tool' | 'permission';

/** How a request ended. */
export type CallerAnswer =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'interrupted' };

/** What a session asks its caller; times are milliseconds since the epoch. */
export interface CallerRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly callerId: string | null;
  readonly kind: CallerRequestKind;
  readonly tool: string;
  readonly input: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | null;
  readonly answer: CallerAnswer | null;
}

export interface Asking extends Pick<CallerRequest, 'sessionId' | 'callerId' | 'kind' | 'tool' | 'input'> {
  readonly signal: AbortSignal;
  /** Told once the request can be answered. */
  readonly onAsked: (request: CallerRequest) => void;
}

/** Milliseconds in which a caller has to answer. */
export const answerTime = 60_000;
/** Milliseconds between looks for an answer that another process took. */
const lookInterval = 100;

/** What sessions ask their callers. Each request is answered once: by the caller, by the time, or by the session's end. */
export class CallerRequests {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #signals = new Signals();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Puts a request to the caller, and waits for how it ends. */
  async ask({ signal, onAsked, ...asked }: Asking): Promise<CallerAnswer> {
    const now = this.#clock.now();
    const request: CallerRequest = {
      ...asked,
      requestId: randomUUID(),
      createdAt: now,
      expiresAt: now + answerTime,
      answeredAt: null,
      answer: null,
    };
    await this.#database.run(
      `INSERT INTO caller_requests
        (request_id, session_id, caller_id, kind, tool, input, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      request.requestId,
      request.sessionId,
      request.callerId,
      request.kind,
      request.tool,
      JSON.stringify(request.input ?? null),
      request.createdAt,
      request.expiresAt,
    );
    onAsked(request);
    return this.#wait(request, signal);
  }

  /**
   * Takes the answer to a request.
   *
   * @throws OxideError `unknown-request`, `request-answered`, `request-expired`
   */
  async answer(
    sessionId: string,
    requestId: string,
    answer: Extract<CallerAnswer, { kind: 'result' | 'error' }>,
  ): Promise<CallerRequest> {
    const row = await this.#database.get(
      `UPDATE caller_requests SET answered_at = ?, outcome = ?
        WHERE request_id = ? AND session_id = ? AND answered_at IS NULL AND expires_at > ? RETURNING *`,
      this.#clock.now(),
      JSON.stringify(answer),
      requestId,
      sessionId,
      this.#clock.now(),
    );
    if (row === null) {
      throw await this.#notAnswerable(sessionId, requestId);
    }
    this.#signals.notify(requestId);
    return requestOf(row);
  }

  /** Those of a session that wait for an answer, the oldest first. */
  async pending(sessionId: string): Promise<readonly CallerRequest[]> {
    const rows = await this.#database.all(
      `SELECT * FROM caller_requests WHERE session_id = ? AND answered_at IS NULL AND expires_at > ?
        ORDER BY created_at, request_id`,
      sessionId,
      this.#clock.now(),
    );
    return rows.map(requestOf);
  }

  async #wait(request: CallerRequest, signal: AbortSignal): Promise<CallerAnswer> {
    for (;;) {
      const listener = this.#signals.listen(request.requestId);
      try {
        const given = await this.#answerOf(request.requestId);
        const left = request.expiresAt - this.#clock.now();
        if (given !== null || left <= 0 || signal.aborted) {
          return given ?? (await this.#close(request.requestId, signal.aborted ? 'interrupted' : 'timed-out'));
        }
        await heardWithin(listener.heard, Math.min(left, lookInterval), this.#clock, signal);
      } finally {
        listener.close();
      }
    }
  }

  /** Whoever comes first, an answer or this, is what happened. */
  async #close(requestId: string, kind: 'interrupted' | 'timed-out'): Promise<CallerAnswer> {
    const closed = await this.#database.run(
      'UPDATE caller_requests SET answered_at = ?, outcome = ? WHERE request_id = ? AND answered_at IS NULL',
      this.#clock.now(),
      JSON.stringify({ kind }),
      requestId,
    );
    return closed > 0 ? { kind } : ((await this.#answerOf(requestId)) ?? { kind });
  }

  async #answerOf(requestId: string): Promise<CallerAnswer | null> {
    const row = await this.#database.get('SELECT * FROM caller_requests WHERE request_id = ?', requestId);
    // Its session was deleted.
    return row === null ? { kind: 'interrupted' } : requestOf(row).answer;
  }

  async #notAnswerable(sessionId: string, requestId: string): Promise<OxideError> {
    const row = await this.#database.get(
      'SELECT * FROM caller_requests WHERE request_id = ? AND session_id = ?',
      requestId,
      sessionId,
    );
    if (row === null) {
      return new OxideError('unknown-request', `The session ${sessionId} has no request '${requestId}'.`, {
        remedy: 'session get lists the requests that wait for an answer.',
      });
    }
    const { answer } = requestOf(row);
    return answer === null || answer.kind === 'timed-out'
      ? new OxideError('request-expired', `The time to answer ${requestId} was over after ${answerTime / 1000} s.`)
      : new OxideError('request-answered', `The request ${requestId} is closed: ${answer.kind}. It is answered once.`);
  }
}

/** Closes what a session still asks: it will not hear the answer. */
export async function interruptRequests(transaction: Database, sessionId: string, now: number): Promise<void> {
  await transaction.run(
    'UPDATE caller_requests SET answered_at = ?, outcome = ? WHERE session_id = ? AND answered_at IS NULL',
    now,
    JSON.stringify({ kind: 'interrupted' }),
    sessionId,
  );
}

function requestOf(row: SqlRow): CallerRequest {
  return {
    requestId: String(row.request_id),
    sessionId: String(row.session_id),
    callerId: row.caller_id === null ? null : String(row.caller_id),
    kind: String(row.kind) as CallerRequestKind,
    tool: String(row.tool),
    input: JSON.parse(String(row.input)) as unknown,
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    answeredAt: row.answered_at === null ? null : Number(row.answered_at),
    answer: row.outcome === null ? null : (JSON.parse(String(row.outcome)) as CallerAnswer),
  };
}
