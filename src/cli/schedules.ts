import { setTimeout as pause } from 'node:timers/promises';
import { OxideError } from '../errors.ts';
import { count } from '../guards/wording.ts';
import { type ControlData, type ControlRequest, controlCommand, givenFields } from './control-call.ts';
import { fieldColumns, fieldLines, tableLines } from './table.ts';

const columns = fieldColumns({
  SCHEDULE: 'schedule_id',
  NAME: 'name',
  CRON: 'cron',
  ZONE: 'timezone',
  NEXT: 'next_run_at',
  ENABLED: 'enabled',
  PAUSED: 'paused_reason',
});

const runColumns = fieldColumns({
  TIME: 'slot',
  PROJECT: 'project_id',
  STATUS: 'status',
  SESSION: 'session_id',
  PROBLEM: 'problem',
});

export const schedules = controlCommand({
  name: 'schedules',
  description: 'Schedules of the control plane; without an action, lists them',
  options: {
    '--cron <times>': 'With create: minute, hour, day of the month, month, day of the week',
    '--timezone <zone>': 'With create: an IANA time zone; default UTC',
    '--project <ids>': 'With create: where to run, several with commas',
    '--prompt <text>': 'With create: what each session is to do',
  },
  actions: {
    list: {
      run: async ({ call, show, json, console }) => {
        const data = await call('schedule', { action: 'list' });
        const rows = data.schedules as readonly ControlData[];
        show(data, () => tableLines(rows, columns, console.colors));
        if (rows.length === 0 && !json) {
          console.err('There is no schedule.');
        }
      },
    },
    get: {
      needs: 'ID',
      run: async ({ call, id, show, console }) => {
        const data = await call('schedule', { action: 'get', schedule_id: id });
        const { runs, ...schedule } = data;
        show(data, () => [
          ...fieldLines(schedule, console.colors),
          ...tableLines(runs as readonly ControlData[], runColumns, console.colors),
        ]);
      },
    },
    create: {
      needs: "NAME --cron '0 6 * * *' --project ID --prompt TEXT",
      run: async ({ call, id, option, show, console }) => {
        const fields = givenFields({ cron: option('cron'), timezone: option('timezone'), prompt: option('prompt') });
        const targets = (option('project') ?? '').split(',').filter((target) => target !== '');
        const data = await call('schedule', { action: 'create', name: id, ...fields, targets });
        show(data, () => fieldLines(data, console.colors));
      },
    },
    trigger: { needs: 'ID', run: trigger },
    enable: { needs: 'ID', run: (request) => enable(request, true) },
    disable: { needs: 'ID', run: (request) => enable(request, false) },
    delete: {
      needs: 'ID',
      run: async ({ call, id, show, console }) => {
        const data = await call('schedule', { action: 'delete', schedule_id: id });
        show(data, () => [`${console.colors.green('✓')} Deleted.`]);
      },
    },
  },
});

async function enable({ call, id, show, console }: ControlRequest, enabled: boolean): Promise<void> {
  const data = await call('schedule', { action: 'update', schedule_id: id, enabled });
  show(data, () => fieldLines(data, console.colors));
}

/**
 * The sessions run in this process: it stays until they are done.
 *
 * @throws OxideError `run-failed`, after all runs were shown
 */
async function trigger({ call, id, show, console, signal }: ControlRequest): Promise<void> {
  const started = (await call('schedule', { action: 'trigger', schedule_id: id })).runs as readonly ControlData[];
  const ids = new Set(started.map(({ run_id }) => run_id));
  for (;;) {
    const { runs } = await call('schedule', { action: 'get', schedule_id: id });
    const own = (runs as readonly ControlData[]).filter(({ run_id }) => ids.has(run_id));
    if (own.every(({ ended_at }) => ended_at !== null)) {
      show({ schedule_id: id, runs: own }, () => tableLines(own, runColumns, console.colors));
      return assertSucceeded(own);
    }
    await pause(500, undefined, { signal });
  }
}

function assertSucceeded(runs: readonly ControlData[]): void {
  const failed = runs.filter(({ status }) => ['failed', 'refused', 'lost'].includes(String(status)));
  if (failed.length > 0) {
    throw new OxideError('run-failed', `${failed.length} of ${count(runs.length, 'run')} did not succeed.`, {
      remedy: 'oxide-guard sessions   # what they did',
    });
  }
}
