import { describe, expect, it } from 'vitest';
import type { ActionCall, ActionTool, StandaloneTool } from '../../../src/control/action.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import { callerToolResponseTool } from '../../../src/control/sessions/caller-tool-response.ts';
import { configLimitsTool } from '../../../src/control/sessions/config-limits.ts';
import { sessionTool } from '../../../src/control/sessions/tool.ts';
import { lastPrompt, stage } from './stage.ts';

const call: ActionCall = { principal: localAdmin, signal: new AbortController().signal, progress: () => {} };

async function open() {
  const made = await stage({ speaker: (request) => `Heard: ${lastPrompt(request)}` });
  const { projectId } = await made.project();
  const { actions } = sessionTool(made.sessions) as ActionTool;
  return {
    ...made,
    projectId,
    actions,
    /** Validates and runs, as the dispatcher does. */
    run: async (action: string, input: object) => {
      const definition = actions[action]!;
      return definition.run(definition.schema.parse({ project_id: projectId, ...input }), call);
    },
    accepts: (action: string, input: object) =>
      actions[action]!.schema.safeParse({ project_id: projectId, ...input }).success,
  };
}

describe('the session tool', () => {
  it('takes message in the place of prompt, and context besides', async () => {
    const { sessions, run, projectId, until } = await open();
    const { data } = await run('spawn', { message: 'hello', context: { ticket: 7 } });
    const session_id = String(data.session_id);
    await until(projectId, session_id, 'idle');
    const page = await run('events', { session_id });
    const result = (page.data.events as readonly { type: string; text: string }[]).at(-1);
    expect(result?.text).toMatch(/^Heard: hello[\s\S]*"ticket": 7/);
    expect(page.data).toMatchObject({ has_more: false, first_index: 0, status: 'idle' });
    await sessions.close();
  });

  it('refuses what makes no sense, before anything happens', async () => {
    const { sessions, accepts } = await open();
    expect(accepts('spawn', {})).toBe(false);
    expect(accepts('spawn', { prompt: 'a', message: 'b' })).toBe(false);
    expect(accepts('spawn', { prompt: 'a', workspace_id: 'w', create_workspace: true })).toBe(false);
    expect(accepts('spawn', { prompt: 'a', max_tokens: 5 })).toBe(false);
    expect(accepts('spawn', { prompt: 'x'.repeat(1_000_001) })).toBe(false);
    for (const name of ['', 'a b', 'ä', '../x', 'x'.repeat(65)]) {
      expect(accepts('message', { message: 'a', caller_tools: [{ name, description: '', input_schema: {} }] })).toBe(
        false,
      );
    }
    await sessions.close();
  });

  it('refuses cursors that can be none', async () => {
    const { sessions, accepts, run, projectId, until } = await open();
    const { data } = await run('spawn', { prompt: 'hello' });
    const session_id = String(data.session_id);
    await until(projectId, session_id, 'idle');
    for (const since_index of [-1, 0.5, 1e308, Number.NaN, Number.POSITIVE_INFINITY, '0', null, 2 ** 53]) {
      expect(accepts('events', { session_id, since_index })).toBe(false);
    }
    for (const wrong of [{ max_events: 0 }, { max_events: 1e9 }, { wait_ms: -1 }, { wait_ms: 1e9 }]) {
      expect(accepts('events', { session_id, ...wrong })).toBe(false);
    }
    await expect(run('events', { session_id, since_index: 2 ** 53 - 1 })).rejects.toMatchObject({
      code: 'cursor-ahead',
    });
    await expect(run('events', { session_id: 'other' })).rejects.toMatchObject({ code: 'unknown-session' });
    await expect(run('events', { session_id, project_id: 'other' })).rejects.toMatchObject({ code: 'unknown-session' });
    await sessions.close();
  });

  it('shows no path of this machine and no secret of the store', async () => {
    const { sessions, run, projectId, until, root } = await open();
    const { data } = await run('spawn', { prompt: 'hello' });
    const session_id = String(data.session_id);
    await until(projectId, session_id, 'idle');
    const shown = JSON.stringify([
      await run('get', { session_id }),
      await run('list', {}),
      await run('events', { session_id }),
      await run('end', { session_id }),
    ]);
    expect(shown).not.toContain(root);
    expect(shown).not.toContain('runner');
    await sessions.close();
  });
});

describe('caller_tool_response', () => {
  it('wants a result or an error, one of them', async () => {
    const { sessions } = await open();
    const { schema } = (callerToolResponseTool(sessions) as StandaloneTool).action;
    const accepts = (input: object) => schema.safeParse({ session_id: 's', request_id: 'r', ...input }).success;
    expect([{}, { result: 1, error: 'x' }, { result: 'x'.repeat(1_000_001) }].map(accepts)).toEqual([
      false,
      false,
      false,
    ]);
    expect([{ result: null }, { result: { a: [1] } }, { error: 'x' }].map(accepts)).toEqual([true, true, true]);
    await sessions.close();
  });
});

describe('config_limits', () => {
  it('says where each limit comes from, and what is left of it', async () => {
    const { sessions, lookup } = await open();
    const { projectId } = await lookup.make({ max_tokens: 5_000, max_seconds: null });
    const { action } = configLimitsTool(sessions) as StandaloneTool;
    const { data, text } = await action.run(action.schema.parse({ project_id: projectId }), call);
    expect(data.limits).toEqual({
      max_sessions: { value: 10, source: 'default', left: 10 },
      max_turns: { value: 100, source: 'default', left: 100 },
      max_tokens: { value: 5_000, source: 'project', left: 5_000 },
      max_cost_usd: { value: null, source: 'default', left: null },
      max_seconds: { value: null, source: 'project', left: null },
    });
    expect(text).toContain('max_seconds: none (project)');
    await sessions.close();
  });
});
