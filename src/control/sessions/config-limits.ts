import { z } from 'zod';
import { type ControlTool, defineAction } from '../action.ts';
import type { LimitReport } from './limit-report.ts';
import type { Sessions } from './sessions.ts';

const schema = z.strictObject({
  project_id: z.string().min(1).describe('The project’s id'),
  session_id: z.string().min(1).optional().describe('For a session’s own limits, and what is left of them'),
});

/** The `config_limits` tool: what sessions may use up, by whose word, and what is left. */
export function configLimitsTool(sessions: Pick<Sessions, 'limits'>): ControlTool {
  return {
    name: 'config_limits',
    description:
      'The limits of a project’s sessions, or of one session: their value, where each comes from (default, configuration, project, session, parent), and what is left.',
    action: defineAction(schema, async ({ project_id, session_id }) => {
      const limits = await sessions.limits(project_id, session_id ?? null);
      return {
        text: limits.map(line).join('\n'),
        data: {
          project_id,
          ...(session_id === undefined ? {} : { session_id }),
          limits: Object.fromEntries(limits.map(({ name, value, source, left }) => [name, { value, source, left }])),
        },
      };
    }),
  };
}

function line({ name, value, source, left }: LimitReport): string {
  return value === null ? `${name}: none (${source})` : `${name}: ${value} (${source}), ${left} left`;
}
