import { describe, expect, it } from 'vitest';
import { agent } from '../../src/tools/agent.ts';
import { scriptedSessions } from '../agent/scripted-session.ts';
import { temporaryDirectory, write } from '../git/fixture.ts';
import { contextIn, fail, session } from './fixture.ts';

const start = scriptedSessions();

const work = { description: 'Look around', prompt: 'What is here?', subagent_type: 'general-purpose' };
const callAgent = (input: object) => [['Agent', { ...work, ...input }]] as const;
const idIn = (result: string) => /agent id: (\S+)\]/.exec(result)?.[1] ?? '';

describe('Create subagent with specific model', () => {
  it('uses Claude Opus when the model is "opus"', async () => {
    const { say, requests, resultOf } = await start({
      main: [callAgent({ model: 'opus' }), 'done'],
      'claude-opus': ['found it'],
    });
    expect(await say('go')).toBe('done');
    expect(requests.map(({ model }) => model)).toEqual(['main', 'claude-opus', 'main']);
    expect(resultOf('Agent')).toMatch(/^found it\n\[agent id: agent-/);
  });

  it('has "model": "opus" in its JSON', () => {
    const validation = agent.validate({ ...work, model: 'opus' });
    expect(JSON.stringify(validation)).toContain('"model":"opus"');
  });
});

describe('Inherit model from parent', () => {
  it('has the model of the agent that starts it', async () => {
    const { say, requests } = await start({
      main: [callAgent({ model: 'opus' }), 'done'],
      'claude-opus': [callAgent({ model: 'inherit' }), 'from the nested one', 'found it'],
    });
    await say('go');
    expect(requests.map(({ model }) => model)).toEqual(['main', 'claude-opus', 'claude-opus', 'claude-opus', 'main']);
  });

  it('overrides what the definition says', async () => {
    const root = temporaryDirectory();
    write(root, '.oxide-guard/agents/reviewer.md', '---\ndescription: Reviews.\nmodel: opus\n---\nReview.\n');
    const { say, requests } = await start(
      { main: [callAgent({ subagent_type: 'reviewer', model: 'inherit' }), 'found it', 'done'] },
      root,
    );
    await say('go');
    expect(requests.map(({ model }) => model)).toEqual(['main', 'main', 'main']);
  });
});

describe('Resume subagent execution', () => {
  it('goes on with what it knew and with its own model', async () => {
    const { say, requests, resultOf } = await start({
      main: [
        callAgent({ model: 'opus' }),
        () => callAgent({ resume: idIn(resultOf('Agent')), prompt: 'And the second?', model: 'main' }),
        'done',
      ],
      'claude-opus': ['the first', 'the second'],
    });
    await say('go');
    const asked = requests.filter(({ model }) => model === 'claude-opus').at(-1)?.request.messages;
    expect(asked?.map((message) => ('text' in message ? message.text : ''))).toEqual([
      'What is here?',
      'the first',
      'And the second?',
    ]);
    expect(resultOf('Agent')).toMatch(/^the second/);
  });

  it('lists the known ids when it does not know one', async () => {
    const { say, resultOf } = await start({
      main: [callAgent({}), 'found it', callAgent({ resume: 'agent-zzz' }), 'done'],
    });
    await say('go');
    expect(resultOf('Agent')).toMatch(/There is no agent 'agent-zzz'.*The agents are: agent-[0-9a-f]{6}\./);
  });
});

describe('Default model', () => {
  it('is omitted from JSON', () => {
    const validation = agent.validate(work);
    expect(JSON.stringify(validation)).not.toContain('model');
    expect(JSON.stringify(validation)).not.toContain('resume');
  });

  it('is the definition’s, then the configured one', async () => {
    const root = temporaryDirectory();
    write(root, '.oxide-guard/agents/reviewer.md', '---\ndescription: Reviews.\nmodel: opus\n---\nReview.\n');
    write(root, '.oxide-guard/agents/plain.md', '---\ndescription: Plain.\n---\nWork.\n');
    const { say, requests } = await start(
      {
        main: [callAgent({ subagent_type: 'reviewer' }), callAgent({ subagent_type: 'plain' }), 'plain', 'done'],
        'claude-opus': ['reviewed'],
      },
      root,
    );
    await say('go');
    expect(requests.map(({ model }) => model)).toEqual(['main', 'claude-opus', 'main', 'main', 'main']);
  });
});

describe('a subagent', () => {
  it('of an unknown type is a failure that lists the types', async () => {
    const { say, resultOf } = await start({ main: [callAgent({ subagent_type: 'wizard' }), 'done'] });
    await say('go');
    expect(resultOf('Agent')).toMatch(/no subagent type 'wizard'.*\n- general-purpose: /);
  });

  it('works in the background, and TaskOutput has its answer', async () => {
    const { say, resultOf } = await start({
      main: [
        callAgent({ run_in_background: true, model: 'opus' }),
        [['TaskOutput', { task_id: 'task-1', block: true }]],
        'done',
      ],
      'claude-opus': ['found it'],
    });
    await say('go');
    expect(resultOf('Agent')).toContain('task-1');
    expect(resultOf('TaskOutput')).toMatch(/\[task-1 \(Look around\) is complete\.\]\nfound it/);
  });

  it('can’t be started outside of a session', async () => {
    expect((await fail(agent, work, contextIn(temporaryDirectory()), session())).error.code).toBe('no-subagents');
  });

  it.each([
    [{ ...work, prompt: '' }, '`prompt`'],
    [{ ...work, subagent_type: 3 }, '`subagent_type`'],
    [{ ...work, modle: 'x' }, '`modle`'],
  ])('is not started by an invalid input: %j', async (input, field) => {
    expect((await fail(agent, input, contextIn(temporaryDirectory()))).text).toContain(field);
  });
});
