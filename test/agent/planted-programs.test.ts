import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../src/git/open-repository.ts';
import { git, repositoryWithCommit, temporaryDirectory, write } from '../git/fixture.ts';
import { scriptedSession } from './scripted-session.ts';

/** A repository whose own settings name a program wherever git would start one; its only file looks changed. */
function planted(directory?: string) {
  const root = repositoryWithCommit(directory);
  write(root, 'file', 'content\n');
  git(root, 'add', 'file');
  git(root, 'commit', '-qm', 'feat: a file');
  const mark = join(temporaryDirectory(), 'ran');
  const program = join(root, 'evil.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${mark}'\ncat\n`);
  chmodSync(program, 0o755);
  const keys = [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'core.editor',
    'core.alternateRefsCommand',
    'gpg.program',
  ];
  const filters = [
    'filter.x.clean',
    'filter.x.smudge',
    'filter.x.process',
    'diff.external',
    'diff.x.textconv',
    'diff.x.command',
  ];
  for (const key of [...keys, ...filters, 'merge.x.driver', 'credential.helper']) {
    git(root, 'config', key, program);
  }
  git(root, 'config', 'core.hooksPath', root);
  git(root, 'config', 'log.showSignature', 'true');
  for (const hook of [
    'reference-transaction',
    'post-index-change',
    'post-checkout',
    'pre-commit',
    'fsmonitor-watchman',
  ]) {
    writeFileSync(join(root, hook), `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
  }
  write(root, '.gitattributes', '* filter=x diff=x merge=x\n');
  // Of the same size, with another time: git must read it to know.
  utimesSync(join(root, 'file'), new Date(), new Date(Date.now() - 86_400_000));
  return { root, hasRun: () => existsSync(mark) };
}

describe('a program that a repository’s own settings name', () => {
  it('does not run while its facts are read', async () => {
    const { root, hasRun } = planted();
    const repository = await openRepository({ cwd: root, env: process.env });
    await repository?.status();
    await repository?.refs();
    await repository?.commits(['HEAD'], []);
    await repository?.resolve('HEAD~1');
    expect(hasRun()).toBe(false);
    git(root, 'status');
    expect(hasRun()).toBe(true);
  });

  it('does not run in a submodule while the facts of the outer repository are read', async () => {
    const outer = repositoryWithCommit();
    const { hasRun } = planted(join(outer, 'sub'));
    git(outer, 'add', 'sub');
    const repository = await openRepository({ cwd: outer, env: process.env });
    expect(await repository?.status()).toEqual([{ path: 'sub', index: 'A', worktree: '.', isSubmodule: true }]);
    expect(hasRun()).toBe(false);
    git(outer, 'status');
    expect(hasRun()).toBe(true);
  });

  it.each([
    'git -C sub reset --hard',
    'git -C sub checkout .',
    'git -C sub stash drop',
    'git -C sub push --force origin main',
    'git -C sub clean -fd',
    'git -C sub switch --discard-changes main',
    'git reset --hard',
    'git submodule deinit -f sub',
    'rm -rf sub/.git',
  ])('does not run while a command is judged: %s', async (command) => {
    const outer = repositoryWithCommit();
    const { hasRun } = planted(join(outer, 'sub'));
    git(outer, 'add', 'sub');
    // `false` ends the line before anything of it runs outside of a sandbox.
    const { say } = await scriptedSession(outer, { main: [[['Bash', { command: `false && ${command}` }]], 'Done.'] });
    await say('Go');
    expect(hasRun()).toBe(false);
  });

  it('does not run for the checkpoint of the outer repository', async () => {
    const outer = repositoryWithCommit();
    const { hasRun } = planted(join(outer, 'sub'));
    git(outer, 'add', 'sub');
    const { say } = await scriptedSession(outer, {
      main: [[['Write', { file_path: 'a.txt', content: 'a' }]], 'Done.'],
    });
    await say('Go');
    expect(existsSync(join(outer, 'a.txt'))).toBe(true);
    expect(hasRun()).toBe(false);
  });

  it('does not run for a checkpoint of the repository itself, nor when files are brought back', async () => {
    const { root, hasRun } = planted();
    const { say, events } = await scriptedSession(root, {
      main: [
        [['Read', { file_path: 'file' }]],
        [['Write', { file_path: 'file', content: 'changed' }]],
        [['TimeMachine', { message_prefix: 'Go', course_correction: 'Back' }]],
        'Done.',
      ],
    });
    await say('Go');
    expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.is_error] : []))).toEqual([
      false,
      false,
      false,
    ]);
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('content\n');
    expect(hasRun()).toBe(false);
  });

  it('is the person’s own where it is configured for all repositories, and runs', async () => {
    const { root, hasRun } = planted();
    const program = git(root, 'config', 'filter.x.clean');
    for (const key of ['process', 'clean', 'smudge']) {
      git(root, 'config', '--unset-all', `filter.x.${key}`);
    }
    const env = {
      ...process.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'filter.x.clean',
      GIT_CONFIG_VALUE_0: program,
    };
    await (await openRepository({ cwd: root, env }))?.status();
    expect(hasRun()).toBe(true);
  });
});

describe('a work tree that only the repository’s own settings name', () => {
  it('opens nothing to the session, and is not snapshot', async () => {
    const home = temporaryDirectory();
    const project = repositoryWithCommit(join(home, 'project'));
    write(home, 'key', 'secret');
    git(project, 'config', 'core.worktree', '../..');
    const notices: string[] = [];
    const calls = [
      ['Read', { file_path: '../key' }],
      ['Write', { file_path: '../escaped', content: 'x' }],
      ['Write', { file_path: 'inside', content: 'x' }],
    ] as const;
    const notify = (text: string) => notices.push(text);
    const { say, events } = await scriptedSession(project, { main: [calls, 'Done.'] }, { notify });
    await say('Go');
    expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.is_error] : []))).toEqual([
      true,
      true,
      false,
    ]);
    expect(existsSync(join(home, 'escaped'))).toBe(false);
    expect(git(project, 'for-each-ref', 'refs/oxide-guard')).toBe('');
    expect(notices).toEqual([expect.stringContaining(`core.worktree of this repository names '${home}'`)]);
  });

  it('is the session’s where it says itself that it belongs to the repository', async () => {
    const root = repositoryWithCommit();
    const elsewhere = join(temporaryDirectory(), 'moved.git');
    renameSync(join(root, '.git'), elsewhere);
    write(root, '.git', `gitdir: ${elsewhere}\n`);
    git(root, 'config', 'core.worktree', root);
    mkdirSync(join(root, 'deep'));
    const { say, events } = await scriptedSession(join(root, 'deep'), {
      main: [[['Write', { file_path: '../inside', content: 'x' }]], 'Done.'],
    });
    await say('Go');
    expect(events.flatMap((event) => (event.type === 'tool_result' ? [event.is_error] : []))).toEqual([false]);
    expect(git(root, 'for-each-ref', 'refs/oxide-guard')).not.toBe('');
  });
});
