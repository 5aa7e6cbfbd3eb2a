import { beforeAll, describe, expect, it } from 'vitest';
import { busyRepository, commit, emptyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  const { git, write, path } = repository;
  write('.git/info/exclude', 'linked/\n');
  git('stash', 'push', '--quiet', '--include-untracked');
  git('worktree', 'add', '--quiet', '-b', 'other', 'linked');
  write('linked/a.txt', 'changed\n');
  git('config', 'remote.origin.url', `${path}-remote.git`);
});

async function judged(command: string): Promise<string> {
  const { verdict, findings } = await repository.judge(command);
  return verdict === 'allow' ? verdict : `${verdict} ${findings[0]?.rule}`;
}

describe('what one command does to uncommitted work counts for the next', () => {
  it.each([
    'git stash pop -q && git checkout .',
    'git stash pop; git reset --hard',
    'git -C linked stash -q && git stash drop',
    'git worktree remove --force linked',
    'git stash drop 0',
    "git branch kept 'stash@{0}' && git -C linked stash -q && git stash clear",
  ])('%s', async (command) => {
    expect(await judged(command)).toBe('ask discard-changes');
  });

  it.each([
    'git stash pop -q && git commit -am "feat: x"',
    'git stash drop stash@{7}',
    'git reset --hard',
    "git branch kept 'stash@{0}' && git stash clear",
  ])('%s', async (command) => {
    expect(await judged(command)).toBe('allow');
  });

  it('also where the first commit is not made yet', async () => {
    const fresh = emptyRepository();
    fresh.write('a.txt', 'new\n');
    expect((await fresh.judge('git add -A && git rm -rf .')).verdict).toBe('ask');
    expect((await fresh.judge('git add -A && git checkout .')).verdict).toBe('allow');
  });
});

describe('a push is judged by where it goes, whatever it brings', () => {
  it.each([
    'git push -f origin $(git commit-tree -m "chore: x" HEAD^{tree}):main',
    'git commit-tree -m "chore: x" "HEAD^{tree}" | xargs -I% git push -f origin %:refs/heads/main',
  ])('%s', async (command) => {
    expect(await judged(command)).toBe('deny protected-force-push');
  });

  it('and by the last of several settings', async () => {
    const settings = 'git config push.default upstream && git config branch.topic.merge refs/heads/main';
    expect(await judged(`${settings} && git push`)).toBe('ask protected-push');
  });
});

describe('a transport that is a command', () => {
  const fetch = "fetch 'ext::sh -c git% push% -f% origin% main'";

  it('counts where git allows it, which it does not by itself', async () => {
    expect(await judged(`git -c protocol.ext.allow=always ${fetch}`)).toBe('deny protected-force-push');
    expect(await judged(`GIT_ALLOW_PROTOCOL=ext:file git ${fetch}`)).toBe('deny protected-force-push');
    expect(await judged(`git ${fetch}`)).toBe('allow');
  });
});

describe('published commits may be made anew', () => {
  it('on a branch of one’s own, not on the protected one', async () => {
    const published = busyRepository();
    commit(published, 'a.txt', 'feat: more');
    published.git('switch', '--quiet', 'main');
    const verdict = async (command: string) => (await published.judge(command)).verdict;
    expect(await verdict('git commit --amend --no-edit')).toBe('ask');
    expect(await verdict('git switch -q -c fix && git commit --amend --no-edit')).toBe('allow');
    expect(await verdict('git pull --rebase origin topic')).toBe('allow');
    published.write('d.txt', 'x\n');
    published.git('add', 'd.txt');
    published.git('commit', '--quiet', '-m', 'feat: d');
    published.git('push', '--quiet', 'origin', 'main');
    expect(await verdict('git rebase HEAD~1')).toBe('allow');
    expect(await verdict('git rebase --no-ff HEAD~1')).toBe('ask');
    expect(await verdict('git rebase --signoff HEAD~1')).toBe('ask');
  });
});

it('leaving a detached HEAD for a moment needs a switch that succeeds', async () => {
  const { git, write, judge } = busyRepository();
  git('clean', '--force', '--quiet');
  git('checkout', '--quiet', '--force', 'topic');
  write('a.txt', 'of the topic\n');
  git('commit', '--quiet', '--all', '--message', 'feat: another a');
  git('checkout', '--quiet', '--detach');
  write('b.txt', 'made on no branch\n');
  git('commit', '--quiet', '--all', '--message', 'feat: another b');
  const rules = async (command: string) => (await judge(command)).findings.map(({ rule }) => rule);
  expect(await rules('git checkout main; git checkout -')).toEqual([]);
  write('a.txt', 'in the way of main\n');
  expect(await rules('git checkout main && git checkout -')).toEqual([]);
  expect(await rules('git checkout main; git checkout -')).toEqual(['lose-commits']);
});

describe('a script that can’t be read to its end', () => {
  it('is asked about where it mentions git, though the line does not', async () => {
    const scripts = emptyRepository();
    for (let number = 0; number < 20; number += 1) {
      scripts.write(`${number}.sh`, `sh ${number + 1}.sh\n${number === 3 ? 'git push --force' : 'date'}\n`);
    }
    const { verdict, findings } = await scripts.judge('sh 0.sh');
    expect([verdict, findings[0]?.rule]).toEqual(['ask', 'unreadable-command']);
    scripts.write('3.sh', 'sh 4.sh\ndate\n');
    expect((await scripts.judge('sh 0.sh')).verdict).toBe('allow');
  });

  it('is asked about in another language, too, unless git only looks in it', async () => {
    const programs = emptyRepository();
    const first = `import os\nos.system("${'x; '.repeat(3000)}")\n`;
    programs.write('pushes.py', `${first}os.system("git push --force")\n`);
    programs.write('looks.py', `${first}os.system("git log -1")\n`);
    const { verdict, findings } = await programs.judge('python3 pushes.py');
    expect([verdict, findings[0]?.rule]).toEqual(['ask', 'unreadable-command']);
    expect((await programs.judge('python3 looks.py')).verdict).toBe('allow');
  });
});
