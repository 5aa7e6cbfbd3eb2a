import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createTasks } from '../../../src/agent/background/task-manager.ts';
import { backgroundRun } from '../../../src/tools/bash.ts';
import type { TaskState } from '../../../src/tools/session-ports.ts';
import { temporaryDirectory } from '../../git/fixture.ts';
import { skipUnless } from '../../skip.ts';
import { contextIn } from '../../tools/fixture.ts';
import { isAlive, until } from '../../tools/processes.ts';
import { withoutBubblewrap } from '../bubblewrap.ts';

const never = new AbortController().signal;
const names = ['plain', 'stubborn', 'child', 'apart'];

/** Starts the program beside this test, and waits until all its tasks run. */
async function startSession(root: string, confinement: string): Promise<ChildProcess> {
  const jiti = resolve('node_modules/jiti/lib/jiti-cli.mjs');
  const program = fileURLToPath(new URL('./session-to-kill.ts', import.meta.url));
  const child = spawn(process.execPath, [jiti, program, root, confinement], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

/** Every process that mentions the directory in its environment or as its working directory, on Linux. */
function processesIn(root: string): readonly string[] {
  const script = 'for p in /proc/[0-9]*; do [ "$(readlink $p/cwd)" = "$0" ] && echo "${p#/proc/}"; done; true';
  return execFileSync('sh', ['-c', script, root], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter((pid) => pid !== '' && isAlive(Number(pid)));
}

describe.skipIf(skipUnless(process.platform === 'linux', 'processes are counted in /proc, which is Linux only'))(
  'no process is left',
  () => {
    it('when the session ends', async () => {
      const root = temporaryDirectory();
      const child = await startSession(root, 'stop');
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(0);
      for (const name of names) {
        expect({ name, alive: isAlive(Number(readFileSync(join(root, name), 'utf8'))) }).toEqual({
          name,
          alive: false,
        });
      }
      expect(processesIn(root)).toEqual([]);
    });

    it('when the session is killed by kill -9, even what has left its process group', async () => {
      const root = temporaryDirectory();
      const child = await startSession(root, 'unsandboxed');
      expect(processesIn(root).length).toBeGreaterThanOrEqual(4);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await until(() => processesIn(root).length === 0);
    });

    it.skipIf(withoutBubblewrap)('when the session of sandboxed tasks is killed by kill -9', async () => {
      const root = temporaryDirectory();
      const child = await startSession(root, 'sandboxed');
      expect(processesIn(root).length).toBeGreaterThanOrEqual(4);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await until(() => processesIn(root).length === 0);
    });
  },
);

describe('background tasks', () => {
  it('keep the beginning and the end of a long output', async () => {
    const tasks = createTasks({ outputLimit: 1_000 });
    const { id } = tasks.start({
      kind: 'shell',
      description: 'long',
      run: backgroundRun({ command: 'echo first; seq 100000; echo last' }, null, contextIn(temporaryDirectory()), null),
    });
    const output = (await tasks.wait(id, 30_000, never))?.output ?? '';
    expect(output).toMatch(/^first\n1\n2\n/);
    expect(output).toMatch(/100000\nlast\n$/);
    expect(output.length).toBeLessThan(1_100);
    await tasks.stopAll();
    expect(tasks.get(id)?.output).toBe(output);
  });

  it('that break are failed ones, and say why', async () => {
    const tasks = createTasks();
    const { id } = tasks.start({ kind: 'agent', description: 'x', run: () => Promise.reject(new Error('no model')) });
    expect(await tasks.wait(id, 1_000, never)).toMatchObject({ status: 'failed', output: 'no model\n' });
  });

  it('tell of their beginning and their end', async () => {
    const seen: Pick<TaskState, 'id' | 'status'>[] = [];
    const tasks = createTasks({ onChange: ({ id, status }) => seen.push({ id, status }) });
    const { id } = tasks.start({
      kind: 'agent',
      description: 'x',
      run: () => Promise.resolve({ status: 'completed' }),
    });
    await tasks.wait(id, 1_000, never);
    expect(seen).toEqual([
      { id: 'task-1', status: 'running' },
      { id: 'task-1', status: 'completed' },
    ]);
  });

  it('are ended after their own time limit', async () => {
    const tasks = createTasks();
    const run = backgroundRun({ command: 'echo begun; sleep 60' }, 200, contextIn(temporaryDirectory()), null);
    const { id } = tasks.start({ kind: 'shell', description: 'x', run });
    expect(await tasks.wait(id, 30_000, never)).toMatchObject({
      status: 'failed',
      output: 'begun\n\n[The command was ended after 200 ms.]\n',
    });
  });

  it('unknown to the manager are null', async () => {
    const tasks = createTasks();
    expect([tasks.get('x'), await tasks.wait('x', 0, never), await tasks.stop('x')]).toEqual([null, null, null]);
  });
});
