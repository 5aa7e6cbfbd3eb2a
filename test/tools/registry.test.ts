import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createRegistry } from '../../src/tools/registry.ts';
import { defineSessionTool, defineTool, executeTool, isSessionTool } from '../../src/tools/tool.ts';
import { failure, fitText, success } from '../../src/tools/tool-result.ts';
import { contextIn, fail, session } from './fixture.ts';

const echo = defineTool({
  name: 'Echo',
  description: 'Says it again.',
  effect: 'reads',
  schema: z.strictObject({
    text: z.string().min(1),
    times: z.number().int().max(9).optional(),
    mode: z.enum(['a', 'b']),
  }),
  example: { text: 'hello', mode: 'a' },
  touches: ({ text }) => [{ path: text, access: 'read' }],
  run: async ({ text }) => success(text),
});

describe('the registry', () => {
  it('gives a tool by its name, and lists all in their order', () => {
    const other = { ...echo, name: 'Other' };
    const registry = createRegistry([echo]);
    registry.register(other);
    expect(registry.get('Echo')).toBe(echo);
    expect(registry.list()).toEqual([echo, other]);
  });

  it('refuses a second tool of the same name', () => {
    expect(() => createRegistry([echo, echo])).toThrow("A tool named 'Echo' is registered already.");
  });

  it('names the known tools when one is unknown', () => {
    const registry = createRegistry([echo]);
    expect(() => registry.get('echo')).toThrow(
      expect.objectContaining({ code: 'unknown-tool', remedy: 'The tools are: Echo.' }),
    );
  });
});

describe('a tool', () => {
  it('shows the model a JSON Schema with its required fields', () => {
    expect(echo.parameters).toMatchObject({
      type: 'object',
      required: ['text', 'mode'],
      additionalProperties: false,
      properties: { mode: { type: 'string', enum: ['a', 'b'] } },
    });
  });

  it.each([
    [{ mode: 'a' }, '`text` must be a text (for example "hello"), but is missing'],
    [{ text: 7, mode: 'a' }, '`text` must be a text (for example "hello"), but is 7'],
    [{ text: '', mode: 'a' }, '`text` must be a text that is not empty (for example "hello"), but is ""'],
    [{ text: 'x', mode: 'c' }, '`mode` must be one of "a", "b" (for example "a"), but is "c"'],
    [{ text: 'x', mode: 'a', times: 10 }, '`times` must be at most 9, but is 10'],
    [{ text: 'x', mode: 'a', more: 1 }, 'the input has no field `more`'],
    ['text', 'the input must be an object, but is "text"'],
  ])('names the field, what it must be and an example: %j', async (input, problem) => {
    const { error, text } = await fail(echo, input, contextIn('/'));
    expect(error.code).toBe('invalid-input');
    expect(text).toContain(problem);
    expect(text).toContain('A valid input: {"text":"hello","mode":"a"}');
  });

  it('names the paths that a valid input touches, absolute', () => {
    expect(echo.touches({ text: 'src/a.ts', mode: 'a' }, '/project')).toEqual([
      { path: '/project/src/a.ts', access: 'read' },
    ]);
    expect(echo.touches({ text: '' }, '/project')).toEqual([]);
  });

  it('turns what it throws into a failure', async () => {
    const broken = defineTool({
      name: 'Broken',
      description: '',
      effect: 'reads',
      schema: z.strictObject({}),
      example: {},
      run: () => Promise.reject(new Error('no luck')),
    });
    const { error } = await fail(broken, {}, contextIn('/'));
    expect(error).toMatchObject({ code: 'tool-broken', message: 'Broken broke: no luck' });
  });

  it('does not start once it is interrupted', async () => {
    const { error } = await fail(echo, { text: 'x', mode: 'a' }, { ...contextIn('/'), signal: AbortSignal.abort() });
    expect(error.code).toBe('interrupted');
  });

  it('gets the session when it wants one', async () => {
    const aware = defineSessionTool({
      name: 'Aware',
      description: '',
      effect: 'reads',
      schema: z.strictObject({}),
      example: {},
      run: async (_input, _context, within) => (within === null ? failure('none', 'none') : success(within.author)),
    });
    expect(isSessionTool(aware)).toBe(true);
    expect(isSessionTool(echo)).toBe(false);
    expect(await executeTool(aware, {}, contextIn('/'), session())).toMatchObject({ ok: true, text: 'agent' });
    expect(await executeTool(aware, {}, contextIn('/'), null)).toMatchObject({ ok: false });
  });
});

describe('a result too long for a model', () => {
  it('keeps its beginning and end and says how much is missing', () => {
    const { text, truncated } = fitText(`${'a'.repeat(80)}${'b'.repeat(80)}`, 100);
    expect(truncated).toBe(true);
    expect(text).toMatch(/^a{70}\n\[… 60 characters left out: .* the limit is 100\. .*\]\nb{30}$/);
  });

  it('never ends in half a character', () => {
    expect(fitText('😀'.repeat(100), 101).text).not.toMatch(
      /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/,
    );
  });
});
