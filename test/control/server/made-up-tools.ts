import { z } from 'zod';
import { type ActionCall, type ControlTool, defineAction } from '../../../src/control/action.ts';
import type { AuditedCall } from '../../../src/control/audit/audit.ts';
import { localAdmin, type Principal, parseScope } from '../../../src/control/principal.ts';
import { createDispatcher, type DispatcherOptions } from '../../../src/control/server/dispatcher.ts';

/** Tools that answer with what they were called with. */
export const madeUpTools: readonly ControlTool[] = [
  {
    name: 'project',
    description: 'Projects.',
    actions: {
      create: echo(
        z.strictObject({
          name: z.string().min(1).describe('Its name'),
          limits: z.strictObject({ max_turns: z.number().int() }).partial().optional(),
        }),
      ),
      list: echo(z.strictObject({ limit: z.number().optional().describe('How many') })),
      get: echo(z.strictObject({ project_id: z.string().describe('Which') })),
      delete: echo(z.strictObject({ project_id: z.string().describe('Which') })),
    },
  },
  {
    name: 'session',
    description: 'Sessions.',
    actions: {
      spawn: echo(z.strictObject({ project_id: z.string(), prompt: z.string() })),
      get: echo(z.strictObject({ session_id: z.string() })),
      list: echo(z.strictObject({ project_id: z.string().optional(), status: z.enum(['idle', 'ended']).optional() })),
      events: defineAction(z.strictObject({ session_id: z.string() }), (_, { signal }) => waitFor(signal)),
    },
  },
  {
    name: 'schedule',
    description: 'Schedules.',
    actions: {
      create: echo(
        z.strictObject({
          targets: z.array(z.strictObject({ project_id: z.string(), workspace_id: z.string().optional() })),
        }),
      ),
      get: echo(z.strictObject({ schedule_id: z.string() })),
    },
  },
  {
    name: 'config_limits',
    description: 'Limits.',
    action: echo(z.strictObject({ project_id: z.string(), session_id: z.string().optional() })),
  },
  {
    name: 'image_rebuild',
    description: 'Builds.',
    action: defineAction(z.strictObject({}), async (_, { progress }) => {
      progress('step one', 1, 2);
      progress('step two', 2, 2);
      throw new TypeError('cannot read secret.value of undefined');
    }),
  },
];

function echo<Schema extends z.ZodType>(schema: Schema) {
  return defineAction(schema, async (input) => ({ text: JSON.stringify(input), data: { input } }));
}

function waitFor(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

export function madeUpDispatcher(options: Partial<DispatcherOptions> = {}) {
  const records: AuditedCall[] = [];
  const errors: unknown[] = [];
  const dispatcher = createDispatcher({
    tools: madeUpTools,
    owners: {
      projectOfSession: async (id) => ({ s1: 'p1', s2: 'p2' })[id] ?? null,
      projectsOfSchedule: async (id) => ({ c1: ['p1'], c2: ['p2'], c12: ['p1', 'p2'], c0: [] })[id] ?? null,
    },
    watchToken: () => () => {},
    audit: {
      record: async (record) => {
        records.push(record);
      },
    },
    onError: (error) => errors.push(error),
    ...options,
  });
  return { dispatcher, records, errors };
}

export function principal(scope: string, tokenId = 'tok_1'): Principal {
  const parsed = parseScope(scope);
  if (parsed === null) {
    throw new Error(scope);
  }
  return { tokenId, scope: parsed };
}

export function callOf(who: Principal = localAdmin, signal: AbortSignal = new AbortController().signal): ActionCall {
  return { principal: who, signal, progress: () => {} };
}
