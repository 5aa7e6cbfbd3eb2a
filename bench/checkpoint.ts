/**
 * A checkpoint of 5,000 files of which none has changed, in a process that runs already (an agent's session), beside
 * `git stash create`; the two take turns.
 * Run: `npx jiti bench/checkpoint.ts [ROUNDS]`.
 */

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCheckpoint } from '../src/git/checkpoints/checkpoint.ts';
import { openRepository } from '../src/git/open-repository.ts';
import { milliseconds, table } from './interleaved.ts';
import { timeInTurns } from './tool-timing.ts';
import { benchEnvironment } from './work-repository.ts';

const rounds = Number(process.argv[2] ?? 30);
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const work = join(home, 'work');
const env = benchEnvironment(home);
const git = (...args: string[]) => execFileSync('git', args, { cwd: work, env, stdio: 'pipe' });

function stashCreate(): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['stash', 'create'], { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.on('error', reject);
    child.on('close', () => resolve());
  });
}

function prepare(): void {
  const before = new Date(Date.now() - 60_000);
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  for (let directory = 0; directory < 50; directory += 1) {
    mkdirSync(join(work, 'src', `d${directory}`), { recursive: true });
    for (let file = 0; file < 100; file += 1) {
      const path = join(work, 'src', `d${directory}`, `f${file}.ts`);
      writeFileSync(path, `export const value = ${directory * 100 + file};\n`);
      utimesSync(path, before, before);
    }
  }
  git('add', '-A');
  git('commit', '-q', '-m', 'feat: begin');
}

async function checkpoint(): Promise<void> {
  const repository = await openRepository({ cwd: work, env });
  if (repository === null) {
    throw new Error(`no repository at ${work}`);
  }
  await createCheckpoint(repository, { session: 'bench' });
}

try {
  prepare();
  const turns = await timeInTurns(
    [
      { name: 'git stash create', run: stashCreate },
      { name: 'oxide-guard checkpoint', run: checkpoint },
    ],
    rounds,
  );
  const base = turns.get('git stash create')?.median ?? Number.NaN;
  console.log(`\n5,000 files, nothing changed, ${rounds} turns\n`);
  console.log(
    table(
      ['', 'median', 'against `git stash create`'],
      [...turns].map(([name, { median }]) => [name, milliseconds(median), `${(median / base).toFixed(2)} ×`]),
    ),
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
