import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitVersion } from '../../src/githooks/checks/git-version.ts';
import { hookInstalled, worktreesCovered } from '../../src/githooks/checks/hook-installed.ts';
import { hookRefuses } from '../../src/githooks/checks/hook-refuses.ts';
import { configurationValid, protectedBranches } from '../../src/githooks/checks/settings.ts';
import { type Check, diagnose } from '../../src/githooks/doctor.ts';
import { uninstall } from '../../src/githooks/uninstall.ts';
import { commit, emptyRepository, git, repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';
import { installIn, ownHook, stubPackage, takeCall, writeHook } from './fixture.ts';

const examine = (cwd: string, ...checks: Check[]) => diagnose(checks, cwd, process.env);

/** A package whose hook programs do as told. */
function packageThat(program: string): string {
  const root = stubPackage();
  for (const name of ['commit-msg', 'push']) {
    writeFileSync(join(root, 'dist/hook', `${name}.cjs`), program);
  }
  return root;
}

const refusing = `process.stderr.write('oxide-guard: no\\n'); process.exitCode = 1;`;

describe('doctor', () => {
  it('says how a bare repository gets the hook that it lacks, and that does it', async () => {
    const { remote } = repositoryWithRemote();
    const [lack] = await examine(remote, hookInstalled);
    expect(lack).toMatchObject({ status: 'failure', remedy: 'npx oxide-guard install --server' });
    await installIn(remote, { server: true });
    expect(await examine(remote, hookInstalled)).toMatchObject([{ status: 'fine' }]);
  });

  it('finds a fresh installation sound', async () => {
    const { work } = repositoryWithRemote();
    await installIn(work, { packageRoot: packageThat(refusing) });
    const found = await examine(
      work,
      gitVersion,
      hookInstalled,
      worktreesCovered,
      hookRefuses,
      configurationValid,
      protectedBranches,
    );
    expect(found.map(({ check, status }) => `${status} ${check}`)).toEqual([
      'fine git-version',
      'fine hook-installed',
      'fine hook-installed',
      'fine hook-started',
      'fine hook-refuses',
      'fine hook-started',
      'fine hook-refuses',
      'fine configuration-valid',
      'fine protected-branches',
    ]);
  });

  it('says where git looks when hooks are switched off', async () => {
    const { work } = repositoryWithRemote();
    await installIn(work);
    git(work, 'config', 'core.hooksPath', '/dev/null');
    const found = await examine(work, hookInstalled, hookRefuses);
    expect(found).toMatchObject([
      { status: 'failure', message: expect.stringContaining('commit-msg: git looks in /dev/null, because') },
      { status: 'failure', message: expect.stringContaining('pre-push: git looks in /dev/null, because') },
    ]);
    expect(found[0]?.remedy).toContain(`git config --local core.hooksPath ${join(work, '.git/hooks')}`);
  });

  it('and uninstall find no hook where a file has taken the place of their directory', async () => {
    const { work } = repositoryWithRemote();
    await installIn(work);
    const hooks = join(work, '.git/hooks');
    rmSync(hooks, { recursive: true });
    writeFileSync(hooks, '');
    const [found] = await examine(work, hookInstalled);
    expect(found).toMatchObject({ status: 'failure', message: `commit-msg: there is no ${hooks}/commit-msg` });
    const undone = await uninstall({ cwd: work, env: process.env, dryRun: false });
    expect(undone.map(({ change }) => change)).toEqual(['absent', 'absent']);
  });

  it('names the missing hook and the remedy', async () => {
    const found = await examine(emptyRepository(), hookInstalled);
    expect(found.map(({ status, remedy }) => [status, remedy])).toEqual([
      ['failure', 'npx oxide-guard install'],
      ['failure', 'npx oxide-guard install'],
    ]);
  });

  it('sees a hook that git ignores because it is not executable', async () => {
    const work = emptyRepository();
    await installIn(work, { hooks: ['commit-msg'] });
    chmodSync(join(work, '.git/hooks/commit-msg'), 0o644);
    const [diagnosis] = await examine(work, hookInstalled);
    expect(diagnosis).toMatchObject({ status: 'failure', remedy: expect.stringContaining('chmod +x') });
  });

  it('sees that a core.hooksPath set later shadows the hooks', async () => {
    const work = emptyRepository();
    await installIn(work, { hooks: ['commit-msg'] });
    git(work, 'config', 'core.hooksPath', '.husky/_');
    const [diagnosis] = await examine(work, hookInstalled);
    expect(diagnosis?.message).toContain('because core.hooksPath is set (file:.git/config)');
    expect(diagnosis?.message).toContain(join(work, '.git/hooks/commit-msg'));
  });

  it('proposes no installation where hooks are shared with other repositories', async () => {
    const work = emptyRepository();
    git(work, 'config', 'core.hooksPath', join(work, '../hooks-of-all'));
    const [diagnosis] = await examine(work, hookInstalled);
    expect(diagnosis?.message).toContain('where git looks, because core.hooksPath is set (file:.git/config)');
    expect(diagnosis?.remedy).toContain(`git config --local core.hooksPath ${join(work, '.git/hooks')}`);
    expect(diagnosis?.remedy).not.toContain('npx oxide-guard install');
  });

  it("sees that another tool's hook has taken the place", async () => {
    const work = emptyRepository();
    await installIn(work, { hooks: ['commit-msg'] });
    writeHook(join(work, '.git/hooks/commit-msg'), ownHook());
    expect(await examine(work, hookInstalled)).toMatchObject([{ status: 'failure' }]);
  });

  it('sees that node or the package is gone', async () => {
    const work = emptyRepository();
    const packageRoot = packageThat(refusing);
    await installIn(work, { hooks: ['commit-msg'], packageRoot });
    rmSync(packageRoot, { recursive: true });
    const found = await examine(work, hookRefuses);
    expect(found).toMatchObject([{ check: 'hook-started', status: 'failure' }]);
    expect(found[0]?.message).toContain('The package oxide-guard was not found');
  });

  it('sees a hook that lets everything pass, and one that crashes', async () => {
    const passing = emptyRepository();
    await installIn(passing, { hooks: ['commit-msg'], packageRoot: packageThat(';') });
    expect((await examine(passing, hookRefuses))[1]).toMatchObject({
      status: 'failure',
      message: 'commit-msg let a message without a type pass',
    });
    const crashing = emptyRepository();
    await installIn(crashing, { hooks: ['pre-push'], packageRoot: packageThat('throw 1') });
    expect(await examine(crashing, hookRefuses)).toMatchObject([{ check: 'hook-started', status: 'failure' }]);
  });

  it('runs the hooks without the ones they are chained to, and touches nothing', async () => {
    const work = emptyRepository();
    const sign = join(temporaryDirectory(), 'ran');
    writeHook(join(work, '.git/hooks/commit-msg'), `#!/bin/sh\ntouch '${sign}'\n`);
    const packageRoot = packageThat(
      `require('node:fs').writeFileSync(process.env.GIT_DIR + '/written', ''); ${refusing}`,
    );
    await installIn(work, { packageRoot });
    const before = readFileSync(join(work, '.git/oxide-guard/hooks.json'), 'utf8');
    expect(await examine(work, hookRefuses)).toHaveLength(4);
    expect(existsSync(sign)).toBe(false);
    expect(existsSync(join(work, '.git/written'))).toBe(false);
    expect(readFileSync(join(work, '.git/oxide-guard/hooks.json'), 'utf8')).toBe(before);
  });

  it('hands pre-push, pre-receive and update a forced push of main', async () => {
    const work = emptyRepository();
    const seen = join(temporaryDirectory(), 'seen');
    const packageRoot = packageThat(
      `${takeCall} appendFileSync('${seen}', [...argv, updates().trim()].join(' ') + '\\n'); ${refusing}`,
    );
    await installIn(work, { packageRoot, hooks: ['pre-push', 'pre-receive', 'update'] });
    await examine(work, hookRefuses);
    const oid = '[0-9a-f]{40}';
    expect(readFileSync(seen, 'utf8').split('\n').sort().filter(Boolean)).toEqual([
      expect.stringMatching(new RegExp(`^pre-push origin \\S+ refs/heads/main ${oid} refs/heads/main ${oid}$`)),
      expect.stringMatching(new RegExp(`^pre-receive ${oid} ${oid} refs/heads/main$`)),
      expect.stringMatching(new RegExp(`^update refs/heads/main ${oid} ${oid} $`)),
    ]);
  });

  it('sees a linked worktree without hooks, which a relative core.hooksPath leaves', async () => {
    const work = emptyRepository();
    commit(work, 'feat: begin');
    git(work, 'config', 'core.hooksPath', '.githooks');
    await installIn(work);
    const linked = join(temporaryDirectory(), 'linked');
    git(work, 'worktree', 'add', '--quiet', linked);
    expect(await examine(work, worktreesCovered)).toMatchObject([
      { status: 'warning', message: expect.stringContaining(linked) },
    ]);
    await installIn(linked);
    expect(await examine(work, worktreesCovered)).toMatchObject([{ status: 'fine' }]);
  });

  it('names the bad key of the configuration, and the remote whose default branch is unknown', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'remote', 'add', 'fork', 'https://example.com/fork.git');
    git(work, 'remote', 'add', 'fresh', 'https://example.com/fresh.git');
    git(work, 'update-ref', 'refs/remotes/fork/main', 'HEAD');
    writeFileSync(join(work, 'oxide-guard.config.json'), '{"protectedBranch": []}');
    const found = await examine(work, configurationValid, protectedBranches);
    expect(found[0]).toMatchObject({ status: 'failure', message: expect.stringContaining('protectedBranch') });
    expect(found.at(-1)).toMatchObject({ status: 'warning', remedy: 'git remote set-head fork --auto' });
    expect(found.filter(({ message }) => message.includes('fresh'))).toEqual([]);
  });

  it('says once what every check fails at', async () => {
    const { work } = repositoryWithRemote();
    const broken: Check = { name: 'broken', examine: () => Promise.reject(new Error('git could not be started')) };
    const found = await examine(work, broken, gitVersion, { ...broken, name: 'broken-too' });
    expect(found.map(({ status, check }) => `${status} ${check}`)).toEqual(['failure broken', 'fine git-version']);
  });

  it('outside of a repository: says so', async () => {
    await expect(examine(temporaryDirectory(), gitVersion)).rejects.toMatchObject({ code: 'not-a-repository' });
  });
});
