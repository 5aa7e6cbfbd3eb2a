import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import type { Tool } from '../../tools/tool.ts';
import type { OpenAgent } from './agents.ts';
import { Budget, metered } from './budget.ts';
import { type CallerLine, lentTool, permissionsBy, permissionTool } from './caller-tools.ts';
import { EventWriter } from './event-writer.ts';
import type { SessionParts } from './parts.ts';
import { type EndedPrompt, type PromptEnd, promptEnd } from './prompt-end.ts';
import type { Prompt, Session } from './session.ts';
import { becomeIdle, endPrompt, getSession, releaseIdle, takePrompt } from './store.ts';
import { callerLine, type Loan, tellEvent, tellFailure } from './told-events.ts';

/** Milliseconds after which a session with nothing to do is closed; the next message opens it again. */
const idleTime = 15 * 60_000;
/** Milliseconds that what is told to stop has for it. */
const stopTime = 10_000;
/** Milliseconds until the store is asked again after it failed. */
const failurePause = 1_000;

export interface LiveSessionOptions {
  readonly parts: SessionParts;
  readonly session: Session;
  /** Tools by which it works with sessions of its own. */
  readonly tools: readonly Tool[];
  /** A prompt has come to its end, whichever. */
  readonly onPromptEnd: (promptId: string) => void;
  /** Nothing is left to do for now. */
  readonly onIdle: () => void;
  /** It is closed, by itself or because another process has it. */
  readonly onClosed: () => void;
  /** It is closed, because the store does not take what it tells. */
  readonly onAbandoned: () => void;
}

const noLoan: Loan = { callerId: null, tools: [], made: [] };

/** A session that this process runs: takes its prompts in their order, one at a time. */
export class LiveSession {
  readonly #options: LiveSessionOptions;
  readonly #writer: EventWriter;
  readonly #line: CallerLine;
  #agent: OpenAgent | null = null;
  #loan = noLoan;
  #interruption = new AbortController();
  #working: Promise<void> | null = null;
  #hasMore = false;
  #closing: Promise<void> | null = null;
  #cancelRelease: (() => void) | null = null;
  #isStopped = false;
  #stopping: Promise<void> | null = null;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    const { parts, session } = options;
    this.#writer = new EventWriter({ ...parts, session, onLost: (error) => this.#lose(error) });
    this.#line = callerLine(options, this.#writer, () => this.#loan);
  }

  /** There may be a prompt to work on. */
  wake(): void {
    if (this.#isStopped) {
      return;
    }
    this.#hasMore = true;
    this.#working ??= this.#work();
  }

  /** Interrupts what is under way, ends all that runs for the session, and resolves when nothing is told any more. */
  stop(reason: string): Promise<void> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  async #stop(reason: string): Promise<void> {
    this.#isStopped = true;
    this.#cancelRelease?.();
    this.#interruption.abort(new OxideError('session-stopped', reason));
    await atMost(this.#working ?? Promise.resolve(), stopTime);
    await atMost(this.#closeAgent(reason), stopTime);
    await atMost(this.#writer.flush(), stopTime);
  }

  async #work(): Promise<void> {
    while (this.#hasMore && !this.#isStopped) {
      this.#hasMore = false;
      try {
        await this.#workOff();
      } catch (error) {
        this.#report(messageOf(error));
        await pause(failurePause);
        this.#hasMore = true;
      }
    }
    this.#working = null;
  }

  async #workOff(): Promise<void> {
    const { parts, session, onClosed } = this.#options;
    const { database, runner, clock } = parts;
    this.#cancelRelease?.();
    const { sessionId } = session;
    const first = this.#isStopped ? null : await takePrompt(database, sessionId, runner, clock.now());
    let next = first === null ? await this.#goOn(null) : ({ prompt: first, isIdle: false } as const);
    while (next.prompt !== null) {
      next = await this.#run(next.prompt);
    }
    if (this.#isStopped) {
      return;
    }
    if (next.isIdle) {
      this.#wait();
    } else if (!(await this.#isOwn())) {
      this.#isStopped = true;
      await this.#closeAgent('It is not run here any more.');
      onClosed();
    }
  }

  #wait(): void {
    const { parts, onIdle } = this.#options;
    this.#cancelRelease = parts.clock.after(idleTime, () => void this.#release());
    onIdle();
  }

  /** In one transaction: a prompt's end, and the beginning of the next one, or of the waiting for one. */
  async #goOn(ended: EndedPrompt | null): Promise<Next> {
    const { parts, session } = this.#options;
    const { database, runner, clock } = parts;
    const { sessionId } = session;
    await this.#writer.flush();
    const next = await database.transaction(async (transaction) => {
      const now = clock.now();
      if (ended !== null) {
        await endPrompt(transaction, ended.promptId, ended, now);
      }
      const prompt = this.#isStopped ? null : await takePrompt(transaction, sessionId, runner, now);
      const isIdle = prompt === null && !this.#isStopped && (await becomeIdle(transaction, sessionId, runner, now));
      return { prompt, isIdle };
    });
    parts.log.notify(session);
    return next;
  }

  /** The same, as often as it takes: a prompt that was worked on is not worked on again because the store was away. */
  async #goOnAfter(ended: EndedPrompt): Promise<Next> {
    for (;;) {
      try {
        return await this.#goOn(ended);
      } catch (error) {
        if (this.#isStopped) {
          throw error;
        }
        this.#report(messageOf(error));
        await pause(failurePause);
      }
    }
  }

  async #isOwn(): Promise<boolean> {
    const { parts, session } = this.#options;
    const { status, runnerId } = await getSession(parts.database, session.sessionId);
    return status !== 'ended' && runnerId === parts.runner;
  }

  async #run(prompt: Prompt): Promise<Next> {
    const { parts, onPromptEnd } = this.#options;
    const { promptId, text, callerId, callerTools } = prompt;
    this.#loan = {
      callerId,
      tools: callerTools,
      made: callerTools.filter(({ name }) => name !== permissionTool).map((tool) => lentTool(tool, this.#line)),
    };
    this.#writer.emit('prompt', { prompt_id: promptId, text, ...(callerId === null ? {} : { caller_id: callerId }) });
    const end = await this.#answer(text).catch((error: unknown) => tellFailure(error, this.#writer));
    this.#loan = noLoan;
    const problem = end.problem === null ? null : parts.redact(end.problem);
    const next = await this.#goOnAfter({ promptId, ...end, problem });
    onPromptEnd(promptId);
    return next;
  }

  async #answer(text: string): Promise<PromptEnd> {
    const { parts, session } = this.#options;
    const seconds = session.limits.max_seconds.value;
    const agent = await this.#open();
    const interruption = this.#isStopped ? this.#interruption : new AbortController();
    this.#interruption = interruption;
    let isOverTime = false;
    const overTime = () => {
      isOverTime = true;
      this.#writer.emit('limit', { limit: 'max_seconds', value: seconds });
      interruption.abort(new OxideError('time-over', `The prompt took longer than ${seconds} s.`));
    };
    const cancelTime = seconds === null ? () => {} : parts.clock.after(seconds * 1_000, overTime);
    try {
      const end = await agent.prompt(text, interruption.signal);
      return isOverTime
        ? { outcome: 'failed', problem: `It took longer than ${seconds} s (max_seconds).` }
        : promptEnd(end);
    } finally {
      cancelTime();
    }
  }

  async #open(): Promise<OpenAgent> {
    await this.#closing;
    if (this.#agent !== null) {
      return this.#agent;
    }
    const { parts, session, tools } = this.#options;
    const { database, agents, projects } = parts;
    const [project, workspace, models, current] = await Promise.all([
      projects.project(session.projectId),
      projects.workspace(session.projectId, session.workspaceId),
      agents.models(session.model),
      getSession(database, session.sessionId),
    ]);
    const budget = new Budget({ database, session: current, prices: agents.prices });
    this.#agent = await agents.open({
      session,
      project,
      workspace,
      models: metered(models, budget),
      tools,
      lent: () => this.#loan.made,
      maxTurns: session.limits.max_turns.value ?? Number.MAX_SAFE_INTEGER,
      person: permissionsBy(this.#line, (request, isAsked) => {
        const { id, tool, reason, findings } = request;
        this.#writer.emit('permission_request', { id, tool, reason, findings, answerable: isAsked });
      }),
      emit: (event) => tellEvent(event, this.#writer),
      notify: (text) => this.#writer.emit('notice', { text }),
    });
    return this.#agent;
  }

  async #release(): Promise<void> {
    const { parts, session, onClosed } = this.#options;
    if (this.#working !== null || this.#isStopped) {
      return;
    }
    await this.#closeAgent('idle');
    const isReleased = await parts.database.transaction(async (transaction) => {
      return releaseIdle(transaction, session.sessionId, parts.runner);
    });
    if (isReleased) {
      this.#isStopped = true;
      onClosed();
    }
  }

  #lose(error: unknown): void {
    const { onClosed, onAbandoned } = this.#options;
    const isAnothers = (error as { code?: unknown }).code === 'session-lost';
    if (!isAnothers) {
      this.#report(`its events can't be stored: ${messageOf(error)}`);
    }
    if (!this.#isStopped) {
      void this.stop('It can’t be run here any more.').finally(isAnothers ? onClosed : onAbandoned);
    }
  }

  #report(problem: string): void {
    const { parts, session } = this.#options;
    parts.onProblem(`Session ${session.sessionId}: ${problem}`);
  }

  #closeAgent(reason: string): Promise<void> {
    const agent = this.#agent;
    this.#agent = null;
    if (agent !== null) {
      this.#closing = agent.close(reason).catch((error: unknown) => {
        this.#report(messageOf(error));
      });
    }
    return this.#closing ?? Promise.resolve();
  }
}

/** What a session has to do now. */
interface Next {
  readonly prompt: Prompt | null;
  readonly isIdle: boolean;
}

async function atMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
