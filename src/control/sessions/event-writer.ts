import type { Clock } from '../clock.ts';
import type { Packing } from './event-data.ts';
import type { EventLog } from './event-log.ts';
import type { NewEvent } from './event-numbers.ts';
import type { Session } from './session.ts';

/** Milliseconds for which streamed text is gathered to one event, and the characters at which it is enough. */
const gatherTime = 60;
const gatherSize = 2_000;
/** Times that a failed write is tried again, in half a minute: a store that is restarted is back by then. */
const retries = 20;
/** Milliseconds before the first of them, and before each of the last. */
const retryPause = 50;
const longestPause = 2_000;

export interface EventWriterOptions {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly packing: Packing;
  readonly session: Pick<Session, 'sessionId' | 'rootId'>;
  readonly runner: string;
  /** Told once: nothing can be stored any more. */
  readonly onLost: (error: unknown) => void;
}

interface GatheredText {
  readonly ts: number;
  readonly agentId: string | undefined;
  text: string;
}

/**
 * Stores what a session tells as it happens, in its order: what comes while a write is under way goes with the next
 * one, and streamed text is gathered.
 */
export class EventWriter {
  readonly #options: EventWriterOptions;
  #pending: NewEvent[] = [];
  #gathered: GatheredText | null = null;
  #cancelGathering: (() => void) | null = null;
  #writing: Promise<void> | null = null;
  #isLost = false;

  constructor(options: EventWriterOptions) {
    this.#options = options;
  }

  emit(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.#endGathering();
    this.#add(this.#options.clock.now(), type, fields);
    this.#write();
  }

  text(text: string, agentId: string | undefined): void {
    if (this.#gathered !== null && this.#gathered.agentId !== agentId) {
      this.#endGathering();
    }
    this.#gathered ??= { ts: this.#options.clock.now(), agentId, text: '' };
    this.#gathered.text += text;
    if (this.#gathered.text.length >= gatherSize) {
      this.#endGathering();
      this.#write();
      return;
    }
    this.#cancelGathering ??= this.#options.clock.after(gatherTime, () => {
      this.#endGathering();
      this.#write();
    });
  }

  /** Resolves when all that was emitted is stored, or can't be. */
  async flush(): Promise<void> {
    this.#endGathering();
    this.#write();
    while (this.#writing !== null) {
      await this.#writing;
    }
  }

  #endGathering(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = null;
    const gathered = this.#gathered;
    this.#gathered = null;
    if (gathered !== null) {
      const { ts, text, agentId } = gathered;
      this.#add(ts, 'text', { text, ...(agentId === undefined ? {} : { agent_id: agentId }) });
    }
  }

  #add(ts: number, type: string, fields: Readonly<Record<string, unknown>>): void {
    if (!this.#isLost) {
      this.#pending.push({ ts, type, data: this.#options.packing(fields) });
    }
  }

  #write(): void {
    if (this.#writing === null && this.#pending.length > 0) {
      this.#writing = this.#writeAll().finally(() => {
        this.#writing = null;
        this.#write();
      });
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const events = this.#pending;
      this.#pending = [];
      await this.#store(events);
    }
  }

  async #store(events: readonly NewEvent[]): Promise<void> {
    const { log, session, runner, onLost } = this.#options;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await log.append(session, events, runner);
      } catch (error) {
        const isFinal = (error as { code?: unknown }).code === 'session-lost' || attempt >= retries;
        if (isFinal) {
          this.#isLost = true;
          this.#pending = [];
          return onLost(error);
        }
        await new Promise<void>((resolve) => {
          // Not by the session's clock: this waits for the store, not for a time.
          setTimeout(resolve, Math.min(longestPause, retryPause * 2 ** attempt));
        });
      }
    }
  }
}
