/**
 * 10,000 commands judged in one process, by `check --stdin` and by cc-safety-net's library: time and processor time a
 * command, and whether memory grows. Three times: what agents type all day (agent-commands.txt); the harmless lines of the
 * corpus (everyday.jsonl), to many of which some guard objected once; and all its rows, most of them written to be hard
 * to judge. Both programs judge the same lines in the same repository, each in a process that has answered one line
 * before; A B A B …, medians.
 * Run: `npm run build && npm --prefix bench install --ignore-scripts && npx jiti bench/check-stdin.ts [COMMANDS] [ROUNDS]`.
 */

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { table } from './interleaved.ts';
import { prepareRepository } from './work-repository.ts';

const total = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 3);
const project = resolve(import.meta.dirname, '..');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const work = join(home, 'work');
const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };

/** The peer's library behind the same protocol: one line in, one answer out. */
const peer = `
  import { createInterface } from 'node:readline';
  const { checkCommand } = await import(${JSON.stringify(join(project, 'bench/node_modules/cc-safety-net/dist/api.js'))});
  for await (const line of createInterface({ input: process.stdin })) {
    const { command } = JSON.parse(line);
    process.stdout.write(JSON.stringify(checkCommand({ command, cwd: process.cwd() })) + '\\n');
  }`;

const contenders = {
  'oxide-guard check --stdin': [join(project, 'bin/oxide-guard.js'), 'check', '--stdin'],
  'cc-safety-net, library': ['--input-type=module', '-e', peer],
} as const;

function prepareTopic(): void {
  const git = prepareRepository(work, env);
  git('switch', '-q', '-c', 'topic');
  git('commit', '-q', '--allow-empty', '-m', 'feat: more');
  writeFileSync(join(work, 'notes.txt'), 'untracked\n');
}

/** One line each; a line feed within a command is written as `\\n`. */
function readAgentCommands(): readonly string[] {
  const text = readFileSync(join(import.meta.dirname, 'agent-commands.txt'), 'utf8');
  return mixed(text.split('\n').filter(Boolean)).map((line) => line.replaceAll('\\n', '\n'));
}

function readRows(wanted: (file: string) => boolean): readonly string[] {
  const corpus = join(project, 'test', 'corpus');
  const rows = readdirSync(corpus)
    .filter((name) => name.endsWith('.jsonl') && wanted(name))
    .flatMap((name) => readFileSync(join(corpus, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => (JSON.parse(line) as { command: string }).command);
  return mixed(rows);
}

/** As many as are judged, in an order that mixes what stands together: a stride that shares no divisor with most lengths. */
function mixed(rows: readonly string[]): readonly string[] {
  return Array.from({ length: total }, (_, index) => rows[(index * 389) % rows.length] ?? '');
}

interface Run {
  /** Microseconds a command. */
  readonly elapsed: number;
  /** Microseconds of processor time a command, of all threads and of the processes it started. */
  readonly processor: number;
  /** MiB resident after a tenth, a half, and all of the commands. */
  readonly memory: readonly number[];
}

async function run(args: readonly string[], commands: readonly string[]): Promise<Run> {
  const child = spawn('node', args, { cwd: work, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid = 0 } = child;
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  send(child, ['true']);
  await answers.next();
  const marks = [0.1, 0.5, 1].map((share) => Math.floor(commands.length * share));
  const memory: number[] = [];
  const [start, processor] = [performance.now(), processorTime(pid)];
  send(child, commands);
  for (let count = 1; count <= commands.length; count += 1) {
    if ((await answers.next()).done === true) {
      throw new Error(`${args.join(' ')}: ${count - 1} answers to ${commands.length} commands`);
    }
    if (marks.includes(count)) {
      memory.push(residentSize(pid));
    }
  }
  const elapsed = performance.now() - start;
  const used = processorTime(pid) - processor;
  child.stdin.end();
  return { elapsed: (elapsed * 1000) / commands.length, processor: (used * 1000) / commands.length, memory };
}

function send({ stdin }: ChildProcessByStdio<Writable, Readable, null>, commands: readonly string[]): void {
  stdin.write(commands.map((command) => `${JSON.stringify({ command })}\n`).join(''));
}

/** Milliseconds, with those of children that have ended: proc(5), stat, utime to cstime. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ');
  const ticksPerSecond = 100;
  return (fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * 1000) / ticksPerSecond;
}

/** MiB; proc(5): the second field of statm counts resident pages. */
function residentSize(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096) / 1024 / 1024;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function compare(title: string, commands: readonly string[]): Promise<void> {
  const runs = Object.entries(contenders).map(([name, args]) => ({ name, args, done: [] as Run[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { args, done } of runs) {
      done.push(await run(args, commands));
    }
  }
  const rows = runs.map(({ name, done }) => {
    const of = (pick: (run: Run) => number) => median(done.map(pick));
    return { name, elapsed: of((run) => run.elapsed), processor: of((run) => run.processor), memory: done[0]?.memory };
  });
  const theirs = rows.at(-1) ?? { elapsed: Number.NaN, processor: Number.NaN };
  const head = ['', 'a command', 'as fast', 'processor time', 'as little', 'after a tenth', 'after half', 'at the end'];
  console.log(`\n${title}: ${commands.length} commands in one process, ${rounds} interleaved runs\n`);
  console.log(
    table(
      head,
      rows.map(({ name, elapsed, processor, memory = [] }) => [
        name,
        `${elapsed.toFixed(0)} µs`,
        `${(theirs.elapsed / elapsed).toFixed(1)} ×`,
        `${processor.toFixed(0)} µs`,
        `${(theirs.processor / processor).toFixed(1)} ×`,
        ...memory.map((size) => `${size.toFixed(0)} MiB`),
      ]),
    ),
  );
}

try {
  prepareTopic();
  await compare('What agents type all day', readAgentCommands());
  await compare(
    'Harmless lines of the corpus',
    readRows((file) => file === 'everyday.jsonl'),
  );
  await compare(
    'The whole corpus',
    readRows(() => true),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
