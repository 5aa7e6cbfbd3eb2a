import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import type { Repository } from '../../src/git/repository.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { Repositories } from '../../src/guards/simulation/repositories.ts';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

/** Seconds that have passed for the code under test, besides those that really have. */
let passed = 0;

beforeEach(() => {
  passed = 0;
  const [clock, date] = [process.uptime.bind(process), Date.now.bind(Date)];
  vi.spyOn(process, 'uptime').mockImplementation(() => clock() + passed);
  vi.spyOn(Date, 'now').mockImplementation(() => date() + passed * 1000);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Facts are believed for a second, and files' times after two. */
const someSeconds = 3;

async function facts(repository: Repository | null): Promise<unknown> {
  const printed = async (...args: readonly string[]) => (await repository?.git.run(args))?.stdout.toString('latin1');
  return [
    await repository?.status(),
    await repository?.hiddenChanges(),
    await printed('clean', '--dry-run', '-d', '-x', '-f', '--'),
    await printed('ls-files', '-z', '--cached', '--others', '--exclude-standard'),
    await printed('stash', 'list', '--format=%gs'),
    await printed('diff', '--name-only', '-z', 'HEAD', '--', '.'),
    await printed('rev-parse', '--verify', '--quiet', '--symbolic-full-name', '@{-1}'),
    await printed('rev-parse', '--verify', '--quiet', 'HEAD@{2}'),
  ];
}

function work(): { repository: GuardedRepository; repositories: Repositories; open: () => Promise<Repository | null> } {
  const repository = busyRepository();
  const { git, path, write } = repository;
  git('config', 'core.excludesFile', join(`${path}-excludes`));
  git('config', 'core.attributesFile', join(`${path}-attributes`));
  write('.git/info/exclude', '*.log\n');
  for (const name of ['one', 'two']) {
    git('stash', 'push', '--quiet', '--include-untracked', '-m', name);
    git('stash', 'apply', '--quiet');
  }
  mkdirSync(join(path, 'some', 'where'), { recursive: true });
  const repositories = new Repositories();
  return { repository, repositories, open: () => repositories.open({ cwd: path, env: process.env }) };
}

/** Changes after which git answers something else. */
const changes: Record<string, (repository: GuardedRepository) => void> = {
  'a tracked file, of the same size': ({ write }) => write('b.txt', 'feat: B\n'),
  'a tracked file, and its time put back': ({ path, write }) => {
    write('b.txt', 'feat: B\n');
    utimesSync(join(path, 'b.txt'), 1, 1);
  },
  'a new file': ({ write }) => write('new.txt', ''),
  'a new file below an empty directory': ({ write }) => write('some/where/new.txt', ''),
  'a new ignored file': ({ write }) => write('new.log', ''),
  'a file that is gone': ({ path }) => rmSync(join(path, 'b.txt')),
  'a file by another name': ({ path }) => renameSync(join(path, 'untracked.txt'), join(path, 'unknown.txt')),
  'an empty directory that is gone': ({ path }) => rmSync(join(path, 'some'), { recursive: true }),
  'the mode of a file': ({ path }) => chmodSync(join(path, 'b.txt'), 0o755),
  'a link in the place of a file': ({ path }) => {
    rmSync(join(path, 'b.txt'));
    symlinkSync('a.txt', join(path, 'b.txt'));
  },
  '.gitignore': ({ write }) => write('.gitignore', ''),
  '.gitignore further down': ({ write }) => write('deep/.gitignore', '*\n'),
  'info/exclude': ({ write }) => write('.git/info/exclude', 'untracked.txt\n'),
  'core.excludesFile': ({ path, write }) => write(`../${path.split('/').at(-1)}-excludes`, 'untracked.txt\n'),
  'what is staged': ({ git }) => void git('add', 'a.txt'),
  'what git is told not to look at': ({ git }) => void git('update-index', '--assume-unchanged', 'a.txt'),
  'a commit of everything': ({ git }) => void git('commit', '--quiet', '-a', '-m', 'feat: more'),
  'another branch': ({ git }) => void git('switch', '--quiet', '-c', 'other'),
  'a branch and back again': ({ git }) => {
    git('switch', '--quiet', '-c', 'other');
    git('switch', '--quiet', '-');
  },
  'a stash': ({ git }) => void git('stash', 'push', '--quiet'),
  'a stash entry below the newest': ({ git }) => {
    git('stash', 'drop', '--quiet', 'stash@{1}');
  },
  'a reflog that was cut off': ({ git }) => void git('reflog', 'expire', '--expire=now', '--all'),
  'a repository of its own': ({ path, git }) => void git('init', '--quiet', join(path, 'some', 'where')),
};

describe('facts that are handed on', () => {
  it.each(Object.keys(changes))('are read anew after a change: %s', async (name) => {
    const { repository, open } = work();
    passed += someSeconds;
    const before = await facts(await open());
    // Two changes within a tick of the file system's clock can't be told apart, which is why fresh ones tell nothing.
    await setTimeout(20);
    changes[name]?.(repository);
    passed += someSeconds;
    const after = await facts(await open());
    expect(after).toEqual(await facts(await openRepository({ cwd: repository.path })));
    expect(after).not.toEqual(before);
  });

  it('cost no process while nothing has changed', async () => {
    const { open } = work();
    passed += someSeconds;
    const before = await facts(await open());
    const started = gitProcessesStarted();
    passed += someSeconds;
    expect(await facts(await open())).toEqual(before);
    passed += someSeconds;
    expect(await facts(await open())).toEqual(before);
    expect(gitProcessesStarted()).toBe(started);
  });

  it('are read anew after a while, whatever the files say', async () => {
    const { open } = work();
    passed += someSeconds;
    await facts(await open());
    const started = gitProcessesStarted();
    passed += 11;
    await facts(await open());
    expect(gitProcessesStarted()).toBeGreaterThan(started);
  });

  it('are read anew where a file was changed so lately that its time can’t tell', async () => {
    const { repository, open } = work();
    passed += someSeconds;
    repository.write('late.txt', '');
    const soon = new Date(Date.now());
    utimesSync(join(repository.path, 'late.txt'), soon, soon);
    await (await open())?.status();
    const started = gitProcessesStarted();
    passed += someSeconds;
    await (await open())?.status();
    expect(gitProcessesStarted()).toBe(started + 1);
  });

  it('are read anew where there is more than can be looked at', async () => {
    const { repository, open } = work();
    for (let n = 0; n < 301; n += 1) {
      repository.write(`many/${n}`, '');
    }
    passed += someSeconds;
    await (await open())?.status();
    const started = gitProcessesStarted();
    passed += someSeconds;
    await (await open())?.status();
    expect(gitProcessesStarted()).toBe(started + 1);
  });

  it('are not those of another index', async () => {
    const { repository, repositories } = work();
    const env = { ...process.env, GIT_INDEX_FILE: join(`${repository.path}-index`) };
    const open = () => repositories.open({ cwd: repository.path, env });
    passed += someSeconds;
    const before = await (await open())?.status();
    await setTimeout(20);
    appendFileSync(env.GIT_INDEX_FILE, readFileSync(join(repository.path, '.git', 'index')));
    passed += someSeconds;
    expect(await (await open())?.status()).not.toEqual(before);
  });
});

describe('a repository that is named', () => {
  const processes = async (open: () => Promise<Repository | null>) => {
    const started = gitProcessesStarted();
    await facts(await open());
    return gitProcessesStarted() - started;
  };

  it('shares the facts of the one that would be found', async () => {
    const { repository, repositories, open } = work();
    const options = { cwd: repository.path, env: process.env };
    await facts(await open());
    expect(await processes(() => repositories.open({ ...options, gitDir: '.git' }))).toBe(0);
    expect(await processes(() => repositories.open({ ...options, gitDir: '.git', workTree: '.' }))).toBe(0);
    expect(await processes(() => repositories.open(options, [['GIT_DIR', join(repository.path, '.git')]]))).toBe(0);
    const named = await repositories.open(options, [['GIT_DIR', '.git']]);
    expect(named?.git.context.env.GIT_DIR).toBe('.git');
  });

  it('has its own where it is another one, or another work tree', async () => {
    const { repository, repositories, open } = work();
    const other = busyRepository();
    await facts(await open());
    for (const options of [{ gitDir: join(other.path, '.git') }, { gitDir: '.git', workTree: 'dist' }]) {
      const named = await repositories.open({ cwd: repository.path, env: process.env, ...options });
      const alone = await openRepository({ cwd: repository.path, ...options });
      expect(await facts(named)).toEqual(await facts(alone));
      expect(await facts(named)).not.toEqual(await facts(await open()));
    }
  });
});

describe('a question that a line puts to git at once', () => {
  it('costs a process when it is new, and when what it is about may have changed', async () => {
    const { repository, repositories, open } = work();
    const asked = (...words: readonly string[]) => {
      const started = gitProcessesStarted();
      const { text } = repositories.ask(words, repository.path);
      return { text, processes: gitProcessesStarted() - started };
    };
    const [commit, files] = [
      ['rev-parse', '--verify', '--quiet', 'HEAD'],
      ['ls-files', 'new.txt'],
    ];
    await open();
    const { text: before } = asked(...commit);
    expect(asked(...commit)).toEqual({ text: before, processes: 0 });
    expect(asked(...files)).toEqual({ text: '', processes: 1 });

    passed += someSeconds;
    repository.write('new.txt', '');
    repository.git('add', 'new.txt');
    expect(asked(...commit)).toEqual({ text: before, processes: 0 });
    expect(asked(...files)).toEqual({ text: 'new.txt', processes: 1 });

    await setTimeout(20);
    repository.git('commit', '--quiet', '-m', 'feat: more');
    passed += someSeconds;
    const { text: after, processes } = asked(...commit);
    expect(processes).toBe(1);
    expect(after).toBe(repository.git('rev-parse', 'HEAD').toString().trim());
    expect(after).not.toBe(before);
  });
});
