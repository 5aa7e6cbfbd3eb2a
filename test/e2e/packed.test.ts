import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bareRepository, commit, git, repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';

/** A directory with a project that has installed the tarball; the projects of the tests are copies. */
let installed = '';

beforeAll(() => {
  const directory = temporaryDirectory();
  // The tests run on built files: packing must not build again, beside other tests that use them.
  const packed = run('.', 'npm', 'pack', '--ignore-scripts', '--pack-destination', directory);
  expect(packed.status, packed.stderr).toBe(0);
  const [name = ''] = readdirSync(directory);
  installed = temporaryDirectory();
  const manifest = { name: 'project', version: '1.0.0', private: true, scripts: { prepare: 'oxide-guard install' } };
  writeFileSync(join(installed, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(installed, '.gitignore'), 'node_modules\n');
  const added = run(installed, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '-D', join(directory, name));
  expect(added.status, added.stderr).toBe(0);
});

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Without a terminal, in a session of its own: a prompt on /dev/tty must not reach who runs the tests. */
function run(cwd: string, ...words: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync('setsid', ['--wait', ...words], { cwd, encoding: 'utf8' });
  return { status, stdout, stderr: stderr.replace(/^npm (?:warn|notice).*\n/gm, '') };
}

/** A project with a remote, in which the tarball is a dependency as npm installs it, without a network. */
function project(): { readonly work: string; readonly remote: string } {
  const repository = repositoryWithRemote();
  cpSync(installed, repository.work, { recursive: true, verbatimSymlinks: true });
  return repository;
}

const guard = (cwd: string, ...words: string[]) => run(cwd, join('node_modules', '.bin', 'oxide-guard'), ...words);
const commitWith = (cwd: string, message: string) => run(cwd, 'git', 'commit', '--allow-empty', '-m', message);
const push = (cwd: string, ...words: string[]) => run(cwd, 'git', 'push', ...words);

describe('the packed tarball, installed in another repository', () => {
  it('has no dependencies and brings what the hooks need', () => {
    const { work } = project();
    expect(readdirSync(join(work, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['oxide-guard']);
    for (const file of ['hooks/git-hook.sh', 'dist/hook/commit-msg.cjs', 'dist/hook/push.cjs', 'bin/oxide-guard.js']) {
      expect(existsSync(join(work, 'node_modules/oxide-guard', file)), file).toBe(true);
    }
  });

  it('install, then commits: a valid message passes, an invalid one is refused and kept', () => {
    const { work } = project();
    const outcome = run(work, 'npx', '--no', 'oxide-guard', 'install');
    expect(outcome).toMatchObject({ status: 0, stderr: '' });
    expect(outcome.stdout).toContain('.git/hooks/commit-msg written');
    expect(commitWith(work, 'feat(api): add a route').status).toBe(0);
    const refused = commitWith(work, 'add new feature');
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('feat: add new feature');
    const again = /git commit -eF (\S+)/.exec(refused.stderr)?.[1] ?? '';
    expect(readFileSync(join(work, again), 'utf8')).toBe('add new feature\n');
    expect(git(work, 'log', '-1', '--format=%s')).toBe('feat(api): add a route');
  });

  it('install, then pushes: a topic passes; main without a terminal, and by force, is refused', () => {
    const { work, remote } = project();
    guard(work, 'install');
    commit(work, 'feat: more');
    expect(push(work, 'origin', 'HEAD:refs/heads/topic')).toMatchObject({ status: 0 });
    const before = git(remote, 'rev-parse', 'main');
    const unanswered = push(work, 'origin', 'main');
    expect(unanswered.status).toBe(1);
    expect(unanswered.stderr).toContain('main');
    git(work, 'reset', '--quiet', '--hard', 'HEAD~1');
    git(work, 'commit', '--quiet', '--allow-empty', '--amend', '-m', 'feat: begin differently');
    const forced = push(work, '--force', 'origin', 'main');
    expect(forced.status).toBe(1);
    expect(forced.stderr).toContain('--force-with-lease');
    expect(git(remote, 'rev-parse', 'main')).toBe(before);
    expect(push(work, '--force', '--no-verify', 'origin', 'main').status).toBe(0);
  });

  it('works from a linked worktree and with the lines of a real doctor', () => {
    const { work } = project();
    guard(work, 'install');
    const linked = join(temporaryDirectory(), 'linked');
    git(work, 'worktree', 'add', '--quiet', linked);
    expect(commitWith(linked, 'no type').status).toBe(1);
    expect(commitWith(linked, 'fix: a thing').status).toBe(0);
    const examined = guard(work, 'doctor');
    expect(examined.stdout).toContain('✓ commit-msg refuses a message without a type');
    expect(examined.stdout).toContain('✓ pre-push refuses a forced push to main');
    expect(examined.status, examined.stdout).toBe(0);
    const json = JSON.parse(guard(work, 'doctor', '--json').stdout) as { ok: boolean };
    expect(json.ok).toBe(true);
  });

  it('doctor fails when a hook is gone', () => {
    const { work } = project();
    guard(work, 'install');
    rmSync(join(work, '.git/hooks/pre-push'));
    const examined = guard(work, 'doctor');
    expect(examined.status).toBe(1);
    expect(examined.stdout).toContain('✗ pre-push');
    expect(examined.stdout).toContain('npx oxide-guard install');
  });

  it('in a prepare script: installs, and does not break an installation without .git', () => {
    const ci = ['npm', 'ci', '--offline', '--no-audit', '--no-fund'];
    const { work } = project();
    expect(run(work, ...ci)).toMatchObject({ status: 0 });
    expect(existsSync(join(work, '.git/hooks/pre-push'))).toBe(true);
    const image = temporaryDirectory();
    cpSync(installed, image, { recursive: true, verbatimSymlinks: true });
    const outcome = run(image, ...ci);
    expect(outcome.status, outcome.stderr).toBe(0);
    const alone = guard(image, 'install');
    expect(alone.status).toBe(2);
    expect(alone.stderr).toContain('is not in a git repository');
  });

  it('on a server: pre-receive refuses what clients force', () => {
    const { work, remote } = project();
    const server = bareRepository(join(dirname(remote), 'server.git'));
    push(work, server, 'main');
    const outcome = run(server, join(work, 'node_modules/.bin/oxide-guard'), 'install', '--server');
    expect(outcome.status, outcome.stderr).toBe(0);
    git(work, 'commit', '--quiet', '--allow-empty', '--amend', '-m', 'feat: begin differently');
    expect(push(work, '--force', '--no-verify', server, 'main').status).toBe(1);
    expect(push(work, server, 'HEAD:refs/heads/topic').status).toBe(0);
  });

  it('uninstall leaves nothing behind', () => {
    const { work } = project();
    const before = readdirSync(join(work, '.git/hooks'));
    guard(work, 'install');
    const done = guard(work, 'uninstall');
    expect(done).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(join(work, '.git/hooks'))).toEqual(before);
    expect(existsSync(join(work, '.git/oxide-guard'))).toBe(false);
    expect(guard(work, 'uninstall').stdout).toContain('There is no hook of the guard here.');
  });

  it('unknown hooks and options are told, with the exit code of wrong usage', () => {
    const { work } = project();
    expect(guard(work, 'install', '--hooks', 'pre-commit')).toMatchObject({ status: 2 });
    expect(guard(work, 'install', '--hoks', 'pre-push')).toMatchObject({ status: 2 });
  });
});
