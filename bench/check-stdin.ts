/**
 * 10,000 mixed commands judged in one process, by `check --stdin` and by cc-safety-net's library: time a command, and
 * whether memory grows. The commands are the rows of test/corpus, over and over, in one repository.
 * Run: `npm run build && npm --prefix bench install --ignore-scripts && npx jiti bench/check-stdin.ts [COMMANDS]`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { table } from './interleaved.ts';

const total = Number(process.argv[2] ?? 10_000);
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

function prepareRepository(): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: work, env, stdio: 'pipe' });
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@example.com');
  git('commit', '-q', '--allow-empty', '-m', 'feat: begin');
  git('init', '-q', '--bare', join(home, 'remote.git'));
  git('remote', 'add', 'origin', join(home, 'remote.git'));
  git('push', '-q', '-u', 'origin', 'main');
  git('switch', '-q', '-c', 'topic');
  git('commit', '-q', '--allow-empty', '-m', 'feat: more');
  writeFileSync(join(work, 'notes.txt'), 'untracked\n');
}

function readCommands(): readonly string[] {
  const corpus = join(project, 'test', 'corpus');
  const rows = readdirSync(corpus)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(corpus, name), 'utf8').split('\n').filter(Boolean))
    .map((line) => (JSON.parse(line) as { command: string }).command);
  // A fixed stride that shares no divisor with most lengths mixes the files' rows.
  return Array.from({ length: total }, (_, index) => rows[(index * 389) % rows.length] ?? '');
}

interface Run {
  /** Microseconds a command, from the first answer to the last: without starting. */
  readonly each: number;
  /** MiB resident after a tenth, a half, and all of the commands. */
  readonly memory: readonly (number | null)[];
}

async function run(args: readonly string[], commands: readonly string[]): Promise<Run> {
  const child = spawn('node', args, { cwd: work, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const resident = (): number | null => residentSize(child.pid ?? 0);
  const marks = [0.1, 0.5, 1].map((share) => Math.floor(commands.length * share));
  const memory: (number | null)[] = [];
  let answers = 0;
  let first = 0;
  let last = 0;
  child.stdin.write(commands.map((command) => `${JSON.stringify({ command })}\n`).join(''));
  for await (const _ of createInterface({ input: child.stdout })) {
    answers += 1;
    last = performance.now();
    first ||= last;
    if (marks.includes(answers)) {
      memory.push(resident());
    }
    if (answers === commands.length) {
      child.stdin.end();
    }
  }
  if (answers !== commands.length) {
    throw new Error(`${args.join(' ')}: ${answers} answers to ${commands.length} commands`);
  }
  return { each: ((last - first) * 1000) / (commands.length - 1), memory };
}

/** proc(5): the second field of statm counts resident pages. */
function residentSize(pid: number): number | null {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * 4096) / 1024 / 1024;
  } catch {
    return null;
  }
}

try {
  prepareRepository();
  const commands = readCommands();
  const ours = await run([join(project, 'bin/oxide-guard.js'), 'check', '--stdin'], commands);
  const theirs = await run(['--input-type=module', '-e', peer], commands);
  const row = (name: string, { each, memory }: Run) => [
    name,
    `${each.toFixed(0)} µs`,
    ...memory.map((size) => (size === null ? '–' : `${size.toFixed(0)} MiB`)),
    `${(theirs.each / each).toFixed(1)} ×`,
  ];
  const head = ['', 'a command', 'after a tenth', 'after half', 'at the end', 'as fast as the peer'];
  console.log(`\n${total} commands in one process\n`);
  console.log(table(head, [row('oxide-guard check --stdin', ours), row('cc-safety-net, library', theirs)]));
} finally {
  rmSync(home, { recursive: true, force: true });
}
