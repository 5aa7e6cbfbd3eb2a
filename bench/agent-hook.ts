/**
 * One call of an agent's hook, beside a node that does nothing and beside cc-safety-net's hook: processor time, which
 * other work on the machine disturbs least, and elapsed time. Each is a line that a shell reads, as agents start hooks;
 * ours is the one that `install` writes.
 * Run: `npm run build && npm --prefix bench install --ignore-scripts && npx jiti bench/agent-hook.ts [ROUNDS]`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { hookCommand } from '../src/dialects/hook-settings.ts';
import { type Contender, milliseconds, table, timeInterleaved } from './interleaved.ts';
import { prepareRepository } from './work-repository.ts';

const rounds = Number(process.argv[2] ?? 40);
const project = resolve(import.meta.dirname, '..');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const work = join(home, 'work');
const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
const ours = hookCommand('claude', { node: process.execPath, hook: join(project, 'dist/hook/agent.cjs') });
const theirs = `exec '${process.execPath}' '${join(project, 'bench/node_modules/cc-safety-net/dist/bin/cc-safety-net.js')}' hook --claude-code`;

function contender(name: string, line: string, command: string): Contender {
  const input = JSON.stringify({
    session_id: 'bench',
    cwd: work,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
  });
  return { name, command: '/bin/sh', args: ['-c', line], cwd: work, env, input };
}

try {
  prepareRepository(work, env);
  // A configuration that was written a moment ago is not remembered yet.
  await new Promise((done) => setTimeout(done, 2500));
  for (const command of ['git push --force origin main', 'git status', 'ls -la src']) {
    const timings = timeInterleaved(
      [
        contender('node -e 0', `exec '${process.execPath}' -e 0`, command),
        contender('oxide-guard', ours, command),
        contender('cc-safety-net', theirs, command),
      ],
      rounds,
    );
    const [node] = timings;
    console.log(`\n${command}, ${rounds} interleaved runs\n`);
    console.log(
      table(
        ['hook', 'elapsed, median', 'against `node -e 0`', 'processor time, mean', 'against `node -e 0`'],
        timings.map(({ name, median, processor }) => [
          name,
          milliseconds(median),
          `${(median / (node?.median ?? Number.NaN)).toFixed(2)} ×`,
          processor === null ? '–' : milliseconds(processor),
          processor === null ? '–' : `${(processor / (node?.processor ?? Number.NaN)).toFixed(2)} ×`,
        ]),
      ),
    );
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
