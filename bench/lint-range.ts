/**
 * `oxide-guard lint --from --to` over many commits beside `commitlint --from --to`.
 * Run: `npm run build && npm --prefix bench install --ignore-scripts && npx jiti bench/lint-range.ts [COMMITS] [ROUNDS]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { milliseconds, table, timeInterleaved } from './interleaved.ts';

const commits = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 20);
const project = resolve(import.meta.dirname, '..');
const peers = join(project, 'bench', 'node_modules');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };

/** Real messages, valid ones only, so that both linters read everything and print little; tagged before the first. */
function repository(name: string): string {
  const path = join(home, name);
  mkdirSync(path);
  execFileSync('git', ['init', '-q', '-b', 'main', path], { env });
  const messages = readFileSync(join(project, 'test/fixtures/commit-messages.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { message: string; valid: boolean; warnings: string[] })
    .filter(({ valid, warnings }) => valid && warnings.length === 0)
    .map(({ message }) => message);
  const stream = Array.from({ length: commits + 1 }, (_, index) => {
    const text = messages[index % messages.length] ?? 'feat: x';
    return `commit refs/heads/main\ncommitter A <a@example.com> ${1_700_000_000 + index} +0000\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  execFileSync('git', ['-C', path, 'fast-import', '--quiet'], { env, input: stream.join('') });
  execFileSync('git', ['-C', path, 'tag', 'start', `main~${commits}`], { env });
  return path;
}

const oursAt = repository('ours');
const theirsAt = repository('commitlint');
symlinkSync(peers, join(theirsAt, 'node_modules'));
writeFileSync(
  join(theirsAt, 'commitlint.config.mjs'),
  "export default { extends: ['@commitlint/config-conventional'] };",
);

const ours = {
  name: 'oxide-guard lint',
  command: process.execPath,
  args: [join(project, 'bin/oxide-guard.js'), 'lint', '--from', 'start', '--to', 'main'],
  cwd: oursAt,
  env,
};
const theirs = {
  name: 'commitlint',
  command: process.execPath,
  args: [join(peers, '@commitlint/cli/cli.js'), '--from', 'start', '--to', 'main'],
  cwd: theirsAt,
  env,
};

const [our, their] = timeInterleaved([ours, theirs], rounds);
if (our !== undefined && their !== undefined) {
  const rows = [our, their].map(({ name, median, minimum, maximum }) => [
    name,
    milliseconds(median),
    `${milliseconds(minimum)} to ${milliseconds(maximum)}`,
    `${(their.median / median).toFixed(1)} ×`,
  ]);
  console.log(table([`${commits} commits, ${rounds} rounds`, 'median', 'range', 'faster'], rows));
}
rmSync(home, { recursive: true, force: true });
