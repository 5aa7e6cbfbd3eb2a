import { z } from 'zod';
import { type ActionCall, type ControlTool, defineAction } from '../action.ts';
import { limitsSchema } from '../limits.ts';
import { nameSchema } from '../name.ts';
import { scopeProject } from '../principal.ts';
import type { Project } from '../services.ts';
import type { Projects } from './projects.ts';

const projectId = z.string().min(1).describe('The project’s id');

const name = nameSchema.describe('A name that no other project has');

const create = z
  .strictObject({
    name,
    source_url: z.string().min(1).max(2000).optional().describe('What to clone: a URL or an absolute path'),
    remote_url: z.string().min(1).max(2000).optional().describe('The same as source_url'),
    description: z.string().max(10_000).default('').describe('What the project is about'),
    protected_branches: z
      .array(z.string().regex(/^[^\s\p{Cc}]+$/u, 'must be a branch’s name or a glob over names'))
      .max(100)
      .default([])
      .describe('Branches to protect besides main, master and the default branch, as globs'),
    limits: limitsSchema.default({}).describe('What its sessions may use up'),
  })
  .refine((input) => input.source_url === undefined || input.remote_url === undefined, {
    path: ['remote_url'],
    message: 'is the same as source_url: give one of them',
  });

const list = z.strictObject({
  name_contains: z.string().max(100).default('').describe('Only projects whose name has this in it'),
  limit: z.int().min(1).max(1000).default(100).describe('How many at most'),
});

/** The `project` tool: repositories under the control plane. */
export function projectTool(projects: Pick<Projects, 'create' | 'list' | 'get' | 'delete'>): ControlTool {
  return {
    name: 'project',
    description:
      'Projects: repositories whose guarded agent sessions are run here. create clones a repository and installs the guard’s hooks; list; get; delete moves a project to a trash.',
    actions: {
      create: defineAction(create, async (input, call) => {
        const { project, workspace } = await projects.create(
          {
            name: input.name,
            description: input.description,
            sourceUrl: input.source_url ?? input.remote_url ?? null,
            protectedBranches: input.protected_branches,
            limits: input.limits,
          },
          { signal: call.signal, onProgress: reporter(call) },
        );
        return {
          text: `Created the project '${project.name}' (${project.projectId}) on branch ${project.defaultBranch}.`,
          data: { ...described(project), workspace_id: workspace.workspaceId },
        };
      }),
      list: defineAction(list, async ({ name_contains, limit }, { principal }) => {
        const found = await projects.list(name_contains, limit, scopeProject(principal));
        const lines = found.map((project) =>
          `${project.projectId}  ${project.name}  ${project.sourceUrl ?? ''}`.trimEnd(),
        );
        return { text: lines.join('\n') || 'There are no projects.', data: { projects: found.map(described) } };
      }),
      get: defineAction(z.strictObject({ project_id: projectId }), async ({ project_id }) => {
        const project = await projects.get(project_id);
        const from = project.sourceUrl === null ? '' : `, cloned from ${project.sourceUrl}`;
        return { text: `${project.name}: default branch ${project.defaultBranch}${from}.`, data: described(project) };
      }),
      delete: defineAction(z.strictObject({ project_id: projectId }), async ({ project_id }) => {
        const project = await projects.delete(project_id);
        return {
          text: `Moved '${project.name}' to the trash. For 30 days it can be brought back: oxide-guard projects restore ${project_id}`,
          data: { project_id, deleted: true },
        };
      }),
    },
  };
}

/** A project as results show it. */
export function described(project: Project): Readonly<Record<string, unknown>> {
  return {
    project_id: project.projectId,
    name: project.name,
    description: project.description,
    source_url: project.sourceUrl,
    protected_branches: project.protectedBranches,
    limits: project.limits,
    default_branch: project.defaultBranch,
    created_at: new Date(project.createdAt).toISOString(),
  };
}

/** Tells of each phase, and of every tenth of it: clients need not see each percent. */
function reporter(call: ActionCall): (progress: { phase: string; percent: number }) => void {
  let last = '';
  return ({ phase, percent }) => {
    const step = `${phase} ${Math.floor(percent / 10)}`;
    if (step !== last) {
      last = step;
      call.progress(phase, percent, 100);
    }
  };
}
