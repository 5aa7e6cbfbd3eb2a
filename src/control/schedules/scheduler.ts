import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { OxideError } from '../../errors.ts';
import { type Claim, type Claimed, claimDue, claimQueued, claimSlots } from './claims.ts';
import { nextSlot } from './cron.ts';
import { Presence } from './presence.ts';
import { endRun } from './run-outcome.ts';
import { type RunPorts, RunStarter } from './run-starter.ts';
import type { Run, Schedule } from './schedule.ts';
import { abandonedRuns, allSchedules, earliestSlot, moveNextSlots, runById } from './store.ts';

/** Milliseconds until the store is looked at again: another process may have changed it, or the clock have been set. */
const longestWait = 1_000;
/** Milliseconds until a run begins that waited for one that has ended. */
const shortWait = 50;
/** Milliseconds without a sign of life after which a process's runs are held to be lost. */
const usualSilence = 30_000;
/** Milliseconds that a clock may go back without any time being another. */
const clockJitter = 1_000;
/** Schedules whose times are worked out before others get a turn. */
const stretch = 20;

/** Runs schedules when they are due. Several processes may, on one store. */
export interface Scheduler {
  /** Begins; resolves when all is claimed that is due. */
  start(): Promise<void>;
  /** Claims and starts nothing more; what was started goes on. */
  stop(): Promise<void>;
  /** Runs a schedule now, in each target, as its overlap allows. Resolves when the runs are started. */
  trigger(schedule: Schedule): Promise<readonly Run[]>;
  /** Claims what is due, now and not only when the next time comes. */
  look(): Promise<void>;
  /** Resolves when nothing is being claimed or started, and no end of a run written down. */
  settled(): Promise<void>;
}

/** @param silence milliseconds after which another process that says nothing is held to be gone */
export function createScheduler(ports: RunPorts, { silence = usualSilence } = {}): Scheduler {
  return new StoredScheduler(ports, silence);
}

class StoredScheduler implements Scheduler {
  readonly #ports: RunPorts;
  readonly #id = `scheduler_${randomUUID()}`;
  readonly #presence: Presence;
  readonly #starter: RunStarter;
  #isRunning = false;
  /** Whether a run has ended since the last look began: another may have waited for it. */
  #isAskedFor = false;
  #cancelTimer = () => {};
  /** One look at a time; the next begins when it is done. */
  #looking: Promise<void> = Promise.resolve();
  /** What was wrong at the last look; null: nothing. */
  #problem: string | null = null;
  /** The clock at the last look; null before the first. */
  #lookedAt: number | null = null;

  constructor(ports: RunPorts, silence: number) {
    this.#ports = ports;
    this.#presence = new Presence(ports.database, ports.clock, this.#id, silence);
    this.#starter = new RunStarter(ports, this.#id, () => this.#lookSoon());
  }

  async start(): Promise<void> {
    this.#isRunning = true;
    await this.look();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancelTimer();
    await this.#looking;
    this.#starter.stop();
    await this.settled();
    await this.#presence.leave();
  }

  look(): Promise<void> {
    this.#cancelTimer();
    this.#looking = this.#looking.then(async () => {
      this.#isAskedFor = false;
      let wait = longestWait;
      try {
        wait = await this.#claimDue();
        this.#problem = null;
      } catch (error) {
        this.#report(error);
      }
      this.#wait(this.#isAskedFor ? Math.min(wait, shortWait) : wait);
    });
    return this.#looking;
  }

  async settled(): Promise<void> {
    await this.#looking;
    await this.#starter.settled();
  }

  async trigger(schedule: Schedule): Promise<readonly Run[]> {
    const { database, clock } = this.#ports;
    await this.#presence.renew();
    const now = clock.now();
    const runs = await database.transaction(
      async (transaction) => {
        const made: Run[] = [];
        // A call's slot is its own: never a whole second, which may be a time of the schedule.
        const first = now % 1000 === 0 ? now + 1 : now;
        for (const target of schedule.targets) {
          for (let slot = first, claim: Claim | null = null; claim === null; slot++) {
            [claim = null] = await claimSlots(transaction, [{ schedule, target, slot, origin: 'call' }], this.#id, now);
            made.push(...(claim === null ? [] : [claim.run]));
          }
        }
        return made;
      },
      { durable: true },
    );
    await Promise.all(runs.flatMap((run) => (run.status === 'claimed' ? this.#starter.start({ run, schedule }) : [])));
    return Promise.all(runs.map(async (run) => (await runById(database, run.runId)) ?? run));
  }

  /** A store that is gone for an hour is told of once, not with each look. */
  #report(error: unknown): void {
    const problem = String(error);
    if (problem !== this.#problem) {
      this.#problem = problem;
      this.#ports.onError(error);
    }
  }

  /** Many runs that end together ask for one look. */
  #lookSoon(): void {
    if (!this.#isAskedFor) {
      this.#isAskedFor = true;
      this.#wait(shortWait);
    }
  }

  #wait(milliseconds: number): void {
    this.#cancelTimer();
    if (this.#isRunning) {
      this.#cancelTimer = this.#ports.clock.after(milliseconds, () => void this.look());
    }
  }

  /** Gives the milliseconds until there may be more to do. */
  async #claimDue(): Promise<number> {
    const { database, clock } = this.#ports;
    await this.#presence.renew();
    await this.#endAbandoned();
    if (this.#lookedAt === null || clock.now() < this.#lookedAt - clockJitter) {
      await this.#correctTimes();
    }
    this.#lookedAt = clock.now();
    const claims: Claim[] = [];
    let end: 'first' | 'last' = 'first';
    for (let isMore = true; isMore; await breathe()) {
      const claimed: Claimed = await claimDue(database, this.#id, this.#lookedAt, end);
      claims.push(...claimed.claims);
      isMore = claimed.isMore;
      if (claimed.isContested) {
        end = end === 'first' ? 'last' : 'first';
      }
    }
    // First all are claimed, which is quick, so that other processes need not look at them.
    for (const claim of [...claims, ...(await claimQueued(database, this.#id, this.#lookedAt))]) {
      void this.#starter.start(claim);
    }
    const next = await earliestSlot(database);
    return next === null ? longestWait : Math.min(longestWait, Math.max(0, next - clock.now()));
  }

  async #endAbandoned(): Promise<void> {
    const { database, clock } = this.#ports;
    for (const run of await abandonedRuns(database)) {
      const problem = 'the process that had claimed it ended before it was done';
      await endRun(database, run, { status: 'lost', problem }, clock.now());
    }
  }

  /**
   * Works out again when each schedule is next due: the clock may have been set back, or a zone's rules have changed since
   * another process did. A slot that comes a second time so has its run already.
   */
  async #correctTimes(): Promise<void> {
    const { database, clock } = this.#ports;
    const schedules = (await allSchedules(database)).filter(({ enabled }) => enabled);
    for (const [index, schedule] of schedules.entries()) {
      const now = clock.now();
      if (schedule.nextAt !== null && schedule.nextAt > now) {
        const nextAt = nextSlot(schedule.cron, schedule.timezone, Math.max(now, schedule.forgottenUntil));
        if (nextAt !== schedule.nextAt) {
          await moveNextSlots(database, [{ schedule, next: nextAt }]);
        }
      }
      if (index % stretch === stretch - 1) {
        await breathe();
      }
    }
  }
}

/** @throws OxideError `unknown-schedule` */
export function assertSchedule(schedule: Schedule | null, scheduleId: string): Schedule {
  if (schedule === null) {
    throw new OxideError('unknown-schedule', `There is no schedule '${scheduleId}'.`, {
      remedy: 'schedule with action=list shows them.',
    });
  }
  return schedule;
}
