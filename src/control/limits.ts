import { z } from 'zod';

/** What a project, a session or a tree of sessions may use up. Null: no limit. */
export interface Limits {
  /** Sessions of a project that run at the same time. */
  readonly max_sessions: number | null;
  /** Turns of the model for one prompt. */
  readonly max_turns: number | null;
  /** Tokens, in and out, that a session and its children may use together. */
  readonly max_tokens: number | null;
  /** US dollars that a session and its children may cost together, by the configured prices. */
  readonly max_cost_usd: number | null;
  /** Seconds that one prompt may take. */
  readonly max_seconds: number | null;
}

export const defaultLimits: Limits = {
  max_sessions: 10,
  max_turns: 100,
  max_tokens: null,
  max_cost_usd: null,
  max_seconds: 3600,
};

export type LimitName = keyof Limits;

/** Limits that were set somewhere; an absent one is inherited, null means none. */
export type SetLimits = { readonly [Name in LimitName]?: Limits[Name] | undefined };

const amount = z.number().positive().nullable();
const number = z.int().positive().nullable();

/** Limits as a call gives them: some of them, null for none. */
export const limitsSchema = z
  .strictObject({
    max_sessions: number,
    max_turns: number,
    max_tokens: number,
    max_cost_usd: amount,
    max_seconds: number,
  })
  .partial();
