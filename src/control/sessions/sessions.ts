import { OxideError } from '../../errors.ts';
import type { Environment } from '../../git/runner.ts';
import { runnerName } from '../../tools/process-mark.ts';
import type { Tool } from '../../tools/tool.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { SetLimits } from '../limits.ts';
import type { ProjectLookup, SessionRequest, SessionStarter, StartedSession } from '../services.ts';
import type { Database } from '../store/database.ts';
import type { Agents } from './agents.ts';
import { type CallerAnswer, type CallerRequest, CallerRequests } from './caller-requests.ts';
import { assertLendable } from './caller-tools.ts';
import { childToolNames, childTools } from './children.ts';
import { cleanSessions } from './cleaning.ts';
import { packing, redaction } from './event-data.ts';
import { EventLog } from './event-log.ts';
import type { EventPage, EventQuery } from './event-page.ts';
import { type LimitReport, limitReports } from './limit-report.ts';
import { ownSessions } from './own-sessions.ts';
import type { SessionParts } from './parts.ts';
import { promptOutcome } from './prompt-outcome.ts';
import { isHeld, recoverSessions } from './recovery.ts';
import { Runner } from './runner.ts';
import type { Session } from './session.ts';
import { type SessionReport, sessionReport } from './session-report.ts';
import { type MessageInput, promptOf, type SessionListQuery, type SpawnInput, settingsOf } from './session-requests.ts';
import { usedByTree } from './session-tree.ts';
import { type Accepted, assertBudgetable, enqueueIn, spawnIn } from './spawning.ts';
import {
  getSession,
  getTree,
  latestSession,
  listSessions,
  pageOfSessions,
  type SessionPage,
  unknownSession,
} from './store.ts';

/** The control plane's own tools, for sessions whose `tools_allowed` name them. */
export interface OfferedTools {
  readonly names: () => readonly string[];
  /** With the rights that the session has. */
  readonly of: (session: Session) => readonly Tool[];
}

export interface SessionsOptions {
  readonly database: Database;
  readonly projects: ProjectLookup;
  readonly agents: Agents;
  /** This process's: the values of its secrets appear in no event. */
  readonly env: Environment;
  /** What the configuration says. */
  readonly limits?: SetLimits;
  readonly clock?: Clock;
  readonly controlTools?: OfferedTools;
  /** Events of a session that are kept. */
  readonly keptEvents?: number;
  /** Takes what goes wrong and concerns no caller. */
  readonly onProblem?: (text: string) => void;
}

/** Guarded agent sessions: started, told, watched and ended. */
export class Sessions implements SessionStarter {
  readonly #parts: SessionParts;
  readonly #runner: Runner;
  readonly #controlTools: OfferedTools;

  constructor(options: SessionsOptions) {
    const { database, projects, agents, env, limits = {}, clock = systemClock, onProblem = () => {} } = options;
    const { keptEvents: kept, controlTools = { names: () => [], of: () => [] } } = options;
    this.#controlTools = controlTools;
    this.#parts = {
      database,
      projects,
      agents,
      limits,
      clock,
      onProblem,
      log: new EventLog({ database, clock, ...(kept === undefined ? {} : { kept }) }),
      requests: new CallerRequests(database, clock),
      packing: packing(env),
      redact: redaction(env),
      runner: runnerName(),
    };
    this.#runner = new Runner({
      parts: this.#parts,
      toolsFor: (session) => [
        ...childTools(session, ownSessions(this.#parts, this.#runner, session.sessionId)),
        ...controlTools.of(session).filter(({ name }) => session.toolsAllowed?.includes(name)),
      ],
    });
  }

  /** Takes over what a process that is gone has left. Gives the number of sessions. */
  begin(): Promise<number> {
    return this.#runner.start();
  }

  /** Interrupts what runs here; the next message goes on with it, here or in another process. */
  async close(reason = 'The server was shut down.'): Promise<void> {
    await this.#runner.close(reason);
    this.#parts.log.close();
  }

  /** @throws OxideError `session-differs`, `too-many-sessions`, `unknown-tool`, `price-unknown`, `no-model` */
  async spawn(input: SpawnInput): Promise<Accepted> {
    const { projects, agents } = this.#parts;
    const { projectId, prompt, settings } = { ...input, prompt: promptOf(input), settings: settingsOf(input) };
    const project = await projects.project(projectId);
    this.#assertTools([...(settings.toolsAllowed ?? []), ...settings.toolsDisallowed]);
    assertLendable(prompt.callerTools, this.#toolNames);
    const models = await agents.models(settings.model);
    assertBudgetable(models.main.name, project, this.#parts);
    const workspace = input.createWorkspace
      ? await projects.createWorkspace(projectId)
      : await projects.workspace(projectId, input.workspaceId);
    await this.#recoverLatest(workspace.workspaceId);
    const { newSession, principal } = input;
    const request = { project, workspace, prompt, settings, newSession, principal };
    return this.#accept((transaction) => spawnIn(transaction, request, this.#parts));
  }

  /** @throws OxideError `no-session`, `session-ended`, `unknown-session`, `queue-full`, `too-many-sessions` */
  async message(input: MessageInput): Promise<Accepted> {
    const { database, projects } = this.#parts;
    assertLendable(input.callerTools, this.#toolNames);
    const workspace = await projects.workspace(input.projectId, input.workspaceId);
    await this.#recoverLatest(workspace.workspaceId);
    const session =
      input.sessionId === null
        ? await latestSession(database, workspace.workspaceId)
        : await this.#ofProject(input.sessionId, input.projectId);
    if (session === null) {
      throw new OxideError('no-session', `No session takes messages in the workspace ${workspace.workspaceId}.`, {
        remedy: 'Spawn one.',
      });
    }
    const prompt = promptOf(input);
    return this.#accept((transaction) => enqueueIn(transaction, session.sessionId, prompt, this.#parts));
  }

  /** What a client was told to be accepted outlives a power cut. */
  async #accept(work: (transaction: Database) => Promise<Accepted>): Promise<Accepted> {
    return this.#runner.accept(await this.#parts.database.transaction(work, { durable: true }));
  }

  /** @throws OxideError `unknown-session`, also for one of another project */
  async get(projectId: string, sessionId: string): Promise<SessionReport> {
    return sessionReport(await this.#ofProject(sessionId, projectId), this.#parts);
  }

  /** The newest first; `after` is the last session of the page before. */
  async list({ projectId, status, limit = 100, after = null }: SessionListQuery): Promise<SessionPage> {
    await this.#parts.projects.project(projectId);
    if (after !== null) {
      await this.#ofProject(after, projectId);
    }
    const filter = { projectId, ...(status === undefined ? {} : { status }) };
    return pageOfSessions(this.#parts.database, filter, limit, after);
  }

  /** Ends a session and all below it; resolves when nothing of them runs any more. */
  async stop(projectId: string, sessionId: string, reason: string): Promise<Session> {
    await this.#ofProject(sessionId, projectId);
    return this.#runner.end(sessionId, reason);
  }

  /**
   * @param wait milliseconds to wait for an event where there is none yet
   * @throws OxideError `unknown-session`, `cursor-expired`, `cursor-ahead`
   */
  async events(projectId: string, query: EventQuery, wait: number, signal: AbortSignal): Promise<EventPage> {
    await this.#ofProject(query.sessionId, projectId);
    return this.#parts.log.poll(query, wait, signal);
  }

  /**
   * Removes trees of sessions in which nothing has happened for so long, with their events and transcripts.
   *
   * @param age milliseconds
   * @returns the ids of the sessions that were removed
   */
  async clean(projectId: string, age: number): Promise<readonly string[]> {
    await this.#parts.projects.project(projectId);
    return cleanSessions(this.#parts, projectId, age);
  }

  /** @throws OxideError `unknown-session`, `unknown-request`, `request-answered`, `request-expired` */
  async respond(
    sessionId: string,
    requestId: string,
    answer: Extract<CallerAnswer, { kind: 'result' | 'error' }>,
  ): Promise<CallerRequest> {
    await getSession(this.#parts.database, sessionId);
    return this.#parts.requests.answer(sessionId, requestId, answer);
  }

  /** The limits of a project, or of one of its sessions, with where each comes from and what is left. */
  async limits(projectId: string, sessionId: string | null): Promise<readonly LimitReport[]> {
    const project = await this.#parts.projects.project(projectId);
    const session = sessionId === null ? null : await this.#ofProject(sessionId, projectId);
    return limitReports(this.#parts, project, session);
  }

  /** What a session and all below it have used. */
  async used(sessionId: string): Promise<{ readonly tokens: number; readonly cost: number }> {
    const session = await getSession(this.#parts.database, sessionId);
    return usedByTree(session, await getTree(this.#parts.database, session.rootId));
  }

  /** Null: there is no such session. */
  async projectOfSession(sessionId: string): Promise<string | null> {
    const row = await this.#parts.database.get<{ project_id: string }>(
      'SELECT project_id FROM sessions WHERE session_id = ?',
      sessionId,
    );
    return row?.project_id ?? null;
  }

  async start({ projectId, workspaceId, prompt, newSession, principal }: SessionRequest): Promise<StartedSession> {
    const accepted = await this.spawn({
      projectId,
      workspaceId,
      newSession,
      principal,
      text: prompt,
      createWorkspace: false,
      model: null,
      toolsAllowed: null,
      toolsDisallowed: [],
      callerId: null,
      callerTools: [],
    });
    const { sessionId, workspaceId: where } = accepted.session;
    const { promptEnds } = this.#runner;
    return { sessionId, workspaceId: where, done: promptOutcome(accepted.promptId, { ...this.#parts, promptEnds }) };
  }

  async active(projectId: string, workspaceId: string | null): Promise<readonly string[]> {
    return (await this.#open(projectId, workspaceId)).filter(({ status }) => status === 'running').map(idOf);
  }

  async endAll(projectId: string, workspaceId: string, reason: string): Promise<void> {
    for (const { sessionId } of await this.#open(projectId, workspaceId)) {
      await this.end(sessionId, reason);
    }
  }

  async forgetProject(projectId: string): Promise<void> {
    for (const { sessionId } of await listSessions(this.#parts.database, { projectId })) {
      this.#parts.agents.remove(sessionId);
    }
  }

  async #open(projectId: string, workspaceId: string | null): Promise<readonly Session[]> {
    const filter = { projectId, ...(workspaceId === null ? {} : { workspaceId }) };
    return (await listSessions(this.#parts.database, filter)).filter(({ status }) => status !== 'ended');
  }

  async end(sessionId: string, reason: string): Promise<void> {
    await this.#runner.end(sessionId, reason);
  }

  get #toolNames(): readonly string[] {
    return [...this.#parts.agents.toolNames, ...childToolNames, ...this.#controlTools.names()];
  }

  /** A misspelt name would forbid nothing. */
  #assertTools(names: readonly string[]): void {
    const unknown = names.find((name) => !this.#toolNames.includes(name) && !name.startsWith('mcp__'));
    if (unknown !== undefined) {
      throw new OxideError('unknown-tool', `There is no tool '${unknown}'.`, {
        remedy: `The tools are: ${this.#toolNames.join(', ')}.`,
      });
    }
  }

  async #ofProject(sessionId: string, projectId: string): Promise<Session> {
    const session = await getSession(this.#parts.database, sessionId);
    if (session.projectId !== projectId) {
      throw unknownSession(sessionId);
    }
    return session;
  }

  /** What its process left when it died comes before what is said to it now. */
  async #recoverLatest(workspaceId: string): Promise<void> {
    const { database, clock, runner } = this.#parts;
    const latest = await latestSession(database, workspaceId);
    if (latest !== null && latest.runnerId !== null && !isHeld(latest, clock.now(), runner)) {
      await recoverSessions(this.#parts);
    }
  }
}

function idOf({ sessionId }: Session): string {
  return sessionId;
}
