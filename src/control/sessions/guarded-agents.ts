import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openGuardedSession } from '../../agent/guarded-session.ts';
import { openMcpTools } from '../../agent/mcp/tools.ts';
import { openModels } from '../../agent/models/catalogue.ts';
import { createSandbox } from '../../agent/sandbox/sandbox.ts';
import { createSession, resumeSession, type StoredSession } from '../../agent/session/store.ts';
import { sessionTools } from '../../agent/session-tools.ts';
import type { AgentSettings } from '../../config/agent-settings.ts';
import { OxideError } from '../../errors.ts';
import { openRepository } from '../../git/open-repository.ts';
import type { Environment } from '../../git/runner.ts';
import { askUserQuestion } from '../../tools/ask-user-question.ts';
import type { Tool } from '../../tools/tool.ts';
import { nobodyToAsk } from '../../ui/question.ts';
import type { Directories } from '../directories.ts';
import { hiddenFrom } from '../hidden-directories.ts';
import { operatorConfiguration } from '../operator-configuration.ts';
import { sessionEnvironment } from '../session-environment.ts';
import type { AgentRequest, Agents, OpenAgent } from './agents.ts';

export interface GuardedAgentsOptions {
  readonly directories: Directories;
  /** This process's: it has the providers' keys, which go to the models and nowhere else. */
  readonly env: Environment;
  /** From which a recording's path is resolved. */
  readonly cwd: string;
  /** As `--provider` says; null: the environment and the configuration decide. */
  readonly provider?: string | null;
  readonly baseUrl?: string | null;
  /** False only where something else confines what runs: then commands run without a sandbox if none works. */
  readonly requireSandbox?: boolean;
}

/** Nobody watches: questions could not be answered. */
const offered = sessionTools.filter((tool) => tool !== askUserQuestion);

/**
 * The guarded agent for sessions of the control plane: the same loop, tools and guard as `oxide-guard agent`, in a
 * sandbox. Nothing in it is asked but what the guard and the rules ask. The model, its prices and where it is are the
 * operator's to say; of a project's own configuration only what restricts counts, unless the operator trusts it.
 */
export async function guardedAgents(options: GuardedAgentsOptions): Promise<Agents> {
  const { directories, env, cwd, provider = null, baseUrl = null } = options;
  const root = transcriptsDirectory(directories);
  const own = await operatorConfiguration(null, env, () => {});
  return {
    prices: own.settings.prices,
    toolNames: offered.map(({ name }) => name),
    models: (model) => openModels({ model, provider, baseUrl }, own.settings, env, cwd),
    open: (request) => openAgent(request, options, own.settings),
    remove: (sessionId) => rmSync(join(root, sessionId), { recursive: true, force: true }),
  };
}

/** Apart from those of `oxide-guard agent`: both would work in one transcript. */
function transcriptsDirectory({ state }: Directories): string {
  return join(state, 'sessions');
}

async function openAgent(
  request: AgentRequest,
  { directories, env: own, requireSandbox = true }: GuardedAgentsOptions,
  operator: AgentSettings,
): Promise<OpenAgent> {
  const { session, workspace, project, models, notify } = request;
  const env = sessionEnvironment(own);
  const repository = await openRepository({ cwd: workspace.directory, env });
  const { settings: found, convention } = await operatorConfiguration(repository, env, notify);
  const { model, provider, baseUrl, aliases, prices } = operator;
  const settings: AgentSettings = {
    ...found,
    ...{ model, provider, baseUrl, aliases, prices },
    allowUnsandboxed: false,
    requireSandbox: requireSandbox || found.requireSandbox,
  };
  const stored = openTranscript(request, transcriptsDirectory(directories));
  const sandbox = createSandbox({
    settings,
    onNotice: notify,
    env: own,
    hidden: () => hiddenFrom(project, directories),
  });
  const mcp = await openMcpTools(settings.mcpServers, workspace.directory, env, notify);
  try {
    const guarded = await openGuardedSession({
      stored,
      repository,
      env,
      models,
      settings,
      mode: 'bypass',
      maxTurns: request.maxTurns,
      tools: [...offered, ...request.tools, ...mcp.tools].filter((tool) => isAllowed(tool, session)),
      lent: request.lent,
      convention,
      person: request.person,
      questions: nobodyToAsk('no person watches this session'),
      sandbox,
      emit: request.emit,
      notify,
    });
    return {
      prompt: (text, signal) => guarded.prompt(text, signal),
      close: async (reason) => {
        await guarded.close(reason);
        mcp.close();
        sandbox.dispose();
      },
    };
  } catch (error) {
    stored.close();
    mcp.close();
    sandbox.dispose();
    throw error;
  }
}

function openTranscript({ session, workspace, models }: AgentRequest, root: string): StoredSession {
  const { sessionId: id, used } = session;
  const isHere = existsSync(join(root, id, 'session.jsonl'));
  if (!isHere && used.turns > 0) {
    // With the store on another machine than the state directory, or that directory gone: it must not go on as if new.
    throw new OxideError('transcript-missing', `The transcript of the session ${id} is not on this machine.`, {
      remedy: 'Send the message to the server that has it, or spawn with new_session.',
    });
  }
  return isHere
    ? resumeSession(root, id)
    : createSession(root, {
        type: 'session',
        version: 1,
        id,
        cwd: workspace.directory,
        created: new Date().toISOString(),
        mode: 'disk',
        model: models.main.name,
      });
}

function isAllowed({ name }: Tool, { toolsAllowed, toolsDisallowed }: AgentRequest['session']): boolean {
  return (toolsAllowed === null || toolsAllowed.includes(name)) && !toolsDisallowed.includes(name);
}
