import { join } from 'node:path';
import type { AgentSettings } from '../config/agent-settings.ts';
import type { Repository } from '../git/repository.ts';
import type { Environment } from '../git/runner.ts';
import type { Convention } from '../guards/scene.ts';
import { createRegistry, withLent } from '../tools/registry.ts';
import type { Sandbox } from '../tools/session-ports.ts';
import type { Tool } from '../tools/tool.ts';
import type { PermissionMode, PermissionPort } from '../ui/permission.ts';
import type { QuestionPort } from '../ui/question.ts';
import { Agent, type AgentOptions } from './agent.ts';
import { createTasks } from './background/task-manager.ts';
import { Checkpoints } from './checkpoints.ts';
import type { AgentEvent } from './event.ts';
import { registerGitGuard } from './git-guard.ts';
import { createHookBus, type HookBus } from './hooks/bus.ts';
import { createHookRegistry, type HookRegistry } from './hooks/registry.ts';
import type { LoopEnd } from './loop.ts';
import type { Models } from './models/catalogue.ts';
import { Permissions } from './permissions.ts';
import { readProjectInstructions } from './project-instructions.ts';
import { hooksDirectories } from './sandbox/repository-paths.ts';
import type { SessionRecord } from './session/record.ts';
import { restoreSession, type SessionState } from './session/restore.ts';
import type { StoredSession } from './session/store.ts';
import type { Transcript } from './session/transcript.ts';
import { openSessionFiles } from './session-versions.ts';
import { sessionWorkTree } from './session-work-tree.ts';
import { readDefinitions } from './subagents/definition.ts';
import { createSubagents } from './subagents/runner.ts';
import { type SystemPromptFacts, systemPrompt } from './system-prompt.ts';
import type { ToolCallPorts } from './tool-call-ports.ts';
import { type UsageReport, usageReport } from './usage-report.ts';
import { withOwnDirectory } from './working-directory.ts';

export interface GuardedSessionOptions {
  readonly stored: StoredSession;
  /** Null outside of a repository: no checkpoints then. */
  readonly repository: Repository | null;
  readonly env: Environment;
  readonly models: Models;
  readonly settings: AgentSettings;
  readonly mode: PermissionMode;
  readonly maxTurns: number;
  readonly tools: readonly Tool[];
  /** Tools that come and go, as they are now; none has the name of another. */
  readonly lent?: () => readonly Tool[];
  /** A repository's configuration; null: where the repository can't be known. */
  readonly convention: (repository: Repository | null) => Promise<Convention>;
  readonly person: PermissionPort;
  readonly questions: QuestionPort;
  readonly sandbox: Sandbox | null;
  readonly emit: (event: AgentEvent) => void;
  /** Takes what the person should know and the model need not: a hook that broke, a checkpoint that was not taken. */
  readonly notify: (text: string) => void;
  /** Registers more hooks; the git guard is the first already. */
  readonly hooks?: (registry: HookRegistry) => void;
  readonly onStage?: ToolCallPorts['onStage'];
}

/** A session of the guarded agent, for the command line, the terminal UI and the control plane. */
export interface GuardedSession {
  readonly id: string;
  /** Takes a prompt through to its end, and emits its events, `result` last. Never rejects; one at a time. */
  prompt(text: string, signal: AbortSignal): Promise<LoopEnd>;
  /** Holds from the next tool call on. */
  changeMode(mode: PermissionMode): void;
  report(): UsageReport;
  /** Ends its background tasks and gives the transcript back. */
  close(reason: string): Promise<void>;
}

/** Puts a session together: tools, hooks with the guard first, permissions, checkpoints, subagents, transcript. */
export async function openGuardedSession(options: GuardedSessionOptions): Promise<GuardedSession> {
  const { stored, settings, emit, repository, env } = options;
  const { cwd } = stored.header;
  const state = restoreSession(stored.records);
  const journal = openJournal(stored.transcript, state.usage);
  const workTree = repository === null ? null : await sessionWorkTree(repository, cwd, env, options.notify);
  const root = workTree ?? cwd;
  const hookPlaces = repository === null ? [] : await hooksDirectories(repository, env).catch(() => []);
  const permissions = new Permissions(options.mode, settings.permissions, [cwd, root], hookPlaces);
  const checkpoints = workTree === null ? null : openCheckpoints(options, state.checkpoints, journal.record);
  const tasks = createTasks();
  const guarded = guardedTools(options, journal.record);
  const calls: ToolCallPorts = {
    ...guarded,
    permissions,
    person: options.person,
    checkpoint: async (reason) => (await checkpoints?.take(reason, main.currentPrompt ?? '')) ?? null,
    sandbox: options.sandbox,
    allowUnsandboxed: settings.allowUnsandboxed,
    commonDir: repository?.commonDir ?? null,
    context: withOwnDirectory({ cwd, roots: [root], env, questions: options.questions }),
    session: { id: stored.header.id, author: 'agent', files: openSessionFiles(stored), tasks },
    emit: (event) => {
      if (event.type === 'permission') {
        const { id: call_id, verdict, rule, message } = event;
        journal.record({ type: 'permission', call_id, verdict, rule, message });
      }
      emit(event);
    },
    ...(options.onStage === undefined ? {} : { onStage: options.onStage }),
  };
  const restoreBefore = async (messageIds: readonly string[]) =>
    stored.header.mode === 'virtual' ? 'virtual' : ((await checkpoints?.restoreBefore(messageIds)) ?? 'impossible');
  const main = await openMainAgent(options, { workTree, state, calls, restoreBefore, record: journal.record });
  return {
    ...promptsOf(main, options, guarded.hooks, () => tasks.stopAll()),
    changeMode: (mode) => permissions.changeMode(mode),
    report: () => usageReport(journal.used, settings.prices),
  };
}

type Write = (entry: SessionRecord) => void;

/** What a session writes down, and what all its agents have used. */
function openJournal(transcript: Transcript, before: SessionState['usage']) {
  const used = [...before];
  const record: Write = (entry) => {
    transcript.append(entry);
    if (entry.type === 'usage') {
      used.push({ model: entry.model, usage: entry.usage });
    }
  };
  return { used, record };
}

/** Null outside of a repository, and where the settings want none. */
function openCheckpoints(
  { stored, repository, settings, emit, notify }: GuardedSessionOptions,
  kept: SessionState['checkpoints'],
  record: Write,
): Checkpoints | null {
  if (repository === null || !settings.checkpoints) {
    return null;
  }
  return new Checkpoints({
    repository,
    session: stored.header.id,
    kept,
    onCheckpoint: ({ id, messageId, reason }) => {
      record({ type: 'checkpoint', id, message_id: messageId, reason });
      emit({ type: 'checkpoint', checkpoint_id: id, reason });
    },
    onMissing: (messageId) => record({ type: 'checkpoint', id: null, message_id: messageId, reason: '' }),
    onProblem: notify,
  });
}

/** The tools, and the hooks that judge their calls: the git guard first. */
function guardedTools(options: GuardedSessionOptions, record: Write): Pick<ToolCallPorts, 'tools' | 'hooks' | 'guard'> {
  const tools = withLent(createRegistry(options.tools), options.lent ?? (() => []));
  const registry = createHookRegistry(options.settings.hooks);
  const guard = registerGitGuard(registry, {
    env: options.env,
    convention: options.convention,
    commandOf: (tool, input) => tools.get(tool).shellCommand?.(input)?.command ?? null,
  });
  options.hooks?.(registry);
  return { tools, hooks: hookBus(registry, options, record), guard };
}

interface MainAgentParts {
  readonly workTree: string | null;
  readonly state: SessionState;
  readonly calls: ToolCallPorts;
  readonly restoreBefore: AgentOptions['restoreBefore'];
  readonly record: Write;
}

/** The agent that people talk to, with those that it can start. */
async function openMainAgent(
  { stored, repository, models, settings, notify, maxTurns }: GuardedSessionOptions,
  { workTree, state, calls, restoreBefore, record }: MainAgentParts,
): Promise<Agent> {
  const { cwd, mode } = stored.header;
  const { definitions, problems } = readDefinitions(workTree ?? cwd);
  problems.forEach(notify);
  const facts: SystemPromptFacts = {
    cwd,
    platform: process.platform,
    branch: await branchOf(repository),
    instructions: readProjectInstructions(cwd, workTree),
    role: null,
    virtual: mode === 'virtual',
    subagents: [],
  };
  const base = { notify, maxTurns, compactAt: settings.compactAt, calls, restoreBefore };
  const subagents = createSubagents(
    {
      definitions,
      models,
      directory: join(stored.directory, 'agents'),
      base,
      systemFor: ({ prompt }, nested) => systemPrompt({ ...facts, role: prompt, subagents: nested }),
      working: new Set(),
      record,
    },
    models.main,
  );
  return new Agent({
    ...base,
    calls: { ...calls, session: { ...calls.session, ...(subagents === null ? {} : { subagents }) } },
    model: models.main,
    system: systemPrompt({ ...facts, subagents: definitions }),
    messages: state.messages,
    messageCount: state.messageCount,
    record,
  });
}

/** One prompt after the other, from the session's start to its end, with the hooks of each. */
function promptsOf(
  main: Agent,
  { stored, models, emit }: GuardedSessionOptions,
  hooks: HookBus,
  stopTasks: () => Promise<void>,
): Pick<GuardedSession, 'id' | 'prompt' | 'close'> {
  const { id, cwd } = stored.header;
  const scene = { session_id: id, cwd };
  let context: string | null = null;
  let hasStarted = false;

  const start = async (signal: AbortSignal) => {
    hasStarted = true;
    emit({ type: 'session', session_id: id, model: models.main.name, cwd });
    const source = stored.records.length === 0 ? 'startup' : 'resume';
    context = (await hooks.emit({ hook_event_name: 'SessionStart', ...scene, source }, signal)).additionalContext;
  };
  const work = async (text: string, signal: AbortSignal): Promise<LoopEnd> => {
    const asked = await hooks.emit({ hook_event_name: 'UserPromptSubmit', ...scene, prompt: text }, signal);
    if (asked.block !== null) {
      const usage = usageReport([], {}).total;
      return { stop: 'interrupted', text: asked.block, turns: 0, usage, messages: main.messages, error: null };
    }
    const added = [context, asked.additionalContext].filter((part) => part !== null);
    context = null;
    return main.prompt([text, ...added].join('\n\n'), signal);
  };

  return {
    id,
    prompt: async (text, signal) => {
      if (!hasStarted) {
        await start(signal);
      }
      const end = await work(text, signal);
      const { stop: stop_reason, turns, usage } = end;
      emit({ type: 'result', stop_reason, text: end.error?.message ?? end.text, turns, usage, session_id: id });
      return end;
    },
    close: async (reason) => {
      await stopTasks();
      if (hasStarted) {
        await hooks.emit({ hook_event_name: 'SessionEnd', ...scene, reason }, AbortSignal.timeout(10_000));
      }
      stored.close();
    },
  };
}

async function branchOf(repository: Repository | null): Promise<string | null> {
  const head = await repository?.head().catch(() => null);
  return head === null || head === undefined ? null : head.kind === 'branch' ? head.branch : 'none: HEAD is detached';
}

function hookBus(registry: HookRegistry, { stored, env, notify }: GuardedSessionOptions, record: Write): HookBus {
  return createHookBus({
    registry,
    cwd: stored.header.cwd,
    env,
    onOutcome: (input, { kind, hook, ...outcome }) => {
      const problem = 'problem' in outcome ? { problem: outcome.problem } : {};
      if (hook.action.kind === 'command' || kind !== 'answered') {
        record({ type: 'hook', event: input.hook_event_name, hook: hook.name, outcome: kind, ...problem });
      }
      if ('problem' in outcome) {
        notify(`The hook '${hook.name}' failed: ${outcome.problem}.`);
      }
    },
  });
}
