import type { Environment } from '../git/runner.ts';
import type { ControlTool } from './action.ts';
import { projectChangesTool, projectTasksTool } from './changes/tool.ts';
import type { Clock } from './clock.ts';
import { containerTool } from './containers/tool.ts';
import { imageRebuildTool } from './images/tool.ts';
import { projectOptionsTool } from './projects/options-tool.ts';
import { projectTool } from './projects/tool.ts';
import { scheduleTool } from './schedules/tool.ts';
import type { ProjectLookup } from './services.ts';
import { callerToolResponseTool } from './sessions/caller-tool-response.ts';
import { configLimitsTool } from './sessions/config-limits.ts';
import { sessionTool } from './sessions/tool.ts';
import { tokenTool } from './tokens/tool.ts';
import { workspaceTool } from './workspaces/tool.ts';

/** The parts of the control plane that its tools work with. All that they do is asynchronous. */
export interface ToolParts {
  readonly projects: Parameters<typeof projectTool>[0];
  readonly workspaces: Parameters<typeof workspaceTool>[1];
  readonly sessions: Parameters<typeof sessionTool>[0] &
    Parameters<typeof callerToolResponseTool>[0] &
    Parameters<typeof configLimitsTool>[0];
  readonly containers: Parameters<typeof containerTool>[0];
  readonly images: Parameters<typeof imageRebuildTool>[0];
  readonly tokens: Parameters<typeof tokenTool>[0];
  readonly schedules: Parameters<typeof scheduleTool>[0];
  readonly options: Parameters<typeof projectOptionsTool>[0];
  readonly lookup: ProjectLookup;
}

/** The control plane's own tools, in the order in which clients see them. Making them opens nothing. */
export function controlTools(
  parts: ToolParts,
  { env, clock }: { readonly env: Environment; readonly clock: Clock },
): readonly ControlTool[] {
  const { projects, sessions, lookup } = parts;
  return [
    projectTool(projects),
    workspaceTool(projects, parts.workspaces),
    sessionTool(sessions),
    containerTool(parts.containers),
    tokenTool(parts.tokens, () => clock.now()),
    scheduleTool(parts.schedules),
    projectOptionsTool(parts.options),
    projectChangesTool(lookup, env),
    projectTasksTool(lookup, env),
    imageRebuildTool(parts.images),
    callerToolResponseTool(sessions),
    configLimitsTool(sessions),
  ];
}
