import { z } from 'zod';
import { bash } from '../../tools/bash.ts';
import { edit } from '../../tools/edit.ts';
import { glob } from '../../tools/glob.ts';
import { grep } from '../../tools/grep.ts';
import { multiEdit } from '../../tools/multi-edit.ts';
import { notebookEdit } from '../../tools/notebook-edit.ts';
import { read } from '../../tools/read.ts';
import type { JsonSchema, Tool } from '../../tools/tool.ts';
import { write } from '../../tools/write.ts';
import { type ActionCall, defineAction, type StandaloneTool } from '../action.ts';
import type { ProjectLookup } from '../services.ts';
import { type GuardedWorkspace, type GuardedWorkspaceOptions, openGuardedWorkspace } from './guarded-workspace.ts';

/** A tool whose input's JSON Schema is known already. */
export interface WorkspaceTool extends StandaloneTool {
  readonly inputSchema: JsonSchema;
}

export interface WorkspaceTools {
  readonly tools: readonly WorkspaceTool[];
  /** Ends what the workspaces hold open. */
  close(): void;
}

const guarded: Readonly<Record<string, Tool>> = {
  workspace_bash: bash,
  workspace_read: read,
  workspace_write: write,
  workspace_edit: edit,
  workspace_multi_edit: multiEdit,
  workspace_notebook_edit: notebookEdit,
  workspace_glob: glob,
  workspace_grep: grep,
};

/** What only a session can do, or only a person allow. */
const withheld: readonly string[] = ['run_in_background', 'dangerouslyDisableSandbox'];

/** Workspaces that are kept open; the one used longest ago is closed for another. */
const mostOpen = 64;

const place = {
  project_id: { type: 'string', minLength: 1, description: 'The project whose files these are' },
  workspace_id: { type: 'string', minLength: 1, description: 'Default: the project’s default workspace' },
};

const placeSchema = z.looseObject({ project_id: z.string().min(1), workspace_id: z.string().min(1).optional() });

/**
 * The guarded tools, for clients that work in a workspace themselves: the same as an agent's, each with the project and
 * the workspace in which it works.
 */
export function workspaceTools(projects: ProjectLookup, options: GuardedWorkspaceOptions): WorkspaceTools {
  const open = new Map<string, Promise<GuardedWorkspace>>();

  const workspaceOf = async (projectId: string, workspaceId: string | null, { principal }: ActionCall) => {
    const project = await projects.project(projectId);
    const workspace = await projects.workspace(projectId, workspaceId);
    // What one client has read, another has not.
    const key = `${principal.tokenId ?? ''} ${workspace.workspaceId}`;
    const found = open.get(key) ?? openGuardedWorkspace(project, workspace, Object.values(guarded), options);
    open.delete(key);
    open.set(key, found);
    found.catch(() => open.delete(key));
    const [oldest] = open.keys();
    if (open.size > mostOpen && oldest !== undefined) {
      closeLater(open.get(oldest));
      open.delete(oldest);
    }
    return { workspace, guardedWorkspace: await found };
  };

  const define = (name: string, tool: Tool): WorkspaceTool => ({
    name,
    description: describe(tool),
    inputSchema: schemaOf(tool),
    action: defineAction(placeSchema, async ({ project_id, workspace_id, ...input }, call) => {
      const { workspace, guardedWorkspace } = await workspaceOf(project_id, workspace_id ?? null, call);
      const { text, data } = await guardedWorkspace.run(tool, input, call.signal);
      return { text, data: { project_id, workspace_id: workspace.workspaceId, ...data } };
    }),
  });

  return {
    tools: Object.entries(guarded).map(([name, tool]) => define(name, tool)),
    close: () => {
      for (const workspace of open.values()) {
        closeLater(workspace);
      }
    },
  };
}

function closeLater(workspace: Promise<GuardedWorkspace> | undefined): void {
  workspace?.then(
    ({ close }) => close(),
    () => {},
  );
}

function describe({ name, description }: Tool): string {
  const how =
    name === bash.name
      ? 'Runs a command line in bash at the top of a workspace, in a sandbox and judged by the git guard: what would lose ' +
        'or rewrite shared work is refused. There is no terminal, no input and, unless the configuration allows it, no ' +
        'network; processes that the command leaves behind end with it.'
      : description;
  return `In a workspace of a project, paths relative to its top. ${how}`;
}

function schemaOf({ parameters }: Tool): JsonSchema {
  const { properties = {}, required = [] } = parameters as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const own = Object.entries(properties).filter(([name]) => !withheld.includes(name));
  return {
    type: 'object',
    properties: { ...place, ...Object.fromEntries(own) },
    required: ['project_id', ...required],
    additionalProperties: false,
  };
}
