import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, git, temporaryDirectory } from '../git/fixture.ts';
import { guardedRepository, oxideGuard } from './guarded-repository.ts';
import { withoutTerminal } from './terminal.ts';

const makePipe = (path: string) => execFileSync('mkfifo', [path]);
const tip = (repository: string, ref: string) => git(repository, 'rev-parse', ref);
const badCommit = (work: string) => withoutTerminal(work, 'git', 'commit', '--allow-empty', '-m', 'no type');

/** Runs a program that must not hang: after ten seconds it is ended, and its status is null. */
function within(cwd: string, program: string, args: readonly string[], input: string | Buffer = '') {
  return spawnSync(program, args, { cwd, input, encoding: 'utf8', timeout: 10_000, killSignal: 'SIGKILL' });
}
const hook = (cwd: string, args: readonly string[], input: string | Buffer = '') =>
  within(cwd, process.execPath, [resolve('dist/hook/push.cjs'), ...args], input);
const oxide = (cwd: string, ...args: string[]) => within(cwd, process.execPath, [oxideGuard, ...args]);

describe('a configuration that is a program and does not come to an end of its own', () => {
  it.each([
    ['ends the process with success', 'oxide-guard.config.mjs', 'process.exit(0)'],
    ['never settles', 'oxide-guard.config.mjs', 'await new Promise(() => {})'],
    [
      'throws later',
      'oxide-guard.config.mjs',
      'setTimeout(() => { throw new Error("later") }, 1); await new Promise(() => {})',
    ],
    ['is a commitlint configuration that ends the process', 'commitlint.config.cjs', 'process.exit(0)'],
    [
      'is a commitlint configuration that never settles',
      'commitlint.config.cjs',
      'module.exports = new Promise(() => {})',
    ],
  ])('%s: neither a message nor a push passes', (_, name, text) => {
    const { work, remote } = guardedRepository();
    const before = tip(remote, 'main');
    git(work, 'commit', '--quiet', '--allow-empty', '--amend', '-m', 'feat: begin differently');
    writeFileSync(join(work, name), text);
    const refused = badCommit(work);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('the commit-msg hook could not do its work, so it refuses');
    expect(refused.stderr).not.toMatch(/^\s+at /m);
    const [, kept = ''] = /To edit and commit it: git commit -eF (\S+)$/m.exec(refused.stderr) ?? [];
    expect(readFileSync(join(work, kept), 'utf8')).toBe('no type\n');
    expect(withoutTerminal(work, 'git', 'push', '--force', 'origin', 'main').status).toBe(1);
    expect(tip(remote, 'main')).toBe(before);
    expect(oxide(work, 'lint', '--message', 'no type').status).not.toBe(0);
  });
});

describe('an agent whose repository has such a configuration', () => {
  it.each([
    'process.exit(0)',
    'await new Promise(() => {})',
    'setTimeout(() => process.exit(0), 1); await 0; while (true) await new Promise((done) => setTimeout(done, 5))',
  ])('%s: the force push is denied', (text) => {
    const { work } = guardedRepository();
    writeFileSync(join(work, 'oxide-guard.config.mjs'), text);
    const payload = {
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: work,
      tool_name: 'Bash',
      tool_input: { command: 'git push --force origin main' },
    };
    const outcome = within(
      work,
      process.execPath,
      [resolve('dist/hook/agent.cjs'), '--agent', 'claude'],
      JSON.stringify(payload),
    );
    expect(JSON.parse(outcome.stdout).hookSpecificOutput.permissionDecision).toBe('deny');
  });
});

describe('a commitlint configuration that throws', () => {
  it('says what it threw', () => {
    const { work } = guardedRepository();
    writeFileSync(join(work, 'commitlint.config.cjs'), 'throw new Error("the rules are out of reach")');
    expect(badCommit(work).stderr).toContain('the rules are out of reach');
  });
});

describe('something else stands where a file should be', () => {
  it.each(['oxide-guard.config.json', 'package.json', '.commitlintrc'])(
    'a named pipe or a directory as %s: refused at once, and named',
    (name) => {
      const { work } = guardedRepository();
      for (const make of [makePipe, (path: string) => mkdirSync(path)]) {
        make(join(work, name));
        const refused = within(work, 'git', ['commit', '--allow-empty', '-m', 'feat: one']);
        expect(refused.status).toBe(1);
        expect(refused.stderr).toContain(name);
        expect(refused.stderr).toContain('regular file');
        expect(refused.stderr).toContain('git commit -eF');
        rmSync(join(work, name), { recursive: true });
      }
    },
  );

  it.each(['audit.ndjson', 'hooks.json', 'approvals', 'configuration.json', 'rejected'])(
    'a named pipe as %s in the state directory hangs neither hooks nor commands',
    (name) => {
      const { work, remote } = guardedRepository();
      const before = tip(remote, 'main');
      commit(work, 'feat: one');
      rmSync(join(work, '.git/oxide-guard', name), { recursive: true, force: true });
      makePipe(join(work, '.git/oxide-guard', name));
      expect(badCommit(work).status).toBe(1);
      expect(withoutTerminal(work, 'git', 'push', 'origin', 'main').status).toBe(1);
      expect(tip(remote, 'main')).toBe(before);
      for (const command of [['log'], ['approve'], ['install', '--dry-run'], ['uninstall', '--dry-run']]) {
        expect(oxide(work, ...command).status, command.join(' ')).toBe(0);
      }
    },
  );

  it('a directory or a pipe among the kept messages: the next one is kept all the same', () => {
    const { work } = guardedRepository();
    const rejected = join(work, '.git/oxide-guard/rejected');
    mkdirSync(join(rejected, 'zz'), { recursive: true });
    makePipe(join(rejected, 'zzz'));
    expect(badCommit(work).stderr).toContain('git commit -eF');
  });

  it('a file instead of the state directory: a command says what stands in the way', () => {
    const { work } = guardedRepository();
    rmSync(join(work, '.git/oxide-guard'), { recursive: true });
    writeFileSync(join(work, '.git/oxide-guard'), '');
    const outcome = oxide(work, 'install');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toMatch(/→ ls -ld \S+\.git\/oxide-guard/);
  });
});

describe('input that is not what git writes', () => {
  it('200,000 lines of nothing are refused quickly, and not repeated', () => {
    const { work } = guardedRepository();
    const outcome = hook(work, ['pre-push', 'origin', 'x'], 'x\n'.repeat(200_000));
    expect(outcome.status).toBe(1);
    expect(outcome.stderr.length).toBeLessThan(1000);
  });

  it('control characters are not shown as they are', () => {
    const { work } = guardedRepository();
    const outcome = hook(work, ['pre-receive'], '\x1b]0;title\x07\x1b[2J');
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).not.toContain('\x1b');
  });

  it('update without its arguments is refused', () => {
    const { work } = guardedRepository();
    expect(hook(work, ['update'])).toMatchObject({ status: 1 });
  });

  it('update with half of an object name is refused under its own name', () => {
    const { work } = guardedRepository();
    const { status, stderr } = hook(work, ['update', 'refs/heads/main', '0', '1']);
    expect(stderr).toContain('the update hook could not do its work');
    expect(status).toBe(1);
  });
});

describe('a package of which a part is gone', () => {
  it.each([
    ['pre-push', ['pre-push', 'origin', 'x']],
    ['pre-push', ['--prepared', 'pre-push', 'origin', 'x']],
    ['update', ['update', 'refs/heads/main', '0', '1']],
  ])('says that the %s hook could not be started: %j', (name, args) => {
    const part = join(temporaryDirectory(), 'push.cjs');
    copyFileSync('dist/hook/push.cjs', part);
    const { status, stderr } = within('/', process.execPath, [part, ...args]);
    expect(stderr).toContain(`the ${name} hook could not be started, so it refuses`);
    expect(status).toBe(1);
  });
});

describe('a directory that is gone', () => {
  it('a command says so, without a stack trace', () => {
    const gone = join(temporaryDirectory(), 'gone');
    mkdirSync(gone);
    const script = `cd '${gone}' && rmdir '${gone}' && exec '${process.execPath}' '${oxideGuard}' log`;
    const outcome = within('/', 'sh', ['-c', script]);
    expect(outcome.status).not.toBe(0);
    expect(outcome.stderr).not.toMatch(/^\s+at /m);
  });
});
