import { describe, expect, it } from 'vitest';
import { localAdmin } from '../../../src/control/principal.ts';
import { failureOf } from '../../../src/control/server/call-result.ts';
import { OxideError } from '../../../src/errors.ts';
import { callOf, madeUpDispatcher, principal } from './made-up-tools.ts';

const { dispatcher } = madeUpDispatcher();
const failure = async (tool: string, input: unknown, scope = 'admin') => {
  const result = await dispatcher.call(tool, input, callOf(principal(scope)));
  return result.ok ? null : result.error;
};
const accepts = async (tool: string, input: unknown, scope: string) =>
  (await dispatcher.call(tool, input, callOf(principal(scope)))).ok;

describe('the action', () => {
  it.each([undefined, null, 7, 'create', [], {}, { action: undefined }, { action: null }, { action: '' }])(
    'missing in %j',
    async (input) => {
      expect(await failure('project', input)).toMatchObject({
        code: 'missing-action',
        message: 'action parameter is required',
        remedy: null,
      });
    },
  );

  it('unknown: the tool’s actions are listed in their order', async () => {
    expect(await failure('project', { action: 'invalid' })).toMatchObject({
      code: 'unknown-action',
      message: "unknown action 'invalid' for project tool; valid actions: create, list, get, delete",
      remedy: null,
    });
  });

  it.each(['constructor', '__proto__', 'toString', 'CREATE', ' create', 'create\0'])('unknown: %j', async (action) => {
    expect((await failure('project', { action }))?.message).toBe(
      `unknown action '${action}' for project tool; valid actions: create, list, get, delete`,
    );
  });

  it.each([[['create']], [{ create: 1 }], [5], [true]])('is no text but %j', async (action) => {
    expect((await failure('project', { action }))?.code).toBe('unknown-action');
  });

  it('is known although the input is wrong: each field is named', async () => {
    expect(await failure('project', { action: 'create', limits: { max_turns: 'ten' }, nmae: 'x' })).toMatchObject({
      code: 'invalid-input',
      message:
        '`name` must be a text, but is missing; `limits.max_turns` must be a number, but is "ten"; the input has no field `nmae`.',
    });
  });

  it('of a tool that does one thing is a field too many', async () => {
    expect((await failure('config_limits', { action: 'get', project_id: 'p' }))?.message).toBe(
      'the input has no field `action`.',
    );
  });
});

describe('a project’s token', () => {
  it.each([
    ['project', { action: 'get', project_id: 'p1' }],
    ['project', { action: 'get' }],
    ['project', { action: 'list' }],
    ['session', { action: 'spawn', project_id: 'p1', prompt: 'go' }],
    ['session', { action: 'get', session_id: 's1' }],
    ['session', { action: 'list' }],
    ['schedule', { action: 'create', targets: [{ project_id: 'p1' }] }],
    ['schedule', { action: 'get', schedule_id: 'c1' }],
    ['config_limits', { project_id: 'p1', session_id: 's1' }],
  ])('may %s %j', async (tool, input) => {
    expect(await accepts(tool, input, 'project:p1')).toBe(true);
  });

  it.each([
    ['project', { action: 'get', project_id: 'p2' }, "There is no project 'p2'."],
    ['project', { action: 'get', project_id: 'p1 ' }, "There is no project 'p1 '."],
    ['session', { action: 'spawn', project_id: 'p2', prompt: 'go' }, "There is no project 'p2'."],
    ['session', { action: 'list', project_id: 'p2' }, "There is no project 'p2'."],
    ['session', { action: 'get', session_id: 's2' }, "There is no session 's2'."],
    ['session', { action: 'get', session_id: 's9' }, "There is no session 's9'."],
    ['session', { action: 'get', session_id: '' }, "There is no session ''."],
    ['schedule', { action: 'get', schedule_id: 'c2' }, "There is no schedule 'c2'."],
    ['schedule', { action: 'get', schedule_id: 'c12' }, "There is no schedule 'c12'."],
    ['schedule', { action: 'get', schedule_id: 'c0' }, "There is no schedule 'c0'."],
    ['schedule', { action: 'get', schedule_id: 'c9' }, "There is no schedule 'c9'."],
    [
      'schedule',
      { action: 'create', targets: [{ project_id: 'p1' }, { project_id: 'p2' }] },
      "There is no project 'p2'.",
    ],
    ['config_limits', { project_id: 'p2' }, "There is no project 'p2'."],
    ['config_limits', { project_id: 'p1', session_id: 's2' }, "There is no session 's2'."],
  ])('learns nothing by %s %j', async (tool, input, message) => {
    expect((await failure(tool, input, 'project:p1'))?.message).toBe(message);
  });

  it('that names nothing is told to', async () => {
    expect(await failure('schedule', { action: 'create', targets: [] }, 'project:p1')).toMatchObject({
      code: 'forbidden',
      remedy: 'Add "project_id": "p1".',
    });
  });

  it('sees only the tools of which it may do something', () => {
    const names = (scope: string) => dispatcher.list(principal(scope)).map(({ name }) => name);
    expect(names('admin')).toEqual(['project', 'session', 'schedule', 'config_limits', 'image_rebuild']);
    expect(names('project:p1:ro')).toEqual(['project', 'session', 'schedule', 'config_limits']);
  });
});

describe('what must not be done is refused before its input is looked at', () => {
  it.each([
    ['project', { action: 'create' }, 'project:p1'],
    ['project', { action: 'create' }, 'admin:ro'],
    ['session', { action: 'spawn' }, 'project:p1:ro'],
  ])('%s %j as %s', async (tool, input, scope) => {
    expect((await failure(tool, input, scope))?.code).toBe('forbidden');
  });
});

describe('an input’s JSON Schema', () => {
  it.each(dispatcher.list(localAdmin))('of $name is one flat object', ({ inputSchema }) => {
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(Object.keys(inputSchema).sort()).toEqual(['additionalProperties', 'properties', 'required', 'type']);
  });

  it('lists the actions, requires nothing else, and says which property is for which', () => {
    const [tool] = dispatcher.list(localAdmin);
    expect(tool?.inputSchema).toEqual({
      type: 'object',
      properties: {
        action: { type: 'string', enum: ['create', 'list', 'get', 'delete'], description: 'What to do' },
        name: { type: 'string', minLength: 1, description: 'Its name. For create (required)' },
        limits: expect.objectContaining({ type: 'object', description: 'For create' }),
        limit: { type: 'number', description: 'How many. For list' },
        project_id: { type: 'string', description: 'Which. For get (required), delete (required)' },
      },
      required: ['action'],
      additionalProperties: false,
    });
  });
});

describe('what a tool did not mean to throw', () => {
  it('says nothing of the inside, and is told to the one who runs the server', async () => {
    const { dispatcher: broken, errors, records } = madeUpDispatcher();
    const result = await broken.call('image_rebuild', {}, callOf());
    expect(result).toEqual({
      ok: false,
      error: { code: 'internal', message: 'The server failed at this call.', remedy: 'Its log says more.' },
    });
    expect(errors).toHaveLength(1);
    expect(records).toEqual([
      expect.objectContaining({ tool: 'image_rebuild', outcome: 'failed', errorCode: 'internal' }),
    ]);
  });

  it('of the machine is said in words, without a path', () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write '/secret/place'"), { code: 'ENOSPC' });
    expect(failureOf(full)).toEqual({
      ok: false,
      error: {
        code: 'machine-refused',
        message: 'The server could not do this: its disk is full.',
        remedy: 'Its log says where.',
      },
    });
    expect(failureOf(null).error.code).toBe('internal');
    expect(failureOf(new OxideError('long', 'x'.repeat(100_000))).error.message.length).toBeLessThan(25_000);
  });

  it('in the audit trail does not lose the answer', async () => {
    const { dispatcher: deaf, errors } = madeUpDispatcher({
      audit: { record: () => Promise.reject(new Error('disk full')) },
    });
    expect((await deaf.call('project', { action: 'list' }, callOf())).ok).toBe(true);
    expect(errors).toHaveLength(1);
  });
});

describe('the audit trail', () => {
  it('has a row for each call, refused ones too', async () => {
    const { dispatcher: audited, records } = madeUpDispatcher();
    await audited.call('project', { action: 'get', project_id: 'p1' }, callOf(principal('admin:ro', 'tok_7')));
    await audited.call('project', { action: 'create', name: 'x' }, callOf(principal('admin:ro', 'tok_7')));
    await audited.call('project', { action: 'oxg_0123456789abcdef0123456789abcdef' }, callOf());
    expect(records).toEqual([
      {
        principal: principal('admin:ro', 'tok_7'),
        tool: 'project',
        action: 'get',
        input: { action: 'get', project_id: 'p1' },
        outcome: 'ok',
        errorCode: null,
      },
      expect.objectContaining({ action: 'create', outcome: 'refused', errorCode: 'forbidden' }),
      expect.objectContaining({ action: '…', outcome: 'refused', errorCode: 'unknown-action' }),
    ]);
  });
});

describe('a call that waits', () => {
  it('ends when its client gives up', async () => {
    const controller = new AbortController();
    const waiting = dispatcher.call(
      'session',
      { action: 'events', session_id: 's1' },
      callOf(localAdmin, controller.signal),
    );
    controller.abort();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  it('ends when its token is revoked, and never answers', async () => {
    let revoke = () => {};
    const { dispatcher: watched } = madeUpDispatcher({
      watchToken: (_, onInvalid) => {
        revoke = onInvalid;
        return () => {};
      },
    });
    const waiting = watched.call('session', { action: 'events', session_id: 's1' }, callOf(principal('admin')));
    await new Promise(setImmediate);
    expect(watched.pending).toBe(1);
    revoke();
    expect(await waiting).toMatchObject({ ok: false, error: { code: 'token-revoked' } });
    expect(watched.pending).toBe(0);
  });

  it('that was cancelled before it began runs nothing', async () => {
    const result = await dispatcher.call('project', { action: 'list' }, callOf(localAdmin, AbortSignal.abort()));
    expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});
