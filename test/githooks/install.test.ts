import { execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OxideError } from '../../src/errors.ts';
import { uninstall } from '../../src/githooks/uninstall.ts';
import { commit, emptyRepository, git, repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { by, installIn, ownHook, run, stubPackage, tryCommit, writeHook } from './fixture.ts';

const remove = (cwd: string) => uninstall({ cwd, env: process.env, dryRun: false });
const hooksOf = (cwd: string) => readdirSync(join(cwd, '.git', 'hooks')).filter((name) => !name.endsWith('.sample'));

describe('a plain repository', () => {
  it('gets hooks that judge commits and pushes', async () => {
    const { work } = repositoryWithRemote();
    const report = await installIn(work);
    expect(report.hooks.map(({ path, change }) => [path, change])).toEqual([
      [join(work, '.git/hooks/commit-msg'), 'written'],
      [join(work, '.git/hooks/pre-push'), 'written'],
    ]);
    expect(tryCommit(work, 'feat: fine')).toMatchObject({ status: 0, trace: [{ by: 'guard' }] });
    expect(tryCommit(work, 'refused')).toMatchObject({ status: 1, trace: [{ by: 'guard' }] });
    const push = run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/topic']);
    expect(push.status).toBe(0);
    expect(push.trace[0]?.argv).toEqual(['pre-push', 'origin', join(dirname(work), 'remote.git')]);
    expect(push.trace[0]?.input).toMatch(/^HEAD [0-9a-f]{40} refs\/heads\/topic 0{40}\n$/);
    expect(run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/refused']).status).toBe(1);
  });

  it('is served from a sub-folder too', async () => {
    const work = emptyRepository();
    mkdirSync(join(work, 'deep/er'), { recursive: true });
    await installIn(join(work, 'deep/er'));
    expect(tryCommit(join(work, 'deep'), 'refused').status).toBe(1);
  });

  it('is left alone by a dry run', async () => {
    const work = emptyRepository();
    const report = await installIn(work, { dryRun: true });
    expect(report.hooks.map(({ change }) => change)).toEqual(['written', 'written']);
    expect(hooksOf(work)).toEqual([]);
    expect(existsSync(join(work, '.git/oxide-guard'))).toBe(false);
  });

  it('install twice: changes nothing the second time, and runs the guard once', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    const files = hooksOf(work);
    const report = await installIn(work, { packageRoot });
    expect(report.hooks.map(({ change }) => change)).toEqual(['unchanged', 'unchanged']);
    expect(hooksOf(work)).toEqual(files);
    expect(by(tryCommit(work, 'feat: once'))).toEqual(['guard']);
  });

  it('gets only the hooks asked for', async () => {
    const work = emptyRepository();
    await installIn(work, { hooks: ['pre-push'] });
    expect(hooksOf(work)).toEqual(['pre-push']);
  });

  it('without a repository: says so', async () => {
    await expect(installIn(temporaryDirectory())).rejects.toMatchObject({ code: 'not-a-repository', exitCode: 2 });
  });

  it('from a package that is not whole: writes no hook that could only refuse', async () => {
    const work = emptyRepository();
    await expect(installIn(work, { packageRoot: temporaryDirectory() })).rejects.toMatchObject({
      code: 'package-incomplete',
    });
    expect(hooksOf(work)).toEqual([]);
  });

  it('a hook that was made unusable is mended by the next install', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    chmodSync(join(work, '.git/hooks/commit-msg'), 0o644);
    expect((await installIn(work, { packageRoot })).hooks[0]?.change).toBe('updated');
    expect(tryCommit(work, 'refused').status).toBe(1);
  });

  it('a change of our script by hand is put aside, not lost', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    const { hooks } = await installIn(work, { packageRoot });
    const path = hooks[0]?.path ?? '';
    const changed = `${readFileSync(path, 'utf8')}\n# mine\n`;
    writeFileSync(path, changed);
    await installIn(work, { packageRoot });
    expect(readFileSync(path, 'utf8')).not.toBe(changed);
    expect(readFileSync(`${path}.edited`, 'utf8')).toBe(changed);
  });

  it('a directory in the place of a hook is not touched', async () => {
    const work = emptyRepository();
    mkdirSync(join(work, '.git/hooks/pre-push'), { recursive: true });
    await expect(installIn(work)).rejects.toMatchObject({ code: 'hook-obstructed' });
    expect(hooksOf(work)).toEqual(['pre-push']);
  });

  it('the way out of that can be pasted, whatever the path has in it', async () => {
    const work = join(temporaryDirectory(), "it's; touch planted");
    execFileSync('git', ['init', '--quiet', work]);
    mkdirSync(join(work, '.git/hooks/pre-push'), { recursive: true });
    const failure: unknown = await installIn(work).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'hook-obstructed', remedy: expect.stringMatching(/^mv /) });
    execFileSync('sh', ['-c', (failure as OxideError).remedy ?? ''], { cwd: work });
    expect(existsSync(join(work, 'planted'))).toBe(false);
    expect((await installIn(work)).hooks.map(({ change }) => change)).toEqual(['written', 'written']);
  });
});

describe("a plain hook of one's own", () => {
  it('still runs, before the guard sees the message', async () => {
    const work = emptyRepository();
    writeHook(join(work, '.git/hooks/commit-msg'), '#!/bin/sh\nprintf "feat: edited\\n" > "$1"\n');
    await installIn(work);
    expect(tryCommit(work, 'anything').trace).toMatchObject([{ by: 'guard', input: 'feat: edited\n' }]);
    expect(git(work, 'log', '--format=%s')).toBe('feat: edited');
  });

  it('either refusal refuses the commit, with its own exit code', async () => {
    const work = emptyRepository();
    writeHook(join(work, '.git/hooks/commit-msg'), ownHook());
    await installIn(work);
    expect(by(tryCommit(work, 'fine'))).toEqual(['own', 'guard']);
    expect(tryCommit(work, 'unwanted')).toMatchObject({ status: 1, trace: [{ by: 'own' }] });
    const refused = tryCommit(work, 'refused');
    expect([refused.status, by(refused)]).toEqual([1, ['own', 'guard']]);
    const direct = run(work, ['.git/hooks/commit-msg', writeMessage(work, 'unwanted')]);
    expect(direct.status).toBe(3);
  });

  it('both get the same list of updates and arguments; a refusal by the guard comes before it', async () => {
    const { work, remote } = repositoryWithRemote();
    const lists = temporaryDirectory();
    writeHook(
      join(work, '.git/hooks/pre-push'),
      `#!/bin/sh\ncat > '${lists}/own'\nprintf %s "$*" > '${lists}/argv'\nexit 7\n`,
    );
    await installIn(work);
    const push = run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/a', 'HEAD:refs/heads/b']);
    expect(push.status).toBe(1);
    expect(readFileSync(join(lists, 'own'), 'utf8')).toBe(push.trace[0]?.input);
    expect(readFileSync(join(lists, 'argv'), 'utf8')).toBe(`origin ${remote}`);
    renameSync(join(lists, 'own'), join(lists, 'earlier'));
    expect(run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/refused']).status).toBe(1);
    expect(existsSync(join(lists, 'own'))).toBe(false);
  });

  it('an empty list of updates stays empty', async () => {
    const { work } = repositoryWithRemote();
    const lists = temporaryDirectory();
    writeHook(join(work, '.git/hooks/pre-push'), `#!/bin/sh\ncat > '${lists}/own'\n`);
    await installIn(work);
    expect(run(work, ['.git/hooks/pre-push', 'origin', 'url'], {}, '').trace[0]?.input).toBe('');
    expect(readFileSync(join(lists, 'own'), 'utf8')).toBe('');
  });

  it('that does not read the list does no harm', async () => {
    const { work } = repositoryWithRemote();
    writeHook(join(work, '.git/hooks/pre-push'), '#!/bin/sh\nexit 0\n');
    await installIn(work);
    const lines = `refs/heads/x ${'a'.repeat(40)} refs/heads/x ${'0'.repeat(40)}\n`.repeat(5000);
    expect(run(work, ['.git/hooks/pre-push', 'origin', 'url'], {}, lines)).toMatchObject({ status: 0, stderr: '' });
  });

  it('a symbolic link, a program without #!, and one that is not a script run as before', async () => {
    const work = emptyRepository();
    mkdirSync(join(work, 'tools'));
    writeHook(join(work, 'tools/check'), ownHook('linked').replace('*commit-msg*', '*'));
    mkdirSync(join(work, '.git/hooks'), { recursive: true });
    symlinkSync('../../tools/check', join(work, '.git/hooks/commit-msg'));
    await installIn(work);
    expect(by(tryCommit(work, 'feat: a'))).toEqual(['linked', 'guard']);

    const bare = emptyRepository();
    writeHook(join(bare, '.git/hooks/commit-msg'), 'printf \'{"by":"no shebang"}\\n\' >> "$TRACE"\n');
    await installIn(bare);
    expect(by(tryCommit(bare, 'feat: a'))).toEqual(['no shebang', 'guard']);

    const binary = emptyRepository();
    writeHook(join(binary, '.git/hooks/commit-msg'), readFileSync('/bin/false'));
    await installIn(binary);
    expect(tryCommit(binary, 'feat: a')).toMatchObject({ status: 1, trace: [] });
  });

  it('that is not executable stays ignored, and stays', async () => {
    const work = emptyRepository();
    writeHook(join(work, '.git/hooks/commit-msg'), ownHook(), 0o644);
    const { hooks } = await installIn(work);
    expect(hooks[0]).toMatchObject({ keptIsIgnored: true });
    expect(by(tryCommit(work, 'feat: a'))).toEqual(['guard']);
    await remove(work);
    expect(statSync(join(work, '.git/hooks/commit-msg')).mode & 0o777).toBe(0o644);
  });

  it('that serves several hooks and asks $0 which one it is still knows', async () => {
    const work = emptyRepository();
    const script =
      '#!/bin/sh -e\nname=$(basename "$0")\nprintf \'{"by":"%s","argv":"%s"}\\n\' "$name" "$*" >> "$TRACE"\n';
    writeHook(join(work, '.git/hooks/commit-msg'), script);
    await installIn(work);
    const { trace } = tryCommit(work, 'feat: a');
    expect(trace).toMatchObject([{ by: 'commit-msg', argv: '.git/COMMIT_EDITMSG' }, { by: 'guard' }]);
  });
});

describe('a hook that goes by the name it is started under', () => {
  const dispatcher = `#!/usr/bin/env node
const name = require('node:path').basename(process.argv[1]);
require('node:fs').appendFileSync(process.env.TRACE, JSON.stringify({ by: name, argv: process.argv.slice(2) }) + '\\n');
`;

  it('in another language than the shell: still has it, and leaves nothing behind', async () => {
    const work = emptyRepository();
    writeHook(join(work, '.git/hooks/commit-msg'), dispatcher);
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    expect(by(tryCommit(work, 'feat: a'))).toEqual(['commit-msg', 'guard']);
    expect((await installIn(work, { packageRoot })).hooks[0]?.change).toBe('unchanged');
    await remove(work);
    expect(hooksOf(work)).toEqual(['commit-msg']);
    expect(readFileSync(join(work, '.git/hooks/commit-msg'), 'utf8')).toBe(dispatcher);
  });

  it('a link that gives a shell dispatcher its name, as one file for all hooks', async () => {
    const work = emptyRepository();
    writeHook(join(work, 'tools/run'), '#!/bin/bash\nprintf \'{"by":"%s","argv":""}\\n\' "${0##*/}" >> "$TRACE"\n');
    symlinkSync('../../tools/run', join(work, '.git/hooks/commit-msg'));
    await installIn(work);
    expect(by(tryCommit(work, 'feat: a'))).toEqual(['commit-msg', 'guard']);
  });
});

describe('uninstall byte for byte', () => {
  it.skipIf(skipUnless(existsSync('/dev/full'), 'a full disk: there is no /dev/full'))(
    'also where the disk is full',
    async () => {
      const { work } = repositoryWithRemote();
      const hooks = join(work, '.git/hooks');
      writeHook(join(hooks, 'pre-push'), ownHook());
      await installIn(work);
      appendFileSync(join(hooks, 'commit-msg'), '# changed by hand\n');
      symlinkSync('/dev/full', join(work, `.git/oxide-guard/hooks.lock.${process.pid}`));
      const removed = await remove(work);
      expect(removed.map(({ change }) => change)).toEqual(['removed', 'restored']);
      expect(readFileSync(join(hooks, 'pre-push'), 'utf8')).toBe(ownHook());
      expect(readFileSync(join(hooks, 'commit-msg.edited'), 'utf8')).toContain('# changed by hand');
      expect(existsSync(join(work, '.git/oxide-guard'))).toBe(false);
    },
  );

  it('takes away what was not there', async () => {
    const work = emptyRepository();
    await installIn(work);
    await remove(work);
    expect(hooksOf(work)).toEqual([]);
    expect(existsSync(join(work, '.git/oxide-guard'))).toBe(false);
  });

  it('puts back files with their bytes and modes, and links', async () => {
    const work = emptyRepository();
    const bytes = Buffer.from([0x23, 0x21, 0x0d, 0x0a, 0xff, 0x00, 0xfe]);
    writeHook(join(work, '.git/hooks/pre-push'), bytes, 0o710);
    symlinkSync('../nowhere "at all"', join(work, '.git/hooks/commit-msg'));
    const before = hooksOf(work);
    await installIn(work);
    await installIn(work);
    expect((await remove(work)).map(({ change }) => change)).toEqual(['restored', 'restored']);
    expect(hooksOf(work)).toEqual(before);
    expect(readFileSync(join(work, '.git/hooks/pre-push')).equals(bytes)).toBe(true);
    expect(statSync(join(work, '.git/hooks/pre-push')).mode & 0o7777).toBe(0o710);
    expect(readlinkSync(join(work, '.git/hooks/commit-msg'))).toBe('../nowhere "at all"');
  });

  it('keeps the version of a tool that has written the hook since', async () => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, ownHook('first'));
    await installIn(work);
    writeHook(path, ownHook('second'));
    const done = await remove(work);
    expect(done[0]).toMatchObject({ change: 'left', note: expect.stringContaining('commit-msg.before-oxide-guard') });
    expect(readFileSync(path, 'utf8')).toBe(ownHook('second'));
    expect(readFileSync(`${path}.before-oxide-guard`, 'utf8')).toBe(ownHook('first'));
  });

  it('works without the manifest, by the marks in the scripts', async () => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, ownHook());
    await installIn(work);
    writeFileSync(join(work, '.git/oxide-guard/hooks.json'), 'not JSON');
    await remove(work);
    expect(hooksOf(work)).toEqual(['commit-msg']);
    expect(readFileSync(path, 'utf8')).toBe(ownHook());
  });

  it('finds the hooks again after the repository has moved', async () => {
    const work = emptyRepository();
    await installIn(work);
    const moved = join(temporaryDirectory(), 'moved');
    renameSync(work, moved);
    await remove(moved);
    expect(hooksOf(moved)).toEqual([]);
  });
});

describe('core.hooksPath set', () => {
  it('to a directory of the work tree: the hooks go there', async () => {
    const work = emptyRepository();
    git(work, 'config', 'core.hooksPath', '.githooks');
    mkdirSync(join(work, 'sub'));
    const { hooks, notices } = await installIn(join(work, 'sub'));
    expect(hooks[0]?.path).toBe(join(work, '.githooks/commit-msg'));
    expect(notices.join()).toContain('part of the work tree');
    expect(tryCommit(work, 'refused').status).toBe(1);
    await remove(work);
    expect(existsSync(join(work, '.githooks'))).toBe(false);
  });

  it('to a directory that other repositories share: nothing is written there', async () => {
    const work = emptyRepository();
    const shared = temporaryDirectory();
    git(work, 'config', '--global', 'core.hooksPath', shared);
    try {
      await expect(installIn(work)).rejects.toMatchObject({
        code: 'hooks-path-outside',
        exitCode: 2,
        remedy: expect.stringContaining('git config --local core.hooksPath'),
      });
      expect(readdirSync(shared)).toEqual([]);
    } finally {
      git(work, 'config', '--global', '--unset', 'core.hooksPath');
    }
  });

  it('to nothing: says that git runs no hooks', async () => {
    const work = emptyRepository();
    git(work, 'config', 'core.hooksPath', '');
    await expect(installIn(work)).rejects.toMatchObject({ code: 'hooks-path-empty' });
  });

  it('to a directory reached by a link out of the repository: nothing is written there', async () => {
    const work = emptyRepository();
    const elsewhere = temporaryDirectory();
    renameSync(join(work, '.git/hooks'), join(work, '.git/hooks.git'));
    symlinkSync(elsewhere, join(work, '.git/hooks'));
    await expect(installIn(work)).rejects.toMatchObject({ code: 'hooks-path-outside' });
  });
});

describe('other layouts', () => {
  it("git-worktree: a linked worktree shares the hooks, and finds the main worktree's package", async () => {
    const work = emptyRepository();
    commit(work, 'feat: begin');
    const packageRoot = stubPackage(join(work, 'node_modules/oxide-guard'));
    await installIn(work, { packageRoot });
    const linked = join(temporaryDirectory(), 'linked');
    git(work, 'worktree', 'add', '--quiet', linked);
    expect(tryCommit(linked, 'refused')).toMatchObject({ status: 1, trace: [{ by: 'guard' }] });
    const moved = `${work}-moved`;
    renameSync(work, moved);
    git(moved, 'worktree', 'repair', linked);
    expect(tryCommit(linked, 'feat: after the move')).toMatchObject({ status: 0, trace: [{ by: 'guard' }] });
  });

  it('git-worktree: installed from the linked one', async () => {
    const work = emptyRepository();
    commit(work, 'feat: begin');
    const linked = join(temporaryDirectory(), 'linked');
    git(work, 'worktree', 'add', '--quiet', linked);
    const { hooks } = await installIn(linked);
    expect(hooks[0]?.path).toBe(join(work, '.git/hooks/commit-msg'));
    expect(tryCommit(work, 'refused').status).toBe(1);
    await remove(linked);
    expect(hooksOf(work)).toEqual([]);
  });

  it('git-submodule: has hooks of its own, the superproject is left alone', async () => {
    const inner = emptyRepository();
    commit(inner, 'feat: inner');
    const outer = emptyRepository();
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub');
    const { hooks } = await installIn(join(outer, 'sub'));
    expect(hooks[0]?.path).toBe(join(outer, '.git/modules/sub/hooks/commit-msg'));
    expect(tryCommit(join(outer, 'sub'), 'refused').status).toBe(1);
    expect(hooksOf(outer)).toEqual([]);
  });

  it('a bare repository: needs --server, then judges what is pushed to it', async () => {
    const { work, remote } = repositoryWithRemote();
    await expect(installIn(remote)).rejects.toMatchObject({ code: 'bare-needs-server', exitCode: 2 });
    const { hooks } = await installIn(remote, { server: true });
    expect(hooks.map(({ path }) => path)).toEqual([join(remote, 'hooks/pre-receive')]);
    expect(run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/refused']).status).toBe(1);
    const push = run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/fine']);
    expect(push).toMatchObject({ status: 0, trace: [{ argv: ['pre-receive'] }] });
  });

  it('a bare repository: the update hook is chained too', async () => {
    const { work, remote } = repositoryWithRemote();
    writeHook(join(remote, 'hooks/update'), '#!/bin/sh\nprintf \'{"by":"own","argv":"%s"}\\n\' "$*" >> "$TRACE"\n');
    await installIn(remote, { hooks: ['update'] });
    const push = run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/fine']);
    expect(push.trace.map(({ argv }) => String(argv).split(/[ ,]/)[0])).toEqual(['update', 'refs/heads/fine']);
    expect(run(work, ['git', 'push', 'origin', 'HEAD:refs/heads/refused']).status).toBe(1);
  });

  it('a repository made without hooks directory gets one, and loses it again', async () => {
    const work = emptyRepository(undefined, '--template=');
    await installIn(work);
    expect(tryCommit(work, 'refused').status).toBe(1);
    await remove(work);
    expect(existsSync(join(work, '.git/hooks'))).toBe(false);
  });

  it.each(['with space', "o'brien", '"quoted" $HOME `x` \\', 'new\nline', 'ünïcode 日本', '-dash', 'per%cent&@hook@'])(
    'path with spaces, quotes, newline and unicode: %j',
    async (name) => {
      const work = emptyRepository(join(temporaryDirectory(), name));
      writeHook(join(work, '.git/hooks/commit-msg'), ownHook());
      const packageRoot = stubPackage(join(temporaryDirectory(), name, 'oxide-guard'));
      await installIn(work, { packageRoot });
      expect(by(tryCommit(work, 'feat: a'))).toEqual(['own', 'guard']);
      await remove(work);
      expect(by(tryCommit(work, 'refused'))).toEqual(['own']);
    },
  );
});

describe('two at once, and kill -9 in the middle', () => {
  const cli = resolve('bin/oxide-guard.js');
  const installAs = (cwd: string) => spawn(process.execPath, [cli, 'install'], { cwd, stdio: 'ignore' });
  const ended = (child: ReturnType<typeof spawn>) => new Promise<number | null>((done) => child.on('exit', done));

  it('eight installations at once leave one guard and the hook that was there', async () => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, ownHook());
    const codes = await Promise.all(Array.from({ length: 8 }, () => ended(installAs(work))));
    expect(codes).toEqual(Array(8).fill(0));
    expect(hooksOf(work).sort()).toEqual(['commit-msg', 'commit-msg.before-oxide-guard', 'pre-push']);
    expect(by(tryCommit(work, 'feat: a'))).toEqual(['own']);
    await remove(work);
    expect(hooksOf(work)).toEqual(['commit-msg']);
    expect(readFileSync(path, 'utf8')).toBe(ownHook());
  });

  it.each([
    'oxide-guard/hooks.lock',
    'oxide-guard/hooks.json',
    'hooks/commit-msg.before-oxide-guard',
    'hooks/pre-push',
  ])('killed as soon as %s is there: the old hook or the new one, and the next install completes', async (sign) => {
    const work = emptyRepository();
    const path = join(work, '.git/hooks/commit-msg');
    writeHook(path, ownHook());
    const child = installAs(work);
    const gone = ended(child);
    const deadline = Date.now() + 20_000;
    while (!lstatSync(join(work, '.git', sign), { throwIfNoEntry: false }) && Date.now() < deadline) {
      await new Promise((next) => setImmediate(next));
    }
    child.kill('SIGKILL');
    await gone;
    expect(by(tryCommit(work, 'feat: still checked'))[0]).toBe('own');
    expect(await ended(installAs(work))).toBe(0);
    expect(hooksOf(work).sort()).toEqual(['commit-msg', 'commit-msg.before-oxide-guard', 'pre-push']);
    await remove(work);
    expect(hooksOf(work)).toEqual(['commit-msg']);
    expect(readFileSync(path, 'utf8')).toBe(ownHook());
  });
});

function writeMessage(work: string, text: string): string {
  const path = join(work, '.git', 'MESSAGE');
  writeFileSync(path, text);
  return path;
}
