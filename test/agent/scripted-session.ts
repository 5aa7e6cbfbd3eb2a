import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import {
  type GuardedSession,
  type GuardedSessionOptions,
  openGuardedSession,
} from '../../src/agent/guarded-session.ts';
import type { ToolCall } from '../../src/agent/message.ts';
import { type Model, type ModelRequest, noUsage } from '../../src/agent/model.ts';
import { createSession, newSessionId } from '../../src/agent/session/store.ts';
import { type AgentSettingsFile, resolveAgentSettings } from '../../src/config/agent-settings.ts';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { agent } from '../../src/tools/agent.ts';
import { bash } from '../../src/tools/bash.ts';
import { read } from '../../src/tools/read.ts';
import { task } from '../../src/tools/task.ts';
import { taskOutput } from '../../src/tools/task-output.ts';
import { timeMachine } from '../../src/tools/time-machine.ts';
import { write } from '../../src/tools/write.ts';
import { nobodyToAsk } from '../../src/ui/question.ts';
import { temporaryDirectory } from '../git/fixture.ts';

/** What a model says in one turn: a text to finish with, or calls by the tool's name. */
export type ScriptedTurn = string | readonly (readonly [tool: string, input: unknown])[];

/** Turns of each model, by its name, in order; a function sees the request. */
export type Script = Readonly<Record<string, readonly (ScriptedTurn | ((request: ModelRequest) => ScriptedTurn))[]>>;

export interface ScriptedSession {
  readonly session: GuardedSession;
  readonly events: AgentEvent[];
  /** What each model was asked, in order. */
  readonly requests: readonly { readonly model: string; readonly request: ModelRequest }[];
  /** The newest result of a tool, as the model saw it. */
  resultOf(tool: string): string;
  say(text: string): Promise<string>;
}

/** Opens scripted sessions that end with the test that opened them. To be called where a file's tests are collected. */
export function scriptedSessions() {
  const opened: ScriptedSession[] = [];
  afterEach(async () => {
    for (const { session } of opened.splice(0)) {
      await session.close('test');
    }
  });
  return async (
    script: Script,
    root = temporaryDirectory(),
    options: Parameters<typeof scriptedSession>[2] = {},
  ): Promise<ScriptedSession> => {
    const scripted = await scriptedSession(root, script, options);
    opened.push(scripted);
    return scripted;
  };
}

/** A guarded session in a directory whose models follow a script; the one named `main` is the session's own. */
export async function scriptedSession(
  root: string,
  script: Script,
  options: Partial<Pick<GuardedSessionOptions, 'sandbox' | 'mode' | 'person' | 'notify'>> & {
    readonly settings?: AgentSettingsFile;
  } = {},
): Promise<ScriptedSession> {
  const { settings: _, ...ports } = options;
  const requests: { model: string; request: ModelRequest }[] = [];
  const events: AgentEvent[] = [];
  const models = new Map<string, Model>();
  let calls = 0;
  const modelNamed = (name: string): Model => {
    const turns = [...(script[name] ?? [])];
    const turn = async (request: ModelRequest) => {
      requests.push({ model: name, request });
      const next = turns.shift();
      if (next === undefined) {
        throw new Error(`The script of ${name} has ended.`);
      }
      const said = typeof next === 'function' ? next(request) : next;
      if (typeof said === 'string') {
        request.onText(said);
        return { text: said, calls: [], usage: noUsage, stop: 'end' as const };
      }
      const made = said.map(([tool, input]): ToolCall => {
        calls += 1;
        return { id: `call-${calls}`, name: tool, input };
      });
      return { text: '', calls: made, usage: noUsage, stop: 'calls' as const };
    };
    const model = models.get(name) ?? { name, turn };
    models.set(name, model);
    return model;
  };
  const settings = resolveAgentSettings({ aliases: { opus: 'claude-opus' }, ...options.settings });
  const stored = createSession(join(temporaryDirectory(), 'sessions'), {
    type: 'session',
    version: 1,
    id: newSessionId(),
    cwd: root,
    created: new Date().toISOString(),
    mode: 'disk',
    model: 'main',
  });
  const session = await openGuardedSession({
    stored,
    repository: await openRepository({ cwd: root, env: process.env }),
    env: process.env,
    models: { main: modelNamed('main'), open: (name) => modelNamed(settings.aliases[name] ?? name) },
    settings,
    mode: 'bypass',
    maxTurns: 20,
    tools: [read, write, bash, task, taskOutput, agent, timeMachine],
    convention: () =>
      Promise.resolve({
        policy: defaultConfiguration,
        judgeMessage: () => ({ valid: true, problems: [], corrected: null }),
      }),
    person: { ask: () => Promise.resolve({ kind: 'nobody', reason: 'this is a test' }) },
    questions: nobodyToAsk('this is a test'),
    sandbox: null,
    emit: (event) => events.push(event),
    notify: (text) => {
      throw new Error(text);
    },
    ...ports,
  });
  return {
    session,
    events,
    requests,
    resultOf: (tool) => {
      const results = events.flatMap((event) =>
        event.type === 'tool_result' && event.name === tool ? [event.content] : [],
      );
      return results.at(-1) ?? '';
    },
    say: async (text) => (await session.prompt(text, new AbortController().signal)).text,
  };
}
