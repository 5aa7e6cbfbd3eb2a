import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../store/database.ts';

/** One call that the dispatcher has dealt with. */
export interface AuditedCall {
  readonly principal: Principal;
  readonly tool: string;
  /** Null for a tool without actions, and where none was given. */
  readonly action: string | null;
  /** What was given, as it was given: only names and ids of it are kept. */
  readonly input: unknown;
  /** `refused`: not authorized, or not valid. */
  readonly outcome: 'ok' | 'refused' | 'failed';
  /** The failure's code, as in OxideError; never its text, which may quote the input. */
  readonly errorCode: string | null;
}

export interface AuditRow {
  readonly ts: number;
  /** Null: the person at this machine. */
  readonly token_id: string | null;
  readonly tool: string;
  readonly action: string | null;
  readonly project_id: string | null;
  /** JSON: what {@link auditableArguments} keeps. */
  readonly arguments: string;
  readonly outcome: AuditedCall['outcome'];
  readonly error_code: string | null;
}

export interface Audit {
  record(call: AuditedCall): Promise<void>;
  /** The newest rows, newest first. */
  newest(limit: number): Promise<readonly AuditRow[]>;
}

export interface AuditRetention {
  readonly maxRows: number;
  /** Milliseconds. */
  readonly maxAge: number;
  /** Rows that may be written before the oldest are looked at again. */
  readonly sweepEvery: number;
}

const day = 24 * 3600 * 1000;
const usualRetention: AuditRetention = { maxRows: 100_000, maxAge: 90 * day, sweepEvery: 1000 };

/** The trail of calls, in the store. It forgets what is older than the retention says, and the oldest of what is too much. */
export function createAudit(database: Database, clock: Clock, retention = usualRetention): Audit {
  let untilSweep = 0;

  async function sweep(): Promise<void> {
    await database.run('DELETE FROM audit WHERE ts < ?', clock.now() - retention.maxAge);
    await database.run(
      'DELETE FROM audit WHERE ts < (SELECT ts FROM audit ORDER BY ts DESC LIMIT 1 OFFSET ?)',
      retention.maxRows,
    );
  }

  return {
    async record({ principal, tool, action, input, outcome, errorCode }) {
      const kept = auditableArguments(input);
      await database.run(
        `INSERT INTO audit (audit_id, ts, token_id, tool, action, project_id, arguments, outcome, error_code)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        randomUUID(),
        clock.now(),
        principal.tokenId,
        tool.slice(0, longest),
        action?.slice(0, longest) ?? null,
        kept.project_id ?? null,
        JSON.stringify(kept),
        outcome,
        errorCode,
      );
      if (--untilSweep < 0) {
        untilSweep = retention.sweepEvery;
        await sweep();
      }
    },
    newest: (limit) =>
      database.all<AuditRow>(
        `SELECT ts, token_id, tool, action, project_id, arguments, outcome, error_code
         FROM audit ORDER BY ts DESC, audit_id LIMIT ?`,
        limit,
      ),
  };
}

/** Characters of a name or an id that are kept, and how many arguments of a call. */
const longest = 64;
const mostArguments = 32;

/**
 * What of a call's arguments goes into the trail: an id with its value, of anything else the name alone, with null.
 * Names and ids that don't look like it are left out: they are whatever a client sent.
 */
export function auditableArguments(input: unknown): Readonly<Record<string, string | null>> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return {};
  }
  const kept: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(input).slice(0, mostArguments)) {
    if (/^[a-z][a-z_]{0,40}$/.test(name) && name !== 'action') {
      kept[name] = name.endsWith('_id') && isId(value) ? value : null;
    }
  }
  return kept;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longest && /^[\w-]+$/.test(value);
}
