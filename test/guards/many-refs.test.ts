import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { Git, gitProcessesStarted } from '../../src/git/runner.ts';
import { emptyRepository, type GuardedRepository } from './guarded-repository.ts';

const many = 400;
/** Processes: none that is started for each ref. */
const most = 20;

/** Each branch here has a commit of its own, on the one that its branch on the remote has; `gone-…` are there alone. */
function repositoryWithManyRefs(): GuardedRepository {
  const repository = emptyRepository();
  const { git, path } = repository;
  const person = 'Ada Author <ada@example.com> 1700000000 +0000';
  let mark = 0;
  const commitOn = (ref: string, subject: string, from: number) => {
    mark += 1;
    const head = [`commit ${ref}`, `mark :${mark}`, `committer ${person}`, `data ${subject.length}`, subject];
    return [...head, ...(from === 0 ? [] : [`from :${from}`]), ''];
  };
  const stream = commitOn('refs/heads/main', 'feat: begin', 0);
  for (let index = 0; index < many; index += 1) {
    stream.push(...commitOn(`refs/remotes/origin/b${index}`, `feat: theirs ${index}`, 1));
    stream.push(...commitOn(`refs/heads/b${index}`, `feat: ours ${index}`, 1));
    stream.push(...commitOn(`refs/remotes/origin/gone-${index}`, `feat: gone ${index}`, 1));
    stream.push(`reset refs/tags/v${index}`, `from :${mark}`, '');
  }
  execFileSync('git', ['fast-import', '--quiet'], { cwd: path, input: `${stream.join('\n')}\n` });
  git('reset', '--quiet', '--hard');
  git('remote', 'add', 'origin', 'https://example.com/x.git');
  return repository;
}

let repository: GuardedRepository;
beforeAll(() => {
  repository = repositoryWithManyRefs();
});

async function judged(command: string) {
  const before = gitProcessesStarted();
  const { verdict, findings } = await repository.judge(command);
  return { verdict, findings, started: gitProcessesStarted() - before };
}

const named = (prefix: string) => Array.from({ length: many }, (_, index) => `${prefix}${index}`).join(' ');

describe('hundreds of refs at once', () => {
  it('are deleted on the remote: one finding says what is lost, in a few processes', async () => {
    const { verdict, findings, started } = await judged(`git push origin --delete ${named('gone-')}`);
    expect(verdict).toBe('ask');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: 'remote-delete',
      evidence: { refs: { length: 20 }, commits: { length: 20 } },
    });
    expect(findings[0]?.message).toMatch(
      /^This push deletes 400 refs on origin, gone-0, gone-1, gone-2 and 397 more: 400 commits would be on no branch there, /,
    );
    expect(started).toBeLessThanOrEqual(most);
  });

  it('are overwritten there: so it says, and tags that move apart from branches', async () => {
    const { verdict, findings, started } = await judged("git push -f origin 'refs/heads/b*:refs/heads/b*'");
    expect(verdict).toBe('ask');
    expect(findings.map(({ rule }) => rule)).toEqual(['force-push']);
    expect(findings[0]?.message).toMatch(
      /^This push overwrites 400 branches on origin, b0, b1, b10 and 397 more: 400 commits there would be lost, /,
    );
    expect(started).toBeLessThanOrEqual(most);
    const tags = await judged('git push -f --tags origin');
    expect(tags.findings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^This push moves 400 refs on origin, tag v0, tag v1, tag v10 and 397 more, where they are there already: whoever/,
      ),
    ]);
    expect(tags.started).toBeLessThanOrEqual(most);
  });

  it('are mirrored away', async () => {
    const { verdict, findings, started } = await judged('git push --mirror origin');
    expect(verdict).toBe('deny');
    expect(findings[0]?.rule).toBe('mirror-push');
    expect(findings.flatMap(({ evidence }) => evidence.commits).length).toBeGreaterThan(0);
    expect(started).toBeLessThanOrEqual(most);
  });

  it.each([
    `git branch -D ${named('b')}`,
    'git branch --format="%(refname:short)" | grep ^b | xargs git branch -D',
    `git tag -d ${named('v')}`,
    'git for-each-ref --format="delete %(refname)" refs/heads/b* | git update-ref --stdin',
    'git for-each-ref --format="%(refname:short)" refs/heads | while read b; do git push -f origin "$b"; done',
    "git fetch origin '+refs/heads/*:refs/heads/*'",
    'git push --all origin',
    'git push --all --force-with-lease origin',
    'git push --prune origin "refs/heads/*:refs/heads/*"',
  ])('cost few processes: %s', async (command) => {
    expect((await judged(command)).started).toBeLessThanOrEqual(most);
  });
});

it('any of hundreds of branches may be checked out over hundreds of ignored files', async () => {
  const busy = repositoryWithManyRefs();
  busy.write('.git/info/exclude', '*.local\n');
  Array.from({ length: 300 }, (_, index) => busy.write(`settings/${index}.local`, 'mine\n'));
  const started = async () => {
    const before = gitProcessesStarted();
    return [(await busy.judge('git checkout "$BRANCH"')).verdict, gitProcessesStarted() - before <= most];
  };
  expect(await started()).toEqual(['allow', true]);
  const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: busy.path,
    input: 'theirs\n',
    encoding: 'utf8',
  });
  const entry = (mode: string, type: string, oid: string, name: string) => `${mode} ${type} ${oid.trim()}\t${name}\n`;
  const tree = (input: string) => execFileSync('git', ['mktree'], { cwd: busy.path, input, encoding: 'utf8' });
  const root = tree(entry('040000', 'tree', tree(entry('100644', 'blob', blob, '7.local')), 'settings'));
  busy.git(
    'tag',
    '--annotate',
    '-m',
    'theirs',
    'theirs',
    busy.git('commit-tree', '-m', 'feat: theirs', root.trim()).trim(),
  );
  expect(await started()).toEqual(['ask', true]);
});

it('few git processes run at once, and what waits for a time-out is not kept from it', async () => {
  const git = new Git({ cwd: repository.path, env: process.env });
  const before = gitProcessesStarted();
  const all = Promise.all(Array.from({ length: 60 }, () => git.run(['rev-parse', 'HEAD'])));
  expect(gitProcessesStarted() - before).toBeLessThanOrEqual(8);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(gitProcessesStarted() - before).toBeLessThan(60);
  expect(new Set((await all).map(({ exitCode }) => exitCode))).toEqual(new Set([0]));
  expect(gitProcessesStarted() - before).toBe(60);
});
