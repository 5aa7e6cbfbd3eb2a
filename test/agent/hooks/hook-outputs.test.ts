import { describe, expect, it } from 'vitest';
import type { HookFunction, HookRegistry } from '../../../src/agent/hooks/registry.ts';
import { openTestSession, recordingTool } from '../fixture.ts';

// The scenarios of the hook outputs, each by its name.

const done = { text: 'Done.' };

/** A session whose tool `Echo` changes something, so that permission for it is requested. */
async function play(
  hooks: (registry: HookRegistry) => void,
  more: Parameters<typeof openTestSession>[0] | object = {},
) {
  const ran: string[] = [];
  const tool = recordingTool('Echo', 'changes', ({ text }) => {
    ran.push(text);
  });
  const opened = await openTestSession({
    tools: [tool],
    script: [{ calls: [{ name: 'Echo', input: { text: 'original' } }] }, done],
    hooks,
    ...more,
  });
  const end = await opened.prompt();
  return { ...opened, ran, end, result: opened.results('Echo')[0] };
}

const onPermission = (run: HookFunction<'PermissionRequest'>) => (registry: HookRegistry) =>
  registry.register('PermissionRequest', 'test', run);

describe('PermissionRequestHookOutput Type', () => {
  it('Scenario: Allow permission with unchanged input', async () => {
    const { ran, asked } = await play(
      onPermission(() => ({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
      })),
    );
    expect(ran).toEqual(['original']);
    expect(asked).toEqual([]);
  });

  it('Scenario: Allow permission with modified input', async () => {
    const { ran } = await play(
      onPermission(() => ({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'allow', updatedInput: { text: 'modified' } },
        },
      })),
    );
    expect(ran).toEqual(['modified']);
  });

  it('Scenario: Deny permission', async () => {
    const { ran, result, end } = await play(
      onPermission(() => ({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: 'Not on Fridays', interrupt: false },
        },
      })),
    );
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ is_error: true, content: 'Denied: Not on Fridays' });
    expect(end.stop).toBe('end_turn');
  });

  it('Scenario: Deny with interrupt', async () => {
    const calls = ['first', 'second'].map((text) => ({ name: 'Echo', input: { text } }));
    const { ran, end, events, results, model } = await play(
      onPermission(() => ({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'deny', message: 'Stop here', interrupt: true },
        },
      })),
      { script: [{ calls }, done] },
    );
    expect(ran).toEqual([]);
    expect(end).toMatchObject({ stop: 'interrupted', text: 'Stop here' });
    expect(events.at(-1)).toMatchObject({ type: 'result', stop_reason: 'interrupted', text: 'Stop here' });
    expect(results()).toMatchObject([{ is_error: true }, { is_error: true, content: 'Not run: Stop here' }]);
    expect(model.requests).toHaveLength(1);
  });

  it('an allowance never beats a denial, in whatever order they come', async () => {
    const allow = () =>
      ({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
      }) as const;
    const denial = () =>
      ({
        hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'no' } },
      }) as const;
    for (const order of [
      [allow, denial],
      [denial, allow],
    ]) {
      const { ran } = await play((registry) => {
        for (const run of order) {
          registry.register('PermissionRequest', 'test', run);
        }
      });
      expect(ran).toEqual([]);
    }
  });

  it('a modified input is validated again', async () => {
    const { ran, result } = await play(
      onPermission(() => ({
        hookSpecificOutput: {
          hookEventName: 'PermissionRequest',
          decision: { behavior: 'allow', updatedInput: { text: 7 } },
        },
      })),
    );
    expect(ran).toEqual([]);
    expect(result?.content).toContain('updatedInput that is not valid');
  });
});

describe('SubagentStartHookOutput Type', () => {
  const script = [
    { calls: [{ name: 'Agent', input: { description: 'Look', prompt: 'Look around', subagent_type: 'explore' } }] },
    { text: 'Seen.' },
    done,
  ];

  it('Scenario: Provide additional context to subagent', async () => {
    const opened = await openTestSession({
      script,
      hooks: (registry) =>
        registry.register('SubagentStart', 'test', ({ subagent_type }) => ({
          hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: `You are ${subagent_type}.` },
        })),
    });
    await opened.prompt();
    expect(opened.model.requests[1]?.messages).toMatchObject([
      { role: 'user', text: 'Look around\n\nYou are explore.' },
    ]);
  });

  it('Scenario: No additional context', async () => {
    const opened = await openTestSession({
      script,
      hooks: (registry) =>
        registry.register('SubagentStart', 'test', () => ({ hookSpecificOutput: { hookEventName: 'SubagentStart' } })),
    });
    await opened.prompt();
    expect(opened.model.requests[1]?.messages).toMatchObject([{ role: 'user', text: 'Look around' }]);
    expect(opened.results('Agent')).toMatchObject([{ is_error: false, content: expect.stringContaining('Seen.') }]);
  });
});

describe('PreToolUseHookOutput Enhancement', () => {
  const bypass = { mode: 'bypass' };

  it('Scenario: Modify tool input before execution', async () => {
    const { ran } = await play(
      (registry) =>
        registry.register('PreToolUse', 'test', ({ tool_input }) => ({
          hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { text: `${tool_input.text}, modified` } },
        })),
      bypass,
    );
    expect(ran).toEqual(['original, modified']);
  });

  it('Scenario: No input modification', async () => {
    const { ran } = await play(
      (registry) =>
        registry.register('PreToolUse', 'test', () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' } })),
      bypass,
    );
    expect(ran).toEqual(['original']);
  });

  const allow = (registry: HookRegistry) =>
    registry.register('PreToolUse', 'test', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    }));

  it('an allowance answers what the mode would ask', async () => {
    const { ran, asked } = await play(allow);
    expect(ran).toEqual(['original']);
    expect(asked).toEqual([]);
  });

  it.each([
    [{ deny: ['Echo'] }, 0],
    [{ ask: ['Echo'] }, 1],
  ])('an allowance never beats the rules %j', async (permissions, questions) => {
    const { ran, asked } = await play(allow, { settings: { permissions } });
    expect(ran).toEqual([]);
    expect(asked).toHaveLength(questions);
  });

  it('a denial is final, with its reason', async () => {
    const { ran, result } = await play(
      (registry) =>
        registry.register('PreToolUse', 'test', () => ({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'deny',
            permissionDecisionReason: 'not now',
          },
        })),
      bypass,
    );
    expect(ran).toEqual([]);
    expect(result?.content).toBe('Denied: not now');
  });

  it('a question goes to the user even where the mode would not ask', async () => {
    const { ran, asked } = await play(
      (registry) =>
        registry.register('PreToolUse', 'test', () => ({
          hookSpecificOutput: {
            hookEventName: 'PreToolUse',
            permissionDecision: 'ask',
            permissionDecisionReason: 'look twice',
          },
        })),
      { ...bypass, answer: { kind: 'once' } },
    );
    expect(asked).toMatchObject([{ tool: 'Echo', reason: 'look twice', sessionRule: null }]);
    expect(ran).toEqual(['original']);
  });

  it('a gate that breaks is not open: a person decides', async () => {
    const { ran, result, notices } = await play((registry) => {
      registry.register('PreToolUse', 'broken gate', () => {
        throw new Error('no database');
      });
    }, bypass);
    expect(ran).toEqual([]);
    expect(result?.content).toContain("The hook 'broken gate' failed: no database.");
    expect(notices).toEqual(["The hook 'broken gate' failed: no database."]);
  });
});

describe('PostToolUseHookOutput Enhancement', () => {
  const bypass = { mode: 'bypass' };

  it('Scenario: Modify tool output after execution', async () => {
    const { result, model } = await play(
      (registry) =>
        registry.register('PostToolUse', 'test', () => ({
          hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: { secret: '***' } },
        })),
      bypass,
    );
    expect(result).toMatchObject({ is_error: false, content: '{"secret":"***"}' });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ results: [{ content: '{"secret":"***"}' }] });
  });

  it('Scenario: No output modification', async () => {
    const { result } = await play(
      (registry) =>
        registry.register('PostToolUse', 'test', () => ({ hookSpecificOutput: { hookEventName: 'PostToolUse' } })),
      bypass,
    );
    expect(result?.content).toBe('original');
  });

  it('contexts of several hooks are joined, after the output', async () => {
    const { result } = await play((registry) => {
      for (const additionalContext of ['One.', 'Two.']) {
        registry.register('PostToolUse', 'test', () => ({
          hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext },
        }));
      }
    }, bypass);
    expect(result?.content).toBe('original\n\nOne.\n\nTwo.');
  });
});

describe('hooks of the session', () => {
  it('UserPromptSubmit can refuse a prompt: the model never sees it', async () => {
    const opened = await openTestSession({
      tools: [],
      script: [done],
      hooks: (registry) =>
        registry.register('UserPromptSubmit', 'test', () => ({ decision: 'block', reason: 'It holds a password.' })),
    });
    expect(await opened.prompt()).toMatchObject({ stop: 'interrupted', text: 'It holds a password.' });
    expect(opened.model.requests).toEqual([]);
  });

  it('SessionStart and UserPromptSubmit add context to the prompt', async () => {
    const opened = await openTestSession({
      tools: [],
      script: [done],
      hooks: (registry) => {
        registry.register('SessionStart', 'test', ({ source }) => ({
          hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: `source: ${source}` },
        }));
        registry.register('UserPromptSubmit', 'test', () => ({
          hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'be brief' },
        }));
      },
    });
    await opened.prompt('Hello');
    await opened.prompt('Again');
    const texts = opened.model.requests[1]?.messages.flatMap((message) => ('text' in message ? [message.text] : []));
    expect(texts).toEqual(['Hello\n\nsource: startup\n\nbe brief', 'Done.', 'Again\n\nbe brief']);
  });

  it('Stop sends the agent on, told why, but not for ever', async () => {
    const opened = await openTestSession({
      tools: [],
      script: [done],
      hooks: (registry) => registry.register('Stop', 'test', () => ({ decision: 'block', reason: 'Run the tests.' })),
    });
    expect(await opened.prompt()).toMatchObject({ stop: 'end_turn', turns: 6 });
    expect(opened.model.requests[1]?.messages.at(-1)).toMatchObject({ role: 'user', text: 'Run the tests.' });
  });

  it('SubagentStop, SessionEnd, PreCompact and PostToolUseFailure are told', async () => {
    const told: unknown[] = [];
    const opened = await openTestSession({
      settings: { compactAt: 1000 },
      script: [
        { calls: [{ name: 'Read', input: { file_path: 'missing' } }] },
        { calls: [{ name: 'Agent', input: { description: 'Look', prompt: 'Look', subagent_type: 'explore' } }] },
        { text: 'Seen.' },
        { calls: [{ name: 'Glob', input: { pattern: '*' } }] },
        { calls: [{ name: 'Glob', input: { pattern: '*' } }], inputTokens: 5000 },
        { text: 'Summary.' },
        done,
      ],
      hooks: (registry) => {
        for (const event of ['SubagentStop', 'SessionEnd', 'PreCompact', 'PostToolUseFailure'] as const) {
          registry.register(event, 'test', (input) => {
            told.push(input.hook_event_name);
            return undefined;
          });
        }
      },
    });
    await opened.prompt();
    await opened.session.close('completed');
    expect(told).toEqual(['PostToolUseFailure', 'SubagentStop', 'PreCompact', 'SessionEnd']);
  });
});
