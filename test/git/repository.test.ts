import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gitProcessesStarted, withoutRepositoryVariables } from '../../src/git/runner.ts';
import {
  bareRepository,
  commit,
  emptyRepository,
  git,
  open,
  repositoryWithCommit,
  repositoryWithRemote,
  temporaryDirectory,
  tryGit,
  write,
} from './fixture.ts';

async function processesOf(action: () => Promise<unknown>): Promise<number> {
  const before = gitProcessesStarted();
  await action();
  return gitProcessesStarted() - before;
}

describe('HEAD', () => {
  const situations: Record<string, () => string> = {
    'on a branch': () => repositoryWithCommit(),
    'on an unborn branch': () => emptyRepository(),
    'on a branch with slashes and unicode': () => {
      const work = repositoryWithCommit();
      git(work, 'switch', '--quiet', '-c', 'feature/ü;x');
      return work;
    },
    detached: () => {
      const work = repositoryWithCommit();
      git(work, 'switch', '--quiet', '--detach');
      return work;
    },
    'on a branch in packed-refs': () => {
      const work = repositoryWithCommit();
      git(work, 'pack-refs', '--all');
      return work;
    },
    'on a branch that is a symbolic ref': () => {
      const work = repositoryWithCommit();
      git(work, 'symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
      git(work, 'symbolic-ref', 'HEAD', 'refs/heads/alias');
      return work;
    },
    'of a linked worktree': () => {
      const work = repositoryWithCommit();
      git(work, 'worktree', 'add', '--quiet', '../linked');
      return join(dirname(work), 'linked');
    },
    'of a linked worktree, detached': () => {
      const work = repositoryWithCommit();
      git(work, 'worktree', 'add', '--quiet', '--detach', '../linked');
      return join(dirname(work), 'linked');
    },
    'of a bare repository': () => {
      const { remote } = repositoryWithRemote();
      return remote;
    },
    'of a sha256 repository': () => repositoryWithCommit(undefined, '--object-format=sha256'),
  };

  it.each(Object.keys(situations))('%s is read without a process', async (name) => {
    const cwd = situations[name]?.() ?? '';
    const repository = await open(cwd);
    expect(await processesOf(() => repository.head())).toBe(0);
    const ref = tryGit(cwd, 'symbolic-ref', '--quiet', 'HEAD');
    const oid = tryGit(cwd, 'rev-parse', '--verify', '--quiet', 'HEAD');
    const expected =
      ref === null ? { kind: 'detached', oid } : { kind: 'branch', ref, branch: ref.replace('refs/heads/', ''), oid };
    expect(await repository.head()).toEqual(expected);
  });
});

describe('refs', () => {
  it('are all there, with what symbolic ones point to', async () => {
    const { work } = repositoryWithRemote();
    const oid = git(work, 'rev-parse', 'HEAD');
    expect(await (await open(work)).refs()).toEqual(
      new Map([
        ['refs/heads/main', { oid, symref: null }],
        ['refs/remotes/origin/HEAD', { oid, symref: 'refs/remotes/origin/main' }],
        ['refs/remotes/origin/main', { oid, symref: null }],
      ]),
    );
  });

  it('are none in an empty repository', async () => {
    expect(await (await open(emptyRepository())).refs()).toEqual(new Map());
  });

  it('are found one by one without a process, packed or not', async () => {
    const { work } = repositoryWithRemote();
    const first = git(work, 'rev-parse', 'HEAD');
    git(work, 'pack-refs', '--all');
    const second = commit(work, 'feat: more');
    const repository = await open(work);
    const read = () =>
      Promise.all(
        ['refs/heads/main', 'refs/remotes/origin/main', 'refs/heads/main2', 'refs/heads'].map(
          repository.ref,
          repository,
        ),
      );
    expect(await processesOf(read)).toBe(0);
    expect(await read()).toEqual([second, first, null, null]);
  });
});

it('refs that are kept elsewhere than in files are asked from git', async () => {
  const { work } = repositoryWithRemote();
  const oid = git(work, 'rev-parse', 'HEAD');
  git(work, 'pack-refs', '--all');
  mkdirSync(join(work, '.git', 'reftable')); // where a reftable repository has them
  const repository = await open(work);
  expect(await processesOf(() => repository.ref('refs/heads/main'))).toBe(1);
  expect(await repository.ref('refs/heads/main')).toBe(oid);
  expect(await repository.head()).toEqual({ kind: 'branch', ref: 'refs/heads/main', branch: 'main', oid });
  expect(await repository.remoteDefaultBranch('origin')).toBe('main');
});

describe('the remote default branch', () => {
  it('is what the remote HEAD names here', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/1');
    expect(await (await open(work)).remoteDefaultBranch('origin')).toBe('release/1');
  });

  it('is not known when the remote HEAD was never fetched, whatever init.defaultBranch says', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'remote', 'set-head', 'origin', '--delete');
    git(work, 'config', 'init.defaultBranch', 'trunk');
    expect(await (await open(work)).remoteDefaultBranch('origin')).toBeNull();
  });
});

describe('resolving a revision', () => {
  it('gives the object, or null', async () => {
    const work = repositoryWithCommit();
    const first = git(work, 'rev-parse', 'HEAD');
    commit(work, 'feat: second');
    git(work, 'tag', '-a', '-m', 'tag', 'v1', first);
    const repository = await open(work);
    const names = [
      'HEAD~1',
      'v1',
      'v1^{commit}',
      'main^{/begin}',
      'nowhere',
      'main@{upstream}',
      '-x',
      '',
      'f'.repeat(40),
      'v1^{}',
    ];
    const resolved = await Promise.all(names.map((name) => repository.resolve(name)));
    const tag = git(work, 'rev-parse', 'v1');
    expect(resolved).toEqual([first, tag, first, first, null, null, null, null, null, first]);
  });

  it('needs no process for HEAD and branches', async () => {
    const work = repositoryWithCommit();
    git(work, 'branch', 'release/1.x');
    const oid = git(work, 'rev-parse', 'HEAD');
    const repository = await open(work);
    const names = ['HEAD', 'HEAD^{commit}', 'main', 'main^{commit}', 'release/1.x', 'refs/heads/main^{commit}'];
    expect(
      await processesOf(async () => {
        expect(await Promise.all(names.map((name) => repository.resolve(name)))).toEqual(names.map(() => oid));
        const objects = await repository.resolveAll(names);
        expect([...objects]).toEqual(names.map((name) => [name, { oid, type: 'commit' }]));
      }),
    ).toBe(0);
  });

  it('takes a tag before a branch of the same name, and says what it is', async () => {
    const work = repositoryWithCommit();
    git(work, 'branch', 'both');
    const first = git(work, 'rev-parse', 'HEAD');
    commit(work, 'feat: second');
    git(work, 'tag', '-a', '-m', 'tag', 'both');
    const tag = git(work, 'rev-parse', 'refs/tags/both');
    const second = git(work, 'rev-parse', 'HEAD');
    const repository = await open(work);
    expect(await repository.resolve('both^{commit}')).toBe(second);
    expect(await repository.resolveAll(['both', 'refs/heads/both'])).toEqual(
      new Map([
        ['both', { oid: tag, type: 'tag' }],
        ['refs/heads/both', { oid: first, type: 'commit' }],
      ]),
    );
  });

  it('goes on after one that makes git give up', async () => {
    const work = repositoryWithCommit();
    const found = await (await open(work)).resolveAll(['main', '@{upstream}', 'HEAD']);
    expect([...found].map(([name, object]) => [name, object?.type ?? null])).toEqual([
      ['main', 'commit'],
      ['@{upstream}', null],
      ['HEAD', 'commit'],
    ]);
  });
});

describe('ancestry', () => {
  it('is yes, no, or unknown when an object is absent', async () => {
    const work = repositoryWithCommit();
    const [older, newer] = [git(work, 'rev-parse', 'HEAD'), commit(work, 'feat: more')];
    const repository = await open(work);
    expect(await repository.isAncestor(older, newer)).toBe('yes');
    expect(await repository.isAncestor(newer, older)).toBe('no');
    expect(await repository.isAncestor('f'.repeat(40), newer)).toBe('unknown');
    expect(await repository.isAncestor('f'.repeat(40), 'f'.repeat(40))).toBe('unknown');
  });

  it('costs no process at the tip of a branch', async () => {
    const { work } = repositoryWithRemote();
    const repository = await open(work);
    const tip = git(work, 'rev-parse', 'HEAD');
    const pairs = [
      ['refs/heads/main', tip],
      [tip, 'refs/remotes/origin/main'],
      ['refs/heads/main', 'refs/remotes/origin/main'],
    ] as const;
    for (const [ancestor, descendant] of pairs) {
      const processes = await processesOf(async () => {
        expect(await repository.isAncestor(ancestor, descendant)).toBe('yes');
      });
      expect(processes).toBe(0);
    }
    expect(await repository.isAncestor('refs/heads/nowhere', 'refs/heads/none')).toBe('unknown');
  });

  it('is unknown across the cut of a shallow clone', async () => {
    const work = repositoryWithCommit();
    git(work, 'branch', 'old');
    commit(work, 'feat: two');
    commit(work, 'feat: three');
    const shallow = join(temporaryDirectory(), 'shallow');
    git(work, 'clone', '--quiet', '--depth=1', '--no-single-branch', `file://${work}`, shallow);
    const repository = await open(shallow);
    expect(await repository.isAncestor('origin/old', 'origin/main')).toBe('unknown');
    expect(
      await repository.divergence(git(shallow, 'rev-parse', 'origin/old'), git(shallow, 'rev-parse', 'HEAD')),
    ).toMatchObject({
      ancestry: 'unknown',
    });
    commit(shallow, 'feat: four');
    expect(await repository.isAncestor('main', 'origin/main')).toBe('no');
  });
});

describe('commits', () => {
  it('are listed newest first, and counted beyond the limit', async () => {
    const work = repositoryWithCommit();
    for (const number of [1, 2, 3]) {
      commit(work, `feat: step ${number}`);
    }
    const list = await (await open(work)).commits(['main'], ['main~3'], 2);
    expect(list.total).toBe(3);
    expect(list.commits.map(({ subject }) => subject)).toEqual(['feat: step 3', 'feat: step 2']);
    expect(list.commits[0]?.date).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('may leave out what rev-list options name', async () => {
    const { work } = repositoryWithRemote();
    commit(work, 'feat: new');
    expect((await (await open(work)).commits(['main'], ['--remotes=origin'])).total).toBe(1);
  });

  it('are told with authors and subjects in any script', async () => {
    const work = repositoryWithCommit();
    git(
      work,
      '-c',
      'user.name=Zoë ✓',
      'commit',
      '--quiet',
      '--allow-empty',
      '--author=Zoë ✓ <z@x>',
      '-m',
      'feat: über ✓',
    );
    const { commits } = await (await open(work)).commits(['HEAD'], ['HEAD~1']);
    expect(commits).toMatchObject([{ author: 'Zoë ✓', subject: 'feat: über ✓' }]);
  });

  it('are an error for a revision that does not exist', async () => {
    await expect((await open(repositoryWithCommit())).commits(['nowhere'], [])).rejects.toMatchObject({
      code: 'git-failed',
    });
  });
});

describe('status', () => {
  it('is empty in a clean work tree, and in a bare repository', async () => {
    expect(await (await open(repositoryWithCommit())).status()).toEqual([]);
    expect(await (await open(bareRepository())).status()).toEqual([]);
  });

  it('lists changes by their unquoted paths, one path an entry', async () => {
    const work = repositoryWithCommit();
    for (const name of ['changed é.txt', 'staged', 'gone', 'old name']) {
      write(work, name, `content of ${name}`);
    }
    git(work, 'add', '.');
    commit(work, 'feat: files');
    write(work, 'changed é.txt', 'other');
    write(work, 'staged', 'other');
    git(work, 'add', 'staged');
    rmSync(join(work, 'gone'));
    git(work, 'mv', 'old name', 'new name');
    write(work, 'new/dir/a\nb "quoted"', 'x');
    write(work, '.gitignore', 'ignored\n');
    write(work, 'ignored', 'x');
    const entries = await (await open(work)).status();
    const found = entries.map(({ path, index, worktree }) => `${index}${worktree} ${path}`).sort();
    expect(found).toEqual(
      [
        '.D gone',
        '.M changed é.txt',
        '?? .gitignore',
        '?? new/dir/a\nb "quoted"',
        'A. new name',
        'D. old name',
        'M. staged',
      ].sort(),
    );
  });

  it('lists conflicts', async () => {
    const work = repositoryWithCommit();
    write(work, 'file', 'base');
    git(work, 'add', '.');
    commit(work, 'feat: base');
    git(work, 'switch', '--quiet', '-c', 'other');
    write(work, 'file', 'theirs');
    git(work, 'commit', '--quiet', '-am', 'feat: theirs');
    git(work, 'switch', '--quiet', 'main');
    write(work, 'file', 'ours');
    git(work, 'commit', '--quiet', '-am', 'feat: ours');
    expect(tryGit(work, 'merge', 'other')).toBeNull();
    expect(await (await open(work)).status()).toEqual([{ path: 'file', index: 'U', worktree: 'U' }]);
  });
});

describe('reading', () => {
  it('runs no program that the configuration names', async () => {
    const { work } = repositoryWithRemote();
    const trace = join(dirname(work), 'it-ran');
    const program = write(dirname(work), 'program', `#!/bin/sh\ntouch '${trace}'\n`);
    chmodSync(program, 0o755);
    for (const key of [
      'core.fsmonitor',
      'core.pager',
      'pager.status',
      'pager.config',
      'gpg.program',
      'diff.external',
    ]) {
      git(work, 'config', key, program);
    }
    git(work, 'config', 'log.showSignature', 'true');
    write(work, 'untracked', '');
    const repository = await open(work);
    await Promise.all([repository.status(), repository.config(), repository.refs(), repository.commits(['main'], [])]);
    expect(existsSync(trace)).toBe(false);
  });

  it('asks no remote for the objects that a partial clone lacks', async () => {
    const { work, remote } = repositoryWithRemote();
    git(remote, 'config', 'uploadpack.allowFilter', 'true');
    write(work, 'file', 'content');
    git(work, 'add', '.');
    commit(work, 'feat: file');
    git(work, 'push', '--quiet');
    const blob = git(work, 'rev-parse', 'HEAD:file');
    const partial = join(dirname(work), 'partial');
    git(dirname(work), 'clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${remote}`, partial);
    expect(await (await open(partial)).resolve(blob)).toBeNull();
  });

  it('reads every fact once', async () => {
    const { work } = repositoryWithRemote();
    const repository = await open(work);
    const readAll = () =>
      Promise.all([
        repository.config(),
        repository.refs(),
        repository.status(),
        repository.head(),
        repository.isAncestor('main', 'origin/main'),
        repository.resolve('main'),
      ]);
    expect(await processesOf(readAll)).toBe(3);
    expect(await processesOf(readAll)).toBe(0);
  });

  it('sees another repository once the variables of a hook are dropped', async () => {
    const other = repositoryWithCommit();
    const env = { ...process.env, GIT_DIR: join(repositoryWithCommit(), '.git'), GIT_INDEX_FILE: '/nowhere' };
    const repository = await open(other, { env: withoutRepositoryVariables(env) });
    expect(repository.gitDir).toBe(join(other, '.git'));
    expect(
      git(other, 'rev-parse', '--local-env-vars')
        .split('\n')
        .filter(
          (name) =>
            name in
            withoutRepositoryVariables(
              Object.fromEntries(
                git(other, 'rev-parse', '--local-env-vars')
                  .split('\n')
                  .map((name) => [name, 'x']),
              ),
            ),
        ),
    ).toEqual([]);
  });

  it('is stopped when git takes too long', async () => {
    const { git: runner } = await open(repositoryWithCommit());
    const slow = ['-c', 'alias.slow=!sleep 5', 'slow'];
    await expect(runner.run(slow, { timeout: 100 })).rejects.toMatchObject({ code: 'git-timed-out' });
  });

  it('is stopped when git says too much', async () => {
    const { git: runner } = await open(repositoryWithCommit());
    await expect(runner.run(['help', '-a'], { maxOutput: 10 })).rejects.toMatchObject({ code: 'git-output-too-large' });
  });
});
