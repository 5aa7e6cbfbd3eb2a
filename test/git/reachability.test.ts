import { describe, expect, it } from 'vitest';
import { commitsOnlyReachableFrom, type RefMove } from '../../src/git/history/reachability.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { commit, git, repositoryWithCommit, repositoryWithRemote, write } from './fixture.ts';

async function lost(work: string, moves: readonly RefMove[], options = {}): Promise<readonly string[]> {
  const repository = await openRepository({ cwd: work });
  const list = repository === null ? null : await commitsOnlyReachableFrom(moves, repository, options);
  return list?.commits.map(({ subject }) => subject) ?? ['no repository'];
}

const main = 'refs/heads/main';

describe('what nothing reaches after', () => {
  it('a branch goes back: the commits since', async () => {
    const work = repositoryWithCommit();
    commit(work, 'feat: second');
    commit(work, 'feat: third');
    expect(await lost(work, [{ ref: main, to: 'HEAD~2' }])).toEqual(['feat: third', 'feat: second']);
  });

  it('a branch goes forward: nothing', async () => {
    const work = repositoryWithCommit();
    commit(work, 'feat: second');
    expect(await lost(work, [{ ref: main, to: 'main' }])).toEqual([]);
  });

  it('a branch goes whose commits a tag, a remote or another branch keeps: nothing', async () => {
    for (const keeper of [
      ['tag', 'kept'],
      ['branch', 'kept'],
      ['update-ref', 'refs/remotes/origin/kept', 'topic'],
    ]) {
      const work = repositoryWithCommit();
      git(work, 'switch', '--quiet', '-c', 'topic');
      commit(work, 'feat: on topic');
      git(work, ...keeper);
      git(work, 'switch', '--quiet', 'main');
      expect(await lost(work, [{ ref: 'refs/heads/topic', to: null }])).toEqual([]);
    }
  });

  it('two branches go that keep each other: their commits', async () => {
    const work = repositoryWithCommit();
    git(work, 'switch', '--quiet', '-c', 'one');
    commit(work, 'feat: shared');
    git(work, 'branch', 'two');
    git(work, 'switch', '--quiet', 'main');
    const moves = ['one', 'two'].map((name) => ({ ref: `refs/heads/${name}`, to: null }));
    expect(await lost(work, moves)).toEqual(['feat: shared']);
    expect(await lost(work, moves.slice(1))).toEqual([]);
  });

  it('a branch goes that another worktree has checked out, detached: nothing', async () => {
    const work = repositoryWithCommit();
    git(work, 'branch', 'topic');
    git(work, 'worktree', 'add', '--quiet', '../linked', 'topic');
    const linked = `${work}/../linked`;
    commit(linked, 'feat: there');
    git(linked, 'switch', '--quiet', '--detach');
    expect(await lost(work, [{ ref: 'refs/heads/topic', to: null }])).toEqual([]);
    git(linked, 'switch', '--quiet', '--detach', 'main');
    expect(await lost(work, [{ ref: 'refs/heads/topic', to: null }])).toEqual(['feat: there']);
  });

  it('a detached HEAD goes elsewhere: the commits made on it', async () => {
    const work = repositoryWithCommit();
    git(work, 'switch', '--quiet', '--detach');
    commit(work, 'feat: astray');
    expect(await lost(work, [{ ref: 'HEAD', to: 'main' }])).toEqual(['feat: astray']);
    expect(await lost(work, [{ ref: main, to: null }])).toEqual([]);
  });

  it('a branch goes whose commit only a stash keeps: that depends on what is asked', async () => {
    const work = repositoryWithCommit();
    write(work, 'file', 'x');
    git(work, 'add', '.');
    commit(work, 'feat: file');
    write(work, 'file', 'y');
    git(work, 'stash', '--quiet');
    expect(await lost(work, [{ ref: main, to: 'HEAD~1' }])).toEqual(['feat: file']);
    expect(await lost(work, [{ ref: main, to: 'HEAD~1' }], { stash: true })).toEqual([]);
  });

  it('a tracking ref goes that the remote HEAD here points to: its commits', async () => {
    const { work } = repositoryWithRemote();
    commit(work, 'feat: published');
    git(work, 'push', '--quiet');
    git(work, 'reset', '--quiet', '--hard', 'HEAD~');
    expect(await lost(work, [{ ref: 'refs/remotes/origin/main', to: null }])).toEqual(['feat: published']);
  });

  it('a ref goes that does not exist: nothing', async () => {
    expect(await lost(repositoryWithCommit(), [{ ref: 'refs/heads/nowhere', to: null }])).toEqual([]);
  });

  it('the guard keeps a checkpoint of its own: the commits all the same', async () => {
    const work = repositoryWithCommit();
    commit(work, 'feat: second');
    git(work, 'update-ref', 'refs/oxide-guard/checkpoints/1', 'HEAD');
    expect(await lost(work, [{ ref: main, to: 'HEAD~1' }])).toEqual(['feat: second']);
  });
});

describe('what a remote has without a tracking ref', () => {
  /** A branch topic with a commit that the remote has under another name as well; none of it is here any more. */
  function published(ref: string): { readonly work: string; readonly remote: string; readonly oid: string } {
    const { work, remote } = repositoryWithRemote();
    git(work, 'switch', '--quiet', '-c', 'topic');
    commit(work, 'feat: on topic');
    git(work, 'push', '--quiet', 'origin', `topic:${ref}`);
    const oid = git(work, 'rev-parse', 'topic').trim();
    git(work, 'switch', '--quiet', 'main');
    git(work, 'branch', '--quiet', '-D', 'topic');
    return { work, remote, oid };
  }
  const topic = [{ ref: 'refs/heads/topic', to: null }];

  it('a fetched pull request: nothing', async () => {
    const { work } = published('refs/pull/7/head');
    git(work, 'fetch', '--quiet', 'origin', 'pull/7/head:topic');
    git(work, 'fetch', '--quiet');
    expect(await lost(work, topic)).toEqual([]);
  });

  it('a commit on top of one: that commit', async () => {
    const { work } = published('refs/pull/7/head');
    git(work, 'fetch', '--quiet', 'origin', 'pull/7/head:topic');
    git(work, 'switch', '--quiet', 'topic');
    commit(work, 'fix: on top');
    git(work, 'switch', '--quiet', 'main');
    expect(await lost(work, topic)).toEqual(['fix: on top']);
  });

  it('a branch that the remote has deleted, whatever the last fetch has written down: its commits', async () => {
    const { work, remote } = published('refs/heads/topic');
    git(work, 'fetch', '--quiet', 'origin', 'topic:topic');
    git(remote, 'update-ref', '-d', 'refs/heads/topic');
    git(work, 'remote', 'prune', 'origin');
    expect(await lost(work, topic)).toEqual(['feat: on topic']);
  });

  it('a remote that is not known any more: its commits', async () => {
    const { work } = published('refs/pull/7/head');
    git(work, 'fetch', '--quiet', 'origin', 'pull/7/head:topic');
    git(work, 'remote', 'remove', 'origin');
    expect(await lost(work, topic)).toEqual(['feat: on topic']);
  });

  it.each([
    ["'refs/pull/7/head' of https://example.com/o/shop", []],
    ["branch 'topic' of ssh://example.com/somebody/shop", []],
    ["branch 'topic' of .", ['feat: on topic']],
    ["'refs/pull/7/head' of ../elsewhere", ['feat: on topic']],
  ])('FETCH_HEAD with %s', async (what, expected) => {
    const { work, oid } = published('refs/pull/7/head');
    git(work, 'update-ref', 'refs/heads/topic', oid);
    write(work, '.git/FETCH_HEAD', `${oid}\t\t${what}\n`);
    expect(await lost(work, topic)).toEqual(expected);
  });
});
