import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { emptyRepository, git } from '../git/fixture.ts';
import { by, run, tryCommit, writeHook } from '../githooks/fixture.ts';
import { skipUnless } from '../skip.ts';

// The real tools, where the benchmarks' own packages are installed; test/githooks imitates them elsewhere.
const peers = resolve('bench/node_modules');
const cli = resolve('bin/oxide-guard.js');

const guard = (cwd: string, ...words: string[]) => run(cwd, [process.execPath, cli, ...words]);
const note = (name: string) => `printf '{"by":"${name}","argv":"%s"}\\n' "$*" >> "$TRACE"\n`;

describe.skipIf(
  skipUnless(existsSync(`${peers}/husky`), 'the real husky: npm --prefix bench install --ignore-scripts'),
)('beside the real husky', () => {
  const husky = (cwd: string) => run(cwd, [process.execPath, `${peers}/husky/bin.js`]);

  it('both run; its installation takes our hook away, ours brings it back', () => {
    const work = emptyRepository();
    husky(work);
    writeHook(`${work}/.husky/commit-msg`, note('husky'), 0o644);
    expect(guard(work, 'install').status).toBe(0);
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['husky']);
    expect(tryCommit(work, 'no type')).toMatchObject({ status: 1, trace: [{ by: 'husky' }] });
    husky(work);
    expect(guard(work, 'doctor').status).toBe(1);
    guard(work, 'install');
    expect(tryCommit(work, 'no type').status).toBe(1);
    const shim = readFileSync(`${work}/.husky/_/pre-commit`, 'utf8');
    expect(guard(work, 'uninstall').status).toBe(0);
    expect(readFileSync(`${work}/.husky/_/commit-msg`, 'utf8')).toBe(shim);
    expect(by(tryCommit(work, 'no type'))).toEqual(['husky']);
  });
});

describe.skipIf(
  skipUnless(existsSync(`${peers}/lefthook`), 'the real lefthook: npm --prefix bench install --ignore-scripts'),
)('beside the real lefthook', () => {
  const lefthook = (cwd: string) =>
    run(cwd, [process.execPath, `${peers}/lefthook/bin/index.js`, 'install'], { CI: undefined });

  it('both run; its installation takes our hook away, ours brings it back', () => {
    const work = emptyRepository();
    writeFileSync(
      `${work}/lefthook.yml`,
      `commit-msg:\n  commands:\n    note:\n      run: echo '{"by":"lefthook","argv":""}' >> "$TRACE"\n`,
    );
    lefthook(work);
    const script = readFileSync(`${work}/.git/hooks/commit-msg`, 'utf8');
    expect(guard(work, 'install').stderr).toContain('lefthook install && oxide-guard install');
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['lefthook']);
    expect(tryCommit(work, 'no type')).toMatchObject({ status: 1, trace: [{ by: 'lefthook' }] });
    git(work, 'config', 'user.name', 'Ada');
    lefthook(work);
    expect(readFileSync(`${work}/.git/hooks/commit-msg`, 'utf8')).toBe(script);
    expect(guard(work, 'doctor').status).toBe(1);
    guard(work, 'install');
    expect(tryCommit(work, 'no type').status).toBe(1);
    guard(work, 'uninstall');
    expect(readFileSync(`${work}/.git/hooks/commit-msg`, 'utf8')).toBe(script);
  });
});
