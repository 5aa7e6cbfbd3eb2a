import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bareRepository, commit, git, write } from '../git/fixture.ts';
import { guard, guardedRepository, oxideGuard, pushFromElsewhere } from './guarded-repository.ts';
import { inTerminal, withoutTerminal } from './terminal.ts';

const tip = (repository: string, ref: string) => git(repository, 'rev-parse', ref);

describe('推送到主分支警告', () => {
  it('warns, asks on the terminal, and pushes after a yes', async () => {
    const { work, remote } = guardedRepository();
    const oid = commit(work, 'feat: one');
    const { status, screen } = await inTerminal(work, 'git push', [{ when: /Push anyway\? \[y\/N\]/, type: 'y\n' }]);
    expect(screen).toContain('This push updates main on origin, a protected branch.');
    expect(status).toBe(0);
    expect(tip(remote, 'main')).toBe(oid);
  });

  it.each(['n\n', '\n', 'push\n', '\x04'])('does not push after %j', async (type) => {
    const { work, remote } = guardedRepository();
    const before = tip(remote, 'main');
    commit(work, 'feat: one');
    const { status, screen } = await inTerminal(work, 'git push', [{ when: /Push anyway\?/, type }]);
    expect(screen).toContain('The push is refused; nothing was sent.');
    expect(status).not.toBe(0);
    expect(tip(remote, 'main')).toBe(before);
  });

  it('breaks its words as a narrow terminal needs it, and no command', async () => {
    const { work } = guardedRepository();
    commit(work, 'feat: one');
    const narrow = 'stty cols 40; git commit --allow-empty -m "add it"; git push';
    const { screen } = await inTerminal(work, narrow, [{ when: /Push anyway\?/, type: 'n\n' }]);
    expect(screen).toContain('? This push updates main on origin, a\n  protected branch. [protected-push]\n');
    expect(screen).toContain('    → git switch -c my-change && git push -u origin my-change\n');
    expect(screen).toContain('format type(scope)!: subject   types\n    build, chore, ci,');
  });

  it('never takes the list of updates for an answer: a branch named like a yes', async () => {
    const { work, remote } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'y');
    commit(work, 'feat: one');
    const { status } = withoutTerminal(work, 'git', 'push', 'origin', 'y:main');
    expect(status).not.toBe(0);
    expect(tip(remote, 'main')).not.toBe(tip(work, 'y'));
  });

  it('refuses without a terminal and says how to approve, once', () => {
    const { work, remote } = guardedRepository();
    const first = commit(work, 'feat: one');
    const refused = withoutTerminal(work, 'git', 'push');
    expect(refused.status).not.toBe(0);
    const [, id = ''] = /oxide-guard approve (\w+)/.exec(refused.stderr) ?? [];
    guard(work, 'approve', id);
    expect(withoutTerminal(work, 'git', 'push').status).toBe(0);
    expect(tip(remote, 'main')).toBe(first);
    commit(work, 'feat: two');
    expect(withoutTerminal(work, 'git', 'push').status).not.toBe(0);
    expect(tip(remote, 'main')).toBe(first);
  });

  it.each([
    ['by a wildcard', ['push', 'origin', 'refs/heads/*:refs/heads/*']],
    ['by --all', ['push', '--all', 'origin']],
    ['by URL', ['push', '../remote.git', 'HEAD:refs/heads/main']],
    ['by remote.origin.push', ['-c', 'remote.origin.push=refs/heads/*:refs/heads/*', 'push']],
  ])('also when main is named %s', (_, args) => {
    const { work } = guardedRepository();
    commit(work, 'feat: one');
    const { status, stderr } = withoutTerminal(work, 'git', ...args);
    expect(status).not.toBe(0);
    expect(stderr).toContain('protected branch');
  });

  it('tells scripts by its exit code whether it was refused, or nobody could answer', () => {
    const { work, remote } = guardedRepository();
    const before = tip(work, 'main');
    const oid = commit(work, 'feat: one');
    const hook = (line: string) =>
      withoutTerminal(
        work,
        'sh',
        '-c',
        `echo ${line} | "$0" "$@"`,
        process.execPath,
        oxideGuard,
        'hook',
        'pre-push',
        'origin',
        remote,
      );
    expect(hook(`refs/heads/main ${oid} refs/heads/main ${before}`).status).toBe(3);
    expect(hook(`refs/heads/main ${before} refs/heads/main ${oid}`).status).toBe(1);
    expect(hook(`refs/heads/x ${oid} refs/heads/x ${'0'.repeat(40)}`).status).toBe(0);
  });

  it("protects the remote's default branch by any name, and globs from the configuration", () => {
    const { work } = guardedRepository();
    write(work, 'oxide-guard.config.json', '{"protectedBranches": ["release/*"]}');
    git(work, 'push', '--quiet', '--no-verify', 'origin', 'main:trunk');
    git(work, 'remote', 'set-head', 'origin', 'trunk');
    commit(work, 'feat: one');
    for (const branch of ['trunk', 'release/1']) {
      expect(withoutTerminal(work, 'git', 'push', 'origin', `HEAD:refs/heads/${branch}`).status).not.toBe(0);
    }
    expect(withoutTerminal(work, 'git', 'push', 'origin', 'HEAD:refs/heads/topic').status).toBe(0);
  });
});

describe('强制推送保护', () => {
  const rewritten = () => {
    const repository = guardedRepository();
    commit(repository.work, 'feat: published');
    git(repository.work, 'push', '--quiet', '--no-verify');
    git(repository.work, 'reset', '--quiet', '--hard', 'HEAD~1');
    commit(repository.work, 'feat: instead');
    return repository;
  };

  it.each([
    [['push', '--force']],
    [['push', '-f', 'origin', 'main']],
    [['push', 'origin', '+main']],
    [['push', 'origin', '+refs/heads/*:refs/heads/*']],
    [['push', '--force-with-lease', '--force', 'origin', 'main']],
    [['-c', 'remote.origin.push=+refs/heads/main', 'push']],
    [['push', '--force', '../remote.git', 'main']],
  ])('git %j is refused, with what would be lost and a lease proposed', (args) => {
    const { work, remote } = rewritten();
    const before = tip(remote, 'main');
    const { status, stderr } = withoutTerminal(work, 'git', ...args);
    expect(status).not.toBe(0);
    expect(stderr).toContain('1 commit there would be lost');
    expect(stderr).toContain('feat: published');
    expect(stderr).toContain('--force-with-lease');
    expect(tip(remote, 'main')).toBe(before);
  });

  it.each(['--force-with-lease', '--force-with-lease=main', '--force-with-le'])('git push %s asks', async (lease) => {
    const { work, remote } = rewritten();
    const { status, screen } = await inTerminal(work, `git push ${lease} origin main`, [
      { when: /Push anyway\?/, type: 'yes\n' },
    ]);
    expect(screen).toContain('may rewrite main on origin');
    expect(status).toBe(0);
    expect(tip(remote, 'main')).toBe(tip(work, 'main'));
  });

  it('an alias for a lease asks as well', async () => {
    const { work } = rewritten();
    git(work, 'config', 'alias.pf', 'push --force-with-lease');
    const { screen } = await inTerminal(work, 'git pf', [{ when: /Push anyway\?/, type: 'n\n' }]);
    expect(screen).toContain('may rewrite main on origin');
  });

  it("refuses when the remote's commits are not here, and says to fetch", () => {
    const repository = guardedRepository();
    pushFromElsewhere(repository, 'main', 'feat: theirs');
    commit(repository.work, 'feat: ours');
    const before = tip(repository.remote, 'main');
    const { status, stderr } = withoutTerminal(repository.work, 'git', 'push', '--force');
    expect(status).not.toBe(0);
    expect(stderr).toContain('has commits that are not in this repository');
    expect(stderr).toContain('git fetch origin');
    expect(tip(repository.remote, 'main')).toBe(before);
  });

  it('deleting main, mirroring', () => {
    const { work, remote } = rewritten();
    for (const args of [
      ['push', 'origin', ':main'],
      ['push', '--delete', 'origin', 'main'],
      ['push', '--mirror', 'origin'],
    ]) {
      const { status, stderr } = withoutTerminal(work, 'git', ...args);
      expect(status).not.toBe(0);
      expect(stderr).toMatch(/\[(protected-delete|mirror-push)\]/);
    }
    git(work, 'config', 'remote.origin.mirror', 'true');
    expect(withoutTerminal(work, 'git', 'push').stderr).toContain('[mirror-push]');
    expect(tip(remote, 'main')).not.toBe(tip(work, 'main'));
  });

  it('a forced push of another branch lists the commits it drops, and asks', () => {
    const { work } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'topic');
    commit(work, 'feat: published');
    git(work, 'push', '--quiet', 'origin', 'topic');
    git(work, 'commit', '--quiet', '--amend', '--allow-empty', '-m', 'feat: instead');
    const { status, stderr } = withoutTerminal(work, 'git', 'push', '--force', 'origin', 'topic');
    expect(status).not.toBe(0);
    expect(stderr).toContain('[force-push]');
    expect(stderr).toContain('feat: published');
    expect(withoutTerminal(work, 'git', 'push', '--force-with-lease', 'origin', 'topic').status).toBe(0);
  });
});

describe('未提交更改检查', () => {
  it('lists the uncommitted files, proposes to commit, and lets the push go on', () => {
    const { work } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'topic');
    write(work, 'tracked.txt', 'one');
    git(work, 'add', '.');
    git(work, 'commit', '--quiet', '-m', 'feat: one');
    write(work, 'tracked.txt', 'two');
    writeFileSync(join(work, 'new file.txt'), '');
    const { status, stderr } = withoutTerminal(work, 'git', 'push', 'origin', 'topic');
    expect(status).toBe(0);
    expect(stderr).toContain('1 file with uncommitted changes and 1 untracked file');
    expect(stderr).toContain('tracked.txt');
    expect(stderr).toContain('new file.txt');
    expect(stderr).toMatch(/commit/);
  });

  it('says nothing of a clean work tree', () => {
    const { work } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'topic');
    commit(work, 'feat: one');
    expect(withoutTerminal(work, 'git', 'push', '--quiet', 'origin', 'topic').stderr).toBe('');
  });
});

describe('远程分支状态检查', () => {
  it('shows how local and remote differ before git refuses the push, and proposes to pull', () => {
    const repository = guardedRepository();
    const { work } = repository;
    pushFromElsewhere(repository, 'main', 'feat: theirs one', 'feat: theirs two');
    git(work, 'fetch', '--quiet');
    commit(work, 'feat: ours');
    const { status, stderr } = withoutTerminal(work, 'git', 'push');
    expect(status).not.toBe(0);
    expect(stderr).toContain('main and origin/main have diverged: 1 commit only here, 2 commits only there.');
    expect(stderr).toContain('feat: theirs two');
    expect(stderr).toContain('git pull --rebase origin main');
  });

  it('says how far behind', () => {
    const repository = guardedRepository();
    pushFromElsewhere(repository, 'main', 'feat: theirs');
    git(repository.work, 'fetch', '--quiet');
    expect(withoutTerminal(repository.work, 'git', 'push').stderr).toContain('main is 1 commit behind origin/main.');
  });
});

describe('commits that leave are linted', () => {
  it('refuses messages that never saw commit-msg, with corrected headers', () => {
    const { work } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'topic');
    commit(work, 'feat: fine');
    commit(work, 'Fixed the parser.');
    const { status, stderr } = withoutTerminal(work, 'git', 'push', 'origin', 'topic');
    expect(status).not.toBe(0);
    expect(stderr).toContain('1 of 2 commits that this push publishes breaks the commit message convention');
    expect(stderr).toContain('Fixed the parser. → fix: ');
  });

  it('does not judge what the remote has already', () => {
    const { work } = guardedRepository();
    git(work, 'switch', '--quiet', '--create', 'topic');
    commit(work, 'old and bad');
    git(work, 'push', '--quiet', '--no-verify', 'origin', 'topic');
    git(work, 'switch', '--quiet', '--create', 'topic-2');
    commit(work, 'feat: fine');
    expect(withoutTerminal(work, 'git', 'push', 'origin', 'topic-2').status).toBe(0);
  });

  it('asks before fixups reach a protected branch, not before they reach another one', () => {
    const { work } = guardedRepository();
    commit(work, 'fixup! feat: begin');
    expect(withoutTerminal(work, 'git', 'push').stderr).toContain('[fixup-to-protected]');
    expect(withoutTerminal(work, 'git', 'push', 'origin', 'HEAD:refs/heads/topic').status).toBe(0);
  });
});

describe('ordinary cases', () => {
  it('a first push to an empty remote', () => {
    const { work } = guardedRepository();
    const empty = bareRepository();
    expect(withoutTerminal(work, 'git', 'push', empty, 'HEAD:refs/heads/topic').status).toBe(0);
  });

  it('a dry run asks nothing', () => {
    const { work } = guardedRepository();
    commit(work, 'feat: one');
    expect(withoutTerminal(work, 'git', 'push', '--dry-run', '--force').status).toBe(0);
  });

  it('nothing to push', () => {
    const { work } = guardedRepository();
    expect(withoutTerminal(work, 'git', 'push')).toMatchObject({ status: 0 });
  });

  it('tags: a new one passes, a moved one asks, a deleted one asks', () => {
    const { work } = guardedRepository();
    git(work, 'tag', 'v1');
    expect(withoutTerminal(work, 'git', 'push', 'origin', 'v1').status).toBe(0);
    commit(work, 'feat: later');
    git(work, 'tag', '--force', 'v1');
    expect(withoutTerminal(work, 'git', 'push', '--force', 'origin', 'v1').stderr).toContain('[force-push]');
    expect(withoutTerminal(work, 'git', 'push', '--delete', 'origin', 'v1').stderr).toContain('[remote-delete]');
  });

  it('a broken configuration refuses the push and names the key and the file', () => {
    const { work } = guardedRepository();
    write(work, 'oxide-guard.config.json', '{"rules": {"force-pushh": "deny"}}');
    commit(work, 'feat: one');
    const { status, stderr } = withoutTerminal(work, 'git', 'push', 'origin', 'HEAD:refs/heads/topic');
    expect(status).not.toBe(0);
    expect(stderr).toContain('oxide-guard.config.json: rules.force-pushh');
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a push that a person has confirmed in an agent', () => {
  const payload = (cwd: string, command: string) =>
    JSON.stringify({
      session_id: 'x',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command },
      cwd,
      permission_mode: 'default',
    });
  const askAgentHook = (cwd: string, command: string) =>
    execFileSync(process.execPath, [oxideGuard, 'hook', '--agent', 'claude'], {
      cwd,
      input: payload(cwd, command),
      encoding: 'utf8',
    });

  it('is not asked about again by the git hook, which has no terminal there', () => {
    const { work, remote } = guardedRepository();
    const oid = commit(work, 'feat: one');
    expect(JSON.parse(askAgentHook(work, 'git push origin main')).hookSpecificOutput.permissionDecision).toBe('ask');
    expect(withoutTerminal(work, 'git', 'push', 'origin', 'HEAD:main').status).not.toBe(0);
    expect(withoutTerminal(work, 'bash', '-c', 'true && git push origin main').status).toBe(0);
    expect(tip(remote, 'main')).toBe(oid);
  });

  it('is still refused when the hook finds more than the agent was told', () => {
    const { work } = guardedRepository();
    commit(work, 'feat: one');
    askAgentHook(work, 'git push origin main');
    commit(work, 'fixup! feat: one');
    const { status, stderr } = withoutTerminal(work, 'bash', '-c', 'true && git push origin main');
    expect(status).not.toBe(0);
    expect(stderr).toContain('[fixup-to-protected]');
  });
});
