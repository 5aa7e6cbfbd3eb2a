import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { restoreSession } from '../../src/agent/session/restore.ts';
import { readTranscript } from '../../src/agent/session/transcript.ts';
import { OxideError } from '../../src/errors.ts';
import { emptyRepository, temporaryDirectory } from '../git/fixture.ts';
import { openTestSession, recordingTool, write } from './fixture.ts';

const echo = (text: string) => ({ name: 'Echo', input: { text } });
const done = { text: 'Done.' };

describe('TestAgent_ToolCall_HappyPath', () => {
  it('runs what the model asks for, and asks the model again with the result', async () => {
    const tool = recordingTool('Echo', 'reads', ({ text }) => text.toUpperCase());
    const { prompt, model, events } = await openTestSession({
      tools: [tool],
      script: [{ calls: [echo('hello')] }, done],
    });
    const end = await prompt('Say hello');
    expect(end).toMatchObject({ stop: 'end_turn', text: 'Done.', turns: 2 });
    expect(model.requests[0]?.messages).toMatchObject([{ role: 'user', text: 'Say hello' }]);
    expect(model.requests[0]?.tools).toMatchObject([{ name: 'Echo', parameters: { type: 'object' } }]);
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', calls: [{ id: 'scripted-1-1', name: 'Echo', input: { text: 'hello' } }] },
      { role: 'tool', results: [{ callId: 'scripted-1-1', content: 'HELLO', isError: false }] },
    ]);
    expect(events.map(({ type }) => type)).toEqual(['session', 'tool_call', 'tool_result', 'text', 'result']);
  });
});

describe('TestAgent_ToolCall_MaxIterations', () => {
  it('stops an agent that calls a tool for ever at the limit of 5', async () => {
    let runs = 0;
    const tool = recordingTool('Echo', 'reads', () => {
      runs += 1;
    });
    const { prompt, events } = await openTestSession({
      tools: [tool],
      maxTurns: 5,
      script: [{ calls: [echo('again')] }],
    });
    expect(await prompt()).toMatchObject({ stop: 'max_turns', turns: 5 });
    expect(runs).toBe(5);
    expect(events.at(-1)).toMatchObject({ type: 'result', stop_reason: 'max_turns', turns: 5 });
  });
});

describe('TestVFS_Integration', () => {
  it('makes a version of the session of what the agent writes, and says which', async () => {
    const { prompt, results, stored, cwd } = await openTestSession({
      virtual: true,
      mode: 'accept-edits',
      script: [{ calls: [{ name: 'Write', input: { file_path: 'main.go', content: 'package main\n' } }] }, done],
    });
    await prompt();
    expect(results('Write')).toMatchObject([{ is_error: false, content: 'File main.go written (Version 1)' }]);
    expect(existsSync(join(cwd, 'main.go'))).toBe(false);
    const records = readTranscript(join(stored.directory, 'session.jsonl'));
    const [version] = restoreSession(records).versions;
    expect(version).toMatchObject({ path: join(cwd, 'main.go'), version: 1, author: 'agent', reason: 'Write' });
    expect(stored.readContent(version?.hash ?? '').toString()).toBe('package main\n');
  });
});

describe('Auto-Fix', () => {
  it('writes the file, then says that the fix is applied', async () => {
    const { prompt, cwd } = await openTestSession({
      mode: 'accept-edits',
      script: [
        { calls: [{ name: 'Write', input: { file_path: 'main.go', content: 'package main\n' } }] },
        { text: 'Fix applied.' },
      ],
    });
    expect(await prompt('Fix it')).toMatchObject({ stop: 'end_turn', text: 'Fix applied.' });
    expect(readFileSync(join(cwd, 'main.go'), 'utf8')).toBe('package main\n');
  });
});

describe('several calls in one turn', () => {
  it('are told apart where a server gives them the same id, or none, and in later turns, too', async () => {
    const tool = recordingTool('Echo', 'reads', ({ text }) => text.toUpperCase());
    const named = (id: string, text: string) => ({ id, ...echo(text) });
    const { prompt, model, stored } = await openTestSession({
      tools: [tool],
      script: [
        { calls: [named('call_0', 'a'), named('call_0', 'b'), named('', 'c')] },
        { calls: [named('call_0', 'd'), named('', 'e')] },
        done,
      ],
    });
    await prompt();
    const { messages } = restoreSession(readTranscript(join(stored.directory, 'session.jsonl')));
    for (const conversation of [model.requests[2]?.messages ?? [], messages]) {
      const calls = conversation.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
      const results = conversation.flatMap((message) => (message.role === 'tool' ? message.results : []));
      expect(results.map(({ content }) => content)).toEqual(['A', 'B', 'C', 'D', 'E']);
      expect(results.map(({ callId }) => callId)).toEqual(calls.map(({ id }) => id));
      expect(new Set(calls.map(({ id }) => id)).size).toBe(5);
      expect(calls.every(({ id }) => /^[\w-]+$/.test(id))).toBe(true);
    }
  });

  it('runs those that read side by side, and gives the results in source order', async () => {
    let running = 0;
    let most = 0;
    const slow = recordingTool('Echo', 'reads', async ({ text }) => {
      running += 1;
      most = Math.max(most, running);
      await sleep(text === 'first' ? 40 : 5);
      running -= 1;
    });
    const { prompt, model } = await openTestSession({
      tools: [slow],
      script: [{ calls: [echo('first'), echo('second')] }, done],
    });
    await prompt();
    expect(most).toBe(2);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ content: 'first' }, { content: 'second' }],
    });
  });

  it('runs one that changes something alone, after all before it', async () => {
    const order: string[] = [];
    const tool = (name: string, effect: 'reads' | 'changes') =>
      recordingTool(name, effect, async ({ text }) => {
        order.push(`${text} begins`);
        await sleep(10);
        order.push(`${text} ends`);
      });
    const { prompt } = await openTestSession({
      mode: 'bypass',
      tools: [tool('Look', 'reads'), tool('Change', 'changes')],
      script: [
        {
          calls: [
            { name: 'Look', input: { text: 'a' } },
            { name: 'Change', input: { text: 'b' } },
            { name: 'Look', input: { text: 'c' } },
          ],
        },
        done,
      ],
    });
    await prompt();
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});

describe('a call that can’t run', () => {
  it.each([
    ['of an unknown tool', { name: 'Nope', input: {} }, 'There is no tool'],
    ['with an invalid input', { name: 'Echo', input: { text: 7 } }, '`text` must be a text'],
    ['whose input is no object', { name: 'Echo', input: '{"text"' }, 'Invalid input for Echo'],
  ])('%s is an error that the model sees', async (_, call, message) => {
    const { prompt, results } = await openTestSession({
      tools: [recordingTool('Echo', 'reads', () => '')],
      script: [{ calls: [call] }, done],
    });
    expect(await prompt()).toMatchObject({ stop: 'end_turn' });
    expect(results()).toMatchObject([{ is_error: true, content: expect.stringContaining(message) }]);
  });
});

describe('output that was cut off', () => {
  it('does not run calls that may not be complete', async () => {
    let runs = 0;
    const tool = recordingTool('Echo', 'reads', () => {
      runs += 1;
    });
    const { prompt, model } = await openTestSession({
      tools: [tool],
      script: [{ calls: [echo('x')], stop: 'length' }, done],
    });
    expect(await prompt()).toMatchObject({ stop: 'end_turn', turns: 2 });
    expect(runs).toBe(0);
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      results: [{ isError: true, content: expect.stringContaining('cut off at its limit') }],
    });
  });

  it('lets the model go on where its text stopped', async () => {
    const { prompt, model } = await openTestSession({
      tools: [],
      script: [{ text: 'One, tw', stop: 'length' }, { text: 'o.' }],
    });
    expect(await prompt()).toMatchObject({ stop: 'end_turn', text: 'o.' });
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      text: expect.stringContaining('cut off'),
    });
  });
});

describe('Ctrl+C', () => {
  it('gives every pending call a result, and the next prompt goes on from there', async () => {
    const controller = new AbortController();
    const tool = recordingTool('Echo', 'changes', () => {
      controller.abort();
    });
    const { prompt, model, results } = await openTestSession({
      mode: 'bypass',
      tools: [tool],
      script: [{ calls: [echo('a'), echo('b')] }, done],
    });
    expect(await prompt('Go', controller.signal)).toMatchObject({ stop: 'interrupted' });
    expect(results()).toMatchObject([
      { is_error: false },
      { is_error: true, content: 'Not run: the user interrupted' },
    ]);
    expect(await prompt('Go on')).toMatchObject({ stop: 'end_turn' });
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
  });
});

describe('an error of the model', () => {
  it('ends the prompt with the error, and the session can go on', async () => {
    const fails = () => {
      throw new OxideError('model-overloaded', 'It is overloaded.', { remedy: 'Wait.' });
    };
    const { prompt, events } = await openTestSession({ tools: [], script: [fails, done] });
    expect(await prompt()).toMatchObject({ stop: 'error', error: { code: 'model-overloaded' } });
    expect(events.at(-1)).toMatchObject({ type: 'result', stop_reason: 'error', text: 'It is overloaded.' });
    expect(await prompt()).toMatchObject({ stop: 'end_turn' });
  });
});

describe('a conversation that grows too long', () => {
  it('is summarised by the model; recent messages stay, and a resumed session sees the same', async () => {
    const tool = recordingTool('Echo', 'reads', () => 'x');
    const long = { calls: [echo('x')], inputTokens: 100 };
    const opened = await openTestSession({
      tools: [tool],
      settings: { compactAt: 1000 },
      script: [long, long, long, { ...long, inputTokens: 2000 }, { text: 'They want X.' }, done],
    });
    expect(await opened.prompt('I want X')).toMatchObject({ stop: 'end_turn' });
    const summaryRequest = opened.model.requests[4];
    expect(summaryRequest?.tools).toEqual([]);
    expect(summaryRequest?.messages.at(-1)).toMatchObject({ text: expect.stringContaining('about to be shortened') });
    const after = opened.model.requests[5]?.messages ?? [];
    expect(after[0]).toMatchObject({ role: 'user', text: expect.stringContaining('They want X.') });
    expect(after[1]?.role).toBe('assistant');
    expect(after.length).toBeLessThan(9);
    expect(opened.notices).toEqual([
      `The conversation had become long: ${9 - after.length + 1} older messages were replaced by a summary.`,
    ]);
    await opened.session.close('test');

    const { root, stored } = opened;
    const resumed = await openTestSession({ tools: [tool], resume: { root, id: stored.header.id }, script: [done] });
    await resumed.prompt('And now Y');
    expect(resumed.model.requests[0]?.messages.slice(0, after.length)).toEqual(after);
  });
});

describe('the system prompt', () => {
  it('brings the project’s instructions, the nearest last, and those of no directory above the repository', async () => {
    const outside = temporaryDirectory();
    const root = join(outside, 'work');
    const cwd = join(root, 'packages', 'one');
    write(outside, 'AGENTS.md', 'Not ours.');
    write(root, 'AGENTS.md', 'Use tabs.');
    write(root, 'CLAUDE.md', 'Not read beside AGENTS.md.');
    write(cwd, 'CLAUDE.md', 'Use spaces.');
    write(root, 'packages/AGENTS.md', `${'x'.repeat(100_000)}`);
    emptyRepository(root);
    const { prompt, model } = await openTestSession({ cwd, tools: [], script: [done] });
    await prompt();
    const system = model.requests[0]?.system ?? '';
    expect(system).not.toContain('Not ours.');
    expect(system).not.toContain('Not read');
    expect(system.indexOf('Use tabs.')).toBeGreaterThan(0);
    expect(system.indexOf('Use spaces.')).toBeGreaterThan(system.indexOf('Use tabs.'));
    expect(system.length).toBeLessThan(40_000);
    expect(system).toContain('git branch main');
  });

  it('names the kinds of subagents', async () => {
    const { prompt, model } = await openTestSession({ tools: [], script: [done] });
    await prompt();
    expect(model.requests[0]?.system).toContain('- explore: Finds and reads');
  });
});
