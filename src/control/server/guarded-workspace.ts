import { randomUUID } from 'node:crypto';
import { Checkpoints } from '../../agent/checkpoints.ts';
import { type GitGuard, registerGitGuard } from '../../agent/git-guard.ts';
import { createHookBus } from '../../agent/hooks/bus.ts';
import { createHookRegistry, type HookRegistry } from '../../agent/hooks/registry.ts';
import type { ToolCall } from '../../agent/message.ts';
import { nobodyToPermit, Permissions } from '../../agent/permissions.ts';
import { createSandbox } from '../../agent/sandbox/sandbox.ts';
import { finishCall, prepareCall } from '../../agent/tool-call.ts';
import type { ToolCallPorts } from '../../agent/tool-call-ports.ts';
import { OxideError } from '../../errors.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Environment } from '../../git/runner.ts';
import { createRegistry } from '../../tools/registry.ts';
import { createSessionFiles } from '../../tools/session-files.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolData } from '../../tools/tool-result.ts';
import { nobodyToAsk } from '../../ui/question.ts';
import type { Directories } from '../directories.ts';
import { hiddenFrom } from '../hidden-directories.ts';
import { operatorConfiguration } from '../operator-configuration.ts';
import type { Project, Workspace } from '../services.ts';
import { sessionEnvironment } from '../session-environment.ts';

export interface GuardedWorkspaceOptions {
  readonly directories: Directories;
  /** This process's; commands see what of it a session's commands see. */
  readonly env: Environment;
  /** False only where something else confines what runs. */
  readonly requireSandbox?: boolean;
  readonly notify: (text: string) => void;
}

export interface ToolOutcome {
  /** Cut to what a model can read. */
  readonly text: string;
  readonly data: ToolData;
}

/** A workspace in which one client's tools work: what it has read is known, and what changes anything is undoable. */
export interface GuardedWorkspace {
  /** @throws OxideError with the code and text of the tool's failure, or `permission-denied` */
  run(tool: Tool, input: unknown, signal: AbortSignal): Promise<ToolOutcome>;
  close(): void;
}

/**
 * Opens a workspace for tool calls that come from outside: each goes the way of an agent's tool call, with the guard, the
 * rules of the configuration, a checkpoint and the sandbox. Nobody is asked: what the guard would ask a person is
 * refused, with the command by which a person allows it.
 */
export async function openGuardedWorkspace(
  project: Project,
  { directory }: Workspace,
  tools: readonly Tool[],
  options: GuardedWorkspaceOptions,
): Promise<GuardedWorkspace> {
  const { directories, notify, requireSandbox = true } = options;
  const env = sessionEnvironment(options.env);
  const repository = await openRepository({ cwd: directory, env });
  const { settings, convention } = await operatorConfiguration(repository, env, notify);
  const sandbox = createSandbox({
    settings: { ...settings, requireSandbox: requireSandbox || settings.requireSandbox },
    onNotice: notify,
    env: options.env,
    hidden: () => hiddenFrom(project, directories),
  });
  const id = `mcp-${randomUUID()}`;
  const registry = createRegistry(tools);
  const hooks = createHookRegistry(settings.hooks);
  const guard: GitGuard = registerGitGuard(hooks, {
    env,
    convention,
    commandOf: (tool, input) => registry.get(tool).shellCommand?.(input)?.command ?? null,
  });
  const responses = keptResponses(hooks);
  const checkpoints =
    repository === null || !settings.checkpoints ? null : unnoticedCheckpoints(repository, id, notify);
  const nobody = 'it is a tool call over MCP';
  const ports: ToolCallPorts = {
    tools: registry,
    hooks: createHookBus({ registry: hooks, cwd: directory, env }),
    permissions: new Permissions('bypass', settings.permissions, [directory]),
    guard,
    person: nobodyToPermit(nobody),
    checkpoint: async (reason) => (await checkpoints?.take(reason, id)) ?? null,
    sandbox,
    allowUnsandboxed: false,
    commonDir: repository?.commonDir ?? null,
    context: { cwd: directory, roots: [directory], env, questions: nobodyToAsk(nobody) },
    session: { id, author: 'agent', files: createSessionFiles() },
    emit: () => {},
  };
  return {
    run: (tool, input, signal) => runTool({ id: randomUUID(), name: tool.name, input }, ports, responses, signal),
    close: () => sandbox.dispose(),
  };
}

/** A client sees checkpoints by their list; only what goes wrong with one is told. */
function unnoticedCheckpoints(repository: Repository, session: string, notify: (text: string) => void): Checkpoints {
  return new Checkpoints({
    repository,
    session,
    kept: [],
    onCheckpoint: () => {},
    onMissing: () => {},
    onProblem: notify,
  });
}

/** What tools answer besides their text passes the PostToolUse hooks only: kept by the call's id until it is taken. */
function keptResponses(hooks: HookRegistry): Map<string, ToolData> {
  const responses = new Map<string, ToolData>();
  hooks.register('PostToolUse', 'response', ({ tool_use_id, tool_response }) => {
    if (typeof tool_response === 'object' && tool_response !== null) {
      responses.set(tool_use_id, tool_response as ToolData);
    }
    return undefined;
  });
  return responses;
}

async function runTool(
  call: ToolCall,
  ports: ToolCallPorts,
  responses: Map<string, ToolData>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const prepared = await prepareCall(call, ports, signal);
  if (prepared.kind === 'refused') {
    const { result } = prepared;
    throw result.ok
      ? new OxideError('permission-denied', result.text)
      : new OxideError(result.error.code, result.error.message, remedyOf(result.error.remedy));
  }
  const { content, isError } = await finishCall(prepared, ports, signal);
  const data = responses.get(call.id) ?? {};
  responses.delete(call.id);
  if (isError) {
    throw new OxideError('tool-failed', content);
  }
  return { text: content, data };
}

function remedyOf(remedy: string | null): { readonly remedy?: string } {
  return remedy === null ? {} : { remedy };
}
