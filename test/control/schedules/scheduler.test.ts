import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '../../../src/control/principal.ts';
import type { Database } from '../../../src/control/store/database.ts';
import { describeOnEachEngine } from '../store/engines.ts';
import { type Stage, StillClock, stageOn } from './stage.ts';

describeOnEachEngine('schedules', (open) => {
  let database: Database;
  let stage: Stage;
  const begin = async (iso: string) => {
    stage = stageOn(database, new StillClock(iso));
    await stage.scheduler.start();
  };

  beforeEach(async () => {
    database = await open();
  });
  afterEach(async () => {
    await stage.scheduler.stop();
    await database.close();
    expect(stage.errors).toEqual([]);
  });

  describe('when their time comes', () => {
    it('start a session with the prompt in each target, once', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({
        prompt: 'Update the dependencies.',
        targets: [
          { projectId: 'p1', workspaceId: null },
          { projectId: 'p2', workspaceId: 'w2' },
        ],
        sessionBehavior: 'new',
      });
      await stage.at('2026-05-04T09:59:59Z');
      expect(stage.started).toEqual([]);
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T10:00:01Z');
      const admin = { tokenId: null, scope: { kind: 'admin', readOnly: false } };
      const same = { prompt: 'Update the dependencies.', newSession: true, principal: admin };
      expect(
        stage.started.map(({ request }) => request).sort((a, b) => a.projectId.localeCompare(b.projectId)),
      ).toEqual([
        { projectId: 'p1', workspaceId: null, ...same },
        { projectId: 'p2', workspaceId: 'w2', ...same },
      ]);
      await stage.started[0]?.end('succeeded');
      await stage.started[1]?.end('failed', 'the tests fail');
      const runs = await stage.runs(id);
      expect(runs.map(({ status, problem }) => [status, problem]).sort()).toEqual([
        ['failed', 'the tests fail'],
        ['succeeded', null],
      ]);
      expect(runs.every(({ sessionId, endedAt }) => sessionId !== null && endedAt !== null)).toBe(true);
    });

    it('say when they run next', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ cron: '15 7 * * 1-5', timezone: 'Europe/Berlin' });
      const next = async () => new Date((await stage.schedules.get(id)).schedule.nextAt ?? 0).toISOString();
      expect(await next()).toBe('2026-05-05T05:15:00.000Z');
      await stage.at('2026-05-08T05:15:00Z');
      expect(await next()).toBe('2026-05-11T05:15:00.000Z');
    });

    it('don’t when disabled, and do from the next time on when enabled again', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ enabled: false });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.schedules.update(id, { enabled: true }, admin);
      await stage.at('2026-05-04T10:30:00Z');
      expect(stage.started).toEqual([]);
      await stage.at('2026-05-04T11:00:00Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T11:00 running']);
    });

    it('go on working in the background when they are deleted', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create();
      await stage.at('2026-05-04T10:00:00Z');
      await stage.schedules.delete(id);
      await stage.started[0]?.end('succeeded');
      await expect(stage.schedules.get(id)).rejects.toThrow(`There is no schedule '${id}'`);
      await stage.at('2026-05-04T11:00:00Z');
      expect(stage.started.length).toBe(1);
    });
  });

  describe('where the run before is not done', () => {
    it('skip', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ overlap: 'skip' });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T11:00:00Z');
      await stage.started[0]?.end('succeeded');
      await stage.at('2026-05-04T12:00:00Z');
      expect(await stage.history(id)).toEqual([
        '2026-05-04T10:00 succeeded',
        '2026-05-04T11:00 skipped',
        '2026-05-04T12:00 running',
      ]);
    });

    it('queue, one after another and not without end', async () => {
      await begin('2026-05-04T00:30:00Z');
      const id = await stage.create({ overlap: 'queue' });
      for (let hour = 1; hour <= 13; hour++) {
        await stage.at(`2026-05-04T${String(hour).padStart(2, '0')}:00:00Z`);
      }
      const statuses = async () => (await stage.runs(id)).map(({ status }) => status);
      expect(await statuses()).toEqual(['running', ...Array(10).fill('queued'), 'skipped', 'skipped']);
      await stage.started[0]?.end('succeeded');
      await stage.at('2026-05-04T13:10:00Z');
      await stage.started[1]?.end('failed');
      await stage.at('2026-05-04T13:20:00Z');
      expect((await statuses()).slice(0, 4)).toEqual(['succeeded', 'failed', 'running', 'queued']);
      expect(stage.started.length).toBe(3);
    });

    it('drop what is queued when they are disabled', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ overlap: 'queue' });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T11:00:00Z');
      await stage.schedules.update(id, { enabled: false }, admin);
      await stage.started[0]?.end('succeeded');
      await stage.at('2026-05-04T12:00:00Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 succeeded', '2026-05-04T11:00 skipped']);
    });

    it('run in parallel', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ overlap: 'parallel' });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T11:00:00Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 running', '2026-05-04T11:00 running']);
    });

    it('look at each target by itself', async () => {
      await begin('2026-05-04T09:30:00Z');
      const targets = ['p1', 'p2'].map((projectId) => ({ projectId, workspaceId: null }));
      const id = await stage.create({ targets });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.started.find(({ request }) => request.projectId === 'p2')?.end('succeeded');
      await stage.at('2026-05-04T11:00:00Z');
      const second = (await stage.runs(id)).filter(({ slot }) => slot === Date.parse('2026-05-04T11:00:00Z'));
      expect(second.map(({ target, status }) => `${target.projectId} ${status}`).sort()).toEqual([
        'p1 skipped',
        'p2 running',
      ]);
    });
  });

  describe('when nothing ran at their time', () => {
    it('leave it out, and say so', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ misfire: 'skip' });
      await stage.at('2026-05-04T14:20:00Z');
      expect(stage.started).toEqual([]);
      await stage.at('2026-05-04T15:00:00Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T14:00 missed', '2026-05-04T15:00 running']);
    });

    it('catch up once, however often it was', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ misfire: 'run_once', cron: '* * * * *' });
      await stage.at('2026-07-04T14:20:30Z');
      expect(await stage.history(id)).toEqual(['2026-07-04T14:20 running']);
      expect(stage.started.length).toBe(1);
    });

    it('don’t call it late what a busy machine made late', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ misfire: 'skip' });
      await stage.at('2026-05-04T10:00:59Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 running']);
    });
  });

  describe('when the clocks change', () => {
    const slotsOf = async (cron: string, zone: string, from: string, hours: number) => {
      await begin(from);
      const id = await stage.create({ cron, timezone: zone, overlap: 'parallel' });
      for (let step = 1; step <= hours * 12; step++) {
        await stage.at(new Date(Date.parse(from) + step * 300_000).toISOString());
      }
      return (await stage.history(id)).map((line) => line.slice(5, 16));
    };

    it('forward, run once for a time that is not there, right after the gap', async () => {
      expect(await slotsOf('30 2 * * *', 'Europe/Berlin', '2026-03-28T23:00:00Z', 4)).toEqual(['03-29T01:00']);
    });

    it('back, run once for a time that is there twice', async () => {
      expect(await slotsOf('30 2 * * *', 'Europe/Berlin', '2026-10-24T23:00:00Z', 4)).toEqual(['10-25T00:30']);
    });

    it('go on every half an hour in both directions', async () => {
      expect(await slotsOf('*/30 * * * *', 'America/New_York', '2026-03-08T05:40:00Z', 2)).toEqual([
        '03-08T06:00',
        '03-08T06:30',
        '03-08T07:00',
        '03-08T07:30',
      ]);
      expect(await slotsOf('*/30 * * * *', 'America/New_York', '2026-11-01T04:40:00Z', 2)).toEqual([
        '11-01T05:00',
        '11-01T05:30',
        '11-01T06:00',
        '11-01T06:30',
      ]);
    });
  });

  describe('act as whoever made them', () => {
    const ada: Principal = { tokenId: 'ada', scope: { kind: 'project', projectId: 'p1', readOnly: false } };

    it('also in the session', async () => {
      await begin('2026-05-04T09:30:00Z');
      stage.tokens.set('ada', ada);
      await stage.create({}, ada);
      await stage.at('2026-05-04T10:00:00Z');
      expect(stage.started.map(({ request }) => request.principal)).toEqual([ada]);
    });

    it('and are paused when the token does not hold any more', async () => {
      await begin('2026-05-04T09:30:00Z');
      stage.tokens.set('ada', ada);
      const id = await stage.create({}, ada);
      stage.tokens.delete('ada');
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T11:00:00Z');
      expect(stage.started).toEqual([]);
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 refused']);
      const { schedule } = await stage.schedules.get(id);
      expect(schedule).toMatchObject({ enabled: false, nextAt: null });
      expect(schedule.pausedReason).toContain('the token ada, as which it runs, is revoked or expired');
    });

    it.each([
      ['only look', { kind: 'project', projectId: 'p1', readOnly: true }],
      ['work in another project only', { kind: 'project', projectId: 'p2', readOnly: false }],
      ['only look at all', { kind: 'admin', readOnly: true }],
    ] as const)('and are paused when the token may %s', async (_, scope) => {
      await begin('2026-05-04T09:30:00Z');
      stage.tokens.set('ada', { tokenId: 'ada', scope });
      const id = await stage.create({}, ada);
      await stage.at('2026-05-04T10:00:00Z');
      expect(stage.started).toEqual([]);
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 refused']);
      expect((await stage.schedules.get(id)).schedule.pausedReason).toContain('may start no session in p1');
    });

    it('until somebody else gives them a prompt or targets', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ enabled: false });
      stage.tokens.set('ada', ada);
      const actsAs = async () => (await stage.schedules.get(id)).schedule.tokenId;
      await stage.schedules.update(id, { cron: '5 * * * *', enabled: true }, ada);
      expect(await actsAs()).toBeNull();
      await stage.schedules.update(id, { prompt: 'Do what I say.' }, ada);
      expect(await actsAs()).toBe('ada');
      await stage.schedules.update(id, { targets: [{ projectId: 'p1', workspaceId: null }] }, admin);
      expect(await actsAs()).toBeNull();
    });
  });

  describe('that fail', () => {
    const failAt = async (hour: number) => {
      await stage.at(`2026-05-04T${String(hour).padStart(2, '0')}:00:00Z`);
      await stage.started.at(-1)?.end('failed', `failure ${hour}`);
    };

    it('five times in a row are paused, and start again when enabled', async () => {
      await begin('2026-05-04T00:30:00Z');
      const id = await stage.create();
      for (let hour = 1; hour <= 4; hour++) {
        await failAt(hour);
      }
      expect((await stage.schedules.get(id)).schedule).toMatchObject({ enabled: true, failures: 4 });
      await failAt(5);
      expect((await stage.schedules.get(id)).schedule).toMatchObject({
        enabled: false,
        failures: 5,
        pausedReason: '5 runs in a row failed, the last one: failure 5',
      });
      await stage.at('2026-05-04T06:00:00Z');
      expect(stage.started.length).toBe(5);
      const again = await stage.schedules.update(id, { enabled: true }, admin);
      expect(again).toMatchObject({ enabled: true, failures: 0, pausedReason: null });
      await stage.at('2026-05-04T07:00:00Z');
      expect(stage.started.length).toBe(6);
    });

    it('are not when one in between succeeds', async () => {
      await begin('2026-05-04T00:30:00Z');
      const id = await stage.create();
      for (const hour of [1, 2, 3, 4]) {
        await failAt(hour);
      }
      await stage.at('2026-05-04T05:00:00Z');
      await stage.started.at(-1)?.end('succeeded');
      for (const hour of [6, 7, 8, 9]) {
        await failAt(hour);
      }
      expect((await stage.schedules.get(id)).schedule).toMatchObject({ enabled: true, failures: 4 });
    });

    it('because its only target was deleted pause it at once, and get says so', async () => {
      await begin('2026-03-02T09:30:00Z');
      const { at, create, deleted, schedules, runs } = stage;
      const scheduleId = await create();
      deleted.add('p1');
      expect((await schedules.get(scheduleId)).missing).toMatchObject([{ target: { projectId: 'p1' } }]);
      await at('2026-03-02T10:00:00Z');
      expect(await runs(scheduleId)).toMatchObject([{ status: 'refused', problem: "There is no project 'p1'." }]);
      expect((await schedules.get(scheduleId)).schedule).toMatchObject({
        enabled: false,
        pausedReason: "There is no project 'p1'.",
      });
    });

    it('because one target of several was deleted are of that one alone', async () => {
      await begin('2026-03-02T09:30:00Z');
      const { at, create, deleted, schedules, runs, started } = stage;
      const scheduleId = await create({
        targets: [
          { projectId: 'p1', workspaceId: null },
          { projectId: 'p2', workspaceId: null },
        ],
      });
      deleted.add('p1');
      await at('2026-03-02T10:00:00Z');
      expect(started).toHaveLength(1);
      expect((await runs(scheduleId)).map(({ status }) => status).sort()).toEqual(['failed', 'running']);
      expect((await schedules.get(scheduleId)).schedule.enabled).toBe(true);
    });

    it('because no session starts say why', async () => {
      await begin('2026-05-04T00:30:00Z');
      const id = await stage.create();
      stage.refusal = new Error('ten sessions are running');
      await stage.at('2026-05-04T01:00:00Z');
      expect(await stage.runs(id)).toMatchObject([{ status: 'failed', problem: 'ten sessions are running' }]);
    });
  });

  describe('that are triggered', () => {
    it('run at once, with a slot of their own beside the schedule’s', async () => {
      await begin('2026-05-04T10:00:00Z');
      const id = await stage.create({ cron: '0 10 * * *', overlap: 'parallel', enabled: false });
      const [first] = await stage.schedules.trigger(id);
      const [second] = await stage.schedules.trigger(id);
      expect([first, second]).toMatchObject([
        { status: 'running', origin: 'call', sessionId: 'session-0' },
        { status: 'running', origin: 'call', sessionId: 'session-1' },
      ]);
      expect(new Set([first?.slot, second?.slot, Date.parse('2026-05-04T10:00:00Z')]).size).toBe(3);
    });

    it('do as their overlap says', async () => {
      await begin('2026-05-04T10:00:30Z');
      const id = await stage.create();
      await stage.schedules.trigger(id);
      expect(await stage.schedules.trigger(id)).toMatchObject([
        { status: 'skipped', problem: 'the run before was not done' },
      ]);
    });

    it('act as whoever made them too', async () => {
      await begin('2026-05-04T10:00:30Z');
      const id = await stage.create({}, { tokenId: 'gone', scope: { kind: 'admin', readOnly: false } });
      expect(await stage.schedules.trigger(id)).toMatchObject([{ status: 'refused' }]);
    });
  });

  describe('and clocks that are set', () => {
    it('back, run nothing twice, and don’t wait for the time that was', async () => {
      await begin('2026-05-04T09:30:00Z');
      const id = await stage.create({ overlap: 'parallel' });
      await stage.at('2026-05-04T10:00:00Z');
      await stage.at('2026-05-04T11:00:00Z');
      await stage.at('2026-05-04T09:45:00Z');
      for (const hour of ['10', '11', '12']) {
        await stage.at(`2026-05-04T${hour}:00:00Z`);
      }
      expect(await stage.history(id)).toEqual([
        '2026-05-04T10:00 running',
        '2026-05-04T11:00 running',
        '2026-05-04T12:00 running',
      ]);
      await stage.at('2026-05-03T09:45:00Z');
      await stage.at('2026-05-03T10:00:00Z');
      expect((await stage.history(id))[0]).toBe('2026-05-03T10:00 running');
    });

    it('back beyond what is remembered, run nothing that may have run', async () => {
      await begin('2026-05-04T08:20:30Z');
      const id = await stage.create({ overlap: 'parallel', cron: '* * * * *' });
      const start = Date.parse('2026-05-04T00:00:00Z');
      await database.transaction(async (transaction) => {
        for (let minute = 1; minute <= 500; minute++) {
          await transaction.run(
            `INSERT INTO runs (run_id, schedule_id, target, slot, origin, status, claimed_at, ended_at)
             VALUES (?, ?, 'p1', ?, 'time', 'succeeded', 0, 0)`,
            `run-${minute}`,
            id,
            start + minute * 60_000,
          );
        }
      });
      for (const minute of ['21', '22', '23']) {
        await stage.at(`2026-05-04T08:${minute}:00Z`);
        await stage.started.at(-1)?.end('succeeded');
      }
      expect((await database.all('SELECT 1 FROM runs')).length).toBe(500);
      const before = stage.started.length;
      for (const time of ['00:01:30', '00:02:00', '00:03:00', '00:04:00', '08:23:00']) {
        await stage.at(`2026-05-04T${time}Z`);
      }
      expect(stage.started.length).toBe(before);
      await stage.at('2026-05-04T08:24:00Z');
      expect(stage.started.length).toBe(before + 1);
    });
  });

  describe('of several processes', () => {
    it('run once each, whoever is first', async () => {
      await begin('2026-05-04T09:30:00Z');
      const others = [1, 2, 3].map(() => stageOn(database, stage.clock));
      await Promise.all(others.map(({ scheduler }) => scheduler.start()));
      const ids = await Promise.all(Array.from({ length: 20 }, () => stage.create()));
      stage.clock.set('2026-05-04T10:00:00Z');
      const all = [stage, ...others];
      await Promise.all(all.map(({ scheduler }) => scheduler.look()));
      await Promise.all(all.map(({ scheduler }) => scheduler.settled()));
      expect(all.flatMap(({ started }) => started).length).toBe(20);
      for (const id of ids) {
        expect(await stage.history(id)).toEqual(['2026-05-04T10:00 running']);
      }
      await Promise.all(others.map(({ scheduler }) => scheduler.stop()));
    });

    it('that end without a word lose their runs, which don’t run again', async () => {
      await begin('2026-05-04T09:30:00Z');
      const other = stageOn(database, stage.clock);
      await other.scheduler.start();
      const id = await stage.create();
      stage.clock.set('2026-05-04T10:00:00Z');
      await other.scheduler.look();
      await other.scheduler.settled();
      await stage.at('2026-05-04T10:00:20Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 running']);
      await stage.at('2026-05-04T10:00:49Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 running']);
      await stage.at('2026-05-04T10:01:20Z');
      expect(await stage.runs(id)).toMatchObject([
        { status: 'lost', problem: 'the process that had claimed it ended before it was done' },
      ]);
      expect(stage.started).toEqual([]);
      expect((await stage.schedules.get(id)).schedule.failures).toBe(1);
      await other.started[0]?.end('succeeded');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 lost']);
    });

    it('that stop in order lose their runs at once', async () => {
      await begin('2026-05-04T09:30:00Z');
      const other = stageOn(database, stage.clock);
      await other.scheduler.start();
      const id = await stage.create();
      stage.clock.set('2026-05-04T10:00:00Z');
      await other.scheduler.look();
      await other.scheduler.stop();
      await stage.at('2026-05-04T10:00:01Z');
      expect(await stage.history(id)).toEqual(['2026-05-04T10:00 lost']);
    });
  });

  it('refuse a name that another has, and projects that are not there', async () => {
    await begin('2026-05-04T09:30:00Z');
    await stage.create({ name: 'nightly' });
    await expect(stage.create({ name: 'nightly' })).rejects.toThrow("There is a schedule named 'nightly' already.");
    const other = await stage.create();
    await expect(stage.schedules.update(other, { name: 'nightly' }, admin)).rejects.toThrow('already');
    await expect(stage.create({ targets: [{ projectId: 'gone', workspaceId: null }] })).rejects.toThrow(
      "no project 'gone'",
    );
  });

  it('are shown to a project’s token where they work in its project alone', async () => {
    await begin('2026-05-04T09:30:00Z');
    const target = (projectId: string) => ({ projectId, workspaceId: null });
    await stage.create({ name: 'a', targets: [target('p1')] });
    await stage.create({ name: 'b', targets: [target('p1'), target('p2')] });
    await stage.create({ name: 'c', targets: [target('p2')] });
    const seenBy = async (principal: Principal) => (await stage.schedules.list(principal)).map(({ name }) => name);
    expect(await seenBy(admin)).toEqual(['a', 'b', 'c']);
    expect(await seenBy({ tokenId: 't', scope: { kind: 'project', projectId: 'p1', readOnly: true } })).toEqual(['a']);
  });
});

const admin: Principal = { tokenId: null, scope: { kind: 'admin', readOnly: false } };
