/**
 * What a sandboxed `true` costs through the Bash tool, beside the same bwrap line started by hand, and beside bash
 * without a sandbox. Run: `npx jiti bench/sandbox.ts [ROUNDS]`.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolContext } from '../src/tools/tool.ts';
import { nobodyToAsk } from '../src/ui/question.ts';
import { loadBuilt } from './built.ts';
import { milliseconds, table } from './interleaved.ts';

const { bash } = await loadBuilt<typeof import('../src/tools/bash.ts')>('src/tools/bash.ts');
const { createSandbox } =
  await loadBuilt<typeof import('../src/agent/sandbox/sandbox.ts')>('src/agent/sandbox/sandbox.ts');
const rounds = Number(process.argv[2] ?? 40);
const root = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
execFileSync('git', ['init', '-q', root]);
const sandbox = createSandbox({
  settings: { requireSandbox: true, sandboxNetwork: false },
  onNotice: (message) => console.error(message),
});
const context: ToolContext = {
  cwd: root,
  roots: [root],
  env: process.env,
  signal: new AbortController().signal,
  questions: nobodyToAsk('this is a benchmark'),
};

async function byHand(argv: readonly string[]): Promise<void> {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  const [code] = await once(child, 'close');
  if (code !== 0) {
    throw new Error(`${program} ended with ${code}`);
  }
}

async function byTool(within: ToolContext): Promise<void> {
  const result = await bash.execute({ command: 'true' }, within);
  if (!result.ok) {
    throw new Error(result.text);
  }
}

try {
  const plain = ['bash', '-c', 'true'] as const;
  const { argv } = await sandbox.confine({ argv: [...plain], cwd: root, env: process.env, roots: [root] });
  const contenders: readonly (readonly [string, () => Promise<void>])[] = [
    ['bwrap … bash -c true, by hand', () => byHand(argv)],
    ['Bash tool, sandboxed', () => byTool({ ...context, sandbox })],
    ['bash -c true, by hand', () => byHand(plain)],
    ['Bash tool, no sandbox', () => byTool(context)],
  ];
  const samples = contenders.map((): number[] => []);
  for (let round = -3; round < rounds; round += 1) {
    for (const [index, [, run]] of contenders.entries()) {
      const start = performance.now();
      await run();
      if (round >= 0) {
        samples[index]?.push(performance.now() - start);
      }
    }
  }
  const medians = samples.map((values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN);
  const ratio = (index: number, base: number) => `${((medians[index] ?? 0) / (medians[base] ?? 0)).toFixed(2)} ×`;
  const rows = contenders.map(([name], index) => [
    name,
    milliseconds(medians[index] ?? 0),
    index === 1 ? ratio(1, 0) : index === 3 ? ratio(3, 2) : '',
  ]);
  console.log(`\n\`true\` in a repository, ${rounds} interleaved runs\n`);
  console.log(table(['', 'median', 'against by hand'], rows));
} finally {
  sandbox.dispose();
  rmSync(root, { recursive: true, force: true });
}
