import { execSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GuardedRepository, guardedAt } from './guarded-repository.ts';

const files = {
  'README.md': '# App\n',
  'src/app.ts': 'export const start = 1;\n',
  '.gitignore': '*.local\ndist/\nnode_modules/\n',
  'dist/app.js': 'built\n',
  'node_modules/x/index.js': 'installed\n',
};

/** Files in a directory of their own, and no repository. */
function directoryWith(more: Readonly<Record<string, string>> = {}): GuardedRepository {
  const path = join(realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-around-'))), 'app');
  for (const [name, text] of Object.entries({ ...files, ...more })) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return guardedAt(path);
}

const imported = 'git init -q && git add -A && git commit -qm "feat: import"';

describe('a line that makes a repository around files', () => {
  it('may clean what tools make again, once all else is committed', async () => {
    const { judge } = directoryWith();
    expect((await judge(`${imported} && git clean -fdx`)).findings).toEqual([]);
    expect((await judge(`${imported} && git clean -fdX`)).findings).toEqual([]);
  });

  it('is asked about ignored files by their names', async () => {
    const { judge, path } = directoryWith({ 'keys.local': 'a\n', 'src/own.local': 'b\n' });
    const { findings } = await judge(`${imported} && git clean -fdx`);
    expect(findings).toMatchObject([
      {
        rule: 'discard-changes',
        message: 'git clean would discard 2 ignored files: keys.local, src/own.local.',
        suggestion: 'tar -cf ../app-ignored.tar keys.local src/own.local',
      },
    ]);
    execSync(findings[0]?.suggestion ?? '', { cwd: path });
    expect(execSync('tar -tf ../app-ignored.tar', { cwd: path, encoding: 'utf8' })).toBe('keys.local\nsrc/own.local\n');
  });

  it.each([
    'git init -q && git clean -fd',
    'git init -q && git add -A && git reset --hard',
    'git init -q && git add README.md && git commit -qm "feat: import" && git clean -fdx',
  ])('is told how to keep what no commit has: %s', async (line) => {
    const { judge, path } = directoryWith();
    const [finding] = (await judge(line)).findings;
    expect(finding?.message).toMatch(
      /^This line makes the repository around the files in this directory, and discards /,
    );
    execSync(finding?.suggestion ?? '', { cwd: path, stdio: 'pipe' });
    expect((await judge(line)).findings).toEqual([]);
  });

  it('also where they lie elsewhere', async () => {
    const { judge, path } = directoryWith();
    const { findings } = await judge('cd app && git init -q && git clean -fd', dirname(path));
    const suggestion = findings[0]?.suggestion ?? '';
    expect(suggestion).toBe("cd app && git init && git add --all && git commit -m 'chore: keep the work'");
    execSync(suggestion, { cwd: dirname(path), stdio: 'pipe' });
    execSync('git init -q && git clean -fdq', { cwd: path });
    expect(readFileSync(join(path, 'src/app.ts'), 'utf8')).toBe(files['src/app.ts']);
  });
});
