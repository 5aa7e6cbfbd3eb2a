/**
 * One process that runs schedules, whose sessions only leave a line in a file: `PROMPT NUMBER PID TIME`. For the
 * benchmark, and for the test that kills it. Run: `jiti control-schedules-process.ts STORE LOG START-MS SILENCE-MS`
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../src/control/clock.ts';
import { createScheduler } from '../src/control/schedules/scheduler.ts';
import type { SessionRequest } from '../src/control/services.ts';
import { openStore } from '../src/control/store/open.ts';

const [store = '', log = '', startTime = '0', silence = '30000'] = process.argv.slice(2);
const database = await openStore(store, { state: '', projects: '', trash: '' });
let started = 0;
const scheduler = createScheduler(
  {
    database,
    clock: systemClock,
    principal: async () => null,
    onError: (error) => console.error(error),
    sessions: {
      start: async ({ prompt, workspaceId }: SessionRequest) => {
        await pause(Number(startTime));
        started += 1;
        appendFileSync(log, `${prompt} ${started} ${process.pid} ${Date.now()}\n`);
        const done = pause(20).then(() => ({ outcome: 'succeeded', problem: null }) as const);
        return { sessionId: `session-${process.pid}-${started}`, workspaceId: workspaceId ?? '', done };
      },
    },
  },
  { silence: Number(silence) },
);
await scheduler.start();
process.stdout.write('ready\n');
process.stdin.resume().on('end', async () => {
  await scheduler.stop();
  await database.close();
});
