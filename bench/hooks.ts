/**
 * What the hooks cost a `git commit` and a `git push`, over no hook, beside a hook that only starts node and beside the
 * peers. Run: `npm run build && npm --prefix bench install --ignore-scripts && npx jiti bench/hooks.ts [ROUNDS [own]]`;
 * `own` leaves the peers out.
 */

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Contender, costs, milliseconds, table, timeInterleaved } from './interleaved.ts';
import { benchEnvironment } from './work-repository.ts';

const rounds = Number(process.argv[2] ?? 30);
const project = resolve(import.meta.dirname, '..');
const peers = join(project, 'bench', 'node_modules');
const home = mkdtempSync(join(tmpdir(), 'oxide-guard-bench-'));
const env = benchEnvironment(home);
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, env, stdio: 'pipe' });

function repository(name: string, prepare: (path: string) => void): string {
  const path = join(home, name);
  mkdirSync(path);
  git(path, 'init', '-q', '-b', 'main');
  git(path, 'commit', '-q', '--allow-empty', '-m', 'feat: begin');
  prepare(path);
  return path;
}

function writeHook(path: string, name: string, script: string): void {
  const file = join(path, '.git', 'hooks', name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
}

const installOurs = (path: string) =>
  execFileSync('node', [join(project, 'bin/oxide-guard.js'), 'install'], { cwd: path, env, stdio: 'pipe' });

const nothing = (): void => {};
const startNode = (hook: string) => (path: string) => writeHook(path, hook, '#!/bin/sh\nexec node -e 0\n');

function husky(path: string): void {
  symlinkSync(peers, join(path, 'node_modules'));
  writeFileSync(join(path, 'package.json'), '{"name":"x","private":true}');
  writeFileSync(
    join(path, 'commitlint.config.cjs'),
    "module.exports = { extends: ['@commitlint/config-conventional'] };",
  );
  execFileSync('node', [join(peers, 'husky/bin.js')], { cwd: path, env, stdio: 'pipe' });
  writeFileSync(join(path, '.husky/commit-msg'), 'commitlint --edit "$1"\n');
}

function lefthook(path: string): void {
  symlinkSync(peers, join(path, 'node_modules'));
  writeFileSync(
    join(path, 'commitlint.config.cjs'),
    "module.exports = { extends: ['@commitlint/config-conventional'] };",
  );
  writeFileSync(
    join(path, 'lefthook.yml'),
    'commit-msg:\n  commands:\n    lint:\n      run: node_modules/.bin/commitlint --edit {1}\n',
  );
  execFileSync(join(peers, '.bin/lefthook'), ['install'], { cwd: path, env, stdio: 'pipe' });
}

function commitContender(name: string, prepare: (path: string) => void): Contender {
  const cwd = repository(name.replaceAll(/\W+/g, '-'), prepare);
  return { name, command: 'git', args: ['commit', '-q', '--allow-empty', '-m', 'feat: x'], cwd, env };
}

function pushContender(name: string, prepare: (path: string) => void): Contender {
  const slug = `push-${name.replaceAll(/\W+/g, '-')}`;
  const remote = join(home, `${slug}.git`);
  const cwd = repository(slug, (path) => {
    git(path, 'init', '-q', '--bare', remote);
    git(path, 'remote', 'add', 'origin', remote);
    git(path, 'push', '-q', 'origin', 'main');
    git(path, 'switch', '-q', '-c', 'topic');
    git(path, 'push', '-q', '-u', 'origin', 'topic');
    prepare(path);
  });
  const before = () => git(cwd, '-c', 'core.hooksPath=/dev/null', 'commit', '-q', '--allow-empty', '-m', 'feat: x');
  return { name, command: 'git', args: ['push', '-q', 'origin', 'topic'], cwd, env, before };
}

function report(title: string, contenders: readonly Contender[]): void {
  const timings = timeInterleaved(contenders, rounds);
  const cost = costs(timings, 'no hook');
  const reference = cost.get('node -e 0') ?? Number.NaN;
  const processorOf = (wanted: string) => timings.find(({ name }) => name === wanted)?.processor ?? Number.NaN;
  const processorCost = (name: string) => processorOf(name) - processorOf('no hook');
  const rows = timings.map(({ name, median }) => [
    name,
    milliseconds(median),
    milliseconds(cost.get(name) ?? 0),
    name === 'no hook' ? '' : `${((cost.get(name) ?? 0) / reference).toFixed(2)} ×`,
    name === 'no hook' ? '' : `${(processorCost(name) / processorCost('node -e 0')).toFixed(2)} ×`,
  ]);
  console.log(`\n${title}, ${rounds} interleaved runs\n`);
  console.log(table(['hook', 'median', 'cost over no hook', 'against `node -e 0`', 'in processor time'], rows));
}

try {
  report('git commit --allow-empty -m "feat: x"', [
    commitContender('no hook', nothing),
    commitContender('node -e 0', startNode('commit-msg')),
    commitContender('oxide-guard', installOurs),
    ...(process.argv[3] === 'own'
      ? []
      : [commitContender('husky + commitlint', husky), commitContender('lefthook + commitlint', lefthook)]),
  ]);
  report('git push of one branch to a local bare remote', [
    pushContender('no hook', nothing),
    pushContender('node -e 0', startNode('pre-push')),
    pushContender('oxide-guard', installOurs),
  ]);
} finally {
  rmSync(home, { recursive: true, force: true });
}
