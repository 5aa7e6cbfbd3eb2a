import { resolveAgentSettings } from '../config/agent-settings.ts';
import { OxideError } from '../errors.ts';
import type { Environment } from '../git/runner.ts';
import { packageRoot } from '../githooks/package-place.ts';
import type { Tool } from '../tools/tool.ts';
import type { ControlTool } from './action.ts';
import { createAudit } from './audit/audit.ts';
import type { Clock } from './clock.ts';
import { Containers } from './containers/containers.ts';
import { readContainerSettings } from './containers/settings-file.ts';
import { controlDirectories, type Directories } from './directories.ts';
import { containerTypes } from './images/container-types.ts';
import { createImages } from './images/images.ts';
import { operatorConfiguration } from './operator-configuration.ts';
import { Projects } from './projects/projects.ts';
import { ProjectStore } from './projects/store.ts';
import { registryTools, usableTools } from './registry-tools.ts';
import { createScheduler } from './schedules/scheduler.ts';
import { createSchedules } from './schedules/schedules.ts';
import { createDispatcher, type Dispatcher } from './server/dispatcher.ts';
import { workspaceTools } from './server/workspace-tools.ts';
import type { ProjectLookup } from './services.ts';
import { guardedAgents } from './sessions/guarded-agents.ts';
import { readLimits } from './sessions/limits-file.ts';
import type { Session } from './sessions/session.ts';
import { Sessions } from './sessions/sessions.ts';
import type { Database } from './store/database.ts';
import { storeId } from './store/identity.ts';
import { openStore } from './store/open.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';
import { controlTools, type ToolParts } from './tools.ts';
import { WorkspaceStore } from './workspaces/store.ts';
import { Workspaces } from './workspaces/workspaces.ts';

export interface ControlOptions {
  /** Where the state is kept, and what git and the agents' commands see. */
  readonly env: Environment;
  /** What `--store` says; null: SQLite in the state directory. */
  readonly store: string | null;
  readonly clock: Clock;
  /** Takes what whoever runs the server should know. */
  readonly notify: (text: string) => void;
  /** Those that the dispatcher has, made before there was anything to work with; absent: all. */
  readonly tools?: readonly ControlTool[];
}

/** The control plane: its parts, and the one way in. */
export interface Control {
  readonly dispatcher: Dispatcher;
  readonly parts: ToolParts;
  readonly tokens: Tokens;
  readonly projects: Projects;
  readonly database: Database;
  /** Null: there is no such session. */
  projectOfSession(sessionId: string): Promise<string | null>;
  /** Takes up the sessions that a process left which is gone: before a call is answered. Gives their number. */
  recover(): Promise<number>;
  /** Removes what else was left, and begins to run schedules. */
  begin(): Promise<void>;
  /** Interrupts what runs, and closes the store. */
  close(): Promise<void>;
}

/**
 * Opens the store and puts the parts together. Nothing runs until it is begun.
 *
 * @throws OxideError what opening the store throws
 */
export async function openControl(options: ControlOptions): Promise<Control> {
  const directories = controlDirectories(options.env);
  const database = await openStore(options.store, directories);
  try {
    return await assemble(database, directories, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(database: Database, directories: Directories, options: ControlOptions): Promise<Control> {
  const { env, clock, notify } = options;
  const working = await openParts(database, directories, options, { tools: () => tools, dispatcher: () => dispatcher });
  const { projects, containers, sessions, tokens, schedules, scheduler, lookup } = working;
  const guarded = workspaceTools(lookup, { directories, env, notify });
  const parts = toolPartsOf(working, env);
  const tools = options.tools ?? controlTools(parts, { env, clock });
  const dispatcher = createDispatcher({
    tools: options.tools === undefined ? [...tools, ...guarded.tools] : tools,
    owners: {
      projectOfSession: (sessionId) => sessions.projectOfSession(sessionId),
      projectsOfSchedule: (scheduleId) => schedules.projects(scheduleId),
    },
    watchToken: (tokenId, onInvalid) => tokens.watch(tokenId, onInvalid),
    audit: createAudit(database, clock),
    onError: (error, tool) => notify(`The tool ${tool} failed: ${textOf(error)}`),
  });
  return {
    dispatcher,
    parts,
    tokens,
    projects,
    database,
    projectOfSession: (sessionId) => sessions.projectOfSession(sessionId),
    recover: () => sessions.begin(),
    begin: () => begin(working),
    close: async () => {
      await scheduler.stop();
      await sessions.close();
      await scheduler.settled();
      await containers.close();
      guarded.close();
      await database.close();
    },
  };
}

/** The way of sessions to the control plane's own tools, which are made of the parts. */
interface ToolLine {
  readonly tools: () => readonly ControlTool[];
  readonly dispatcher: () => Dispatcher;
}

/** What works together; a part that needs a later one asks for it when it is used. */
async function openParts(database: Database, directories: Directories, options: ControlOptions, line: ToolLine) {
  const { env, clock, notify } = options;
  const agents = await guardedAgents({ directories, env, cwd: process.cwd() });
  const later = { sessions: () => sessions, containers: () => containers };
  const shared = { directories, env, clock, ...later };
  const workspaces = new Workspaces({ ...shared, store: new WorkspaceStore(database) });
  const store = new ProjectStore(database);
  const projects = new Projects({ ...shared, store, workspaces, packageRoot: packageRoot() });
  const lookup = projectLookup(projects, workspaces);
  const containers = new Containers({
    database,
    store: await storeId(database),
    projects: lookup,
    directories,
    clock,
    env,
    settings: readContainerSettings(env),
    convention: async (repository) => (await operatorConfiguration(repository, env, notify)).convention(repository),
  });
  const tokens = createTokens({ database, clock, assertProject: (projectId) => projects.get(projectId) });
  const sessions = new Sessions({
    database,
    projects: lookup,
    agents,
    env,
    limits: readLimits(env),
    clock,
    onProblem: notify,
    controlTools: {
      names: () => line.tools().map(({ name }) => name),
      of: (session) => sessionTools(session, { line, tokens, notify }),
    },
  });
  const scheduler = createScheduler({
    database,
    clock,
    sessions,
    principal: (tokenId) => tokens.principal(tokenId),
    onError: (error) => notify(`A schedule could not be run: ${textOf(error)}`),
  });
  const schedules = createSchedules({ database, clock, projects: lookup, scheduler });
  return { projects, workspaces, lookup, containers, tokens, sessions, scheduler, schedules };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

function toolPartsOf({ scheduler: _, ...parts }: Parts, env: Environment): ToolParts {
  const { containers, lookup } = parts;
  const { model, aliases } = resolveAgentSettings();
  return {
    ...parts,
    images: createImages({ containers, projects: lookup, env }),
    options: {
      read: async () => ({
        models: { default: env.OXIDE_GUARD_MODEL ?? model, aliases },
        containerTypes: [...containerTypes(containers.settings.types).keys()],
      }),
    },
  };
}

interface SessionToolParts {
  readonly line: ToolLine;
  readonly tokens: Tokens;
  readonly notify: (text: string) => void;
}

/**
 * What a session may do by the control plane's tools: look at its own project, as long as the token holds that it was
 * spawned with. What it does, it does by its own tools, which are judged, and count against its budget.
 */
function sessionTools({ tokenId, projectId }: Session, { line, tokens, notify }: SessionToolParts): readonly Tool[] {
  const scope = { kind: 'project', projectId, readOnly: true } as const;
  return registryTools(usableTools(line.tools(), scope), {
    dispatcher: async () => line.dispatcher(),
    principal: async () => {
      if (tokenId !== null && (await tokens.principal(tokenId)) === null) {
        throw new OxideError('token-revoked', 'The token that the session was spawned with no longer holds.');
      }
      return { tokenId, scope };
    },
    notify,
  });
}

async function begin({ projects, containers, scheduler }: Parts): Promise<void> {
  await projects.tidy();
  await containers.recover();
  await scheduler.start();
}

function projectLookup(projects: Projects, workspaces: Workspaces): ProjectLookup {
  return {
    project: (projectId) => projects.get(projectId),
    workspace: async (projectId, workspaceId) => {
      await projects.get(projectId);
      return workspaces.get(projectId, workspaceId);
    },
    createWorkspace: async (projectId) => workspaces.create(await projects.get(projectId)),
  };
}

function textOf(error: unknown): string {
  if (error instanceof OxideError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
