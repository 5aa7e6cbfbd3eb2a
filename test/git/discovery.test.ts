import { mkdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import {
  bareRepository,
  emptyRepository,
  git,
  repositoryWithCommit,
  repositoryWithRemote,
  temporaryDirectory,
  tryGit,
  write,
} from './fixture.ts';

interface Situation {
  readonly cwd: string;
  readonly env?: Record<string, string>;
  /** How many processes discovery may cost; 0 unless said. */
  readonly processes?: number;
}

const situations: Record<string, () => Situation> = {
  'an empty repository': () => ({ cwd: emptyRepository() }),
  'the root of a repository': () => ({ cwd: repositoryWithCommit() }),
  'a subdirectory': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(work, 'a', 'b'), { recursive: true });
    return { cwd: join(work, 'a', 'b') };
  },
  'a path with spaces, a newline and unicode': () => ({
    cwd: repositoryWithCommit(join(temporaryDirectory(), 'my work\nsecond line é✓')),
  }),
  'a directory reached by a symbolic link': () => {
    const work = repositoryWithCommit();
    const link = join(dirname(work), 'link');
    symlinkSync(work, link);
    return { cwd: link };
  },
  'a .git that is a symbolic link': () => {
    const work = repositoryWithCommit();
    const other = temporaryDirectory();
    symlinkSync(join(work, '.git'), join(other, '.git'));
    return { cwd: other };
  },
  'a linked worktree': () => {
    const work = repositoryWithCommit();
    git(work, 'worktree', 'add', '--quiet', '../linked');
    return { cwd: join(dirname(work), 'linked') };
  },
  'a linked worktree of a bare repository': () => {
    const bare = join(temporaryDirectory(), 'bare.git');
    git(repositoryWithCommit(), 'clone', '--quiet', '--bare', '.', bare);
    git(bare, 'worktree', 'add', '--quiet', '../linked');
    return { cwd: join(dirname(bare), 'linked') };
  },
  'a submodule': () => {
    const library = repositoryWithCommit();
    const work = repositoryWithCommit();
    git(work, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
    return { cwd: join(work, 'library') };
  },
  'a separate git directory': () => {
    const root = temporaryDirectory();
    return { cwd: emptyRepository(join(root, 'work'), `--separate-git-dir=${join(root, 'elsewhere')}`) };
  },
  'a bare repository': () => ({ cwd: bareRepository() }),
  'inside of .git': () => ({ cwd: join(repositoryWithCommit(), '.git', 'refs') }),
  'a sha256 repository': () => ({ cwd: repositoryWithCommit(undefined, '--object-format=sha256') }),
  'outside of any repository': () => ({ cwd: temporaryDirectory() }),
  'below a ceiling': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(work, 'a', 'b'), { recursive: true });
    return { cwd: join(work, 'a', 'b'), env: { GIT_CEILING_DIRECTORIES: `/nowhere:${work}` } };
  },
  'GIT_DIR as a hook in a linked worktree gets it': () => {
    const work = repositoryWithCommit();
    git(work, 'worktree', 'add', '--quiet', '../linked');
    return { cwd: join(dirname(work), 'linked'), env: { GIT_DIR: join(work, '.git', 'worktrees', 'linked') } };
  },
  'GIT_DIR as a hook in a bare repository gets it': () => ({ cwd: bareRepository(), env: { GIT_DIR: '.' } }),
  'GIT_DIR and no implied work tree': () => {
    const work = repositoryWithCommit();
    return { cwd: work, env: { GIT_DIR: '.git', GIT_IMPLICIT_WORK_TREE: '0' } };
  },
  'GIT_DIR naming another repository': () => ({
    cwd: temporaryDirectory(),
    env: { GIT_DIR: join(repositoryWithCommit(), '.git') },
  }),
  'GIT_DIR and GIT_WORK_TREE': () => {
    const work = repositoryWithCommit();
    return { cwd: dirname(work), env: { GIT_DIR: 'work/.git', GIT_WORK_TREE: 'work' } };
  },
  'GIT_WORK_TREE alone': () => {
    const work = repositoryWithCommit();
    return { cwd: work, env: { GIT_WORK_TREE: '..' } };
  },
  'GIT_WORK_TREE in a subdirectory': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(work, 'a', 'b'), { recursive: true });
    return { cwd: join(work, 'a', 'b'), env: { GIT_WORK_TREE: '..' } };
  },
  'GIT_WORK_TREE in a linked worktree': () => {
    const work = repositoryWithCommit();
    git(work, 'worktree', 'add', '--quiet', '../linked');
    return { cwd: join(dirname(work), 'linked'), env: { GIT_WORK_TREE: work } };
  },
  'GIT_WORK_TREE in a bare repository': () => {
    const bare = bareRepository();
    return { cwd: bare, env: { GIT_WORK_TREE: dirname(bare) } };
  },
  'GIT_WORK_TREE inside of .git': () => ({
    cwd: join(repositoryWithCommit(), '.git', 'refs'),
    env: { GIT_WORK_TREE: '../..' },
  }),
  'GIT_WORK_TREE and core.worktree': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(dirname(work), 'tree'));
    git(work, 'config', 'core.worktree', '../../tree');
    return { cwd: join(work, '.git'), env: { GIT_WORK_TREE: work } };
  },
  'GIT_WORK_TREE by a symbolic link': () => {
    const work = repositoryWithCommit();
    symlinkSync(work, join(dirname(work), 'link'));
    return { cwd: work, env: { GIT_WORK_TREE: '../link' } };
  },
  'GIT_WORK_TREE that is not there': () => ({
    cwd: repositoryWithCommit(),
    env: { GIT_WORK_TREE: '../nowhere' },
    processes: 1,
  }),
  'GIT_WORK_TREE below what is not there': () => ({
    cwd: repositoryWithCommit(),
    env: { GIT_WORK_TREE: 'nowhere/at/all' },
  }),
  'GIT_WORK_TREE outside of any repository': () => ({ cwd: temporaryDirectory(), env: { GIT_WORK_TREE: '.' } }),
  'core.worktree': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(dirname(work), 'tree'));
    git(work, 'config', 'core.worktree', '../../tree');
    return { cwd: join(work, '.git') };
  },
  'extensions.worktreeConfig': () => {
    const work = repositoryWithCommit();
    git(work, 'config', 'extensions.worktreeConfig', 'true');
    git(work, 'config', '--worktree', 'core.sparseCheckout', 'false');
    return { cwd: work };
  },
  'a work tree in config.worktree': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(dirname(work), 'tree'));
    git(work, 'config', 'extensions.worktreeConfig', 'true');
    git(work, 'config', '--worktree', 'core.worktree', '../../tree');
    return { cwd: join(work, '.git'), processes: 1 };
  },
  'an included file that names a work tree, which git does not heed': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(dirname(work), 'tree'));
    git(work, 'config', 'include.path', 'more');
    write(work, '.git/more', '[core]\n\tworktree = ../../tree\n');
    return { cwd: work };
  },
  'a configuration without core.bare': () => {
    const work = repositoryWithCommit();
    git(work, 'config', '--unset', 'core.bare');
    return { cwd: work, processes: 1 };
  },
  'a sparse checkout in a linked worktree': () => {
    const work = repositoryWithCommit();
    git(work, 'worktree', 'add', '--quiet', '../linked');
    const linked = join(dirname(work), 'linked');
    git(linked, 'sparse-checkout', 'set', 'a');
    return { cwd: linked };
  },
  'a directory with a stray empty .git directory': () => {
    const work = repositoryWithCommit();
    mkdirSync(join(work, 'sub', '.git'), { recursive: true });
    return { cwd: join(work, 'sub') };
  },
};

describe('openRepository finds what git finds', () => {
  for (const [name, arrange] of Object.entries(situations)) {
    it(name, async () => {
      const { cwd, env = {}, processes = 0 } = arrange();
      const before = gitProcessesStarted();
      const repository = await openRepository({ cwd, env: { ...process.env, ...env } });
      expect(gitProcessesStarted() - before).toBe(processes);
      expect(repository === null ? null : locationOf(repository)).toEqual(asGitSays(cwd, env));
    });
  }
});

function locationOf({ gitDir, commonDir, workTree }: { gitDir: string; commonDir: string; workTree: string | null }) {
  return { gitDir, commonDir, workTree };
}

function asGitSays(cwd: string, env: Record<string, string>) {
  const saved = { ...process.env };
  Object.assign(process.env, env);
  try {
    const gitDir = tryGit(cwd, 'rev-parse', '--absolute-git-dir');
    if (gitDir === null) {
      return null;
    }
    const commonDir = realpathSync(resolve(cwd, git(cwd, 'rev-parse', '--git-common-dir')));
    return { gitDir, commonDir, workTree: tryGit(cwd, 'rev-parse', '--show-toplevel') };
  } finally {
    for (const name of Object.keys(env)) {
      delete process.env[name];
    }
    Object.assign(process.env, saved);
  }
}

describe('openRepository refuses with a way out', () => {
  it('when the directory is gone', async () => {
    const cwd = temporaryDirectory();
    rmSync(cwd, { recursive: true });
    await expect(openRepository({ cwd })).rejects.toMatchObject({ code: 'directory-missing' });
  });

  it('when another user owns the repository', async () => {
    const cwd = repositoryWithCommit();
    const env = { ...process.env, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };
    await expect(openRepository({ cwd, env })).rejects.toMatchObject({
      code: 'dubious-ownership',
      remedy: expect.stringContaining(`safe.directory ${cwd}`),
    });
  });

  it('when git is not installed', async () => {
    const repository = await openRepository({ cwd: repositoryWithCommit(), env: { PATH: '/nonexistent' } });
    await expect(repository?.config()).rejects.toMatchObject({ code: 'git-missing' });
  });
});

it('opens the repository that --git-dir and --work-tree name', async () => {
  const { work } = repositoryWithRemote();
  const repository = await openRepository({ cwd: dirname(work), gitDir: 'work/.git', workTree: 'work' });
  expect(repository?.workTree).toBe(work);
});
