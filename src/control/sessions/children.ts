import { z } from 'zod';
import { OxideError } from '../../errors.ts';
import { defineTool, type Tool, type ToolContext } from '../../tools/tool.ts';
import { fitText, success, type ToolResult } from '../../tools/tool-result.ts';
import type { Session } from './session.ts';
import { depthLimit } from './spawning.ts';

/** What a session can do with sessions of its own. */
export interface Children {
  spawn(
    request: NewChild,
  ): Promise<{ readonly sessionId: string; readonly workspaceId: string; readonly branch: string }>;
  /** The state of a session below this one, once it has ended or the time is over. */
  look(sessionId: string, wait: number, signal: AbortSignal): Promise<ChildState>;
  list(): Promise<readonly ChildState[]>;
  end(sessionId: string): Promise<void>;
}

export interface NewChild {
  readonly prompt: string;
  readonly workspace: 'new' | 'same';
  readonly model: string | null;
  readonly maxTokens: number | null;
  readonly maxCost: number | null;
}

export interface ChildState {
  readonly sessionId: string;
  readonly status: Session['status'];
  readonly reason: string | null;
  /** What it said last. */
  readonly text: string | null;
}

const longestWait = 600_000;

const spawnSchema = z.strictObject({
  prompt: z.string().min(1).max(200_000).describe('What the other session has to do; it knows nothing else'),
  workspace: z
    .enum(['new', 'same'])
    .default('new')
    .describe('new: a work tree and branch of its own, from the default branch. same: this one; only one should write'),
  model: z.string().min(1).optional().describe('Default: this session’s'),
  max_tokens: z
    .int()
    .positive()
    .optional()
    .describe('Its share of this session’s budget; default: half of what is left'),
  max_cost_usd: z.number().positive().optional().describe('The same in US dollars'),
  run_in_background: z
    .boolean()
    .default(false)
    .describe('Give the session_id at once and go on; ChildSession tells how it goes. Default: wait for the result'),
});

const lookSchema = z.strictObject({
  session_id: z.string().min(1).optional().describe('One of them; without it all are listed'),
  wait_ms: z.int().min(0).max(longestWait).default(0).describe('Milliseconds to wait for its end'),
});

const endSchema = z.strictObject({ session_id: z.string().min(1).describe('A session that this one has started') });

/** The tools by which a session starts sessions below itself: other agents, in work trees of their own. */
export function childTools({ depth }: Pick<Session, 'depth'>, children: Children): readonly Tool[] {
  if (depth >= depthLimit) {
    return [];
  }
  return [spawnTool(children), lookTool(children), endTool(children)];
}

/** Names of the tools that {@link childTools} gives. */
export const childToolNames: readonly string[] = ['SpawnSession', 'ChildSession', 'EndSession'];

function spawnTool(children: Children): Tool {
  return defineTool({
    name: 'SpawnSession',
    description:
      'Starts another agent session of this project, which works on one prompt on a branch of its own, under the same ' +
      'guard and rules, with a share of this session’s budget. It ends with its prompt, and with this session at the ' +
      'latest. Merge its branch to have its commits. For work that can be done apart; Agent is lighter for searches.',
    effect: 'changes',
    schema: spawnSchema,
    example: { prompt: 'Add tests for src/parser.ts and commit them.', run_in_background: true },
    run: async (input, { signal }) => {
      const { prompt, workspace, model = null, max_tokens = null, max_cost_usd = null } = input;
      const child = await children.spawn({ prompt, workspace, model, maxTokens: max_tokens, maxCost: max_cost_usd });
      const { sessionId, workspaceId, branch } = child;
      const data = { session_id: sessionId, workspace_id: workspaceId, branch };
      if (input.run_in_background) {
        return success(`Session ${sessionId} works on branch ${branch}. How it goes: ChildSession.`, data);
      }
      const state = await waitFor(sessionId, children, signal);
      const result = resultOf(state);
      return {
        ...result,
        text: `${result.text}\n\n[Session ${sessionId}, branch ${branch}]`,
        data: { ...data, ...result.data },
      };
    },
  });
}

/** An interruption ends the child, too: nobody would hear what it says. */
async function waitFor(sessionId: string, children: Children, signal: ToolContext['signal']): Promise<ChildState> {
  for (;;) {
    const state = await children.look(sessionId, longestWait, signal);
    if (signal.aborted) {
      await children.end(sessionId);
      throw new OxideError('interrupted', 'It was interrupted, and the session ended.');
    }
    if (state.status === 'ended' || state.status === 'interrupted') {
      return state;
    }
  }
}

function lookTool(children: Children): Tool {
  return defineTool({
    name: 'ChildSession',
    description: 'Tells how the sessions that SpawnSession has started stand, and what they said last.',
    effect: 'reads',
    schema: lookSchema,
    example: { session_id: 'b0c7…', wait_ms: 60_000 },
    run: async ({ session_id, wait_ms }, { signal }) => {
      if (session_id !== undefined) {
        return resultOf(await children.look(session_id, wait_ms, signal));
      }
      const states = await children.list();
      const lines = states.map(
        ({ sessionId, status, reason }) => `${sessionId} ${status}${reason === null ? '' : ` (${reason})`}`,
      );
      return success(lines.join('\n') || 'None was started yet.', { sessions: states.map(wireOf) });
    },
  });
}

function endTool(children: Children): Tool {
  return defineTool({
    name: 'EndSession',
    description: 'Ends a session that SpawnSession has started, with all that runs for it. Its branch stays.',
    effect: 'changes',
    schema: endSchema,
    example: { session_id: 'b0c7…' },
    run: async ({ session_id }) => {
      await children.end(session_id);
      return success(`The session ${session_id} has ended.`, { session_id });
    },
  });
}

function resultOf(state: ChildState): ToolResult {
  const { status, reason, text } = state;
  const remark =
    status === 'ended' && reason === 'completed' ? '' : `[${status}${reason === null ? '' : `: ${reason}`}]`;
  const body = [text ?? '', remark].filter((part) => part !== '').join('\n');
  return success(fitText(body === '' ? '[It said nothing.]' : body).text, wireOf(state));
}

function wireOf({ sessionId, status, reason, text }: ChildState): Readonly<Record<string, unknown>> {
  return { session_id: sessionId, status, reason, text };
}
