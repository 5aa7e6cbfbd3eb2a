import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditedCall, auditableArguments, createAudit } from '../../../src/control/audit/audit.ts';
import { localAdmin } from '../../../src/control/principal.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';

let store: Database;
beforeEach(async () => {
  store = await openSqlite(':memory:');
});
afterEach(() => store.close());

let time = 1_000_000_000_000;
const clock = { now: () => time, after: () => () => undefined };
const call = (fields: Partial<AuditedCall> = {}): AuditedCall => ({
  principal: localAdmin,
  tool: 'project',
  action: 'get',
  input: {},
  outcome: 'ok',
  errorCode: null,
  ...fields,
});

describe('the audit trail', () => {
  it('says who called what, and how it ended', async () => {
    const audit = createAudit(store, clock);
    const principal = { tokenId: 't-1', scope: { kind: 'project', projectId: 'p-1', readOnly: true } } as const;
    const input = { action: 'spawn', project_id: 'p-1', prompt: 'my password is 1234' };
    await audit.record(
      call({ principal, tool: 'session', action: 'spawn', input, outcome: 'refused', errorCode: 'not-authorized' }),
    );
    expect(await audit.newest(10)).toEqual([
      {
        ts: time,
        token_id: 't-1',
        tool: 'session',
        action: 'spawn',
        project_id: 'p-1',
        arguments: '{"project_id":"p-1","prompt":null}',
        outcome: 'refused',
        error_code: 'not-authorized',
      },
    ]);
  });

  it('keeps no values but ids, and no ids that could be something else', () => {
    const secret = 'sk-live secret';
    expect(auditableArguments({ session_id: secret, [secret]: 1, token: 'abc', result: { token_id: 'x' } })).toEqual({
      session_id: null,
      token: null,
      result: null,
    });
    expect(auditableArguments({ token_id: 'x'.repeat(65) })).toEqual({ token_id: null });
    expect(
      Object.keys(
        auditableArguments(
          Object.fromEntries([...'abcdefghij'].flatMap((a) => [...'klmnopqrst'].map((b) => [a + b, 1]))),
        ),
      ).length,
    ).toBe(32);
    expect([null, 'text', 7, ['a']].map(auditableArguments)).toEqual([{}, {}, {}, {}]);
  });

  it('forgets what is too old, and the oldest of too much', async () => {
    const audit = createAudit(store, clock, { maxRows: 3, maxAge: 1000, sweepEvery: 0 });
    for (let index = 0; index < 6; index++) {
      time += 10;
      await audit.record(call({ tool: `tool-${index}` }));
    }
    expect((await audit.newest(10)).map(({ tool }) => tool)).toEqual(['tool-5', 'tool-4', 'tool-3', 'tool-2']);
    time += 2000;
    await audit.record(call({ tool: 'later' }));
    expect((await audit.newest(10)).map(({ tool }) => tool)).toEqual(['later']);
  });
});
