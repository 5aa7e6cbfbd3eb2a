import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { busyRepository, commit, emptyRepository } from './guarded-repository.ts';

describe('awkward repositories', () => {
  it('without commits: there is nothing to lose yet, but names count', async () => {
    const { judge } = emptyRepository();
    for (const command of ['git reset --hard', 'git commit --amend', 'git branch -D main', 'git push', 'git rebase']) {
      expect([command, (await judge(command)).verdict]).toEqual([command, 'allow']);
    }
    expect((await judge('git push -f origin main')).verdict).toBe('deny');
    expect((await judge('git commit -m "Start"')).verdict).toBe('deny');
  });

  it('with a named pipe in it: nobody waits for what would be written there', async () => {
    const { path, judge } = emptyRepository();
    execFileSync('mkfifo', [join(path, 'pipe')]);
    for (const command of ['git commit -F pipe', 'git apply pipe', 'patch -i pipe', 'git commit -F - < pipe']) {
      const { findings } = await judge(command);
      expect([command, findings.map(({ rule }) => rule).filter((rule) => rule === 'guard-failure')]).toEqual([
        command,
        [],
      ]);
    }
  });

  it('bare: its hooks directory lies in its top', async () => {
    const { git, path, judge } = emptyRepository();
    git('clone', '--quiet', '--bare', path, `${path}-bare`);
    expect((await judge('rm hooks/pre-receive', `${path}-bare`)).verdict).toBe('deny');
    expect((await judge('git reset --hard', `${path}-bare`)).verdict).toBe('allow');
    expect((await judge('git gc --prune=now', `${path}-bare`)).verdict).toBe('deny');
  });

  it('bare: nothing can be switched in it, and it stays on its branch', async () => {
    const { git, path, judge } = busyRepository();
    const bare = `${path}-bare.git`;
    git('clone', '--quiet', '--bare', path, bare);
    for (const command of ['git switch main', 'git checkout topic', 'git bisect reset', 'git branch -M topic']) {
      expect([command, (await judge(command, bare)).verdict]).toEqual([command, 'allow']);
    }
    expect((await judge('git symbolic-ref HEAD refs/heads/main', bare)).verdict).toBe('ask');
    git('-C', bare, 'symbolic-ref', 'HEAD', 'refs/heads/main');
    expect((await judge('git checkout -b new; git push -f origin HEAD', bare)).verdict).toBe('deny');
  });

  it('bare, with work trees in which somebody works: nobody pushes to it', async () => {
    const { git, path, judge } = busyRepository();
    const bare = `${path}-bare.git`;
    git('clone', '--quiet', '--bare', path, bare);
    expect((await judge('git branch -D main', bare)).verdict).toBe('deny');
    git('-C', bare, 'branch', 'kept', 'main');
    git('-C', bare, 'worktree', 'add', '--quiet', `${path}-work`, 'topic');
    expect((await judge('git branch -D main', bare)).verdict).toBe('allow');
    git('-C', bare, 'branch', '-D', 'kept');
    git('-C', bare, 'commit-tree', '-m', 'feat: own', 'main^{tree}');
    git('-C', bare, 'remote', 'remove', 'origin');
    expect((await judge('git branch -D main', bare)).verdict).toBe('deny');
  });

  it('reached through a symbolic link: git looks from where it leads to', async () => {
    const inner = emptyRepository();
    commit(inner, 's.txt', 'feat: s');
    const outer = busyRepository();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib');
    symlinkSync(join(outer.path, 'lib'), `${outer.path}-link`);
    const { verdict } = await outer.judge(
      'if [ "$(git branch --show-current)" = main ]; then echo main; else git push -f; fi',
      `${outer.path}-link`,
    );
    expect(verdict).toBe('allow');
  });

  it('with many refs: of a mirror only what it loses is told one by one', async () => {
    const { git, judge } = busyRepository();
    git('update-ref', 'refs/oxide-guard/checkpoints/manual/1', 'HEAD');
    git('tag', 'v1');
    const rules = async (own = {}) =>
      (await judge('git push --mirror', undefined, own)).findings.map(({ rule }) => rule);
    expect(new Set(await rules())).toEqual(new Set(['mirror-push', 'protected-force-push']));
    expect(new Set(await rules({ 'mirror-push': 'off' }))).toEqual(new Set(['protected-force-push', 'force-push']));
  });

  it('a linked working tree has work of its own', async () => {
    const repository = busyRepository();
    const linked = `${repository.path}-linked`;
    repository.git('worktree', 'add', '--quiet', linked, '-b', 'linked');
    expect((await repository.judge('git reset --hard', linked)).verdict).toBe('allow');
    repository.write(join('..', `${linked.split('/').at(-1)}`, 'a.txt'), 'changed in the linked tree\n');
    expect((await repository.judge('git reset --hard', linked)).verdict).toBe('ask');
    const { findings } = await repository.judge(`git worktree remove --force ${linked}`);
    expect(findings[0]).toMatchObject({ rule: 'discard-changes', evidence: { files: ['a.txt'] } });
  });

  it('a submodule is judged for itself', async () => {
    const inner = emptyRepository();
    commit(inner, 's.txt', 'feat: s');
    const outer = emptyRepository();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'lib');
    outer.git('commit', '--quiet', '-m', 'feat: add lib');
    expect((await outer.judge('git submodule foreach "git clean -fd"')).verdict).toBe('allow');
    outer.write('lib/new.txt', 'untracked\n');
    expect((await outer.judge('git submodule foreach "git clean -fd"')).verdict).toBe('ask');
    outer.write('lib/s.txt', 'changed\n');
    expect((await outer.judge('git submodule deinit -f lib')).verdict).toBe('ask');
    expect((await outer.judge('cd lib && git checkout .')).verdict).toBe('ask');
  });

  it('a detached HEAD holds its commits alone', async () => {
    const repository = busyRepository();
    repository.git('stash');
    repository.git('checkout', '--quiet', '--detach');
    commit(repository, 'd.txt', 'feat: d');
    const { findings } = await repository.judge('git reset --hard HEAD~1');
    expect(findings[0]).toMatchObject({ rule: 'lose-commits' });
  });

  it('paths with spaces and letters of any script', async () => {
    const repository = emptyRepository();
    commit(repository, 'ünï/a b.txt', 'feat: a');
    repository.write('ünï/a b.txt', 'changed\n');
    const { findings } = await repository.judge("git checkout -- 'a b.txt'", join(repository.path, 'ünï'));
    expect(findings[0]?.evidence.files).toEqual(['ünï/a b.txt']);
  });

  it('sha256', async () => {
    const repository = emptyRepository();
    const path = join(repository.path, 'sha256');
    mkdirSync(path);
    repository.git('init', '--quiet', '--object-format=sha256', '--initial-branch=main', path);
    repository.git('-C', path, 'commit', '--quiet', '--allow-empty', '-m', 'feat: a');
    repository.git('-C', path, 'commit', '--quiet', '--allow-empty', '-m', 'feat: b');
    expect((await repository.judge('git reset --hard HEAD~1', path)).findings[0]?.rule).toBe('lose-commits');
  });
});
