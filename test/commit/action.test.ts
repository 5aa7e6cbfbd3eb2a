import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'oxide-guard-action-'));
const [origin, checkout, shallow] = [join(root, 'origin'), join(root, 'checkout'), join(root, 'shallow')];

/** The script of action.yml's one step. */
const script = readFileSync('action.yml', 'utf8').split('run: |\n')[1]?.replace(/^ {8}/gm, '');

function git(directory: string, ...argv: string[]): string {
  return execFileSync('git', ['-C', directory, ...argv], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Runs the step with an `npx` that starts the built program. */
function run(cwd: string, from: string): { status: number | null; stdout: string; stderr: string } {
  const environment = { FROM: from, TO: git(cwd, 'rev-parse', 'HEAD'), DEFAULT_BRANCH: 'main', VERSION: '' };
  return spawnSync('bash', ['-c', script ?? 'exit 99'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, ...environment, PATH: `${root}:${process.env.PATH}` },
  });
}

beforeAll(() => {
  writeFileSync(
    join(root, 'npx'),
    `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${resolve('bin/oxide-guard.js')}' "$@"\n`,
    { mode: 0o755 },
  );
  execFileSync('git', ['init', '-q', '-b', 'main', origin]);
  git(origin, 'commit', '-q', '--allow-empty', '-m', 'an old message that nobody checks');
  execFileSync('git', ['clone', '-q', origin, checkout], { stdio: 'pipe' });
  git(checkout, 'switch', '-q', '-c', 'topic');
  git(checkout, 'commit', '-q', '--allow-empty', '-m', 'add a thing');
  execFileSync('git', ['clone', '-q', '--depth', '1', `file://${checkout}`, shallow], { stdio: 'pipe' });
});

describe('the action', () => {
  for (const [situation, from] of [
    ['of a pull request', () => git(checkout, 'rev-parse', 'main')],
    ['of the first push of a branch', () => '0'.repeat(40)],
    ['of a forced push, whose old commit is gone', () => '12'.repeat(20)],
    ['of an event that names no commit', () => ''],
  ] as const) {
    it(`checks the new commits ${situation}`, () => {
      const { status, stdout } = run(checkout, from());
      expect(status).toBe(1);
      expect(stdout.trim().split('\n')).toEqual([expect.stringMatching(/^::error title=commit \w+::add a thing%0A/)]);
    });
  }

  it('does not pass in a shallow checkout', () => {
    const { status, stderr } = run(shallow, git(checkout, 'rev-parse', 'main'));
    expect(status).toBe(2);
    expect(stderr).toContain('fetch-depth: 0');
  });
});
