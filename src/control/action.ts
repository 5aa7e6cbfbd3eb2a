import type { z } from 'zod';
import type { Principal } from './principal.ts';

/** What a call carries besides its input. */
export interface ActionCall {
  readonly principal: Principal;
  /** Aborted when the client gives up on the call or the server shuts down. */
  readonly signal: AbortSignal;
  /** Tells the client how far it is; `done` of `total` where that is known. */
  readonly progress: (message: string, done?: number, total?: number) => void;
}

/** What a call gives: short text for a model to read, and the same as data. Ids are named as in `project_id`. */
export interface ActionResult {
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One thing that a tool does. Failures are thrown as OxideError. */
export interface Action {
  readonly schema: z.ZodType;
  /** @param input what the schema gave */
  run(input: unknown, call: ActionCall): Promise<ActionResult>;
}

/** A tool with an `action` parameter, its actions in the order in which they are listed. */
export interface ActionTool {
  readonly name: string;
  readonly description: string;
  readonly actions: Readonly<Record<string, Action>>;
}

/** A tool that does one thing. */
export interface StandaloneTool {
  readonly name: string;
  readonly description: string;
  readonly action: Action;
}

export type ControlTool = ActionTool | StandaloneTool;

/** Ties an action's function to the type of its schema. */
export function defineAction<Schema extends z.ZodType>(
  schema: Schema,
  run: (input: z.output<Schema>, call: ActionCall) => Promise<ActionResult>,
): Action {
  return { schema, run: (input, call) => run(input as z.output<Schema>, call) };
}
