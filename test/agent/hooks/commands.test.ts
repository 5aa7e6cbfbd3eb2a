import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aggregate } from '../../../src/agent/hooks/aggregator.ts';
import type { HookInput } from '../../../src/agent/hooks/hook-input.ts';
import { parseHookOutput } from '../../../src/agent/hooks/hook-output.ts';
import { planHooks } from '../../../src/agent/hooks/planner.ts';
import { createHookRegistry } from '../../../src/agent/hooks/registry.ts';
import { runHook } from '../../../src/agent/hooks/runner.ts';
import type { HookEvent } from '../../../src/config/agent-settings.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { openTestSession, recordingTool } from '../fixture.ts';

const input: HookInput = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'c1',
};

async function run(command: string, timeout?: number, signal = new AbortController().signal) {
  const registry = createHookRegistry({ PreToolUse: [{ command, timeout }] });
  const [hook] = planHooks(registry, input);
  return runHook(hook!, input, { cwd: temporaryDirectory(), env: process.env, signal });
}

describe('a configured command', () => {
  it('gets the event as JSON on its standard input', async () => {
    const directory = temporaryDirectory();
    await run(`cat > ${directory}/input.json`);
    expect(JSON.parse(readFileSync(join(directory, 'input.json'), 'utf8'))).toEqual(input);
  });

  it('answers with JSON on its standard output', async () => {
    const answer = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', ignored: 1 } };
    const outcome = await run(`echo '${JSON.stringify(answer)}'`);
    expect(aggregate([outcome])).toMatchObject({ decision: 'deny', updatedInput: null });
  });

  it.each([
    ['says nothing', 'true', { kind: 'answered', output: {} }],
    ['blocks by exit code 2', 'echo too late >&2; exit 2', { kind: 'blocked', reason: 'too late' }],
    ['fails by another exit code', 'echo oops >&2; exit 3', { kind: 'failed', problem: 'exit code 3: oops' }],
    ['answers no JSON', 'echo hello', { kind: 'failed', problem: 'its answer is no JSON: hello' }],
    ['answers bytes at random', 'head -c 1000 /dev/urandom', { kind: 'failed' }],
    ['is ended by a signal', 'kill -SEGV $$', { kind: 'failed' }],
    ['writes 10 MB', 'head -c 10000000 /dev/zero', { kind: 'failed', problem: 'it wrote more than 1 MiB' }],
    ['complains without an end', 'yes >&2; exit 2', { kind: 'failed', problem: 'it wrote more than 1 MiB' }],
    ['leaves something running', 'setsid sleep 3 & echo "{}"', { kind: 'answered' }],
    ['answers about another event', `echo '{"hookSpecificOutput":{"hookEventName":"Stop"}}'`, { kind: 'failed' }],
    [
      'answers with a field of a wrong form',
      `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"maybe"}}'`,
      { kind: 'failed', problem: expect.stringContaining('hookSpecificOutput.permissionDecision') },
    ],
    ['does not read its input', 'exec 0<&-; exit 0', { kind: 'answered' }],
    ['does not exist', '/does/not/exist', { kind: 'failed' }],
  ])('%s', async (_, command, outcome) => {
    expect(await run(command)).toMatchObject(outcome);
  });

  it('is ended with its children when it takes too long', async () => {
    const outcome = await run('sleep 60 & sleep 60; echo late', 100);
    expect(outcome).toMatchObject({ kind: 'failed', problem: 'it took longer than 0.1 s' });
  });

  it.each(['while :; do echo "{}"; sleep 0.01; done', 'trap "" TERM INT HUP; setsid sleep 60 & sleep 60'])(
    'is ended in time whatever it does: %s',
    async (command) => {
      const outcome = await run(command, 300);
      expect(outcome).toMatchObject({ kind: 'failed', problem: 'it took longer than 0.3 s' });
    },
  );

  it('that blocks with a long complaint is quoted in part', async () => {
    const outcome = await run('head -c 100000 /dev/zero | tr "\\0" a >&2; exit 2');
    expect(outcome.kind === 'blocked' && outcome.reason.length).toBe(4000);
  });

  it('that answers with a reason of half a megabyte is quoted in part, and so is what it wants the model to know', async () => {
    const long = 'a'.repeat(500_000);
    const answer = (event: string, fields: object) =>
      JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...fields } });
    const denial = { permissionDecision: 'deny', permissionDecisionReason: long };
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'answer.json'), answer('PreToolUse', denial));
    expect(aggregate([await run(`cat ${directory}/answer.json`)])).toMatchObject({
      decision: 'deny',
      message: `${'a'.repeat(4000)}…`,
    });
    const request = parseHookOutput(
      'PermissionRequest',
      JSON.parse(answer('PermissionRequest', { decision: { behavior: 'deny', message: long } })),
    );
    expect(JSON.stringify(request).length).toBeLessThan(5000);
    const context = parseHookOutput('PostToolUse', JSON.parse(answer('PostToolUse', { additionalContext: long })));
    expect(context.ok && JSON.stringify(context.output).length).toBeLessThan(61_000);
    expect(JSON.stringify(parseHookOutput('Stop', { decision: 'block', reason: long })).length).toBeLessThan(5000);
  });
});

describe('which hooks an event calls', () => {
  const names = (matcher: string | undefined, tool: string) => {
    const registry = createHookRegistry({ PreToolUse: [{ matcher, command: 'x' }] });
    return planHooks(registry, { ...input, tool_name: tool } as HookInput).length;
  };

  it.each([
    [undefined, 'Bash', 1],
    ['*', 'Bash', 1],
    ['', 'Bash', 1],
    ['Bash', 'Bash', 1],
    ['Bash', 'BashOutput', 0],
    ['Edit|Write', 'Write', 1],
    ['mcp__.*', 'mcp__db__query', 1],
  ])('matcher %j and tool %s', (matcher, tool, count) => {
    expect(names(matcher, tool)).toBe(count);
  });

  it('may write an absent field as null; an input that it changes keeps its nulls', () => {
    const parsed = (output: unknown) => {
      const { hookEventName } = output as { hookEventName: HookEvent };
      return parseHookOutput(hookEventName, { hookSpecificOutput: output, decision: null, reason: null });
    };
    const allow = { behavior: 'allow', updatedInput: null };
    expect(parsed({ hookEventName: 'PermissionRequest', decision: allow })).toEqual({
      ok: true,
      output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } },
    });
    expect(parsed({ hookEventName: 'PreToolUse', permissionDecision: null, updatedInput: { a: null } })).toEqual({
      ok: true,
      output: { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { a: null } } },
    });
    for (const hookEventName of ['SubagentStart', 'PostToolUse']) {
      const output = { hookEventName, additionalContext: null, updatedMCPToolOutput: null };
      expect(parsed(output)).toEqual({ ok: true, output: { hookSpecificOutput: { hookEventName } } });
    }
  });

  it('denies without a message, too', () => {
    const decision = { behavior: 'deny', interrupt: true };
    const hookSpecificOutput = { hookEventName: 'PermissionRequest', decision };
    const [hook] = planHooks(createHookRegistry({ PreToolUse: [{ command: 'x' }] }), input);
    const parsed = parseHookOutput('PermissionRequest', { hookSpecificOutput });
    const output = parsed.ok ? parsed.output : {};
    expect(aggregate([{ kind: 'answered', hook: hook!, output }])).toMatchObject({
      decision: 'deny',
      interrupt: true,
      message: 'A hook denies this without a reason.',
    });
  });

  it('runs a command once that is configured twice', () => {
    const registry = createHookRegistry({ PreToolUse: [{ command: 'x' }, { matcher: 'Bash', command: 'x' }] });
    expect(planHooks(registry, input)).toHaveLength(1);
  });
});

it('a configured command takes part in a session, with the exact names of the wire', async () => {
  const answer = {
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'by command' } },
  };
  const opened = await openTestSession({
    mode: 'bypass',
    tools: [recordingTool('Echo', 'changes', () => '')],
    settings: { hooks: { PermissionRequest: [{ matcher: 'Echo', command: `echo '${JSON.stringify(answer)}'` }] } },
    script: [{ calls: [{ name: 'Echo', input: { text: 'x' } }] }, { text: 'Done.' }],
  });
  await opened.prompt();
  expect(opened.results()).toMatchObject([{ is_error: true, content: 'Denied: by command' }]);
});
