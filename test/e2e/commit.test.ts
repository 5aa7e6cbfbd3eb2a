import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../git/fixture.ts';
import { guardedRepository, oxideGuard, runOxideGuard } from './guarded-repository.ts';
import { withoutTerminal } from './terminal.ts';

const tryCommit = (work: string, ...args: string[]) =>
  withoutTerminal(work, 'git', 'commit', '--allow-empty', '--quiet', ...args);
const subject = (work: string) => git(work, 'log', '-1', '--format=%s');

describe('有效的 Conventional Commit', () => {
  it('is committed, without a word', () => {
    const { work } = guardedRepository();
    expect(tryCommit(work, '-m', 'feat: add user authentication')).toMatchObject({ status: 0, stderr: '' });
    expect(subject(work)).toBe('feat: add user authentication');
  });
});

describe('无效的 commit 格式', () => {
  it('is refused with the format, a message that would pass, and the way to the one that was typed', () => {
    const { work } = guardedRepository();
    const { status, stderr } = tryCommit(work, '-m', 'add new feature');
    expect(status).toBe(1);
    expect(subject(work)).toBe('feat: begin');
    expect(stderr).toContain('the type is missing');
    expect(stderr).toContain('type(scope)!: subject');
    expect(stderr).toContain('feat: add new feature');
    const [, kept = ''] = /git commit -eF (\S+)/.exec(stderr) ?? [];
    expect(readFileSync(join(work, kept), 'utf8')).toBe('add new feature\n');
  });

  it('can be committed after all by the command that is told, from a directory below, too', () => {
    const { work } = guardedRepository();
    const below = join(work, 'packages', 'it’s below');
    mkdirSync(below, { recursive: true });
    const { stderr } = tryCommit(below, '-m', 'add new feature');
    const [, command = ''] = /edit and commit it: (.+)/.exec(stderr) ?? [];
    const editor = `sh -c 'message=$(cat "$1"); echo "feat: $message" > "$1"' editor`;
    const { status } = withoutTerminal(below, 'sh', '-c', `GIT_EDITOR=$0 ${command} --allow-empty`, editor);
    expect(status).toBe(0);
    expect(subject(work)).toBe('feat: add new feature');
  });

  it('is in the trail with its header', () => {
    const { work } = guardedRepository();
    tryCommit(work, '-m', 'add new feature', '-m', 'With a body.');
    tryCommit(work, '-m', 'feat: add new feature');
    const { stdout } = runOxideGuard(['log'], { cwd: work });
    expect(stdout).toMatch(/^\S+ \S+ {2}denied {3}add new feature {2}\[commit-message · commit-msg\]\n$/);
  });

  it('is refused however the message arrives', () => {
    const { work } = guardedRepository();
    writeFileSync(join(work, 'message'), 'Add it.\n');
    expect(tryCommit(work, '-F', 'message').status).toBe(1);
    expect(tryCommit(work, '--amend', '-m', 'add it').status).toBe(1);
    expect(withoutTerminal(work, 'sh', '-c', 'echo no type | git commit --allow-empty -F -').status).toBe(1);
    const editor = `sh -c 'echo no type > "$1"' editor`;
    expect(withoutTerminal(work, 'git', '-c', `core.editor=${editor}`, 'commit', '--allow-empty').status).toBe(1);
    expect(subject(work)).toBe('feat: begin');
    expect(readdirSync(join(work, '.git/oxide-guard/rejected')).length).toBeGreaterThan(1);
  });
});

describe('a message in another encoding', () => {
  it('is read as git is told to, also where no editor showed it', () => {
    const { work } = guardedRepository();
    // 96 characters, more than 100 where the bytes are taken for UTF-8.
    const message = Buffer.concat([
      Buffer.from('feat: '),
      ...Array.from({ length: 45 }, () => Buffer.from('b2e2cad4', 'hex')),
    ]);
    writeFileSync(join(work, 'message'), message);
    git(work, 'config', 'i18n.commitEncoding', 'GBK');
    expect(tryCommit(work, '-F', 'message')).toMatchObject({ status: 0, stderr: '' });
    git(work, 'config', '--unset', 'i18n.commitEncoding');
    expect(tryCommit(work, '-F', 'message').status).toBe(1);
  });
});

describe('带 scope 的 commit', () => {
  it('is committed, and its type and scope are told', () => {
    const { work } = guardedRepository();
    expect(tryCommit(work, '-m', 'feat(auth): add login support').status).toBe(0);
    const linted = withoutTerminal(work, process.execPath, oxideGuard, 'lint', '--from', 'HEAD~1', '--json');
    expect(JSON.parse(linted.stdout)).toMatchObject([
      { valid: true, header: { type: 'feat', scope: 'auth', subject: 'add login support', breaking: false } },
    ]);
  });
});

describe('详细描述的 commit', () => {
  it('is committed with its body; only its header has a form', () => {
    const { work } = guardedRepository();
    const body = 'Tokens live for an hour.\n\n- refreshed by the client\n- kept in memory';
    expect(tryCommit(work, '-m', 'feat: add tokens', '-m', body).status).toBe(0);
    expect(git(work, 'log', '-1', '--format=%b').trim()).toBe(body);
    expect(tryCommit(work, '-m', 'Tokens', '-m', body).status).toBe(1);
  });

  it('is judged without the comments and the diff that git shows in the editor', () => {
    const { work } = guardedRepository();
    writeFileSync(join(work, 'a'), 'this line of the diff is longer than a line of a body may be: '.repeat(3));
    git(work, 'add', 'a');
    const editor = `sh -c '{ printf "feat: one\\n\\nbody\\n"; cat "$1"; } > m && mv m "$1"' editor`;
    const { status, stderr } = withoutTerminal(work, 'git', '-c', `core.editor=${editor}`, 'commit', '--verbose');
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('oxide-guard')]);
    expect(git(work, 'log', '-1', '--format=%B').trim()).toBe('feat: one\n\nbody');
  });
});
