/**
 * Glob for all TypeScript files of a tree of 100,000 files, newest first, beside fast-glob with its stats and ripgrep
 * with its sorting. Run: `npm --prefix bench install --ignore-scripts && npx jiti bench/glob.ts [ROUNDS]`; ripgrep
 * has to be on PATH.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { glob } from '../src/tools/glob.ts';
import { milliseconds, table } from './interleaved.ts';
import { contextIn, timeInTurns } from './tool-timing.ts';

interface Entry {
  readonly stats?: { readonly mtimeMs: number };
}

/** The peer is installed for the benchmarks alone, so its types are not there when the project is checked. */
type FastGlob = (
  pattern: string,
  options: { readonly cwd: string; readonly stats: true; readonly dot: boolean },
) => Promise<Entry[]>;

const fastGlob = createRequire(import.meta.url)('fast-glob') as FastGlob;

const rounds = Number(process.argv[2] ?? 20);
const root = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));

function makeTree(): void {
  let made = 0;
  for (let folder = 0; folder < 1_000; folder += 1) {
    const directory = join(root, `package-${folder % 50}`, 'src', `module-${folder}`);
    mkdirSync(directory, { recursive: true });
    for (let file = 0; file < 100; file += 1) {
      const path = join(directory, `file-${file}.${file % 2 === 0 ? 'ts' : 'json'}`);
      writeFileSync(path, 'export {};\n');
      const time = 1_700_000_000 + ((made * 7_919) % 100_000);
      utimesSync(path, time, time);
      made += 1;
    }
  }
  writeFileSync(join(root, '.gitignore'), 'dist\nnode_modules\n*.log\n');
  execFileSync('git', ['init', '--quiet', root]);
}

async function ours(): Promise<number> {
  const result = await glob.execute({ pattern: '**/*.ts' }, contextIn(root));
  return Number(result.data.total);
}

async function theirs(): Promise<number> {
  const found = await fastGlob('**/*.ts', { cwd: root, stats: true, dot: true });
  found.sort((a, b) => (b.stats?.mtimeMs ?? 0) - (a.stats?.mtimeMs ?? 0));
  return found.length;
}

function ripgrep(): number {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 1e9 } as const;
  return execFileSync('rg', ['--files', '-g', '**/*.ts', '--sort', 'modified'], options).split('\n').length - 1;
}

try {
  makeTree();
  const totals = [await ours(), await theirs(), ripgrep()];
  if (new Set(totals).size !== 1) {
    throw new Error(`they found different files: ${totals.join(', ')}`);
  }
  const contenders = {
    'oxide-guard Glob': ours,
    'fast-glob, stats, sorted': theirs,
    'rg --files --sort modified': ripgrep,
  };
  const turns = await timeInTurns(
    Object.entries(contenders).map(([name, run]) => ({ name, run })),
    rounds,
  );
  const own = turns.get('oxide-guard Glob')?.median ?? Number.NaN;
  const rows = [...turns].map(([name, { median }]) => [name, milliseconds(median), (own / median).toFixed(2)]);
  console.log(table(['100,000 files, `**/*.ts`', 'median', 'ours ÷ this'], rows));
} finally {
  rmSync(root, { recursive: true, force: true });
}
