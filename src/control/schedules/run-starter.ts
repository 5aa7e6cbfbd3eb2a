import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Clock } from '../clock.ts';
import { localAdmin, type Principal } from '../principal.ts';
import type { SessionStarter, StartedSession } from '../services.ts';
import type { Database } from '../store/database.ts';
import type { Claim } from './claims.ts';
import { endRun, type RunOutcome } from './run-outcome.ts';
import type { Schedule, Target } from './schedule.ts';

/** Sessions that are being started at the same time: each reads a work tree and may start processes. */
const startsAtOnce = 16;

export interface RunPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessions: Pick<SessionStarter, 'start'>;
  /** Whom a token's id stands for now; null where it is revoked, expired or gone. */
  readonly principal: (tokenId: string) => Promise<Principal | null>;
  /** Takes an error that nobody waits for: of the store, mostly. */
  readonly onError: (error: unknown) => void;
}

/** Starts the runs that this process has claimed, a few at a time. */
export class RunStarter {
  readonly #ports: RunPorts;
  readonly #claimant: string;
  readonly #onDone: () => void;
  readonly #waiting: (() => Promise<void>)[] = [];
  #starting = 0;
  #ending = 0;
  #idle: (() => void)[] = [];

  /** @param onDone called when a run has ended, since another may have waited for it */
  constructor(ports: RunPorts, claimant: string, onDone: () => void) {
    this.#ports = ports;
    this.#claimant = claimant;
    this.#onDone = onDone;
  }

  /** Resolves when the run has been started, or has ended without. Never rejects. */
  start(claim: Claim): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => this.#start(claim).catch(this.#ports.onError).finally(resolve));
      this.#next();
    });
  }

  /** Resolves when nothing is being started, and no end of a run written down. */
  async settled(): Promise<void> {
    if (this.#starting + this.#ending > 0) {
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  /** Starts none of those that still wait. Their runs stay claimed, and are lost. */
  stop(): void {
    this.#waiting.length = 0;
  }

  #next(): void {
    while (this.#starting < startsAtOnce) {
      const start = this.#waiting.shift();
      if (start === undefined) {
        break;
      }
      this.#starting++;
      void start().finally(() => {
        this.#starting--;
        this.#next();
      });
    }
    this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#starting + this.#ending === 0) {
      for (const idle of this.#idle.splice(0)) {
        idle();
      }
    }
  }

  async #start(claim: Claim): Promise<void> {
    const { schedule, run } = claim;
    const allowed = await this.#principalOf(schedule, run.target);
    if (typeof allowed === 'string') {
      return this.#end(claim, { status: 'refused', problem: allowed });
    }
    if (!(await this.#markRunning(claim))) {
      return;
    }
    let session: StartedSession;
    try {
      session = await this.#ports.sessions.start({
        ...run.target,
        prompt: schedule.prompt,
        newSession: schedule.sessionBehavior === 'new',
        principal: allowed,
      });
    } catch (error) {
      const { targets } = schedule;
      // With its only target gone, no later time is any better.
      const status = targets.length === 1 && isGone(error) ? 'refused' : 'failed';
      return this.#end(claim, { status, problem: messageOf(error) });
    }
    await this.#ports.database.run('UPDATE runs SET session_id = ? WHERE run_id = ?', session.sessionId, run.runId);
    void session.done
      .then(({ outcome, problem }) => this.#end(claim, { status: outcome, problem }))
      .catch(this.#ports.onError);
  }

  /** Whom the run acts as, or why it may not. */
  async #principalOf({ tokenId }: Schedule, { projectId }: Target): Promise<Principal | string> {
    if (tokenId === null) {
      return localAdmin;
    }
    const principal = await this.#ports.principal(tokenId);
    if (principal === null) {
      return `the token ${tokenId}, as which it runs, is revoked or expired; whoever updates the prompt takes it over`;
    }
    const { scope } = principal;
    const isAllowed = !scope.readOnly && (scope.kind === 'admin' || scope.projectId === projectId);
    return isAllowed ? principal : `the token ${tokenId}, as which it runs, may start no session in ${projectId}`;
  }

  /** False: another process has found this one silent for so long that it holds the run to be lost. */
  async #markRunning({ run }: Claim): Promise<boolean> {
    const changed = await this.#ports.database.run(
      "UPDATE runs SET status = 'running' WHERE run_id = ? AND status = 'claimed' AND claimed_by = ?",
      run.runId,
      this.#claimant,
    );
    return changed > 0;
  }

  async #end({ run }: Claim, outcome: RunOutcome): Promise<void> {
    this.#ending++;
    try {
      await endRun(this.#ports.database, run, outcome, this.#ports.clock.now());
    } finally {
      this.#ending--;
      this.#tellIdle();
    }
    this.#onDone();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof OxideError && (error.code === 'unknown-project' || error.code === 'unknown-workspace');
}
