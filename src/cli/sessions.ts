import { OxideError } from '../errors.ts';
import { count } from '../guards/wording.ts';
import { pasteable } from '../own-command.ts';
import { printable } from '../ui/findings.ts';
import { type ControlData, type ControlRequest, controlCommand, givenFields } from './control-call.ts';
import { cell, fieldColumns, fieldLines, tableLines } from './table.ts';

const columns = fieldColumns({
  SESSION: 'session_id',
  PROJECT: 'project_id',
  STATUS: 'status',
  MODEL: 'model',
  UPDATED: 'updated_at',
  ENDED: 'end_reason',
});

/** Who looks for a session of `oxide-guard agent` finds it elsewhere. */
const noSession =
  'There is no session of the control plane. Those of the agent in a terminal: oxide-guard agent --resume';

/** Milliseconds in which one look at a session waits for what comes. */
const wait = 10_000;

export const sessions = controlCommand({
  name: 'sessions',
  description: 'Agent sessions of the control plane; without an action, lists them',
  options: {
    '--project <id>': 'With list and cleanup: only of this project',
    '--status <status>': 'With list: only sessions that stand so',
    '--follow': 'With events: go on with what comes, until the session ends',
    '--since <index>': 'With events: the first that is wanted',
    '--max-age-hours <n>': 'With cleanup: hours in which nothing has happened; default 168',
  },
  actions: {
    list: {
      run: async (request) => {
        const { show, json, console } = request;
        const rows = await sessionsOf(request, request.option('status'));
        show({ sessions: rows }, () => tableLines(rows, columns, console.colors));
        if (rows.length === 0 && !json) {
          const isFiltered = request.option('project') !== null || request.option('status') !== null;
          console.err(isFiltered ? 'There is no such session.' : pasteable(noSession));
        }
      },
    },
    get: {
      needs: 'ID',
      run: async (request) => {
        const { call, show, console } = request;
        const data = await call('session', { action: 'get', ...(await named(request)) });
        show(data, () => fieldLines(data, console.colors));
      },
    },
    events: { needs: 'ID', run: events },
    end: {
      needs: 'ID',
      run: async (request) => {
        const { call, show, console } = request;
        const data = await call('session', { action: 'end', ...(await named(request)) });
        show(data, () => [`${console.colors.green('✓')} ${cell(data.session_id)} has ended.`]);
      },
    },
    cleanup: {
      run: async (request) => {
        const hours = request.option('maxAgeHours');
        const removed: unknown[] = [];
        for (const project_id of await projectIds(request)) {
          const age = hours === null ? {} : { max_age_hours: Number(hours) };
          const data = await request.call('session', { action: 'cleanup', project_id, ...age });
          removed.push(...(data.session_ids as readonly unknown[]));
        }
        request.show({ removed: removed.length, session_ids: removed }, () => [
          `${count(removed.length, 'session')} removed.`,
        ]);
      },
    },
  },
});

/** For people, who see all projects at once, where a client has to name one. */
async function projectIds({ call, option }: ControlRequest): Promise<readonly string[]> {
  const only = option('project');
  if (only !== null) {
    return [only];
  }
  const data = await call('project', { action: 'list', limit: 1000 });
  return (data.projects as readonly ControlData[]).map(({ project_id }) => String(project_id));
}

async function sessionsOf(request: ControlRequest, status: string | null): Promise<readonly ControlData[]> {
  const all: ControlData[] = [];
  for (const project_id of await projectIds(request)) {
    for (let cursor: string | null = null, isMore = true; isMore; ) {
      const fields: ControlData = { project_id, limit: 1000, ...givenFields({ status, cursor }) };
      const data = await request.call('session', { action: 'list', ...fields });
      all.push(...(data.sessions as readonly ControlData[]));
      cursor = String(data.next_cursor);
      isMore = data.truncated === true;
    }
  }
  return all.sort((one, other) => String(other.updated_at).localeCompare(String(one.updated_at)));
}

/** @throws OxideError `unknown-session` */
async function named(request: ControlRequest): Promise<ControlData> {
  const { id: session_id, control } = request;
  const project_id = await control.projectOfSession(session_id);
  if (project_id === null) {
    throw new OxideError('unknown-session', `There is no session '${session_id}'.`, {
      remedy: 'oxide-guard sessions list',
    });
  }
  return { project_id, session_id };
}

/** Prints what happened, an event a line; NDJSON with `--json`. */
async function events(request: ControlRequest): Promise<void> {
  const { call, console, json, option } = request;
  const follow = request.flag('follow');
  const session = await named(request);
  const since = option('since');
  let next = since === null ? {} : { since_index: Number(since) };
  for (;;) {
    const wait_ms = follow ? wait : 0;
    const page = await call('session', { action: 'events', ...session, ...next, max_events: 1000, wait_ms });
    for (const event of page.events as readonly ControlData[]) {
      console.out(json ? JSON.stringify(event) : lineOf(event));
    }
    next = { since_index: Number(page.next_index) };
    const isOver = !follow || page.status === 'ended';
    if (page.has_more !== true && isOver) {
      return;
    }
  }
}

function lineOf({ seq, ts, type, ...data }: ControlData): string {
  const time = new Date(Number.isNaN(Number(ts)) ? String(ts) : Number(ts)).toISOString().slice(11, 19);
  return `${cell(seq).padStart(5)}  ${time}  ${cell(type).padEnd(14)}  ${printable(JSON.stringify(data)).slice(0, 200)}`;
}
