import type { Clock } from '../clock.ts';
import type { Database } from '../store/database.ts';

/** Milliseconds between two signs of life. */
const interval = 5_000;

/**
 * Which processes run schedules: each says now and then that it is there. One that has said nothing for a while, by the
 * clock of whoever looks, is struck off; clocks of several machines need not agree.
 */
export class Presence {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #id: string;
  readonly #silence: number;
  readonly #heard = new Map<string, { readonly seenAt: number; readonly at: number }>();
  #saidAt: number | null = null;

  /** @param silence milliseconds after which a process that says nothing is held to be gone */
  constructor(database: Database, clock: Clock, id: string, silence: number) {
    this.#database = database;
    this.#clock = clock;
    this.#id = id;
    this.#silence = silence;
  }

  /** Says that this process is there, if it is time to, and strikes off those that are gone. */
  async renew(): Promise<void> {
    const now = this.#clock.now();
    if (this.#saidAt !== null && Math.abs(now - this.#saidAt) < Math.min(interval, this.#silence / 3)) {
      return;
    }
    await this.#database.run(
      `INSERT INTO schedulers (scheduler_id, seen_at) VALUES (?, ?)
       ON CONFLICT (scheduler_id) DO UPDATE SET seen_at = excluded.seen_at`,
      this.#id,
      now,
    );
    this.#saidAt = now;
    await this.#strikeOff(now);
  }

  async leave(): Promise<void> {
    await this.#database.run('DELETE FROM schedulers WHERE scheduler_id = ?', this.#id);
  }

  async #strikeOff(now: number): Promise<void> {
    const others = await this.#database.all<{ scheduler_id: string; seen_at: number }>(
      'SELECT scheduler_id, seen_at FROM schedulers WHERE scheduler_id <> ?',
      this.#id,
    );
    for (const { scheduler_id: id, seen_at: seenAt } of others) {
      const heard = this.#heard.get(id);
      // A clock that was set back has told nothing about the time that passed.
      if (heard?.seenAt !== seenAt || now < heard.at) {
        this.#heard.set(id, { seenAt, at: now });
      } else if (now - heard.at >= this.#silence) {
        await this.#database.run('DELETE FROM schedulers WHERE scheduler_id = ? AND seen_at = ?', id, seenAt);
        this.#heard.delete(id);
      }
    }
  }
}
