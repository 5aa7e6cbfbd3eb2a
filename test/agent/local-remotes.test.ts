import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localRemotes } from '../../src/agent/local-remotes.ts';
import { git, repositoryWithCommit, repositoryWithRemote } from '../git/fixture.ts';

describe('a remote on this machine is writable in the sandbox', () => {
  const { work, remote } = repositoryWithRemote();
  const own = join(work, '.git');

  it.each(['git push', 'cd . && git push -u origin topic; echo done', 'git fetch origin'])(
    'for %s',
    async (command) => {
      expect(await localRemotes(command, work, process.env, own)).toEqual([remote]);
    },
  );

  it.each(['git push; rm -rf ../remote.git', 'make', 'git push | tee log', 'eval "$X"; git push', 'echo git'])(
    'but not for %s',
    async (command) => {
      expect(await localRemotes(command, work, process.env, own)).toEqual([]);
    },
  );

  it('also by a relative path, and not by a URL of another machine', async () => {
    git(work, 'config', 'remote.origin.url', '../remote.git');
    git(work, 'remote', 'add', 'far', 'git@github.com:a/b.git');
    expect(await localRemotes('git push', work, process.env, own)).toEqual([remote]);
  });

  it('only the git directory of one that has a work tree', async () => {
    const other = repositoryWithCommit();
    git(work, 'remote', 'add', 'other', other);
    expect(await localRemotes('git push other', work, process.env, own)).toEqual([remote, join(other, '.git')]);
  });

  it('not one that a repository of the commands’ own making names', async () => {
    const nested = join(work, 'nested');
    git(work, 'init', '--quiet', nested);
    git(nested, 'remote', 'add', 'origin', remote);
    expect(await localRemotes('git -C nested push', work, process.env, own)).toEqual([]);
    expect(await localRemotes('cd nested; git push', work, process.env, own)).toEqual([]);
    expect(await localRemotes('git push', nested, process.env, own)).toEqual([]);
  });
});
