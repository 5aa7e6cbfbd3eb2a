import { afterEach, describe, expect, it } from 'vitest';
import type { Message } from '../../../src/agent/message.ts';
import type { ModelRequest } from '../../../src/agent/model.ts';
import { openProviderModel } from '../../../src/agent/models/provider.ts';
import { providerNames } from '../../../src/config/agent-settings.ts';
import { type Answer, events, inPieces, type Loopback, loopback, silence, status, wires } from './loopback.ts';

let server: Loopback | undefined;
afterEach(() => server?.close());

const waits: number[] = [];
const notices: string[] = [];
const retries = {
  retries: 2,
  longestWait: 60_000,
  sleep: async (milliseconds: number) => {
    waits.push(milliseconds);
  },
};

const tools: ModelRequest['tools'] = [
  {
    name: 'Read',
    description: 'Reads a file.',
    parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] },
  },
];

const question: readonly Message[] = [{ role: 'user', id: 'm1', text: 'What is in a.txt?' }];

async function ask(
  provider: (typeof providerNames)[number],
  answers: readonly Answer[],
  { messages = question, signal = new AbortController().signal, onText = () => {} }: Partial<ModelRequest> = {},
) {
  waits.length = 0;
  notices.length = 0;
  server = await loopback(answers);
  const model = openProviderModel({ provider, model: 'm', baseUrl: server.url, apiKey: 'secret', retries });
  return model.turn({ system: 'Be brief.', messages, tools, signal, onText, onNotice: (text) => notices.push(text) });
}

describe.each(providerNames)('%s on the wire', (provider) => {
  const wire = wires[provider];

  it('streams text as it comes, and counts tokens', async () => {
    const parts: string[] = [];
    const turn = await ask(provider, [events(wire.say({ text: ['Hel', 'lo.'] }))], {
      onText: (part) => parts.push(part),
    });
    expect(turn).toEqual({
      text: 'Hello.',
      calls: [],
      usage: { inputTokens: 20, outputTokens: 7, cachedInputTokens: 8 },
      stop: 'end',
    });
    expect(parts).toEqual(['Hel', 'lo.']);
    expect(server?.seen[0]?.path).toBe(wire.path);
    expect(JSON.stringify(server?.seen[0]?.headers)).toContain('secret');
    expect(server?.seen[0]?.body).toMatchObject({ model: 'm', stream: true });
    expect(JSON.stringify(server?.seen[0]?.body)).toContain('Be brief.');
  });

  it('gives parallel calls with their inputs, in order', async () => {
    const calls = ['a.txt', 'b.txt'].map((name, index) => ({
      id: `call_${index}`,
      name: 'Read',
      arguments: JSON.stringify({ file_path: name }),
    }));
    expect(await ask(provider, [events(wire.say({ text: ['Both.'], calls }))])).toMatchObject({
      text: 'Both.',
      stop: 'calls',
      calls: [
        { id: 'call_0', name: 'Read', input: { file_path: 'a.txt' } },
        { id: 'call_1', name: 'Read', input: { file_path: 'b.txt' } },
      ],
    });
  });

  it.each([
    ['line ends as on Windows', (lines: readonly string[]) => lines.map((line) => line.replaceAll('\n', '\r\n'))],
    [
      'comments that keep the connection alive',
      (lines: readonly string[]) => lines.flatMap((line) => [': wait\n\n', line]),
    ],
    ['chunks of seven bytes', (lines: readonly string[]) => lines],
  ])('reads a stream with %s', async (_, change) => {
    const calls = [{ id: 'call_0', name: 'Read', arguments: '{"file_path":"ä.txt"}' }];
    const lines = change(wire.say({ text: ['Hé', 'llo 😀'], calls }));
    expect(await ask(provider, [inPieces(lines, 7)])).toMatchObject({
      text: 'Héllo 😀',
      calls: [{ id: 'call_0', name: 'Read', input: { file_path: 'ä.txt' } }],
    });
  });

  it.each([true, false])('runs no call of an answer that breaks within it (connection cut: %s)', async (cut) => {
    const calls = ['a.txt', 'b.txt'].map((name, index) => ({
      id: `call_${index}`,
      name: 'Read',
      arguments: JSON.stringify({ file_path: name }),
    }));
    const lines = wire.say({ calls });
    const end = lines.findIndex((line) => line.includes('b.txt'));
    for (const length of [end - 1, end, end + 1]) {
      await expect(ask(provider, [events(lines.slice(0, length), cut)])).rejects.toMatchObject({
        code: 'model-stream-broken',
      });
      expect(server?.seen).toHaveLength(3);
      await server?.close();
    }
  });

  it('sends calls and their results back', async () => {
    const messages: readonly Message[] = [
      ...question,
      {
        role: 'assistant',
        id: 'm2',
        text: '',
        calls: [
          { id: 'call_0', name: 'Read', input: { file_path: 'a.txt' } },
          { id: 'call_1', name: 'Read', input: '{"file' },
        ],
      },
      {
        role: 'tool',
        id: 'm3',
        results: [
          { callId: 'call_0', name: 'Read', content: 'hello', isError: false },
          { callId: 'call_1', name: 'Read', content: 'Invalid input', isError: true },
        ],
      },
    ];
    await ask(provider, [events(wire.say({ text: ['It says hello.'] }))], { messages });
    const sent = JSON.stringify(server?.seen[0]?.body);
    for (const part of ['call_0', 'call_1', 'hello', 'Invalid input', 'What is in a.txt?']) {
      expect(sent).toContain(part);
    }
  });

  it.each([
    ['length', 'length'],
    ['refused', 'refused'],
  ] as const)('tells that the output ended by %s', async (stop, expected) => {
    expect(await ask(provider, [events(wire.say({ text: ['One, tw'], stop }))])).toMatchObject({ stop: expected });
  });

  it('sends no halves of characters and no text of white space alone, which servers refuse', async () => {
    const half = 'a\ud83d b';
    const messages: readonly Message[] = [
      { role: 'user', id: 'm1', text: half },
      { role: 'assistant', id: 'm2', text: '\n\n', calls: [{ id: 'call_0', name: 'Read', input: { paths: [half] } }] },
      { role: 'tool', id: 'm3', results: [{ callId: 'call_0', name: 'Read', content: half, isError: false }] },
    ];
    await ask(provider, [events(wire.say({ text: ['Done.'] }))], { messages });
    const sent = JSON.stringify(server?.seen[0]?.body);
    expect(sent.match(/a\ufffd b/g)).toHaveLength(3);
    expect(sent).not.toContain('ud83d');
    expect(sent).not.toContain('"\\n\\n"');
  });

  it('gives a call whose arguments are no JSON to the loop, which refuses it', async () => {
    const calls = [{ id: 'call_0', name: 'Read', arguments: '{"file_path": ' }];
    const turn = await ask(provider, [events(wire.say({ calls, stop: 'length' }))]);
    expect(turn.stop).toBe('length');
  });

  it('waits as long as the server asks after 429, and tries again', async () => {
    const busy = status(429, wire.error('slow down', 'rate_limit_error'), { 'retry-after': '7' });
    expect(await ask(provider, [busy, events(wire.say({ text: ['Hello.'] }))])).toMatchObject({ text: 'Hello.' });
    expect(waits).toEqual([7000]);
    expect(notices).toEqual(["The model's provider: slow down. Trying again in 7 s."]);
  });

  it.each([500, 502, 529])('tries again after %i, longer each time, and then says so', async (code) => {
    const broken = status(code, wire.error('overloaded', 'overloaded_error'));
    await expect(ask(provider, [broken])).rejects.toMatchObject({
      code: 'model-overloaded',
      message: expect.stringContaining(`${code}: overloaded`),
    });
    expect(waits).toEqual([1000, 2000]);
    expect(server?.seen).toHaveLength(3);
  });

  it.each(['0', 'Sun, 06 Nov 1994 08:49:37 GMT'])(
    'does not try again at once where the server says %j',
    async (moment) => {
      const busy = status(429, wire.error('slow down.', 'rate_limit_error'), { 'retry-after': moment });
      await expect(ask(provider, [busy])).rejects.toMatchObject({ code: 'model-rate-limited' });
      expect(waits).toEqual([1000, 2000]);
      expect(notices[0]).toBe("The model's provider: slow down. Trying again in 1 s.");
    },
  );

  it('quotes a page that came in place of an answer in part', async () => {
    const answer = status(400, wire.error('x'.repeat(1_000_000), 'some_error'));
    const error: unknown = await ask(provider, [answer]).catch((thrown: unknown) => thrown);
    expect(String(error).length).toBeLessThan(1200);
  });

  it('does not wait longer than a person would', async () => {
    const busy = status(429, wire.error('come back tomorrow', 'rate_limit_error'), { 'retry-after': '86400' });
    await expect(ask(provider, [busy])).rejects.toMatchObject({ code: 'model-rate-limited' });
    expect(waits).toEqual([]);
  });

  it.each([
    [400, 'model-request-refused'],
    [401, 'model-key-refused'],
    [403, 'model-key-refused'],
    [404, 'model-unknown'],
    [413, 'model-request-too-large'],
  ])('%i is %s, at once and with a remedy', async (code, expected) => {
    const answer = status(code, wire.error('no way', 'some_error'));
    await expect(ask(provider, [answer])).rejects.toMatchObject({
      code: expected,
      message: expect.stringContaining('no way'),
      remedy: expect.stringMatching(/./),
    });
    expect(server?.seen).toHaveLength(1);
  });

  it('tries again when a stream breaks before it said anything', async () => {
    const broken = events(wire.say({ text: ['Hello.'] }).slice(0, 1), true);
    expect(await ask(provider, [broken, events(wire.say({ text: ['Hello.'] }))])).toMatchObject({ text: 'Hello.' });
    expect(server?.seen).toHaveLength(2);
  });

  it.each([
    ['the connection is cut', true],
    ['it just ends', false],
  ])('is an error when a stream breaks after it said something: %s', async (_, cut) => {
    const whole = wire.say({ text: ['Hel', 'lo.'] });
    const broken = events(whole.slice(0, provider === 'anthropic' ? 3 : 2), cut);
    await expect(ask(provider, [broken])).rejects.toMatchObject({ code: 'model-stream-broken' });
    expect(server?.seen).toHaveLength(1);
  });

  it('stops when the user interrupts', async () => {
    const controller = new AbortController();
    const silenceThenAbort: Answer = (response) => {
      silence(response);
      setTimeout(() => controller.abort(), 20);
    };
    const interrupted = ask(provider, [silenceThenAbort], { signal: controller.signal });
    await expect(interrupted).rejects.toMatchObject({ name: 'AbortError' });
    expect(server?.seen).toHaveLength(1);
  });

  it('says when nothing answers', async () => {
    const closed = await loopback([]);
    await closed.close();
    const model = openProviderModel({ provider, model: 'm', baseUrl: closed.url, apiKey: 'secret', retries });
    const { signal } = new AbortController();
    await expect(
      model.turn({ system: '', messages: question, tools, signal, onText: () => {}, onNotice: () => {} }),
    ).rejects.toMatchObject({
      code: 'model-unreachable',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('a server of one’s own', () => {
  const chunk = (choices: readonly object[], more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;
  const delta = (part: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: part, finish_reason: finish }]);
  const piece = (index: number, json: string, start: object = {}) => ({
    index,
    function: { arguments: json },
    ...start,
  });
  const begin = (index: number, id: string | undefined, json: string) =>
    piece(index, json, { id, type: 'function', function: { name: 'Read', arguments: json } });

  it('may mix the parts of parallel calls', async () => {
    const lines = [
      delta({ tool_calls: [begin(0, 'a', '{"fi'), begin(1, 'b', '{"file')] }),
      delta({ tool_calls: [piece(1, '_path":"b"}'), piece(0, 'le_path":"a"}')] }),
      delta({}, 'tool_calls'),
      'data: [DONE]\n\n',
    ];
    expect(await ask('openai-compatible', [events(lines)])).toMatchObject({
      calls: [
        { id: 'a', input: { file_path: 'a' } },
        { id: 'b', input: { file_path: 'b' } },
      ],
    });
  });

  it('may send chunks without a choice, calls without an id, and end with “stop” or without [DONE]', async () => {
    const lines = [
      chunk([]),
      delta({ content: null, tool_calls: [begin(0, undefined, '{"file_path":"a"}')] }),
      delta({}, 'stop'),
      chunk([], { usage: { prompt_tokens: 5, completion_tokens: 2 } }),
    ];
    expect(await ask('openai-compatible', [events(lines)])).toMatchObject({
      calls: [{ id: expect.stringMatching(/./), input: { file_path: 'a' } }],
      stop: 'calls',
      usage: { inputTokens: 5, outputTokens: 2 },
    });
  });
});

describe('a key', () => {
  it.each(providerNames)('is asked for where %s wants one', (provider) => {
    expect(() => openProviderModel({ provider, model: 'm', baseUrl: null, apiKey: null })).toThrow(
      expect.objectContaining({ code: 'model-key-missing' }),
    );
  });

  it('is not wanted by a server of one’s own', async () => {
    server = await loopback([events(wires['openai-compatible'].say({ text: ['Hello.'] }))]);
    const model = openProviderModel({ provider: 'openai-compatible', model: 'm', baseUrl: server.url, apiKey: null });
    const { signal } = new AbortController();
    await model.turn({ system: '', messages: question, tools: [], signal, onText: () => {}, onNotice: () => {} });
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });
});
