/**
 * MultiEdit with 1,000 edits over 200 files, beside reading and writing each file once, in place and through a new file
 * that takes its place. On the disk of the temporary directory: set TMPDIR for another.
 * Run: `npx jiti bench/multi-edit.ts [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBuilt } from './built.ts';
import { milliseconds, table } from './interleaved.ts';
import { contextIn, timeInTurns } from './tool-timing.ts';

const { multiEdit } = await loadBuilt<typeof import('../src/tools/multi-edit.ts')>('src/tools/multi-edit.ts');
const rounds = Number(process.argv[2] ?? 20);
const root = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const names = Array.from({ length: 200 }, (_, index) => `file-${index}.ts`);
const content = Array.from(
  { length: 400 },
  (_, line) => `export const value${line} = compute(${line}, 'text');\n`,
).join('');
const edits = names.flatMap((name) =>
  [17, 80, 160, 240, 320].map((line) => ({
    file_path: name,
    old_string: `value${line} = compute(${line},`,
    new_string: `changed${line} = compute(${line} + 1,`,
  })),
);

/** Each starts with files that are on the disk: what the one before had left to be written is not its burden. */
function before(): void {
  for (const name of names) {
    writeFileSync(join(root, name), content);
  }
  execFileSync('sync', process.platform === 'linux' ? ['-f', root] : []);
}

function readAndWrite(): void {
  for (const name of names) {
    const path = join(root, name);
    writeFileSync(path, readFileSync(path, 'utf8'));
  }
}

function readAndReplace(): void {
  for (const name of names) {
    const path = join(root, name);
    writeFileSync(`${path}.tmp`, readFileSync(path, 'utf8'));
    renameSync(`${path}.tmp`, path);
  }
}

async function ours(): Promise<void> {
  const result = await multiEdit.execute({ edits }, contextIn(root));
  if (!result.ok || !result.text.startsWith('1000 of 1000 edits made in 200 files.')) {
    throw new Error(result.text);
  }
}

try {
  const contenders = {
    'oxide-guard MultiEdit': ours,
    'read and write each file': readAndWrite,
    'read, write beside, rename': readAndReplace,
  };
  const turns = await timeInTurns(
    Object.entries(contenders).map(([name, run]) => ({ name, run, before })),
    rounds,
  );
  const own = turns.get('oxide-guard MultiEdit');
  const ratio = (ours: number | undefined, theirs: number) => ((ours ?? Number.NaN) / theirs).toFixed(2);
  const rows = [...turns].map(([name, { median, fastestFifth, processor }]) => [
    name,
    milliseconds(median),
    ratio(own?.median, median),
    milliseconds(fastestFifth),
    ratio(own?.fastestFifth, fastestFifth),
    milliseconds(processor),
  ]);
  const head = ['median', 'ours ÷ this', 'fastest fifth', 'ours ÷ this', 'processor'];
  console.log(table(['1,000 edits, 200 files of 18 KB', ...head], rows));
} finally {
  rmSync(root, { recursive: true, force: true });
}
