import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAudit } from '../../../src/control/audit/audit.ts';
import { localAdmin, type Principal } from '../../../src/control/principal.ts';
import { scheduleTool } from '../../../src/control/schedules/tool.ts';
import { createDispatcher } from '../../../src/control/server/dispatcher.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { openSqlite } from '../../../src/control/store/sqlite.ts';
import { type Stage, StillClock, stageOn } from './stage.ts';

let database: Database;
let stage: Stage;
beforeEach(async () => {
  database = await openSqlite(':memory:');
  stage = stageOn(database, new StillClock('2026-05-04T09:30:00Z'));
});
afterEach(() => database.close());

type Data = Readonly<Record<string, unknown>>;

/** Calls the tool as a client does. Gives the data, or the failure's code and message. */
async function call(action: string, input: Data, principal: Principal = localAdmin): Promise<Data> {
  const dispatcher = createDispatcher({
    tools: [scheduleTool(stage.schedules)],
    owners: { projectOfSession: async () => null, projectsOfSchedule: stage.schedules.projects },
    watchToken: () => () => undefined,
    audit: createAudit(database, stage.clock),
    onError: (error) => {
      throw error;
    },
  });
  const result = await dispatcher.call(
    'schedule',
    { action, ...input },
    { principal, signal: new AbortController().signal, progress: () => undefined },
  );
  return result.ok ? result.data : { code: result.error.code, message: result.error.message };
}

const minimal = { name: 'nightly', cron: '0 3 * * *', prompt: 'Update the dependencies.', targets: ['p1'] };
const ofProject1: Principal = { tokenId: 'ada', scope: { kind: 'project', projectId: 'p1', readOnly: false } };

describe('the schedule tool', () => {
  it('fills in what is not given', async () => {
    expect(await call('create', minimal)).toEqual({
      schedule_id: expect.stringMatching(/^sched_/),
      ...minimal,
      targets: [{ project_id: 'p1' }],
      timezone: 'UTC',
      overlap: 'skip',
      misfire: 'skip',
      session_behavior: 'resume',
      enabled: true,
      paused_reason: null,
      failures: 0,
      next_run_at: '2026-05-05T03:00:00.000Z',
      acts_as: null,
      created_at: '2026-05-04T09:30:00.000Z',
      updated_at: '2026-05-04T09:30:00.000Z',
    });
  });

  it('creates, lists, shows, changes, triggers and deletes', async () => {
    const given = {
      ...minimal,
      targets: [{ project_id: 'p1', workspace_id: 'w1' }, 'p2'],
      timezone: 'Europe/Berlin',
      overlap: 'queue',
      misfire: 'run_once',
      session_behavior: 'new',
      enabled: false,
    };
    const { schedule_id } = await call('create', given);
    expect(await call('list', {})).toMatchObject({
      schedules: [{ ...given, targets: [{ project_id: 'p1', workspace_id: 'w1' }, { project_id: 'p2' }] }],
    });
    const changed = await call('update', { schedule_id, session_behavior: 'resume', targets: ['p3'], enabled: true });
    expect(changed).toMatchObject({
      ...given,
      session_behavior: 'resume',
      targets: [{ project_id: 'p3' }],
      enabled: true,
      next_run_at: '2026-05-05T01:00:00.000Z',
    });
    const run = { project_id: 'p3', status: 'running', session_id: 'session-0', origin: 'call' };
    expect(await call('trigger', { schedule_id })).toMatchObject({ schedule_id, runs: [run] });
    await stage.started[0]?.end('failed', 'no network');
    expect(await call('get', { schedule_id })).toMatchObject({
      failures: 1,
      runs: [{ ...run, status: 'failed', problem: 'no network', ended_at: '2026-05-04T09:30:00.000Z' }],
    });
    expect(await call('delete', { schedule_id })).toEqual({ schedule_id, deleted: true });
    for (const action of ['get', 'update', 'delete', 'trigger']) {
      const again = await call(action, { schedule_id, ...(action === 'update' ? { name: 'x' } : {}) });
      expect(again).toMatchObject({ code: 'unknown-schedule' });
    }
  });

  it.each([
    ['cron', { cron: '99 * * * *' }, 'Invalid value for minute: 99'],
    ['timezone', { timezone: 'Mars/Olympus' }, 'IANA'],
    ['prompt', { prompt: '  ' }, 'prompt'],
    ['prompt', { prompt: 'x'.repeat(100_001) }, 'prompt'],
    ['targets', { targets: [] }, 'targets'],
    ['targets', { targets: ['p1', { project_id: 'p1' }] }, 'names a target twice'],
    ['targets', { targets: ['p1/../p2'] }, 'must be an id'],
    ['overlap', { overlap: 'replace' }, 'overlap'],
    ['misfire', { misfire: 'run_all' }, 'misfire'],
    ['name', { name: 'a\nb' }, 'one line'],
    ['enabled', { enabled: 'yes' }, 'enabled'],
    ['else', { intervall: 5 }, 'intervall'],
  ])('refuses what %s can’t be, in create and in update', async (_, wrong, message) => {
    expect(await call('create', { ...minimal, ...wrong })).toEqual({
      code: 'invalid-input',
      message: expect.stringContaining(message),
    });
    const { schedule_id } = await call('create', minimal);
    expect(await call('update', { schedule_id, ...wrong })).toMatchObject({ code: 'invalid-input' });
    expect(await call('update', { schedule_id })).toMatchObject({ code: 'invalid-input' });
  });

  it.each(['name', 'cron', 'prompt', 'targets'])('needs %s', async (field) => {
    const { [field]: _, ...rest } = minimal as Data;
    expect(await call('create', rest)).toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(field),
    });
  });

  it('holds a project’s token to its project, whatever way another is named', async () => {
    const { schedule_id: foreign } = await call('create', { ...minimal, name: 'foreign', targets: ['p2'] });
    const { schedule_id: mixed } = await call('create', { ...minimal, name: 'mixed', targets: ['p1', 'p2'] });
    const { schedule_id: own } = await call('create', minimal, ofProject1);
    for (const targets of [['p2'], [{ project_id: 'p2' }], ['p1', 'p2']]) {
      expect(await call('create', { ...minimal, name: 'x', targets }, ofProject1)).toMatchObject({
        code: 'unknown-project',
      });
      expect(await call('update', { schedule_id: own, targets }, ofProject1)).toMatchObject({
        code: 'unknown-project',
      });
    }
    for (const schedule_id of [foreign, mixed]) {
      for (const action of ['get', 'delete', 'trigger']) {
        expect(await call(action, { schedule_id }, ofProject1)).toMatchObject({ code: 'unknown-schedule' });
      }
      expect(await call('update', { schedule_id, name: 'y' }, ofProject1)).toMatchObject({ code: 'unknown-schedule' });
    }
    expect(await call('list', {}, ofProject1)).toMatchObject({ schedules: [{ schedule_id: own, acts_as: 'ada' }] });
  });
});

it('says what is wrong with a time in whole sentences', async () => {
  for (const [cron, message] of [
    ['0 0 31 2 *', '`cron` has no time that ever comes: "0 0 31 2 *".'],
    ['@daily', '`cron` must have five fields: minute, hour, day of the month, month, day of the week: "@daily".'],
  ] as const) {
    expect(await call('create', { ...minimal, cron })).toMatchObject({ message });
  }
});
