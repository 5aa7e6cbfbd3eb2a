import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseDefinition, readDefinitions } from '../../../src/agent/subagents/definition.ts';
import { subagentModel } from '../../../src/agent/subagents/subagent-model.ts';
import { agent } from '../../../src/tools/agent.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { openTestSession, ScriptedModel, write } from '../fixture.ts';

const done = { text: 'Done.' };
const start = (more: object = {}, type = 'general-purpose') => ({
  calls: [{ name: 'Agent', input: { description: 'Look', prompt: 'Look around', subagent_type: type, ...more } }],
});

/** A session whose main model starts one subagent; the others say which model they are. */
async function play(more: object, definition?: string) {
  const cwd = temporaryDirectory();
  if (definition !== undefined) {
    write(cwd, '.oxide-guard/agents/helper.md', definition);
  }
  const opus = new ScriptedModel([{ text: 'I am Opus.' }], 'claude-opus-4-1');
  const haiku = new ScriptedModel([{ text: 'I am Haiku.' }], 'claude-haiku-4-5');
  const opened = await openTestSession({
    cwd,
    others: { [opus.name]: opus, [haiku.name]: haiku },
    script: [
      start(more, definition === undefined ? 'general-purpose' : 'helper'),
      { text: 'I am the parent’s.' },
      done,
    ],
  });
  await opened.prompt();
  return { ...opened, opus, haiku, answer: opened.results('Agent')[0]?.content ?? '' };
}

describe('AgentInput Type Complete Definition', () => {
  it('Scenario: Create subagent with specific model', async () => {
    expect((await play({ model: 'opus' })).answer).toContain('I am Opus.');
    expect(agent.validate({ ...start({ model: 'opus' }).calls[0]?.input })).toMatchObject({ input: { model: 'opus' } });
  });

  it('Scenario: Inherit model from parent', async () => {
    const { answer, model } = await play({ model: 'inherit' }, '---\ndescription: x\nmodel: haiku\n---\n');
    expect(answer).toContain('I am the parent’s.');
    expect(model.requests[1]?.messages).toMatchObject([{ role: 'user', text: 'Look around' }]);
  });

  it('Scenario: Resume subagent execution', async () => {
    const opened = await openTestSession({
      script: [
        start({}, 'explore'),
        { text: 'Seen one.' },
        (request) => {
          const last = request.messages.at(-1);
          const id = last?.role === 'tool' ? /agent id: ([\w-]+)/.exec(last.results[0]?.content ?? '')?.[1] : undefined;
          return start({ resume: id, prompt: 'And the other?' }, 'explore');
        },
        { text: 'Seen two.' },
        done,
      ],
    });
    await opened.prompt();
    expect(opened.model.requests[3]?.messages).toMatchObject([
      { role: 'user', text: 'Look around' },
      { role: 'assistant', text: 'Seen one.' },
      { role: 'user', text: 'And the other?' },
    ]);
    expect(opened.results('Agent')[1]).toMatchObject({
      is_error: false,
      content: expect.stringContaining('Seen two.'),
    });
  });

  it('Scenario: Default model', async () => {
    const { answer } = await play({}, '---\ndescription: x\nmodel: haiku\n---\nHelp.');
    expect(answer).toContain('I am Haiku.');
    const validation = agent.validate(start().calls[0]?.input);
    expect(JSON.stringify(validation.ok && validation.input)).not.toContain('model');
    // Where the definition is silent, too: the configured one, whatever its parent has.
    const [main, parent] = [new ScriptedModel([], 'main'), new ScriptedModel([], 'parent')];
    expect(subagentModel(undefined, null, parent, { main, open: () => parent })).toBe(main);
  });

  it('a resumed subagent keeps its own model', async () => {
    const { haiku, root, stored, session, cwd, results } = await play({ model: 'haiku' });
    const id = /agent id: ([\w-]+)/.exec(results('Agent')[0]?.content ?? '')?.[1];
    await session.close('completed');
    const resumed = await openTestSession({
      cwd,
      resume: { root, id: stored.header.id },
      others: { [haiku.name]: haiku },
      script: [start({ resume: id }), done],
    });
    await resumed.prompt();
    expect(haiku.requests).toHaveLength(2);
    expect(haiku.requests[1]?.messages).toHaveLength(3);
  });

  it('an unknown id is an error that lists the known ones', async () => {
    const opened = await openTestSession({
      script: [start({}, 'explore'), { text: 'Seen.' }, start({ resume: 'agent-nope' }), done],
    });
    await opened.prompt();
    const [first, second] = opened.results('Agent');
    const id = /agent id: ([\w-]+)/.exec(first?.content ?? '')?.[1];
    expect(second).toMatchObject({ is_error: true, content: expect.stringContaining(`The agents are: ${id}.`) });
  });
});

describe('a subagent', () => {
  it('has the tools of its definition, and its prompt', async () => {
    const opened = await openTestSession({ script: [start({}, 'explore'), { text: 'Seen.' }, done] });
    await opened.prompt();
    expect(opened.model.requests[1]?.tools.map(({ name }) => name)).toEqual(['Read', 'Glob', 'Grep']);
    expect(opened.model.requests[1]?.system).toContain('You explore a code base');
  });

  it('does not nest for ever: at the second level it has no subagents of its own', async () => {
    const opened = await openTestSession({ script: [start(), start(), { text: 'Deep.' }, { text: 'Middle.' }, done] });
    await opened.prompt();
    const offered = opened.model.requests.slice(0, 3).map(({ tools }) => tools.some(({ name }) => name === 'Agent'));
    expect(offered).toEqual([true, true, false]);
    expect(opened.events.filter(({ type }) => type === 'subagent')).toHaveLength(4);
  });

  it('gives none that it starts a tool that it lacks itself, whatever kind that is', async () => {
    const cwd = temporaryDirectory();
    write(cwd, '.oxide-guard/agents/planner.md', '---\ndescription: Plans\ntools: Read, Agent\n---\n');
    const running = { calls: [{ name: 'Bash', input: { command: 'touch made' } }] };
    const opened = await openTestSession({
      cwd,
      mode: 'bypass',
      script: [start({}, 'planner'), start(), running, { text: 'Deep.' }, { text: 'Middle.' }, done],
    });
    await opened.prompt();
    expect(opened.model.requests[2]?.tools.map(({ name }) => name)).toEqual(['Read']);
    expect(opened.results('Bash')).toMatchObject([{ is_error: true, content: expect.stringContaining('Read') }]);
    expect(existsSync(join(cwd, 'made'))).toBe(false);
  });

  it('changes nothing in plan mode, and neither does what it starts', async () => {
    const writing = (path: string) => ({ calls: [{ name: 'Write', input: { file_path: path, content: 'x' } }] });
    const opened = await openTestSession({
      mode: 'plan',
      answer: { kind: 'once' },
      script: [start(), start(), writing('a'), { text: 'Deep.' }, writing('b'), { text: 'Middle.' }, done],
    });
    await opened.prompt();
    expect(opened.results('Write').map(({ is_error, agent_id }) => [is_error, agent_id !== undefined])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(opened.asked).toEqual([]);
    expect(readdirSync(opened.cwd)).toEqual([]);
  });

  it('has what it said before and after a call on lines of their own, as a task', async () => {
    const input = { description: 'Look', prompt: 'Look around', subagent_type: 'explore' };
    const opened = await openTestSession({
      mode: 'bypass',
      script: [
        { calls: [{ name: 'Task', input }] },
        { text: 'I look.', calls: [{ name: 'Glob', input: { pattern: '*' } }] },
        { calls: [{ name: 'Glob', input: { pattern: '*' } }] },
        { text: 'Nothing is there.' },
        done,
      ],
    });
    await opened.prompt();
    expect(opened.results('Task')[0]?.content).toBe('I look.\n\nNothing is there.');
  });

  it('counts in the usage of the session', async () => {
    const { session, events } = await play({ model: 'haiku' });
    expect(session.report().models.map(({ model }) => model)).toEqual(['scripted', 'claude-haiku-4-5']);
    expect(events.some((event) => event.type === 'text' && event.agent_id !== undefined)).toBe(true);
  });

  it('that fails tells why, and how to go on with it', async () => {
    const opened = await openTestSession({
      maxTurns: 2,
      script: [start({}, 'explore'), { calls: [{ name: 'Glob', input: { pattern: '*' } }] }],
    });
    await opened.prompt();
    expect(opened.results('Agent')).toMatchObject([
      { is_error: true, content: expect.stringMatching(/used up its 2 turns.*resume "agent-/s) },
    ]);
  });
});

describe('a definition', () => {
  it('is read from front matter and body', () => {
    const text =
      '---\nname: reviewer\ndescription: "Reviews changes"\ntools: Read, Grep\nmodel: opus\n---\n\nBe strict.\n';
    expect(parseDefinition('x.md', text)).toEqual({
      name: 'reviewer',
      description: 'Reviews changes',
      tools: ['Read', 'Grep'],
      model: 'opus',
      prompt: 'Be strict.',
    });
  });

  it.each([
    ['no front matter', 'Be strict.', 'does not begin with front matter'],
    ['no description', '---\nname: x\n---\n', 'has no description'],
    ['a bad name', '---\nname: a b\ndescription: x\n---\n', "its name 'a b' must consist of"],
  ])('with %s is told as a problem', (_, text, problem) => {
    const root = temporaryDirectory();
    write(root, '.oxide-guard/agents/x.md', text);
    expect(readDefinitions(root).problems).toMatchObject([expect.stringContaining(problem)]);
    expect(readDefinitions(root).definitions.map(({ name }) => name)).toEqual(['general-purpose', 'explore']);
  });

  it('that is no file is told as a problem, too', () => {
    const root = temporaryDirectory();
    write(root, '.oxide-guard/agents/x.md/y', '');
    expect(readDefinitions(root).problems).toEqual([
      expect.stringMatching(/x\.md: it can't be read: .* is a directory/),
    ]);
  });
});
