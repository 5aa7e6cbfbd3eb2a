import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import { planFromHookLines } from '../../src/git/push/hook-lines.ts';
import { conventionOf } from '../../src/guards/convention.ts';
import { judgeOutgoingMessages } from '../../src/guards/push/outgoing-messages.ts';
import { sentPushFacts } from '../../src/guards/push/plan-facts.ts';
import { commit, emptyRepository, type GuardedRepository } from './guarded-repository.ts';

/** Main is published with one commit; side has these on top of it, and is not checked out. */
function withSide(...messages: readonly string[]): GuardedRepository {
  const repository = emptyRepository();
  const { git, path } = repository;
  git('init', '--quiet', '--bare', `${path}-origin.git`);
  git('remote', 'add', 'origin', `${path}-origin.git`);
  commit(repository, 'a', 'feat: one');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  git('switch', '--quiet', '--create', 'side');
  messages.forEach((message, number) => {
    commit(repository, `side-${number}`, message);
  });
  git('switch', '--quiet', 'main');
  return repository;
}

/** What pre-push would propose for one update. */
async function proposed({ path, git }: GuardedRepository, source: string, target: string): Promise<string> {
  const repository = await openRepository({ cwd: path, env: process.env });
  if (repository === null) {
    throw new Error('no repository');
  }
  const oid = git('rev-parse', source).trim();
  const there = git('ls-remote', 'origin', target).split('\t')[0] || '0'.repeat(40);
  const ref = git('rev-parse', '--symbolic-full-name', source).trim() || source;
  const input = { remote: 'origin', url: `${path}-origin.git`, lines: `${ref} ${oid} ${target} ${there}\n` };
  const { policy, judgeMessage } = conventionOf(defaultConfiguration);
  const plan = await planFromHookLines({ ...input, request: null }, repository);
  const facts = await sentPushFacts({ plan, exact: true }, repository, policy);
  const judge = async (message: string) => {
    const { valid, corrected } = await judgeMessage(message);
    return { valid, correctedHeader: corrected };
  };
  return (await judgeOutgoingMessages(facts, judge))[0]?.suggestion ?? '';
}

/** Pastes a proposal; the first commit that it writes anew gets the message. */
function paste({ path }: GuardedRepository, command: string, message: string): void {
  const { status, stderr } = spawnSync('bash', ['-ec', command], {
    cwd: path,
    encoding: 'utf8',
    env: {
      ...process.env,
      GIT_SEQUENCE_EDITOR: "sed -i '1s/^pick/reword/'",
      GIT_EDITOR: `f() { echo '${message}' > "$1"; }; f`,
    },
  });
  expect(status, `${command}\n${stderr}`).toBe(0);
}

const subjects = ({ git }: GuardedRepository, branch: string) => git('log', '--format=%s', branch).trim().split('\n');

describe('a commit with a message that breaks the convention is written anew on the branch that is pushed', () => {
  it('which is not checked out', async () => {
    const side = withSide('wrong tip');
    const command = await proposed(side, 'side', 'refs/heads/side');
    expect(command).toBe('git switch side && git commit --amend');
    paste(side, command, 'feat: tip');
    expect(subjects(side, 'side')).toEqual(['feat: tip', 'feat: one']);
    expect(subjects(side, 'main')).toEqual(['feat: one']);
    expect(await proposed(side, 'side', 'refs/heads/side')).toBe('');
  });

  it('over what is not committed, and without what is staged', async () => {
    const side = withSide('wrong tip');
    side.write('a', 'staged\n');
    side.git('add', 'a');
    const command = await proposed(side, 'side', 'refs/heads/side');
    expect(command).toBe('git switch side && git commit --amend --only');
    paste(side, command, 'feat: tip');
    expect(side.git('diff', '--cached', '--name-only')).toBe('a\n');
    commit(side, 'b', 'Wrong again');
    commit(side, 'c', 'feat: right');
    side.write('a', 'changed\n');
    const rebase = await proposed(side, 'side', 'refs/heads/side');
    expect(rebase).toMatch(/^git rebase -i --autostash \w+$/);
    paste(side, rebase, 'feat: again');
    expect(subjects(side, 'side').slice(0, 2)).toEqual(['feat: right', 'feat: again']);
    expect(side.git('diff', '--name-only')).toBe('a\n');
  });

  it('below others', async () => {
    const side = withSide('feat: s1', 'wrong', 'feat: s3');
    commit(side, 'm', 'feat: m');
    const command = await proposed(side, 'side', 'refs/heads/side');
    expect(command).toMatch(/^git switch side && git rebase -i \w+$/);
    paste(side, command, 'feat: s2');
    expect(subjects(side, 'side')).toEqual(['feat: s3', 'feat: s2', 'feat: s1', 'feat: one']);
    expect(subjects(side, 'main')).toEqual(['feat: m', 'feat: one']);
  });

  it('in the work tree that has it', async () => {
    const side = withSide('wrong tip');
    side.git('worktree', 'add', '--quiet', `${side.path}-side`, 'side');
    const command = await proposed(side, 'side', 'refs/heads/side');
    expect(command).toBe(`git -C ${side.path}-side commit --amend --only`);
    paste(side, command, 'feat: tip');
    expect(subjects(side, 'side')).toEqual(['feat: tip', 'feat: one']);
  });

  it('without leaving what only a detached HEAD has', async () => {
    const side = withSide('wrong tip');
    side.git('switch', '--quiet', '--detach');
    expect(await proposed(side, 'side', 'refs/heads/side')).toBe('git switch side && git commit --amend');
    commit(side, 'd', 'feat: detached');
    const command = await proposed(side, 'side', 'refs/heads/side');
    expect(command).toBe('git branch kept-work && git switch side && git commit --amend');
    paste(side, command, 'feat: tip');
    expect(subjects(side, 'kept-work')[0]).toBe('feat: detached');
  });

  it('from the root', async () => {
    const root = emptyRepository();
    root.git('init', '--quiet', '--bare', `${root.path}-origin.git`);
    root.git('remote', 'add', 'origin', `${root.path}-origin.git`);
    commit(root, 'a', 'no conv');
    commit(root, 'b', 'feat: ok');
    const command = await proposed(root, 'main', 'refs/heads/side');
    expect(command).toBe('git rebase -i --root');
    paste(root, command, 'feat: root');
    expect(subjects(root, 'main')).toEqual(['feat: ok', 'feat: root']);
  });

  it('of a commit that is no branch’s tip', async () => {
    const side = withSide('feat: s1', 'wrong', 'feat: s3');
    side.git('switch', '--quiet', 'side');
    side.git('push', '--quiet', 'origin', 'HEAD~2:refs/heads/other');
    expect(await proposed(side, 'side~1', 'refs/heads/side')).toMatch(/^git rebase -i \w+$/);
    side.git('switch', '--quiet', 'main');
    expect(await proposed(side, 'side~1', 'refs/heads/side')).toMatch(/^git switch side && git rebase -i \w+$/);
    side.git('tag', 'light', 'side~1');
    side.git('branch', '--quiet', '--delete', '--force', 'side');
    expect(await proposed(side, 'light', 'refs/tags/light')).toMatch(/^git show \w+$/);
  });
});

it('fixups are taken up among what is published with them, and nothing that is published is written anew', async () => {
  const side = withSide('feat: s1', 'feat: s2', 'fixup! feat: s1');
  const command = await proposed(side, 'side', 'refs/heads/main');
  expect(command).toMatch(/^git switch side && git rebase -i --autosquash \w+$/);
  side.git('config', 'sequence.editor', 'true');
  spawnSync('bash', ['-ec', command], { cwd: side.path });
  expect(subjects(side, 'side')).toEqual(['feat: s2', 'feat: s1', 'feat: one']);
});
