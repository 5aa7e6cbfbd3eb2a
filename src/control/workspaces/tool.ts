import { z } from 'zod';
import { type ControlTool, defineAction } from '../action.ts';
import type { Projects } from '../projects/projects.ts';
import type { WorkspaceReport, Workspaces } from './workspaces.ts';

const projectId = z.string().min(1).describe('The project’s id');

const deletion = z.strictObject({
  project_id: projectId,
  workspace_id: z.string().min(1).describe('The workspace’s id'),
  force: z
    .boolean()
    .default(false)
    .describe('Also when it has work that nothing else has; that is kept on a rescue ref'),
});

/** The `workspace` tool: a project's work trees. */
export function workspaceTool(
  projects: Pick<Projects, 'get'>,
  workspaces: Pick<Workspaces, 'list' | 'delete'>,
): ControlTool {
  return {
    name: 'workspace',
    description:
      'Workspaces: a project’s work trees, each on a branch of its own. list shows how they stand; delete removes one and its branch, and refuses while it has uncommitted or unpushed work unless forced.',
    actions: {
      list: defineAction(z.strictObject({ project_id: projectId }), async ({ project_id }) => {
        const reports = await workspaces.list(await projects.get(project_id));
        return { text: reports.map(line).join('\n'), data: { workspaces: reports.map(described) } };
      }),
      delete: defineAction(deletion, async ({ project_id, workspace_id, force }) => {
        await projects.get(project_id);
        const done = await workspaces.delete(project_id, workspace_id, force);
        if (done === null) {
          const text = `There is no workspace ${workspace_id}, so there is nothing to delete.`;
          return { text, data: { workspace_id, deleted: false } };
        }
        const { workspace, rescue } = done;
        const kept = rescue === null ? '' : ` What only it had is kept: git log ${rescue.ref}`;
        const lost = (rescue?.skipped ?? []).map(({ path, reason }) => ({ path, reason }));
        const missing = lost.length === 0 ? '' : ` Not kept: ${lost.map(({ path }) => path).join(', ')}.`;
        return {
          text: `Deleted the workspace on ${workspace.branch}.${kept}${missing}`,
          data: { workspace_id, deleted: true, rescue_ref: rescue?.ref ?? null, not_rescued: lost },
        };
      }),
    },
  };
}

function line({ workspace, state }: WorkspaceReport): string {
  const kind = workspace.isDefault ? ' (default)' : '';
  if (state === null) {
    return `${workspace.workspaceId}  ${workspace.branch}${kind}: its directory is gone`;
  }
  const counts = state.ahead === null ? '' : `, ${state.ahead} ahead, ${state.behind} behind`;
  const dirty = state.isDirty ? ', uncommitted changes' : '';
  return `${workspace.workspaceId}  ${state.branch ?? 'detached'}${kind} at ${state.head?.slice(0, 7) ?? 'no commit'}${counts}${dirty}`;
}

function described({ workspace, state, size, lastSession }: WorkspaceReport): Readonly<Record<string, unknown>> {
  return {
    workspace_id: workspace.workspaceId,
    directory: workspace.directory,
    is_default: workspace.isDefault,
    created_at: new Date(workspace.createdAt).toISOString(),
    branch: state?.branch ?? workspace.branch,
    exists: state !== null,
    head: state?.head ?? null,
    dirty: state?.isDirty ?? null,
    ahead: state?.ahead ?? null,
    behind: state?.behind ?? null,
    size_bytes: size.bytes,
    size_is_partial: size.isPartial,
    last_session: lastSession === null ? null : { session_id: lastSession.sessionId, status: lastSession.status },
  };
}
