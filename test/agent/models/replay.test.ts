import { describe, expect, it } from 'vitest';
import { openModels } from '../../../src/agent/models/catalogue.ts';
import { openReplay } from '../../../src/agent/models/replay.ts';
import { retryAfterOf } from '../../../src/agent/models/retry.ts';
import { resolveAgentSettings } from '../../../src/config/agent-settings.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { write } from '../fixture.ts';

const request = {
  system: '',
  messages: [],
  tools: [],
  signal: new AbortController().signal,
  onText: () => {},
  onNotice: () => {},
};

describe('a recording', () => {
  it('is one turn a line', async () => {
    const model = openReplay(
      'r',
      () => '{"text":"Hi.","tool_calls":[{"name":"Read","input":{"a":1}}]}\n\n{"text":"Bye."}\n',
    ).model('r');
    expect(await model.turn(request)).toMatchObject({
      text: 'Hi.',
      stop: 'calls',
      calls: [{ name: 'Read', input: { a: 1 } }],
    });
    expect(await model.turn(request)).toMatchObject({ text: 'Bye.', stop: 'end', calls: [] });
  });

  it('that ends early is an error that says so', async () => {
    const model = openReplay('r.ndjson', () => '{"text":"Hi."}').model('r');
    await model.turn(request);
    await expect(model.turn(request)).rejects.toMatchObject({
      code: 'replay-ended',
      message: 'r.ndjson has 1 turn, and the session asked for another one.',
    });
  });

  it.each([
    ['{"text": 7}', 'r, line 2: text:'],
    ['{"tool_call": []}', 'r, line 2: the line:'],
    ['hello', 'r, line 2: it is no JSON'],
  ])('with the line %s is refused, naming it', (line, message) => {
    expect(() => openReplay('r', () => `{"text":"Hi."}\n${line}`)).toThrow(message);
  });

  it('that is not there says how to name one', () => {
    expect(() => openReplay('/does/not/exist')).toThrow(expect.objectContaining({ code: 'replay-unreadable' }));
  });
});

describe('which model a session has', () => {
  const silent = { model: null, provider: null, baseUrl: null };
  const settings = resolveAgentSettings({ aliases: { fast: 'gpt-5-mini' } });

  it('without any, it says how to configure one', async () => {
    await expect(openModels(silent, settings, {}, '/')).rejects.toMatchObject({
      code: 'no-model',
      message: 'No provider and model is configured.',
      remedy: expect.stringContaining('oxide-guard demo'),
    });
  });

  it('the command line decides before the environment, that before the configuration', async () => {
    const env = { ANTHROPIC_API_KEY: 'k', OXIDE_GUARD_MODEL: 'opus' };
    const configured = { ...settings, model: 'haiku' };
    expect((await openModels({ ...silent, model: 'fast' }, configured, env, '/')).main.name).toBe('gpt-5-mini');
    expect((await openModels(silent, configured, env, '/')).main.name).toMatch(/opus/);
    expect((await openModels(silent, configured, { ANTHROPIC_API_KEY: 'k' }, '/')).main.name).toMatch(/haiku/);
  });

  it('an unknown provider is told with the known ones', async () => {
    await expect(openModels({ ...silent, provider: 'x', model: 'y' }, settings, {}, '/')).rejects.toMatchObject({
      code: 'unknown-provider',
      remedy: expect.stringContaining('replay:FILE'),
    });
  });

  it('subagents of a recording take their turns from the same file', async () => {
    const directory = temporaryDirectory();
    write(directory, 'r.ndjson', '{"text":"One."}\n{"text":"Two."}\n');
    const models = await openModels({ ...silent, provider: 'replay:r.ndjson' }, settings, {}, directory);
    await models.main.turn(request);
    expect(await models.open('opus').turn(request)).toMatchObject({ text: 'Two.' });
    expect(models.open('opus').name).toMatch(/^claude-opus/);
  });
});

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after-ms': '250' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:01:00 GMT' }, 50_000],
    [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:01 GMT' }, 0],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%j is %s ms', (headers, milliseconds) => {
    expect(retryAfterOf(headers as Record<string, string>, 10_000)).toBe(milliseconds);
  });
});
