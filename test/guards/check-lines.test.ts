import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { checkLines } from '../../src/cli/check.ts';
import { gitProcessesStarted } from '../../src/git/runner.ts';
import { withoutLoss } from '../../src/guards/finding.ts';
import { busyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
});

async function answers(lines: readonly string[]) {
  const output = new PassThrough();
  const [code, printed] = await Promise.all([
    checkLines(Readable.from([`${lines.join('\n')}\n`]), output, repository.path).finally(() => output.end()),
    text(output),
  ]);
  return {
    code,
    answers: printed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { verdict: string; findings: readonly { rule: string }[] }),
  };
}

describe('check --stdin', () => {
  it('answers every line, in order', async () => {
    const commands = ['git status', 'git push -f origin main', 'git reset --hard', 'ls'];
    const result = await answers(commands.map((command) => JSON.stringify({ command })));
    expect(result.answers.map(({ verdict }) => verdict)).toEqual(['allow', 'deny', 'ask', 'allow']);
    expect(result.code).toBe(0);
  });

  it('a line that comes after the answers is judged in the repository as it is then', async () => {
    const { path, git } = busyRepository();
    git('stash', '--quiet', '--include-untracked');
    git('switch', '--quiet', '--detach');
    git('commit', '--quiet', '--allow-empty', '--message', 'feat: try');
    git('branch', 'tried');
    const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
    const ended = checkLines(input, output, path);
    const verdictOf = async (command: string) => {
      input.write(`${JSON.stringify({ command })}\n`);
      const [answer] = await once(output, 'data');
      return JSON.parse(String(answer)).verdict;
    };
    expect(await verdictOf('git branch -D tried')).toBe('allow');
    git('switch', '--quiet', 'main');
    expect(await verdictOf('git branch -D tried')).toBe('ask');
    git('branch', 'kept', 'tried');
    expect(await verdictOf('git branch -D tried')).toBe('allow');
    expect(await verdictOf('git clean -f')).toBe('allow');
    writeFileSync(join(path, 'unsaved.txt'), 'text');
    expect(await verdictOf('git clean -f')).toBe('ask');
    input.end();
    expect(await ended).toBe(0);
  });

  it('what nothing of the line depends on is not asked for', async () => {
    const { judge } = busyRepository();
    const started = async (line: string) => {
      const before = gitProcessesStarted();
      await judge(line);
      return gitProcessesStarted() - before;
    };
    // It reads the configuration. Whether git refuses the commit would decide what another command finds.
    expect(await started("git commit -m 'feat: more'")).toBe(1);
  });

  it('a line may name its directory', async () => {
    const result = await answers([JSON.stringify({ command: 'git push -f origin main', cwd: '/' })]);
    expect(result.answers[0]).toMatchObject({
      verdict: 'allow',
      commands: [{ argv: ['git', 'push', '-f', 'origin', 'main'], cwd: '/' }],
    });
  });

  it('a line that is no request is denied, and the next one judged', async () => {
    const result = await answers(['nonsense', '[]', '{"command":1}', '', JSON.stringify({ command: 'ls' })]);
    expect(result.answers.map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'deny', 'deny', 'allow']);
    expect(result.code).toBe(2);
  });

  it('a line may end as on Windows, or not at all, and hold any character', async () => {
    const line = JSON.stringify({ command: 'git push -f origin main # \u2028 \u0085 é' });
    expect(line).toContain('\u2028');
    const result = await answers([`${line}\r`, line.slice(0, -1), line]);
    expect(result.answers.map(({ findings }) => findings[0]?.rule)).toEqual([
      'protected-force-push',
      'guard-failure',
      'protected-force-push',
    ]);
    const output = new PassThrough();
    const lines = checkLines(Readable.from([Buffer.from(line)]), output, repository.path).finally(() => output.end());
    expect((await Promise.all([lines, text(output)]))[1]).toContain('protected-force-push');
  });

  it('lines that have nothing to do with git cost no git process', async () => {
    const before = gitProcessesStarted();
    await answers(
      ['ls -la', 'npm test', 'rm -rf dist', 'git status', 'git log -5'].map((command) => JSON.stringify({ command })),
    );
    expect(gitProcessesStarted()).toBe(before);
  });

  it('the same facts are read once', async () => {
    const before = gitProcessesStarted();
    await answers(Array.from({ length: 50 }, () => JSON.stringify({ command: 'git push -f origin main' })));
    expect(gitProcessesStarted() - before).toBeLessThan(20);
  });

  it('any number of revisions is asked of one process', async () => {
    const processes = async (count: number) => {
      const before = gitProcessesStarted();
      await answers(
        Array.from({ length: count }, (_, index) =>
          JSON.stringify({ command: `git push origin HEAD~${90 + index}:topic` }),
        ),
      );
      return gitProcessesStarted() - before;
    };
    expect(await processes(9)).toBeLessThanOrEqual((await processes(1)) + 1);
  });

  it('settings of single calls that decide nothing of what is read cost no git process', async () => {
    const pushes = [
      'git push -f origin topic',
      'git -c user.name=B push -f origin topic',
      'git -c push.default=current -c core.hooksPath=/nowhere push -f origin topic',
      'GIT_SSH_COMMAND="ssh -v" GIT_TRACE=1 git push -f origin topic',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/nowhere git push -f origin topic',
      `GIT_CONFIG_PARAMETERS="'push.default=current' 'user.name'='B'" git -c user.name=C push -f origin topic`,
      'git --git-dir=.git push -f origin topic',
      'GIT_WORK_TREE=. git push -f origin topic',
    ];
    const processes = async (commands: readonly string[]) => {
      const before = gitProcessesStarted();
      await answers(commands.map((command) => JSON.stringify({ command })));
      return gitProcessesStarted() - before;
    };
    // What is remembered meanwhile can only make it fewer.
    const one = await processes(pushes.slice(0, 1));
    expect(await processes(pushes)).toBeLessThanOrEqual(one);
  });

  it('a setting of one call holds for it alone', async () => {
    const commands = [
      'git reset --hard @{u}',
      'git -c branch.topic.remote=. reset --hard @{u}',
      'git push -f',
      'git -c remote.origin.push=+HEAD:main push',
      'git -c alias.hard="reset --hard" hard',
      'git hard',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.push GIT_CONFIG_VALUE_0=+HEAD:main git push',
      `GIT_CONFIG_PARAMETERS="'remote.origin.push'='+HEAD:main'" git push`,
      `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0="push -f origin main" GIT_CONFIG_PARAMETERS="'alias.p=status'" git p`,
      `GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=status GIT_CONFIG_PARAMETERS="'alias.p=push -f origin main'" git p`,
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=submodule.recurse GIT_CONFIG_VALUE_0=true git reset --hard',
      'GIT_CONFIG_COUNT=many GIT_CONFIG_KEY_0=alias.p GIT_CONFIG_VALUE_0=status git push -f origin main',
      'git -c clean.requireForce=false clean -d',
      'git clean -d',
    ];
    const result = await answers(commands.map((command) => JSON.stringify({ command })));
    const alone = await Promise.all(commands.map((command) => repository.judge(command)));
    expect(result.answers.map(({ findings }) => findings)).toEqual(
      alone.map(({ findings }) => findings.map(withoutLoss)),
    );
    expect(alone[1]?.findings).not.toEqual(alone[0]?.findings);
    expect(alone.map(({ verdict }) => verdict)).toEqual([
      ...['ask', 'ask', 'ask', 'deny', 'ask', 'allow'],
      ...['deny', 'deny', 'allow', 'deny', 'ask', 'deny', 'ask', 'allow'],
    ]);
  });
});
