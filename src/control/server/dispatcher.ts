import { redact } from '../../audit/redaction.ts';
import { OxideError } from '../../errors.ts';
import type { JsonSchema } from '../../tools/tool.ts';
import { inputProblems } from '../../tools/tool-input.ts';
import type { Action, ActionCall, ControlTool } from '../action.ts';
import type { Audit, AuditedCall } from '../audit/audit.ts';
import { type Principal, scopeProject } from '../principal.ts';
import { authorize, kindOf, reachOf } from './authorization.ts';
import { type CallResult, failureOf } from './call-result.ts';
import { fieldNames, inputSchema } from './input-schema.ts';
import { assertOwn, type Owners } from './ownership.ts';
import { untilOver } from './revocation.ts';

/** A tool as clients see it in the list. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Whether no call of it changes anything. */
  readonly isReadOnly: boolean;
}

export interface DispatcherOptions {
  /** In the order in which clients see them. */
  readonly tools: readonly ControlTool[];
  readonly owners: Owners;
  /** Calls back once when a token no longer holds. Gives what ends the watch. */
  readonly watchToken: (tokenId: string, onInvalid: () => void) => () => void;
  readonly audit: Pick<Audit, 'record'>;
  /** Takes what clients must not see: the error that a call failed with unexpectedly. */
  readonly onError: (error: unknown, tool: string) => void;
}

/** The one way into the tools, for every transport: look up tool, action → authorize → validate → run. */
export interface Dispatcher {
  /** The tools of which a principal may do something. */
  list(principal: Principal): readonly ListedTool[];
  has(tool: string): boolean;
  /** Never rejects. */
  call(tool: string, input: unknown, call: ActionCall): Promise<CallResult>;
  /** Calls that are under way. */
  readonly pending: number;
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const tools = new Map(options.tools.map((tool) => [tool.name, tool]));
  const listed = new Map(options.tools.map((tool) => [tool.name, listedTool(tool)]));
  let pending = 0;

  /** @throws OxideError where the call may not be made, or not like this */
  const prepare = async (name: string, input: Input, principal: Principal) => {
    const tool = tools.get(name);
    if (tool === undefined) {
      throw new OxideError('unknown-tool', `There is no tool '${name}'.`, {
        remedy: `The tools are: ${[...tools.keys()].join(', ')}.`,
      });
    }
    const { action, definition, fields } = chooseAction(tool, input);
    const reach = authorize(principal.scope, name, action);
    const own = reach === 'own' ? scopeProject(principal) : null;
    const isFilledIn = own !== null && fieldNames(definition).includes('project_id');
    const valid = validate(definition, isFilledIn ? { project_id: own, ...fields } : fields);
    if (own !== null) {
      await assertOwn(valid, own, options.owners);
    }
    return (call: ActionCall) => definition.run(valid, call);
  };

  const dispatch = async (name: string, input: Input, call: ActionCall): Promise<CallResult> => {
    let outcome: AuditedCall['outcome'] = 'refused';
    let result: CallResult;
    try {
      const run = await prepare(name, input, call.principal);
      outcome = 'failed';
      result = { ok: true, ...(await untilOver(call, options.watchToken, run)) };
      outcome = 'ok';
    } catch (error) {
      if (!(error instanceof OxideError)) {
        options.onError(error, name);
      }
      result = failureOf(error);
    }
    const { action } = input;
    const record: AuditedCall = {
      principal: call.principal,
      tool: redact(name),
      action: typeof action === 'string' ? redact(action) : null,
      input,
      outcome,
      errorCode: result.ok ? null : result.error.code,
    };
    // What was done is done: an answer that is lost would be asked for again.
    await options.audit.record(record).catch((error: unknown) => options.onError(error, name));
    return result;
  };

  return {
    list: (principal) => [...listed.values()].filter(({ name }) => mayUse(principal, tools.get(name))),
    has: (name) => tools.has(name),
    call: async (name, input, call) => {
      pending += 1;
      try {
        return await dispatch(name, isRecord(input) ? input : {}, call);
      } finally {
        pending -= 1;
      }
    },
    get pending() {
      return pending;
    },
  };
}

type Input = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface ChosenAction {
  /** Null: the tool does one thing. */
  readonly action: string | null;
  readonly definition: Action;
  /** The input without the action's name. */
  readonly fields: Input;
}

/**
 * Finds the action that an input asks for.
 *
 * @throws OxideError `missing-action`, `unknown-action` that lists the tool's actions in their order
 */
export function chooseAction(tool: ControlTool, input: Input): ChosenAction {
  if ('action' in tool) {
    return { action: null, definition: tool.action, fields: input };
  }
  const { action: name, ...fields } = input;
  if (name === undefined || name === null || name === '') {
    throw new OxideError('missing-action', 'action parameter is required');
  }
  const definition = typeof name === 'string' && Object.hasOwn(tool.actions, name) ? tool.actions[name] : undefined;
  if (typeof name !== 'string' || definition === undefined) {
    const shown = typeof name === 'string' ? name : JSON.stringify(name);
    const valid = Object.keys(tool.actions).join(', ');
    throw new OxideError('unknown-action', `unknown action '${shown}' for ${tool.name} tool; valid actions: ${valid}`);
  }
  return { action: name, definition, fields };
}

/** @throws OxideError `invalid-input` that names each field */
function validate(action: Action, fields: Input): unknown {
  const parsed = action.schema.safeParse(fields);
  if (parsed.success) {
    return parsed.data;
  }
  const problems = inputProblems(parsed.error, fields, undefined).map(({ text }) => text);
  throw new OxideError('invalid-input', `${problems.join('; ')}.`, {
    remedy: `The fields are: ${fieldNames(action).join(', ') || 'none'}.`,
  });
}

function listedTool(tool: ControlTool): ListedTool {
  const { name, description } = tool;
  const actions = 'action' in tool ? [null] : Object.keys(tool.actions);
  const isReadOnly = actions.every((action) => reachOf('admin:ro', name, action) !== 'none');
  const schema = 'inputSchema' in tool ? (tool.inputSchema as JsonSchema) : inputSchema(tool);
  return { name, description, inputSchema: schema, isReadOnly };
}

function mayUse({ scope }: Principal, tool: ControlTool | undefined): boolean {
  const actions = tool === undefined || 'action' in tool ? [null] : Object.keys(tool.actions);
  return actions.some((action) => reachOf(kindOf(scope), tool?.name ?? '', action) !== 'none');
}
