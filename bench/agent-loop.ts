/**
 * What the guarded loop adds to a tool call: 200 calls of one tool through a whole session (validation, hooks, rules,
 * transcript, events; the model is a recording), beside the same calls made directly.
 * Run: `npx jiti bench/agent-loop.ts [ROUNDS]`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openGuardedSession } from '../src/agent/guarded-session.ts';
import { noUsage } from '../src/agent/model.ts';
import { ReplayTurns } from '../src/agent/models/replay.ts';
import { nobodyToPermit } from '../src/agent/permissions.ts';
import { createSession, newSessionId } from '../src/agent/session/store.ts';
import { sessionTools } from '../src/agent/session-tools.ts';
import { defaultConfiguration } from '../src/config/configuration.ts';
import { conventionOf } from '../src/guards/convention.ts';
import { read } from '../src/tools/read.ts';
import { nobodyToAsk } from '../src/ui/question.ts';
import { milliseconds, table } from './interleaved.ts';

const rounds = Number(process.argv[2] ?? 20);
const calls = 200;
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
writeFileSync(join(home, 'a.txt'), 'line\n'.repeat(200));
const input = { file_path: 'a.txt' };
const questions = nobodyToAsk('a benchmark');

async function direct(): Promise<void> {
  const { signal } = new AbortController();
  for (let call = 0; call < calls; call += 1) {
    await read.execute(input, { cwd: home, roots: [home], env: process.env, signal, questions });
  }
}

async function session(hooked: boolean): Promise<void> {
  const turns = Array.from({ length: calls }, (_, index) => ({
    text: '',
    calls: [{ id: `c${index}`, name: 'Read', input }],
    usage: noUsage,
  }));
  const model = new ReplayTurns('bench', [...turns, { text: 'Done.', calls: [], usage: noUsage }]).model('replay');
  const stored = createSession(join(home, 'sessions'), {
    type: 'session',
    version: 1,
    id: newSessionId(),
    cwd: home,
    created: new Date().toISOString(),
    mode: 'disk',
    model: model.name,
  });
  const guarded = await openGuardedSession({
    stored,
    repository: null,
    env: process.env,
    models: { main: model, open: () => model },
    settings: { ...defaultConfiguration.agent, permissions: { allow: ['Read'], ask: ['Bash'], deny: ['Read(.env)'] } },
    mode: 'default',
    maxTurns: calls + 1,
    tools: sessionTools,
    convention: async () => conventionOf(defaultConfiguration),
    person: nobodyToPermit('a benchmark'),
    questions,
    sandbox: null,
    emit: () => {},
    notify: () => {},
    hooks: (registry) => {
      if (hooked) {
        registry.register('PreToolUse', 'bench', () => undefined);
        registry.register('PostToolUse', 'bench', () => undefined);
      }
    },
  });
  const end = await guarded.prompt('Go', new AbortController().signal);
  if (end.stop !== 'end_turn' || end.turns !== calls + 1) {
    throw new Error(`the session ended with ${end.stop} after ${end.turns} turns`);
  }
  await guarded.close('completed');
}

async function time(run: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await run();
  return (performance.now() - before) / calls;
}

const contenders = [
  { name: 'the tool alone', run: direct, samples: [] as number[] },
  { name: 'through a session', run: () => session(false), samples: [] as number[] },
  { name: 'through a session with two hooks', run: () => session(true), samples: [] as number[] },
];

try {
  for (let round = -2; round < rounds; round += 1) {
    for (const { run, samples } of contenders) {
      const elapsed = await time(run);
      if (round >= 0) {
        samples.push(elapsed);
      }
    }
  }
  const medians = contenders.map(({ samples }) => samples.sort((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0);
  const [alone = 0] = medians;
  const rows = contenders.map(({ name }, index) => {
    const median = medians[index] ?? 0;
    return [name, milliseconds(median), index === 0 ? '' : milliseconds(median - alone)];
  });
  console.log(`\n${calls} calls of Read, ${rounds} interleaved rounds, per call\n`);
  console.log(table(['', 'median', 'added'], rows));
} finally {
  rmSync(home, { recursive: true, force: true });
}
