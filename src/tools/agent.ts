import { z } from 'zod';
import type { SubagentOutcome, SubagentRequest, Subagents, TaskStart } from './session-ports.ts';
import { noSubagents, subagentRun, unknownType } from './task.ts';
import { defineSessionTool, type ToolSession } from './tool.ts';
import { failure, fitText, success, type ToolResult } from './tool-result.ts';

const schema = z.strictObject({
  description: z.string().min(1).describe('What the subagent does, in three to five words'),
  prompt: z.string().min(1).describe('What it has to do; it knows nothing else of this conversation'),
  subagent_type: z.string().min(1).describe('Which kind of subagent'),
  model: z
    .string()
    .min(1)
    .optional()
    .describe("A model, or an alias such as sonnet, opus, haiku; inherit: yours. Absent: the subagent's own"),
  resume: z
    .string()
    .min(1)
    .optional()
    .describe('The id of an agent whose work goes on, with all it knows and with its own model'),
  run_in_background: z.boolean().optional().describe('Give a task_id at once and go on; TaskOutput tells how it goes'),
});

type AgentInput = z.output<typeof schema>;

export const agent = defineSessionTool({
  name: 'Agent',
  description:
    'Gives work to a subagent that has its own context, under the same guard and permissions, and gives back its ' +
    'answer with an agent id, with which it can be resumed.',
  effect: 'changes',
  schema,
  example: {
    description: 'Review the parser',
    prompt: 'Read src/parser.ts and list its bugs.',
    subagent_type: 'general',
  },
  run: async (input, { signal }, session) => {
    const subagents = session?.subagents;
    if (subagents === undefined) {
      return noSubagents();
    }
    const unknown = unknownType(subagents, input.subagent_type);
    if (unknown !== null) {
      return unknown;
    }
    return input.run_in_background === true
      ? startInBackground(input, subagents, session)
      : resultOf(await subagents.run({ ...requestOf(input), signal }));
  },
});

/** What is absent stays absent: the definition's model, then the configured one. */
function requestOf(input: AgentInput): Omit<SubagentRequest, 'signal'> {
  const { description, prompt, subagent_type: subagentType, model, resume } = input;
  return {
    description,
    prompt,
    subagentType,
    ...(model === undefined ? {} : { model }),
    ...(resume === undefined ? {} : { resume }),
  };
}

function resultOf(outcome: SubagentOutcome): ToolResult {
  if (!outcome.ok) {
    return outcome;
  }
  const { agentId, text, model, turns } = outcome;
  return success(`${fitText(text).text}\n[agent id: ${agentId}]`, { agentId, text, model, turns });
}

function startInBackground(input: AgentInput, subagents: Subagents, session: ToolSession | null): ToolResult {
  const tasks = session?.tasks;
  if (tasks === undefined) {
    return failure('no-background', 'There is no session here that could keep a subagent in the background.', {
      remedy: 'Run it without run_in_background.',
    });
  }
  const start: TaskStart = {
    kind: 'agent',
    description: input.description,
    run: subagentRun(subagents, requestOf(input)),
  };
  const { id } = tasks.start(start);
  return success(`The subagent runs in the background as ${id}. Its output: TaskOutput with task_id "${id}".`, {
    task_id: id,
    status: 'running',
  });
}
