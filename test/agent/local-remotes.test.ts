import { describe, expect, it } from 'vitest';
import { localRemotes } from '../../src/agent/local-remotes.ts';
import { git, repositoryWithRemote } from '../git/fixture.ts';

describe('a remote on this machine is writable in the sandbox', () => {
  const { work, remote } = repositoryWithRemote();

  it.each(['git push', 'cd . && git push -u origin topic; echo done', 'git fetch origin'])(
    'for %s',
    async (command) => {
      expect(await localRemotes(command, work, process.env)).toEqual([remote]);
    },
  );

  it.each(['git push; rm -rf ../remote.git', 'make', 'git push | tee log', 'eval "$X"; git push', 'echo git'])(
    'but not for %s',
    async (command) => {
      expect(await localRemotes(command, work, process.env)).toEqual([]);
    },
  );

  it('also by a relative path, and not by a URL of another machine', async () => {
    git(work, 'config', 'remote.origin.url', '../remote.git');
    git(work, 'remote', 'add', 'far', 'git@github.com:a/b.git');
    expect(await localRemotes('git push', work, process.env)).toEqual([remote]);
  });
});
