import { z } from 'zod';
import type { Environment } from '../../git/runner.ts';
import { type ControlTool, defineAction } from '../action.ts';
import type { ProjectLookup } from '../services.ts';
import { readChanges, readTasks } from './changes.ts';

const projectId = z.string().min(1).describe('The project’s id');

/** The `project_changes` tool: a project's OpenSpec changes, as its default workspace has them. */
export function projectChangesTool(projects: ProjectLookup, env: Environment): ControlTool {
  return {
    name: 'project_changes',
    description: 'The OpenSpec changes of a project that are not archived, with how many of their tasks are done.',
    action: defineAction(z.strictObject({ project_id: projectId }), async ({ project_id }) => {
      const { directory } = await projects.workspace(project_id, null);
      const { changes, source } = await readChanges(directory, env);
      const lines = changes.map((one) => `${one.changeId}: ${one.completedTasks} of ${one.totalTasks} tasks done`);
      return {
        text: lines.join('\n') || 'There are no changes in openspec/changes.',
        data: {
          changes: changes.map((one) => ({
            change_id: one.changeId,
            completed_tasks: one.completedTasks,
            total_tasks: one.totalTasks,
            status: one.status,
          })),
          source,
        },
      };
    }),
  };
}

/** The `project_tasks` tool: the tasks of one change. */
export function projectTasksTool(projects: ProjectLookup, env: Environment): ControlTool {
  const schema = z.strictObject({
    project_id: projectId,
    change_id: z.string().min(1).max(100).describe('The change’s id: its directory in openspec/changes'),
  });
  return {
    name: 'project_tasks',
    description: 'The tasks of one OpenSpec change of a project, and which are done.',
    action: defineAction(schema, async ({ project_id, change_id }) => {
      const { directory } = await projects.workspace(project_id, null);
      const { tasks, source } = await readTasks(directory, change_id, env);
      const lines = tasks.map(({ done, description }) => `[${done ? 'x' : ' '}] ${description}`);
      return { text: lines.join('\n') || 'The change has no tasks.', data: { change_id, tasks, source } };
    }),
  };
}
