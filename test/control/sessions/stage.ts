import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Model, type ModelRequest, type ModelTurn, noUsage } from '../../../src/agent/model.ts';
import { type Clock, systemClock } from '../../../src/control/clock.ts';
import { controlDirectories } from '../../../src/control/directories.ts';
import type { SetLimits } from '../../../src/control/limits.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import type { Project, ProjectLookup, Workspace } from '../../../src/control/services.ts';
import type { AgentRequest } from '../../../src/control/sessions/agents.ts';
import type { SessionEvent } from '../../../src/control/sessions/event-page.ts';
import { guardedAgents } from '../../../src/control/sessions/guarded-agents.ts';
import type { SpawnInput } from '../../../src/control/sessions/session-requests.ts';
import { Sessions } from '../../../src/control/sessions/sessions.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { OxideError } from '../../../src/errors.ts';
import { bareRepository, git, repositoryWithCommit, temporaryDirectory } from '../../git/fixture.ts';

/** What a model says in one turn: a text to finish with, calls of tools, or a turn that takes its time. */
export type Said =
  | string
  | readonly (readonly [tool: string, input: unknown])[]
  | { readonly text?: string; readonly calls?: readonly (readonly [string, unknown])[]; readonly tokens?: number };

/** Says what comes next, by what it is asked. */
export type Speaker = (request: ModelRequest, turn: number) => Said | Promise<Said>;

export interface StageOptions {
  /** Shared by stages that are processes of one machine. */
  readonly root?: string;
  readonly clock?: Clock;
  readonly limits?: SetLimits;
  readonly projectLimits?: SetLimits;
  readonly speaker?: Speaker;
  readonly prices?: Readonly<Record<string, { input: number; output: number }>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly keptEvents?: number;
  /** A store in a file, for more than one process; default: one in memory. */
  readonly file?: boolean;
  readonly database?: Database;
  readonly requireSandbox?: boolean;
  /** Milliseconds that an agent of this depth takes to close, besides. */
  readonly closing?: (depth: number) => number;
}

/** A control plane's sessions with real workspaces and a store; the model says what the test wants. */
export async function stage(options: StageOptions = {}) {
  const root = options.root ?? temporaryDirectory('oxide-guard-sessions-');
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(root, 'state'),
    XDG_DATA_HOME: join(root, 'data'),
    ...options.env,
  };
  const directories = controlDirectories(env);
  mkdirSync(directories.state, { recursive: true });
  const database =
    options.database ??
    (await openSqlite(options.file === true ? join(directories.state, 'store.sqlite') : ':memory:'));
  const clock = options.clock ?? systemClock;
  const lookup = new Places(database, directories.projects, options.projectLimits ?? {});
  const guarded = await guardedAgents({
    directories,
    env,
    cwd: root,
    requireSandbox: options.requireSandbox ?? true,
  });
  const speaker = options.speaker ?? (() => 'Done.');
  const agents = {
    ...guarded,
    prices: options.prices ?? guarded.prices,
    open: async (request: AgentRequest) => {
      const agent = await guarded.open(request);
      const close = async (reason: string) => {
        await new Promise((resolve) => setTimeout(resolve, options.closing?.(request.session.depth) ?? 0));
        await agent.close(reason);
      };
      return options.closing === undefined ? agent : { ...agent, close };
    },
    models: async (name: string | null) => {
      if (name === 'missing') {
        throw new OxideError('no-model', 'No such model.');
      }
      return { main: speaking(name ?? 'scripted', speaker), open: (other: string) => speaking(other, speaker) };
    },
  };
  const problems: string[] = [];
  const sessions = new Sessions({
    database,
    projects: lookup,
    agents,
    env,
    clock,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.keptEvents === undefined ? {} : { keptEvents: options.keptEvents }),
    onProblem: (text) => problems.push(text),
  });
  const signal = new AbortController().signal;
  return {
    root,
    database,
    directories,
    sessions,
    lookup,
    problems,
    clock,
    /** A project with a default workspace on main. */
    project: (limits?: SetLimits) => lookup.make(limits),
    spawn: (projectId: string, text: string, more: Partial<SpawnInput> = {}) =>
      sessions.spawn({ ...plainSpawn, projectId, text, ...more }),
    message: (projectId: string, text: string, more: object = {}) =>
      sessions.message({
        projectId,
        workspaceId: null,
        sessionId: null,
        text,
        callerId: null,
        callerTools: [],
        principal: localAdmin,
        ...more,
      }),
    /** All events of a session, from the first. */
    events: async (projectId: string, sessionId: string, includeChildren = false): Promise<readonly SessionEvent[]> => {
      const found: SessionEvent[] = [];
      for (let since = 0; ; ) {
        const query = { sessionId, since, max: 1_000, includeChildren };
        const page = await sessions.events(projectId, query, 0, signal);
        found.push(...page.events);
        since = page.nextIndex;
        if (!page.hasMore) {
          return found;
        }
      }
    },
    /** Waits until a session stands so. */
    until: async (projectId: string, sessionId: string, ...statuses: readonly string[]) => {
      for (;;) {
        const { session } = await sessions.get(projectId, sessionId);
        if (statuses.includes(session.status)) {
          return session;
        }
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    },
  };
}

export type Stage = Awaited<ReturnType<typeof stage>>;

const plainSpawn: Omit<SpawnInput, 'projectId' | 'text'> = {
  workspaceId: null,
  createWorkspace: false,
  newSession: false,
  callerId: null,
  callerTools: [],
  model: null,
  toolsAllowed: null,
  toolsDisallowed: [],
  principal: localAdmin,
};

export function speaking(name: string, speaker: Speaker): Model {
  let turns = 0;
  return {
    name,
    turn: async (request): Promise<ModelTurn> => {
      request.signal.throwIfAborted();
      turns += 1;
      const turn = turns;
      const said = await speaker(request, turn);
      const { text = '', calls = [], tokens = 0 } = saidOf(said);
      if (text !== '') {
        request.onText(text);
      }
      return {
        text,
        calls: calls.map(([tool, input], index) => ({ id: `${turn}-${index}-${randomUUID()}`, name: tool, input })),
        usage: { ...noUsage, inputTokens: tokens },
        stop: calls.length > 0 ? 'calls' : 'end',
      };
    },
  };
}

function saidOf(said: Said): Exclude<Said, string | readonly unknown[]> {
  if (typeof said === 'string') {
    return { text: said };
  }
  return Array.isArray(said) ? { calls: said } : (said as Exclude<Said, string | readonly unknown[]>);
}

/** The text that the person said last. */
export function lastPrompt({ messages }: ModelRequest): string {
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])).at(-1) ?? '';
}

/** Has the model seen results of the prompt that it works on? */
export function isAnswered({ messages }: ModelRequest): boolean {
  return messages.at(-1)?.role === 'tool';
}

/** Projects as bare clones, with workspaces as linked work trees. */
class Places implements ProjectLookup {
  readonly #database: Database;
  readonly #directory: string;
  readonly #limits: SetLimits;

  constructor(database: Database, directory: string, limits: SetLimits) {
    this.#database = database;
    this.#directory = directory;
    this.#limits = limits;
  }

  async make(limits = this.#limits): Promise<{ readonly projectId: string; readonly workspace: Workspace }> {
    const projectId = randomUUID();
    const bare = bareRepository(join(this.#directory, projectId, 'repository.git'));
    git(repositoryWithCommit(), 'push', '-q', bare, 'main');
    await this.#database.run(
      `INSERT INTO projects (project_id, name, description, protected_branches, limits, default_branch, created_at)
        VALUES (?, ?, '', '[]', ?, 'main', 0)`,
      projectId,
      projectId,
      JSON.stringify(limits),
    );
    return { projectId, workspace: await this.#link(projectId, 'main', true) };
  }

  async project(projectId: string): Promise<Project> {
    const row = await this.#database.get<{ limits: string }>('SELECT * FROM projects WHERE project_id = ?', projectId);
    if (row === null) {
      throw new OxideError('unknown-project', `There is no project '${projectId}'.`);
    }
    const limits = JSON.parse(row.limits) as SetLimits;
    const plain = { name: projectId, description: '', sourceUrl: null, protectedBranches: [], createdAt: 0 };
    return { ...plain, projectId, limits, defaultBranch: 'main' };
  }

  async workspace(projectId: string, workspaceId: string | null): Promise<Workspace> {
    const row = await this.#database.get<Record<string, string>>(
      `SELECT * FROM workspaces WHERE project_id = ? AND ${workspaceId === null ? 'is_default = 1' : 'workspace_id = ?'}`,
      projectId,
      ...(workspaceId === null ? [] : [workspaceId]),
    );
    if (row === null) {
      throw new OxideError('unknown-workspace', `There is no workspace '${workspaceId}'.`);
    }
    const { workspace_id = '', branch = '', directory = '', is_default } = row;
    return {
      workspaceId: workspace_id,
      projectId,
      branch,
      directory,
      isDefault: Number(is_default) === 1,
      createdAt: 0,
    };
  }

  createWorkspace(projectId: string): Promise<Workspace> {
    return this.#link(projectId, `agent/${randomUUID().slice(0, 8)}`, false);
  }

  async #link(projectId: string, branch: string, isDefault: boolean): Promise<Workspace> {
    const workspaceId = randomUUID();
    const bare = join(this.#directory, projectId, 'repository.git');
    const directory = join(this.#directory, projectId, 'workspaces', workspaceId);
    git(bare, 'worktree', 'add', '-q', ...(isDefault ? [directory, branch] : ['-b', branch, directory, 'main']));
    await this.#database.run(
      `INSERT INTO workspaces (workspace_id, project_id, branch, directory, is_default, created_at)
        VALUES (?, ?, ?, ?, ?, 0)`,
      workspaceId,
      projectId,
      branch,
      directory,
      isDefault ? 1 : 0,
    );
    return { workspaceId, projectId, branch, directory, isDefault, createdAt: 0 };
  }
}

export function write(directory: string, name: string, content: string): void {
  writeFileSync(join(directory, name), content);
}
