import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../../error-message.ts';
import { OxideError } from '../../errors.ts';
import { makeDirectory } from '../../git/files.ts';
import { createRegistry } from '../../tools/registry.ts';
import type { SubagentOutcome, SubagentRequest, Subagents } from '../../tools/session-ports.ts';
import type { Tool } from '../../tools/tool.ts';
import { failure, type ToolFailure } from '../../tools/tool-result.ts';
import { Agent, type AgentOptions } from '../agent.ts';
import type { AgentEvent } from '../event.ts';
import type { LoopEnd } from '../loop.ts';
import type { Model } from '../model.ts';
import type { Models } from '../models/catalogue.ts';
import type { SessionRecord } from '../session/record.ts';
import { restoreSession } from '../session/restore.ts';
import { continueTranscript, createTranscript, headerOf, type Transcript } from '../session/transcript.ts';
import { withOwnDirectory } from '../working-directory.ts';
import type { SubagentDefinition } from './definition.ts';
import { subagentModel } from './subagent-model.ts';

/** A subagent of a subagent is as deep as it goes. */
const depthLimit = 2;

export interface SubagentsOptions {
  readonly definitions: readonly SubagentDefinition[];
  readonly models: Models;
  /** Holds the transcripts, one a subagent. */
  readonly directory: string;
  /** What subagents share with the agent that starts them. */
  readonly base: Pick<AgentOptions, 'maxTurns' | 'compactAt' | 'calls' | 'restoreBefore' | 'notify'>;
  /** @param nested the kinds that it may start itself */
  readonly systemFor: (definition: SubagentDefinition, nested: readonly SubagentDefinition[]) => string;
  /** Ids of those that work now: one transcript has one writer. */
  readonly working: Set<string>;
  /** Told of usage, checkpoints and the like, which count for the whole session. */
  readonly record: (record: SessionRecord) => void;
}

/** @param depth of the agent that gets it: 0 for the main one */
export function createSubagents(options: SubagentsOptions, parent: Model, depth = 0): Subagents | null {
  if (depth >= depthLimit) {
    return null;
  }
  return {
    types: () => options.definitions.map(({ name, description }) => ({ name, description })),
    run: async (request) => {
      try {
        return await run(request, options, parent, depth + 1);
      } catch (error) {
        return failureOf(error);
      }
    },
  };
}

function failureOf(error: unknown): ToolFailure {
  return error instanceof OxideError
    ? failure(error.code, error.message, error.remedy === null ? {} : { remedy: error.remedy })
    : failure('subagent-broken', `The subagent broke: ${messageOf(error)}.`);
}

/** A subagent that is about to work, new or resumed. */
interface Opened {
  readonly id: string;
  readonly definition: SubagentDefinition;
  readonly model: Model;
  readonly transcript: Transcript;
  readonly records: readonly SessionRecord[];
}

async function run(
  request: SubagentRequest,
  options: SubagentsOptions,
  parent: Model,
  depth: number,
): Promise<SubagentOutcome> {
  const opened = open(request, options, parent, depth);
  const { id, definition, model, transcript } = opened;
  const { emit, hooks, session, context } = options.base.calls;
  options.working.add(id);
  const tell = (state: 'started' | 'finished' | 'failed') =>
    emit({ type: 'subagent', agent_id: id, state, subagent_type: definition.name, description: request.description });
  tell('started');
  const scene = { session_id: session.id, cwd: context.cwd, agent_id: id, subagent_type: definition.name };
  try {
    const agent = new Agent(agentOptions(opened, request, options, depth));
    const started = await hooks.emit(
      { hook_event_name: 'SubagentStart', ...scene, prompt: request.prompt },
      request.signal,
    );
    let end = await agent.prompt(withContext(request.prompt, started.additionalContext), request.signal);
    const stopped = await hooks.emit(
      { hook_event_name: 'SubagentStop', ...scene, last_message: end.text },
      request.signal,
    );
    if (stopped.block !== null && end.stop === 'end_turn') {
      end = await agent.prompt(stopped.block, request.signal);
    }
    tell(end.stop === 'end_turn' ? 'finished' : 'failed');
    return outcomeOf(end, id, model);
  } finally {
    options.working.delete(id);
    transcript.close();
  }
}

function outcomeOf(end: LoopEnd, agentId: string, model: Model): SubagentOutcome {
  const data = { agentId, text: end.text, model: model.name, turns: end.turns };
  const remedy = `To go on with it: resume "${agentId}".`;
  switch (end.stop) {
    case 'end_turn':
      return { ok: true, ...data };
    case 'max_turns':
      return failure('subagent-max-turns', `The subagent used up its ${end.turns} turns. ${end.text}`, {
        remedy,
        data,
      });
    case 'interrupted':
      return failure('interrupted', `The subagent was interrupted. ${end.text}`, { remedy, data });
    case 'error':
      return failure(end.error?.code ?? 'subagent-failed', `The subagent failed: ${end.error?.message ?? ''}`, {
        remedy,
        data,
      });
  }
}

function withContext(prompt: string, context: string | null): string {
  return context === null ? prompt : `${prompt}\n\n${context}`;
}

function open(request: SubagentRequest, options: SubagentsOptions, parent: Model, depth: number): Opened {
  return request.resume === undefined
    ? create(request, options, parent, depth)
    : resume(request.resume, options, parent);
}

function create(request: SubagentRequest, options: SubagentsOptions, parent: Model, depth: number): Opened {
  const definition = definitionOf(request.subagentType, options.definitions);
  const model = subagentModel(request.model, definition.model, parent, options.models);
  const id = `agent-${randomBytes(3).toString('hex')}`;
  makeDirectory(options.directory, 0o700);
  const { session, context } = options.base.calls;
  const transcript = createTranscript(transcriptPath(options, id), {
    type: 'session',
    version: 1,
    id: session.id,
    cwd: context.cwd,
    created: new Date().toISOString(),
    mode: session.files.mode,
    model: model.name,
    agent: { id, type: definition.name, depth },
  });
  return { id, definition, model, transcript, records: [] };
}

/** Goes on where it stopped, with its own model. */
function resume(id: string, options: SubagentsOptions, parent: Model): Opened {
  const path = transcriptPath(options, id);
  if (!/^[\w-]+$/.test(id) || !existsSync(path)) {
    const known = knownIds(options.directory);
    throw new OxideError('unknown-agent', `There is no agent '${id}' in this session.`, {
      remedy: known.length === 0 ? 'None was started yet: leave `resume` out.' : `The agents are: ${known.join(', ')}.`,
    });
  }
  if (options.working.has(id)) {
    throw new OxideError('agent-busy', `The agent '${id}' is working now.`, { remedy: 'Wait for its result.' });
  }
  const { transcript, records } = continueTranscript(path);
  const header = headerOf(records);
  if (header?.agent === undefined) {
    transcript.close();
    throw new OxideError('session-damaged', `${path} is no transcript of a subagent.`);
  }
  const definition = definitionOf(header.agent.type, options.definitions);
  const model = header.model === parent.name ? parent : options.models.open(header.model);
  return { id, definition, model, transcript, records };
}

function transcriptPath({ directory }: SubagentsOptions, id: string): string {
  return join(directory, `${id}.jsonl`);
}

function knownIds(directory: string): readonly string[] {
  try {
    return readdirSync(directory).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []));
  } catch {
    return [];
  }
}

function definitionOf(name: string, definitions: readonly SubagentDefinition[]): SubagentDefinition {
  const found = definitions.find((definition) => definition.name === name);
  if (found === undefined) {
    throw new OxideError('unknown-subagent-type', `There is no subagent type '${name}'.`, {
      remedy: `The types are: ${definitions.map((definition) => definition.name).join(', ')}.`,
    });
  }
  return found;
}

function agentOptions(
  { id, definition, model, transcript, records }: Opened,
  { onOutput }: SubagentRequest,
  options: SubagentsOptions,
  depth: number,
): AgentOptions {
  const { base, record } = options;
  const offered = base.calls.tools.list().filter((tool) => isOffered(tool, definition, depth < depthLimit));
  const tools = createRegistry(offered);
  // What it starts itself has none that it lacks.
  const nested = createSubagents({ ...options, base: { ...base, calls: { ...base.calls, tools } } }, model, depth);
  const { subagents: _, ...session } = base.calls.session;
  const tellOutput = onOutput === undefined ? null : paragraphs(onOutput);
  const state = restoreSession(records);
  return {
    ...base,
    model,
    system: options.systemFor(definition, nested === null ? [] : options.definitions),
    messages: state.messages,
    messageCount: state.messageCount,
    record: (entry) => {
      transcript.append(entry);
      if (entry.type === 'usage') {
        record(entry);
      }
    },
    calls: {
      ...base.calls,
      agentId: id,
      tools,
      emit: (event) => {
        base.calls.emit(event);
        tellOutput?.(event);
      },
      context: withOwnDirectory(base.calls.context),
      session: { ...session, author: id, ...(nested === null ? {} : { subagents: nested }) },
    },
  };
}

/** Gives on the text of an agent's turns, with an empty line between what was said before and after calls. */
function paragraphs(onOutput: (text: string) => void): (event: AgentEvent) => void {
  let hasWritten = false;
  let hasCalled = false;
  return (event) => {
    if (event.type === 'tool_call') {
      hasCalled = true;
    } else if (event.type === 'text' && event.text !== '') {
      onOutput(hasWritten && hasCalled ? `\n\n${event.text}` : event.text);
      hasWritten = true;
      hasCalled = false;
    }
  };
}

function isOffered({ name }: Tool, { tools }: SubagentDefinition, mayNest: boolean): boolean {
  return (tools === null || tools.includes(name)) && (mayNest || (name !== 'Agent' && name !== 'Task'));
}
