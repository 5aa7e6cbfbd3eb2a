import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { conventional } from '../../src/commit/convention.ts';
import { conventionLinter } from '../../src/commit/linter.ts';
import { lintRange } from '../../src/commit/range.ts';
import { Git } from '../../src/git/runner.ts';

const root = mkdtempSync(join(tmpdir(), 'oxide-guard-range-'));
const origin = join(root, 'origin');
const linter = conventionLinter(conventional);

function git(directory: string, ...argv: string[]): string {
  return execFileSync('git', ['-C', directory, ...argv], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function lint(directory: string, from: string | null, to = 'HEAD') {
  return lintRange(new Git({ cwd: directory, env: process.env }), join(directory, '.git'), { from, to }, linter);
}

beforeAll(() => {
  execFileSync('git', ['init', '-q', '-b', 'main', origin]);
  const commit = (message: string) => git(origin, 'commit', '-q', '--allow-empty', '-m', message);
  commit('feat: begin');
  git(origin, 'tag', 'start');
  commit('add something');
  git(origin, 'switch', '-q', '-c', 'side');
  commit('docs: write it down');
  git(origin, 'switch', '-q', 'main');
  commit('fix: two\n\nbody line\n\n#12 stays');
  git(origin, 'merge', '-q', '--no-ff', '--no-edit', 'side');
});

describe('a range of commits', () => {
  it('is judged oldest first, merges as the linter exempts them', async () => {
    const linted = await lint(origin, 'start');
    expect(linted.map(({ message }) => message.split('\n')[0]).at(0)).toBe('add something');
    expect(linted.map(({ report }) => report.valid)).toEqual([false, true, true, true]);
    expect(linted.at(-1)).toMatchObject({ oid: git(origin, 'rev-parse', 'HEAD'), report: { ignored: true } });
  });

  it('without a beginning goes back to the first commit', async () => {
    expect(await lint(origin, null)).toHaveLength(5);
    expect(await lint(origin, 'HEAD')).toEqual([]);
  });

  it('with a revision that is none is an error, also when it looks like an option', async () => {
    await expect(lint(origin, 'nowhere')).rejects.toMatchObject({ code: 'unknown-revision' });
    await expect(lint(origin, null, '--all')).rejects.toMatchObject({ code: 'unknown-revision' });
  });

  it('of a shallow clone is refused with the way to get the history', async () => {
    const shallow = join(root, 'shallow');
    execFileSync('git', ['clone', '-q', '--depth', '2', `file://${origin}`, shallow], { stdio: 'pipe' });
    await expect(lint(shallow, null)).rejects.toMatchObject({
      code: 'shallow-history',
      remedy: expect.stringContaining('git fetch --unshallow'),
    });
    await expect(lint(shallow, git(origin, 'rev-parse', 'start'))).rejects.toMatchObject({
      remedy: expect.stringContaining('fetch-depth: 0'),
    });
    git(shallow, 'commit', '-q', '--allow-empty', '-m', 'feat: above the cut');
    expect(await lint(shallow, 'HEAD^')).toHaveLength(1);
  });
});
