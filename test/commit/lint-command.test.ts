import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runOxideGuard } from '../e2e/guarded-repository.ts';
import { repositoryWithCommit, temporaryDirectory } from '../git/fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-lint-'));

const lint = (argv: readonly string[], input = '') => runOxideGuard(['lint', ...argv], { cwd: directory, input });

describe('oxide-guard lint', () => {
  it('takes a message as an argument, even one that looks like a number', () => {
    expect(lint(['--message', 'feat: x'])).toMatchObject({ status: 0, stdout: '' });
    expect(lint(['--message=add new feature'])).toMatchObject({ status: 1 });
    expect(JSON.parse(lint(['--message', '0012', '--json']).stdout)).toMatchObject({ valid: false });
  });

  it('takes a message from standard input, with and without -', () => {
    expect(lint(['-'], 'feat: x\n').status).toBe(0);
    expect(lint([], 'oh no\n').status).toBe(1);
  });

  it('takes a message file as git leaves it, comments and all', () => {
    writeFileSync(join(directory, 'MESSAGE'), 'fix: x\n\n# Please enter the commit message\n');
    expect(lint(['MESSAGE']).status).toBe(0);
  });

  it.each([
    ['an argument', ['--message', ''], ''],
    ['standard input', ['-'], '\n'],
    ['a file of comments', ['COMMENTS'], ''],
    ['one for scripts', ['--json', '--message', ' '], ''],
  ])('refuses a message without text, as git does: %s', (_, argv, input) => {
    writeFileSync(join(directory, 'COMMENTS'), '\n# Please enter the commit message\n');
    const { status, stdout, stderr } = lint(argv, input);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('The message is empty');
  });

  it('tells wrong usage from a bad message by its exit code', () => {
    expect(lint(['--format', 'xml']).status).toBe(2);
    expect(lint(['absent-file']).status).toBe(2);
    expect(lint(['--from', 'HEAD']).status).toBe(2);
    expect(lint(['--message', 'feat: x', '--from', 'HEAD']).status).toBe(2);
  });

  it('says that git has crashed, and takes it for no answer', () => {
    const bin = temporaryDirectory();
    writeFileSync(join(bin, 'git'), '#!/bin/sh\nkill -SEGV $$\n', { mode: 0o755 });
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { status, stderr } = runOxideGuard(['lint', '--from', 'HEAD'], { cwd: repositoryWithCommit(), env });
    expect(stderr).toMatch(/^oxide-guard: git [\w-]+ was ended by SIGSEGV, so nothing can be checked\.\n/);
    expect(status).toBe(1);
  });

  it('writes results to standard output and errors to standard error, without colours in a pipe', () => {
    const refused = lint(['--message', 'nothing']);
    expect(refused.stdout).toContain('✗ the type is missing');
    expect(refused.stdout).not.toContain('\x1b');
    expect(lint(['absent-file']).stdout).toBe('');
  });
});
