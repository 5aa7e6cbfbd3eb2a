import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  const { git, path, write } = repository;
  write('.git/info/exclude', 'vendor/\nlinked/\n');
  git('clone', '--quiet', `${path}-remote.git`, 'vendor/published');
  git('clone', '--quiet', `${path}-remote.git`, 'vendor/changed');
  write('vendor/changed/new.txt', 'only here\n');
  mkdirSync(join(path, 'vendor/empty'));
  git('worktree', 'add', '--quiet', '-b', 'linked', 'linked');
  write('linked/new.txt', 'only here\n');
});

async function judged(command: string, cwd = repository.path): Promise<string> {
  const { verdict, findings } = await repository.judge(command, cwd);
  return verdict === 'allow' ? verdict : `${verdict} ${findings[0]?.rule}`;
}

describe('removing a directory takes the repositories in it along', () => {
  it('which may go when everything in them is published', async () => {
    expect(await judged('rm -rf vendor/published')).toBe('allow');
    expect(await judged('rm -rf vendor/empty')).toBe('allow');
  });

  it('but not when something is nowhere else, at the directory or below', async () => {
    expect(await judged('rm -rf vendor/changed')).toBe('deny destroy-recovery');
    expect(await judged('rm -rf vendor')).toBe('deny destroy-recovery');
    const { findings } = await repository.judge('rm -rf vendor');
    expect(findings[0]?.message).toContain('uncommitted changes in 1 file');
  });

  it('nor when the session stands in it, from wherever it is removed', async () => {
    expect(await judged(`cd / && rm -rf ${repository.path}`)).toBe('deny destroy-recovery');
    expect(await judged('cd vendor && rm -rf ..')).toBe('deny destroy-recovery');
  });

  it('unless the command has gone over to another clone, and nothing is lost', async () => {
    const clone = (name: string) => `${repository.path}/vendor/${name}`;
    const from = (name: string, place: string) => judged(`cd ${place} && rm -rf ${clone(name)}`, clone(name));
    expect(await from('published', repository.path)).toBe('allow');
    const busy = (before: string) =>
      judged(`${before}; cd ${repository.path} && rm -rf ${clone('published')}`, clone('published'));
    expect(await busy('git commit --allow-empty -m "feat: x"')).toBe('deny destroy-recovery');
    expect(await busy('echo x > x.txt')).toBe('deny destroy-recovery');
    expect(await from('changed', repository.path)).toBe('deny destroy-recovery');
    expect(await from('published', '/')).toBe('deny destroy-recovery');
    expect(await judged(`cd ${clone('published')} && rm -rf ${repository.path}`)).toBe('deny destroy-recovery');
  });

  it('and with a linked work tree only its changes, which a person may give up', async () => {
    expect(await judged('rm -rf linked')).toBe('ask discard-changes');
    expect(await judged('rmdir linked vendor/*')).toBe('allow');
    expect(await judged('rename -n lin kin *')).toBe('allow');
    expect(await judged('rename lin kin *')).toBe('allow');
    expect(await judged("rename 's/$/.off/' .git/hooks/*")).toBe('deny skip-checks');
  });

  it('which git itself keeps, unless its settings hide what is untracked', async () => {
    const hiding = 'status.showUntrackedFiles=no';
    expect(await judged('git worktree remove linked')).toBe('allow');
    expect(await judged(`git -c ${hiding} worktree remove linked`)).toBe('ask discard-changes');
    expect(await judged(`git config ${hiding.replace('=', ' ')} && git worktree remove linked`)).toBe(
      'ask discard-changes',
    );
    expect(await judged('git -c status.showUntrackedFiles=normal worktree remove linked')).toBe('allow');
  });
});

describe('git’s own files are found by whoever names them', () => {
  it.each([
    'rm -rf "$(git rev-parse --git-dir)"',
    'rm -rf $(git rev-parse --path-format=absolute --git-common-dir)',
    'cd dist && rm -rf "$(git rev-parse --absolute-git-dir)"',
    'find .git/objects -type f | xargs rm -f',
    "find . -maxdepth 1 -name '.g*t' -exec rm -rf {} +",
    'ls -d .git | xargs rm -rf',
  ])('%s', async (command) => {
    expect(await judged(command)).toBe('deny destroy-recovery');
  });

  it('with hooks in them: their history counts for more', async () => {
    const { git } = repository;
    git('config', 'core.hooksPath', '.git/shared-hooks');
    mkdirSync(join(repository.path, '.git/shared-hooks'));
    expect(await judged('rm -rf .git')).toBe('deny destroy-recovery');
    expect(await judged('rm -rf .git/shared-hooks')).toBe('deny skip-checks');
    git('config', '--unset', 'core.hooksPath');
  });

  it.each(['rm "$(git rev-parse --git-path hooks)/pre-push"', 'git rev-parse --git-path hooks | xargs rm -rf'])(
    '%s',
    async (command) => {
      expect(await judged(command)).toBe('deny skip-checks');
    },
  );

  it.each([
    "find .git -name '*.lock' | xargs rm -f",
    "find . -name '*.orig' -type f | xargs rm",
    "find . -maxdepth 1 -name '.git*' -type f -exec rm {} +",
    'ls -d dist | xargs rm -rf',
    'cat "$(git rev-parse --git-dir)/HEAD"',
    'git rm -q b.txt',
    'git mv b.txt d.txt',
  ])('but not by %s', async (command) => {
    expect(await judged(command)).toBe('allow');
  });
});

describe('settings that lead to other hooks', () => {
  it('are also those in a file that the line writes and includes', async () => {
    const write = (text: string) => `printf '${text}' > x.cfg; git -c include.path="$PWD/x.cfg" commit -m "feat: x"`;
    expect(await judged(write('[core]\\nhooksPath = nowhere\\n'))).toBe('deny skip-checks');
    expect(await judged(write('[user]\\nname = A\\n'))).toBe('allow');
    expect(await judged('date > x.cfg; git -c include.path="$PWD/x.cfg" commit -m "feat: x"')).toBe(
      'ask unreadable-command',
    );
  });

  it('are not those that name the directory in use', async () => {
    expect(await judged('git config core.hooksPath .git/hooks')).toBe('allow');
    expect(await judged('git config core.hooksPath hooks')).toBe('deny skip-checks');
    expect(await judged('git config --global core.hooksPath .git/hooks')).toBe('deny skip-checks');
  });
});

describe('git’s settings of a person', () => {
  it('are changed by git alone', async () => {
    expect(await judged("printf '[alias]\\nzap = push -f\\n' >> ~/.gitconfig")).toBe('ask delayed-execution');
    expect(await judged('cat ~/.gitconfig')).toBe('allow');
  });
});
