/**
 * The other process of bench/control-sessions.ts. `run STORE COUNT`: runs so many sessions whose model never answers,
 * prints their project's id once all of them are at work, and waits to be killed. `append STORE COUNT`: stores so many
 * events of one session, each with the time at which it was handed over.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { noUsage } from '../src/agent/model.ts';
import { systemClock } from '../src/control/clock.ts';
import { localAdmin } from '../src/control/principal.ts';
import type { Project, ProjectLookup, Workspace } from '../src/control/services.ts';
import type { Agents } from '../src/control/sessions/agents.ts';
import { EventLog } from '../src/control/sessions/event-log.ts';
import { Sessions } from '../src/control/sessions/sessions.ts';
import type { Database } from '../src/control/store/database.ts';
import { openStore } from '../src/control/store/open.ts';

/** A project without a repository: these agents touch none. */
export function emptyProjects(database: Database) {
  const projectId = randomUUID();
  const project: Project = {
    ...{ projectId, name: projectId, description: '', sourceUrl: null, protectedBranches: [], limits: {} },
    ...{ defaultBranch: 'main', createdAt: 0 },
  };
  const workspace = (workspaceId: string): Workspace => ({
    ...{ workspaceId, projectId, branch: 'main', directory: '/', isDefault: true, createdAt: 0 },
  });
  const lookup: ProjectLookup = {
    project: async () => project,
    workspace: async (_, workspaceId) => workspace(workspaceId ?? 'default'),
    createWorkspace: async () => workspace(randomUUID()),
  };
  const insert = () =>
    database.run(
      `INSERT INTO projects (project_id, name, description, protected_branches, limits, default_branch, created_at)
        VALUES (?, ?, '', '[]', '{}', 'main', 0)`,
      projectId,
      projectId,
    );
  return { projectId, lookup, insert };
}

/** Agents that take a prompt and never answer. */
export const silentAgents: Agents = {
  prices: {},
  toolNames: [],
  models: async () => ({ main: silentModel, open: () => silentModel }),
  open: async ({ emit }) => ({
    prompt: () => {
      emit({ type: 'text', text: 'Working.' });
      return new Promise(() => {});
    },
    close: async () => {},
  }),
  remove: () => {},
};

/** Agents that call a tool and are done. */
export const quickAgents: Agents = {
  ...silentAgents,
  open: async ({ emit }) => ({
    prompt: async () => {
      emit({ type: 'tool_call', id: '1', name: 'Bash', input: { command: 'true' } });
      emit({ type: 'tool_result', id: '1', name: 'Bash', is_error: false, content: '' });
      emit({ type: 'text', text: 'Done.' });
      return { stop: 'end_turn', text: 'Done.', turns: 1, usage: noUsage, messages: [], error: null };
    },
    close: async () => {},
  }),
};

const silentModel = { name: 'silent', turn: () => new Promise<never>(() => {}) };

export function openSessions(database: Database, lookup: ProjectLookup, agents: Agents = silentAgents): Sessions {
  return new Sessions({ database, projects: lookup, agents, env: {}, limits: { max_sessions: null } });
}

/** Milliseconds since the epoch, with fractions: the same in every process. */
export function timeNow(): number {
  return performance.timeOrigin + performance.now();
}

async function run(database: Database, count: number): Promise<void> {
  const { projectId, lookup, insert } = emptyProjects(database);
  await insert();
  const sessions = openSessions(database, lookup);
  await sessions.begin();
  for (let index = 0; index < count; index += 1) {
    await sessions.spawn({
      ...{ projectId, workspaceId: null, createWorkspace: false, newSession: true, principal: localAdmin },
      ...{ text: 'work', callerId: null, callerTools: [], model: null, toolsAllowed: null, toolsDisallowed: [] },
    });
  }
  await pause(500);
  process.stdout.write(`${projectId}\n`);
  await pause(600_000);
}

async function append(database: Database, count: number): Promise<void> {
  const log = new EventLog({ database, clock: systemClock });
  const row = await database.get<{ session_id: string; root_id: string }>('SELECT * FROM sessions LIMIT 1');
  const session = { sessionId: row?.session_id ?? '', rootId: row?.root_id ?? '' };
  for (let index = 0; index < count; index += 1) {
    await pause(5);
    await log.append(session, [{ ts: 0, type: 'text', data: JSON.stringify({ at: timeNow() }) }], null);
  }
}

const [mode, store = '', count = '0'] = process.argv.slice(2);
const directories = { state: '', projects: '', trash: '' };
if (mode === 'run') {
  await run(await openStore(store, directories), Number(count));
} else if (mode === 'append') {
  const database = await openStore(store, directories);
  await append(database, Number(count));
  await database.close();
}
