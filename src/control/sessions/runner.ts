import { messageOf } from '../../error-message.ts';
import type { Tool } from '../../tools/tool.ts';
import { isVoid } from '../tokens/store.ts';
import { endIn, isHeldBelow, requestEnd } from './ending.ts';
import { LiveSession } from './live-session.ts';
import type { SessionParts } from './parts.ts';
import { interruptIn, isHeld, recoverSessions } from './recovery.ts';
import { repeat } from './repetition.ts';
import { type Session, type SessionRow, sessionOf } from './session.ts';
import { Signals } from './signals.ts';
import type { Accepted } from './spawning.ts';
import { getSession, tokenIsOver } from './store.ts';

/** Milliseconds between saying that this process runs its sessions, and looking for those whose process is gone. */
const heartbeat = 3_000;
/** Milliseconds between looks for what other processes want of the sessions here. */
const inboxInterval = 200;
/** Milliseconds that another process has to end a session, and between looks whether it has. */
const endTime = 20_000;
const endLook = 50;

export interface RunnerOptions {
  readonly parts: SessionParts;
  /** Tools by which a session works with sessions of its own. */
  readonly toolsFor: (session: Session) => readonly Tool[];
}

/** Runs sessions in this process, and sees to it that each session is run by one process. */
export class Runner {
  readonly #parts: SessionParts;
  readonly #toolsFor: RunnerOptions['toolsFor'];
  readonly #live = new Map<string, LiveSession>();
  readonly #ends = new Signals();
  /** The ends that are under way here: who wants the same waits for the same. */
  readonly #endings = new Map<string, Promise<void>>();
  /** Those that were given up while the store was away: they are to be let go of. */
  readonly #abandoned = new Set<string>();
  /** End what is done over and over. */
  readonly #stops: (() => void)[] = [];
  #isClosed = false;

  constructor({ parts, toolsFor }: RunnerOptions) {
    this.#parts = parts;
    this.#toolsFor = toolsFor;
  }

  /** Takes over what processes that are gone have left, and begins to look after the sessions. Gives their number. */
  async start(): Promise<number> {
    const recovered = await recoverSessions(this.#parts);
    this.#watch();
    return recovered;
  }

  /** Also without a start: whatever runs here must say so, or another process would take it. */
  #watch(): void {
    if (this.#stops.length === 0 && !this.#isClosed) {
      this.#stops.push(
        repeat(heartbeat, () => this.#beat(), this.#parts),
        repeat(inboxInterval, () => this.#readInbox(), this.#parts),
      );
    }
  }

  /** Told when a prompt has come to its end, here. */
  get promptEnds(): Signals {
    return this.#ends;
  }

  /** Begins to work on what was accepted, unless another process runs the session. */
  accept(accepted: Accepted): Accepted {
    if (accepted.session.runnerId === this.#parts.runner) {
      this.#wake(accepted.session);
    }
    return accepted;
  }

  #wake(session: Session): void {
    if (!this.#isClosed && !this.#abandoned.has(session.sessionId)) {
      this.#watch();
      this.#liveSession(session).wake();
    }
  }

  /** Ends a session and all below it, wherever they run; resolves when nothing of them runs any more. */
  async end(sessionId: string, reason: string): Promise<Session> {
    const { database } = this.#parts;
    const session = await getSession(database, sessionId);
    const open = await requestEnd(this.#parts, session, reason);
    // All at once, so that none goes on with what another's end tells it; then they end, the deepest first.
    for (const one of open) {
      this.#interrupt(one);
    }
    for (const depth of new Set(open.map((one) => one.depth))) {
      await Promise.all(open.filter((one) => one.depth === depth).map((one) => this.#endOne(one)));
    }
    return getSession(database, sessionId);
  }

  /** Interrupts what runs here, and lets go of it: another process may go on. */
  async close(reason: string): Promise<void> {
    this.#isClosed = true;
    this.#stops.forEach((stop) => {
      stop();
    });
    const { onProblem } = this.#parts;
    const live = [...this.#live];
    this.#live.clear();
    await Promise.all(live.map(([, session]) => session.stop(reason)));
    for (const [sessionId] of live) {
      await this.#letGo(sessionId, reason).catch((error: unknown) => onProblem(messageOf(error)));
    }
  }

  async #letGo(sessionId: string, reason: string): Promise<void> {
    const { database, clock, runner, log } = this.#parts;
    const session = await getSession(database, sessionId);
    await database.transaction(async (transaction) => {
      const held = await transaction.run(
        'UPDATE sessions SET runner_id = NULL WHERE session_id = ? AND runner_id = ?',
        sessionId,
        runner,
      );
      if (held > 0) {
        await interruptIn(transaction, session, reason, this.#parts, clock.now());
      }
    });
    log.notify(session);
  }

  #liveSession(session: Session): LiveSession {
    const known = this.#live.get(session.sessionId);
    if (known !== undefined) {
      return known;
    }
    const { sessionId } = session;
    const live: LiveSession = new LiveSession({
      parts: this.#parts,
      session,
      tools: this.#toolsFor(session),
      onPromptEnd: (promptId) => this.#ends.notify(promptId),
      onIdle: () => {
        if (session.parentId !== null) {
          // A child works on one prompt; what it was promised goes back to its parent.
          this.#attempt(() => this.end(sessionId, 'completed'));
        }
      },
      onClosed: () => this.#forget(sessionId, live),
      onAbandoned: () => {
        this.#forget(sessionId, live);
        this.#abandoned.add(sessionId);
      },
    });
    this.#live.set(sessionId, live);
    return live;
  }

  #forget(sessionId: string, live: LiveSession | undefined): void {
    if (this.#live.get(sessionId) === live) {
      this.#live.delete(sessionId);
    }
  }

  async #endOne(session: Session): Promise<void> {
    const { clock, runner, database } = this.#parts;
    const { sessionId } = session;
    const until = Date.now() + endTime;
    for (;;) {
      const current = await getSession(database, sessionId);
      if (current.status === 'ended') {
        return;
      }
      const isElsewhere = current.runnerId !== runner && isHeld(current, clock.now(), runner);
      if (!isElsewhere || Date.now() > until) {
        return this.#endHere(current);
      }
      await new Promise((resolve) => setTimeout(resolve, endLook));
    }
  }

  #interrupt({ sessionId, endReason }: Session): void {
    const live = this.#live.get(sessionId);
    if (live !== undefined) {
      this.#attempt(() => live.stop(endReason ?? 'ended'));
    }
  }

  #endHere(session: Session): Promise<void> {
    const { sessionId } = session;
    const underWay = this.#endings.get(sessionId);
    const ending = underWay ?? this.#stopAndEnd(session).finally(() => this.#endings.delete(sessionId));
    this.#endings.set(sessionId, ending);
    return ending;
  }

  async #stopAndEnd(session: Session): Promise<void> {
    const { sessionId } = session;
    const live = this.#live.get(sessionId);
    const reason = session.endReason ?? 'ended';
    await live?.stop(reason);
    await this.#parts.database.transaction(async (transaction) => {
      await endIn(transaction, session, reason, this.#parts);
    });
    this.#forget(sessionId, live);
    this.#parts.log.notify(session);
  }

  async #beat(): Promise<void> {
    const { database, clock, runner } = this.#parts;
    // Those that begin from here on are not missed in the answer.
    const live = [...this.#live];
    if (live.length > 0) {
      const rows = await database.all<{ session_id: string }>(
        "UPDATE sessions SET runner_seen_at = ? WHERE runner_id = ? AND status <> 'ended' RETURNING session_id",
        clock.now(),
        runner,
      );
      const own = new Set(rows.map(({ session_id }) => session_id));
      for (const [sessionId, session] of live.filter(([id]) => !own.has(id))) {
        this.#attempt(() => this.#drop(sessionId, session));
      }
    }
    for (const sessionId of this.#abandoned) {
      await this.#letGo(sessionId, 'What it told could not be stored.');
      this.#abandoned.delete(sessionId);
    }
    await recoverSessions(this.#parts);
  }

  /** Another process has it, because this one stood still for too long. */
  async #drop(sessionId: string, session: LiveSession): Promise<void> {
    this.#forget(sessionId, session);
    await session.stop('Another process runs it.');
  }

  /** What another process has put into the store for a session of this one. */
  async #readInbox(): Promise<void> {
    const { database, clock, runner } = this.#parts;
    const open = 'SELECT 1 FROM prompts WHERE prompts.session_id = sessions.session_id AND ended_at IS NULL';
    const hasVoid = `EXISTS (${open} AND ${isVoid('prompts.token_id')})`;
    const now = clock.now();
    const rows = await database.all<SessionRow>(
      `SELECT sessions.*, ${hasVoid} AS has_void FROM sessions WHERE runner_id = ? AND status <> 'ended'
        AND (end_requested_at IS NOT NULL OR EXISTS (${open} AND taken_at IS NULL) OR ${hasVoid})`,
      ...[now, runner, now],
    );
    for (const row of rows) {
      const session = sessionOf(row);
      if (session.endRequestedAt === null && row.has_void === 1) {
        this.#attempt(() => this.end(session.sessionId, tokenIsOver));
      } else if (session.endRequestedAt === null) {
        this.#wake(session);
      } else if (await isHeldBelow(database, session)) {
        // It ends after those below it, at a later look.
        this.#interrupt(session);
      } else {
        this.#attempt(() => this.#endHere(session));
      }
    }
  }

  #attempt(work: () => Promise<unknown>): void {
    void work().catch((error: unknown) => {
      this.#parts.onProblem(messageOf(error));
    });
  }
}
