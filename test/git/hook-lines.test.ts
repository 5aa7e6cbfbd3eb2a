import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { parsePrePushLines, planFromHookLines, planFromReceivedLines } from '../../src/git/push/hook-lines.ts';
import { commitsDropped, divergenceOf, outgoingCommits } from '../../src/git/push/push-history.ts';
import type { PushPlan } from '../../src/git/push/push-plan.ts';
import { type PushRequest, plainPush } from '../../src/git/push/push-request.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import {
  bareRepository,
  commit,
  git,
  open,
  repositoryWithCommit,
  repositoryWithRemote,
  temporaryDirectory,
} from './fixture.ts';
import { recordPush } from './pre-push-hook.ts';

async function planOf(cwd: string, args: readonly string[], request: PushRequest | null = plainPush) {
  const [call] = recordPush(cwd, ['push', ...args]).calls;
  if (call === undefined) {
    throw new Error('git never called pre-push');
  }
  const repository = await open(cwd);
  return { repository, plan: await planFromHookLines({ ...call, request }, repository) };
}

function kindsOf({ updates }: PushPlan) {
  return updates.map(({ remoteRef, kind }) => `${kind} ${remoteRef}`);
}

describe('the kind of an update', () => {
  it('is create for a new branch', async () => {
    const { work } = repositoryWithRemote();
    const { plan } = await planOf(work, ['origin', 'HEAD:topic']);
    expect(kindsOf(plan)).toEqual(['create refs/heads/topic']);
  });

  it('is fast-forward when the remote commit is an ancestor', async () => {
    const { work } = repositoryWithRemote();
    commit(work, 'feat: more');
    const { plan } = await planOf(work, ['origin', 'main']);
    expect(kindsOf(plan)).toEqual(['fast-forward refs/heads/main']);
    expect(plan.remote).toBe('origin');
  });

  it('is forced when it drops commits of the remote, which are told by name', async () => {
    const { work } = repositoryWithRemote();
    const lost = commit(work, 'feat: soon lost');
    git(work, 'push', '--quiet');
    git(work, 'reset', '--quiet', '--hard', 'HEAD~');
    commit(work, 'feat: instead');
    const { plan, repository } = await planOf(work, ['--force', 'origin', 'main'], { ...plainPush, force: true });
    expect(kindsOf(plan)).toEqual(['forced refs/heads/main']);
    expect(plan.updates[0]?.force).toBe('unconditional');
    const dropped = await commitsDropped(plan, plan.updates[0]!, repository);
    expect(dropped).toMatchObject({
      total: 1,
      commits: [{ oid: lost, subject: 'feat: soon lost', author: 'Ada Author' }],
    });
  });

  it('is unknown when the remote commit is not in this repository', async () => {
    const { work, remote } = repositoryWithRemote();
    const other = join(dirname(work), 'other');
    git(dirname(work), 'clone', '--quiet', remote, other);
    commit(other, 'feat: of somebody else');
    git(other, 'push', '--quiet');
    commit(work, 'feat: mine');
    const { plan, repository } = await planOf(work, ['--force', 'origin', 'main'], { ...plainPush, force: true });
    expect(kindsOf(plan)).toEqual(['unknown refs/heads/main']);
    expect(await commitsDropped(plan, plan.updates[0]!, repository)).toEqual({ commits: [], total: 0 });
    git(work, 'update-ref', 'refs/remotes/origin/main', 'HEAD~'); // where it was while the hook ran
    expect((await outgoingCommits(plan, repository)).commits.map(({ subject }) => subject)).toEqual(['feat: mine']);
  });

  it('is unknown in a shallow clone whose cut hides the answer', async () => {
    const { work, remote } = repositoryWithRemote();
    git(work, 'branch', 'topic');
    git(work, 'push', '--quiet', 'origin', 'topic');
    for (const number of [1, 2, 3]) {
      commit(work, `feat: step ${number}`);
    }
    git(work, 'push', '--quiet');
    const shallow = join(dirname(work), 'shallow');
    git(dirname(work), 'clone', '--quiet', '--depth=1', '--no-single-branch', `file://${remote}`, shallow);
    const { plan } = await planOf(shallow, ['--force', 'origin', 'main:topic'], { ...plainPush, force: true });
    expect(kindsOf(plan)).toEqual(['unknown refs/heads/topic']);
  });

  it('is told exactly in a shallow clone where the cut does not matter', async () => {
    const { work, remote } = repositoryWithRemote();
    const shallow = join(dirname(work), 'shallow');
    git(dirname(work), 'clone', '--quiet', '--depth=1', `file://${remote}`, shallow);
    commit(shallow, 'feat: one');
    expect(kindsOf((await planOf(shallow, ['origin', 'main'])).plan)).toEqual(['fast-forward refs/heads/main']);
    git(shallow, 'reset', '--quiet', '--hard', 'HEAD~');
    commit(shallow, 'feat: two');
    const { plan } = await planOf(shallow, ['--force', 'origin', 'main'], { ...plainPush, force: true });
    expect(kindsOf(plan)).toEqual(['forced refs/heads/main']);
  });

  it('is delete for a deletion, and the commits on no other branch of the remote are told', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'switch', '--quiet', '-c', 'topic');
    commit(work, 'feat: only here');
    git(work, 'push', '--quiet', 'origin', 'topic');
    const { plan, repository } = await planOf(work, ['origin', ':topic']);
    expect(plan.updates).toMatchObject([{ kind: 'delete', localRef: null, localOid: null }]);
    expect(await commitsDropped(plan, plan.updates[0]!, repository)).toMatchObject({
      total: 1,
      commits: [{ subject: 'feat: only here' }],
    });
  });

  it('is forced for a tag that moves, even forwards', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'tag', 'v1');
    git(work, 'push', '--quiet', 'origin', 'v1');
    commit(work, 'feat: more');
    git(work, 'tag', '--force', 'v1');
    const { plan } = await planOf(work, ['--force', 'origin', 'v1']);
    expect(kindsOf(plan)).toEqual(['forced refs/tags/v1']);
  });

  it('is forced when a ref outside of refs/heads changes from a tree to another', async () => {
    const { work } = repositoryWithRemote();
    const blob = (text: string) => git(work, 'hash-object', '-w', join(work, text));
    for (const name of ['a', 'b']) {
      git(work, 'config', '--file', name, `x.${name}`, '1');
    }
    git(work, 'push', '--quiet', 'origin', `${blob('a')}:refs/notes/odd`);
    const { plan, repository } = await planOf(work, ['--force', 'origin', `${blob('b')}:refs/notes/odd`]);
    expect(kindsOf(plan)).toEqual(['forced refs/notes/odd']);
    expect((await outgoingCommits(plan, repository)).total).toBe(0);
  });

  it('is told in a sha256 repository', async () => {
    const work = repositoryWithCommit(undefined, '--object-format=sha256');
    const remote = bareRepository(join(dirname(work), 'remote.git'), '--object-format=sha256');
    git(work, 'remote', 'add', 'origin', remote);
    expect(kindsOf((await planOf(work, ['origin', 'main'])).plan)).toEqual(['create refs/heads/main']);
    git(work, 'commit', '--quiet', '--amend', '--allow-empty', '-m', 'feat: other');
    expect(kindsOf((await planOf(work, ['-f', 'origin', 'main'])).plan)).toEqual(['forced refs/heads/main']);
  });
});

it('kinds of many refs agree with merge-base and cost two processes', async () => {
  const { work } = repositoryWithRemote();
  const base = git(work, 'rev-parse', 'main');
  const tips = [base];
  for (let number = 0; number < 12; number += 1) {
    git(work, 'checkout', '--quiet', tips[(number * 5) % tips.length]!);
    if (number % 4 === 3) {
      git(work, 'merge', '--quiet', '--no-ff', '-m', `Merge ${number}`, tips[(number * 3 + 1) % tips.length]!);
    }
    tips.push(commit(work, `feat: step ${number}`));
  }
  git(work, 'tag', '-a', '-m', 'annotated', 'annotated', tips[5]!);
  tips.push(git(work, 'rev-parse', 'annotated'), 'f'.repeat(40));
  const pairs = tips.flatMap((from, row) =>
    tips.map((to, column) => ({ from, to, ref: `refs/heads/${row}-${column}` })),
  );
  const lines = pairs.filter(({ to }) => !/^f+$/.test(to)).map(({ from, to, ref }) => `x ${to} ${ref} ${from}\n`);
  const repository = await open(work);
  await repository.config();
  const before = gitProcessesStarted();
  const plan = await planFromHookLines(
    { remote: 'origin', url: '/x', lines: lines.join(''), request: null },
    repository,
  );
  expect(gitProcessesStarted() - before).toBe(2);
  for (const { kind, localOid, remoteOid } of plan.updates) {
    const isAncestor = await repository.isAncestor(remoteOid!, localOid!);
    const expected = { yes: 'fast-forward', no: 'forced', unknown: 'unknown' }[isAncestor];
    expect(`${remoteOid}..${localOid} ${kind}`).toBe(
      `${remoteOid}..${localOid} ${remoteOid === localOid ? 'up-to-date' : expected}`,
    );
  }
});

it('two thousand refs cost at most four processes in all', async () => {
  const { work } = repositoryWithRemote();
  const [older, newer] = [git(work, 'rev-parse', 'main'), commit(work, 'feat: more')];
  const lines = Array.from({ length: 2000 }, (_, number) => `HEAD ${newer} refs/heads/b${number} ${older}\n`).join('');
  const repository = await open(work);
  const before = gitProcessesStarted();
  const plan = await planFromHookLines({ remote: 'origin', url: '/x', lines, request: null }, repository);
  const outgoing = await outgoingCommits(plan, repository);
  expect(gitProcessesStarted() - before).toBeLessThanOrEqual(4);
  expect(new Set(plan.updates.map(({ kind }) => kind))).toEqual(new Set(['fast-forward']));
  expect(outgoing.commits[0]?.remoteRefs).toHaveLength(2000);
});

it('an everyday push of one branch costs four processes with everything that is asked about it', async () => {
  const { work } = repositoryWithRemote();
  commit(work, 'feat: more\n\nWith a body.\n\nRefs: 1');
  const [call] = recordPush(work, ['push']).calls;
  git(work, 'update-ref', 'refs/remotes/origin/main', 'HEAD~'); // where it was while the hook ran
  const before = gitProcessesStarted();
  const repository = await open(work);
  const plan = await planFromHookLines({ ...call!, request: plainPush }, repository);
  const [update] = plan.updates;
  const [outgoing, dropped, divergence] = await Promise.all([
    outgoingCommits(plan, repository),
    commitsDropped(plan, update!, repository),
    divergenceOf(update!, repository),
    repository.status(),
    repository.remoteDefaultBranch('origin'),
    repository.head(),
  ]);
  expect(gitProcessesStarted() - before).toBe(4);
  expect(dropped.total).toBe(0);
  expect(outgoing.commits.map(({ message }) => message)).toEqual(['feat: more\n\nWith a body.\n\nRefs: 1\n']);
  expect(divergence).toMatchObject({ left: { total: 0 }, right: { total: 1 } });
});

describe('outgoing commits', () => {
  it('carry the whole message, author and parents', async () => {
    const { work } = repositoryWithRemote();
    const parent = git(work, 'rev-parse', 'HEAD');
    commit(work, 'feat: läuft ✓\n\nbody\n\n#123 kept');
    const { plan, repository } = await planOf(work, ['origin', 'main']);
    // The push is over and the tracking ref has moved, as it hasn't inside the hook.
    git(work, 'update-ref', 'refs/remotes/origin/main', parent);
    expect(await outgoingCommits(plan, repository)).toMatchObject({
      total: 1,
      commits: [
        {
          message: 'feat: läuft ✓\n\nbody\n\n#123 kept\n',
          subject: 'feat: läuft ✓',
          author: 'Ada Author',
          authorEmail: 'ada@example.com',
          parents: [parent],
          remoteRefs: ['refs/heads/main'],
        },
      ],
    });
  });

  it('leave out what any remote has already', async () => {
    const { work } = repositoryWithRemote();
    commit(work, 'feat: published elsewhere');
    git(work, 'update-ref', 'refs/remotes/upstream/main', 'HEAD');
    commit(work, 'feat: new');
    const lines = `HEAD ${git(work, 'rev-parse', 'HEAD')} refs/heads/topic ${'0'.repeat(40)}\n`;
    const repository = await open(work);
    const plan = await planFromHookLines({ remote: 'origin', url: '/x', lines, request: null }, repository);
    expect((await outgoingCommits(plan, repository)).commits.map(({ subject }) => subject)).toEqual(['feat: new']);
  });

  it('are listed up to a limit and counted beyond it', async () => {
    const { work } = repositoryWithRemote();
    for (const number of [1, 2, 3, 4]) {
      commit(work, `feat: step ${number}`);
    }
    const lines = `HEAD ${git(work, 'rev-parse', 'HEAD')} refs/heads/topic ${'0'.repeat(40)}\n`;
    const repository = await open(work);
    const plan = await planFromHookLines({ remote: 'origin', url: '/x', lines, request: null }, repository);
    const { commits, total } = await outgoingCommits(plan, repository, { limit: 2 });
    expect({ subjects: commits.map(({ subject }) => subject), total }).toEqual({
      subjects: ['feat: step 4', 'feat: step 3'],
      total: 4,
    });
  });
});

describe('what a push may overwrite', () => {
  const force = async (request: Partial<PushRequest> | null, settings: readonly string[] = []) => {
    const { work } = repositoryWithRemote();
    for (const setting of settings) {
      const [key = '', value = ''] = setting.split(/=(.*)/s);
      git(work, 'config', '--add', key, value);
    }
    const lines = `main ${commit(work, 'feat: x')} refs/heads/main ${git(work, 'rev-parse', 'HEAD~')}\n`;
    const asked = request === null ? null : { ...plainPush, ...request };
    const plan = await planFromHookLines({ remote: 'origin', url: '/x', lines, request: asked }, await open(work));
    return plan.updates[0]?.force;
  };
  const anyRef = { ref: null, expect: null };

  it.each([
    ['nothing, in a plain push', {}, [], 'none'],
    ['is not known when the command line is not', null, [], 'undetermined'],
    ['anything with --force', { force: true }, [], 'unconditional'],
    ['anything with --force beside a lease', { force: true, leases: [anyRef] }, [], 'unconditional'],
    ['anything with +', { refspecs: ['+HEAD:main'] }, [], 'unconditional'],
    ['anything with + beside a lease', { refspecs: ['+main'], leases: [anyRef] }, [], 'unconditional'],
    ['nothing when + is on another ref', { refspecs: ['+topic', 'main'] }, [], 'none'],
    ['what the lease expects', { leases: [anyRef] }, [], 'lease'],
    ['what the lease of this ref expects', { leases: [{ ref: 'main', expect: null }] }, [], 'lease'],
    ['nothing under the lease of another ref', { leases: [{ ref: 'topic', expect: null }] }, [], 'none'],
    ['anything when remote.origin.push has +', {}, ['remote.origin.push=+refs/heads/*:refs/heads/*'], 'unconditional'],
    ['anything on a mirror', {}, ['remote.origin.mirror=true'], 'unconditional'],
  ] as const)('%s', async (_, request, settings, expected) => {
    expect(await force(request, settings)).toBe(expected);
  });
});

describe('the lines of pre-push', () => {
  it('are read from the right: the local ref stands as it was typed', async () => {
    const { work } = repositoryWithRemote();
    commit(work, 'feat a');
    const { plan } = await planOf(work, ['origin', 'HEAD^{/feat a}:refs/heads/topic']);
    expect(plan.updates[0]?.localRef).toBe('HEAD^{/feat a}');
  });

  it('may hold any branch name git allows', async () => {
    const { work } = repositoryWithRemote();
    const name = `ü;"q'uote$(x)`;
    git(work, 'branch', name);
    const { plan } = await planOf(work, ['origin', name]);
    expect(plan.updates[0]?.remoteRef).toBe(`refs/heads/${name}`);
  });

  it('may be none', () => {
    expect(parsePrePushLines('')).toEqual([]);
  });

  it('are refused when they are something else', () => {
    expect(() => parsePrePushLines('hello\n')).toThrow('no ref update');
  });
});

it('a push by the URL of a configured remote counts as a push to that remote', async () => {
  const { work, remote } = repositoryWithRemote();
  commit(work, 'feat: more');
  expect((await planOf(work, [remote, 'main'])).plan.remote).toBe('origin');
  expect((await planOf(work, [`file://${bareRepository()}`, 'main'])).plan.remote).toBeNull();
});

it('a server tells the kinds of what it receives', async () => {
  const { work, remote } = repositoryWithRemote();
  const old = git(work, 'rev-parse', 'main');
  const next = commit(work, 'feat: more');
  git(work, 'push', '--quiet', 'origin', 'HEAD:topic');
  const lines = `${old} ${next} refs/heads/main\n${'0'.repeat(40)} ${next} refs/heads/new\n${next} ${old} refs/heads/topic\n`;
  const plan = await planFromReceivedLines(lines, await open(remote));
  expect(kindsOf(plan)).toEqual(['fast-forward refs/heads/main', 'create refs/heads/new', 'forced refs/heads/topic']);
});

it('a server reads what it is about to receive from quarantine', async () => {
  const { work, remote } = repositoryWithRemote();
  const old = git(work, 'rev-parse', 'main');
  const next = commit(work, 'feat: more');
  const output = join(dirname(remote), 'received');
  const hook = join(remote, 'hooks', 'pre-receive');
  // Holds the push until the test has looked: a quarantine lives as long as its hook.
  writeFileSync(
    hook,
    `#!/bin/sh\ncat > '${output}.lines'\nenv > '${output}.env'\nmv '${output}.lines' '${output}'\nwhile [ -e '${output}' ]; do sleep 0.02; done\n`,
  );
  chmodSync(hook, 0o755);
  const push = spawn('git', ['push', '--quiet', 'origin', 'main'], { cwd: work, stdio: 'ignore' });
  await expect.poll(() => existsSync(output), { timeout: 20_000 }).toBe(true);
  const variables = readFileSync(`${output}.env`, 'utf8')
    .split('\n')
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  const repository = await openRepository({ cwd: remote, env: Object.fromEntries(variables) });
  const plan = await planFromReceivedLines(readFileSync(output, 'utf8'), repository!);
  const outgoing = await outgoingCommits(plan, repository!, { published: '--all' });
  rmSync(output);
  await once(push, 'close');
  expect(plan.updates).toMatchObject([{ kind: 'fast-forward', remoteOid: old, localOid: next, force: 'undetermined' }]);
  expect(outgoing.commits.map(({ subject }) => subject)).toEqual(['feat: more']);
  expect(git(remote, 'rev-parse', 'main')).toBe(next);
});

describe('the environment of a hook leads to the repository that pushes', () => {
  const situations: Record<string, () => string> = {
    'from a work tree': () => repositoryWithRemote().work,
    'from a path with spaces, a newline and unicode': () => {
      const work = repositoryWithCommit(join(temporaryDirectory(), 'my work\nsecond line é✓'));
      git(work, 'remote', 'add', 'origin', bareRepository());
      return work;
    },
    'from a linked worktree': () => {
      const { work } = repositoryWithRemote();
      git(work, 'worktree', 'add', '--quiet', '../linked');
      return join(dirname(work), 'linked');
    },
    'from a submodule': () => {
      const { remote } = repositoryWithRemote();
      const outer = repositoryWithCommit();
      git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', remote, 'inner');
      return join(outer, 'inner');
    },
    'from a bare repository': () => {
      const { work, remote } = repositoryWithRemote();
      const bare = join(dirname(work), 'bare.git');
      git(dirname(work), 'clone', '--quiet', '--bare', remote, bare);
      return bare;
    },
  };

  it.each(Object.keys(situations))('%s', async (name) => {
    const cwd = situations[name]?.() ?? '';
    const [call] = recordPush(cwd, ['push', 'origin', 'HEAD:refs/heads/topic']).calls;
    const before = gitProcessesStarted();
    const inside = await openRepository({ cwd: call!.cwd, env: call!.env });
    expect(gitProcessesStarted() - before).toBe(0);
    const outside = await open(cwd);
    expect(inside).toMatchObject({ gitDir: outside.gitDir, commonDir: outside.commonDir, workTree: outside.workTree });
    const plan = await planFromHookLines({ ...call!, request: plainPush }, inside!);
    expect(kindsOf(plan)).toEqual(['create refs/heads/topic']);
    expect(plan.updates[0]?.localOid).toBe(git(cwd, 'rev-parse', 'HEAD'));
  });
});
