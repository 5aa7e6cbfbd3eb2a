import type { Clock } from '../clock.ts';
import type { SetLimits } from '../limits.ts';
import type { ProjectLookup } from '../services.ts';
import type { Database } from '../store/database.ts';
import type { Agents } from './agents.ts';
import type { CallerRequests } from './caller-requests.ts';
import type { Packing } from './event-data.ts';
import type { EventLog } from './event-log.ts';

/** What everything that deals with sessions shares. */
export interface SessionParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly requests: CallerRequests;
  readonly agents: Agents;
  readonly projects: ProjectLookup;
  /** What the configuration says. */
  readonly limits: SetLimits;
  readonly packing: Packing;
  readonly redact: (text: string) => string;
  /** The name of this process, as the one that runs a session. */
  readonly runner: string;
  /** Takes what goes wrong and concerns no caller. */
  readonly onProblem: (text: string) => void;
}
