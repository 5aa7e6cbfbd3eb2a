import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { AgentEvent } from '../../src/agent/event.ts';
import {
  type GuardedSession,
  type GuardedSessionOptions,
  openGuardedSession,
} from '../../src/agent/guarded-session.ts';
import type { Model, ModelRequest, ModelTurn } from '../../src/agent/model.ts';
import { noUsage } from '../../src/agent/model.ts';
import type { Models } from '../../src/agent/models/catalogue.ts';
import { createSession, newSessionId, resumeSession, type StoredSession } from '../../src/agent/session/store.ts';
import { sessionTools } from '../../src/agent/session-tools.ts';
import { type AgentSettingsFile, resolveAgentSettings } from '../../src/config/agent-settings.ts';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { conventionOf } from '../../src/guards/convention.ts';
import { defineTool, type Tool } from '../../src/tools/tool.ts';
import { success } from '../../src/tools/tool-result.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/ui/permission.ts';
import { nobodyToAsk } from '../../src/ui/question.ts';
import { temporaryDirectory } from '../git/fixture.ts';

/** What a scripted model says in one turn. */
export interface ScriptedTurn {
  readonly text?: string;
  /** `id`: absent for one of its own. */
  readonly calls?: readonly { readonly id?: string; readonly name: string; readonly input: unknown }[];
  readonly stop?: ModelTurn['stop'];
  readonly inputTokens?: number;
}

type Script = ScriptedTurn | ((request: ModelRequest) => ScriptedTurn | Promise<ScriptedTurn>);

/** A model that follows a script, and remembers what it was asked. The last entry is repeated for ever. */
export class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = [];
  readonly name: string;
  readonly #script: readonly Script[];

  constructor(script: readonly Script[], name = 'scripted') {
    this.#script = script;
    this.name = name;
  }

  async turn(request: ModelRequest): Promise<ModelTurn> {
    request.signal.throwIfAborted();
    const number = this.requests.push(request);
    const entry = this.#script[Math.min(number, this.#script.length) - 1];
    const {
      text = '',
      calls = [],
      stop,
      inputTokens = 0,
    } = (typeof entry === 'function' ? await entry(request) : entry) ?? {};
    if (text !== '') {
      request.onText(text);
    }
    return {
      text,
      calls: calls.map((call, index) => ({ id: `${this.name}-${number}-${index + 1}`, ...call })),
      usage: { ...noUsage, inputTokens, outputTokens: 1 },
      stop: stop ?? (calls.length > 0 ? 'calls' : 'end'),
    };
  }
}

export interface TestSession {
  readonly session: GuardedSession;
  readonly model: ScriptedModel;
  readonly events: AgentEvent[];
  readonly notices: string[];
  readonly asked: PermissionRequest[];
  readonly stored: StoredSession;
  readonly cwd: string;
  /** Where sessions are kept. */
  readonly root: string;
  /** The results of a tool by name, in order. */
  results(name?: string): readonly Extract<AgentEvent, { type: 'tool_result' }>[];
  prompt(text?: string, signal?: AbortSignal): ReturnType<GuardedSession['prompt']>;
}

export interface TestSessionOptions extends Partial<Omit<GuardedSessionOptions, 'settings' | 'models' | 'stored'>> {
  readonly cwd?: string;
  readonly settings?: AgentSettingsFile;
  readonly answer?: PermissionAnswer | ((request: PermissionRequest) => PermissionAnswer);
  readonly virtual?: boolean;
  /** Goes on with a session that was closed. */
  readonly resume?: { readonly root: string; readonly id: string };
  /** Models of other names, for subagents. */
  readonly others?: Readonly<Record<string, Model>>;
  readonly script: readonly Script[];
}

/** A session with a scripted model, everything else real. Nobody answers unless the test says so. */
export async function openTestSession(options: TestSessionOptions): Promise<TestSession> {
  const {
    script,
    answer = { kind: 'nobody', reason: 'this is a test' },
    settings = {},
    others = {},
    ...more
  } = options;
  const cwd = options.cwd ?? temporaryDirectory();
  const root = options.resume?.root ?? temporaryDirectory();
  const model = new ScriptedModel(script);
  const stored =
    options.resume === undefined
      ? createSession(root, {
          type: 'session',
          version: 1,
          id: newSessionId(),
          cwd,
          created: new Date().toISOString(),
          mode: options.virtual === true ? 'virtual' : 'disk',
          model: model.name,
        })
      : resumeSession(root, options.resume.id);
  const events: AgentEvent[] = [];
  const notices: string[] = [];
  const asked: PermissionRequest[] = [];
  const resolved = resolveAgentSettings(settings);
  const models: Models = {
    main: model,
    open: (name) => others[resolved.aliases[name] ?? name] ?? new ScriptedModel(script, resolved.aliases[name] ?? name),
  };
  const session = await openGuardedSession({
    stored,
    repository: await openRepository({ cwd, env: process.env }),
    env: process.env,
    models,
    settings: resolved,
    mode: 'default',
    maxTurns: 20,
    tools: sessionTools,
    convention: async () => conventionOf(defaultConfiguration),
    person: {
      ask: async (request) => {
        asked.push(request);
        return typeof answer === 'function' ? answer(request) : answer;
      },
    },
    questions: nobodyToAsk('this is a test'),
    sandbox: null,
    emit: (event) => {
      events.push(event);
    },
    notify: (text) => {
      notices.push(text);
    },
    ...more,
  });
  return {
    session,
    model,
    events,
    notices,
    asked,
    stored,
    cwd,
    root,
    results: (name) =>
      events.flatMap((event) => (event.type === 'tool_result' && (name ?? event.name) === event.name ? [event] : [])),
    prompt: (text = 'Do it', signal = new AbortController().signal) => session.prompt(text, signal),
  };
}

/** A tool of which only the calls matter. */
export function recordingTool(
  name: string,
  effect: Tool['effect'],
  run: (input: { readonly text: string }) => unknown,
): Tool {
  return defineTool({
    name,
    description: 'Says what it was told.',
    effect,
    schema: z.strictObject({ text: z.string().min(1) }),
    example: { text: 'hello' },
    run: async (input) => success(String((await run(input)) ?? input.text)),
  });
}

export function write(directory: string, path: string, content: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}
