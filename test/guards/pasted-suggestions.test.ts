import { execSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commit, emptyRepository, type GuardedRepository, guardedAt } from './guarded-repository.ts';

/** Main is published, and nothing else is there. */
function publishedRepository(): GuardedRepository {
  const repository = emptyRepository();
  const { git, path } = repository;
  git('init', '--quiet', '--bare', `${path}-origin.git`);
  git('remote', 'add', 'origin', `${path}-origin.git`);
  commit(repository, 'f', 'feat: one');
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return repository;
}

/** What is proposed instead of a line, after it was pasted. */
async function pasted({ judge, path }: GuardedRepository, line: string): Promise<string> {
  const { findings } = await judge(line);
  const suggestion = findings.find(({ verdict }) => verdict !== 'allow')?.suggestion ?? '';
  const { status, stderr } = spawnSync('bash', ['-ec', suggestion], {
    cwd: path,
    encoding: 'utf8',
    env: { ...process.env, GIT_EDITOR: 'false' },
  });
  expect(status, `${suggestion}\n${stderr}`).toBe(0);
  return suggestion;
}

describe('instead of a forced push', () => {
  it.each(['main:staging', '+main:staging', 'main:refs/heads/staging'])(
    'of %s, no other branch is moved',
    async (refspec) => {
      const published = publishedRepository();
      const { git } = published;
      git('switch', '--quiet', '--create', 'staging');
      commit(published, 'f', 'feat: try');
      git('push', '--quiet', 'origin', 'staging');
      const before = git('show-ref');
      expect(await pasted(published, `git push --force origin ${refspec}`)).toBe(
        'git log --oneline main..origin/staging',
      );
      git('switch', '--quiet', 'main');
      expect(await pasted(published, 'git push --force origin HEAD:staging')).toBe(
        'git log --oneline HEAD..origin/staging',
      );
      const { findings } = await published.judge('git push origin main:staging');
      expect(findings).toMatchObject([
        {
          message: 'main is 1 commit behind origin/staging.',
          suggestion: 'git log --oneline main..origin/staging',
        },
      ]);
      expect(git('show-ref')).toBe(before);
    },
  );

  it('of a branch to one that is another here, neither', async () => {
    const published = publishedRepository();
    const { git } = published;
    git('branch', 'feature');
    git('switch', '--quiet', '--create', 'staging');
    commit(published, 'f', 'feat: try');
    git('push', '--quiet', 'origin', 'staging');
    git('switch', '--quiet', 'main');
    const line = 'git push --force origin feature:staging';
    expect(await pasted(published, line)).toBe('git log --oneline feature..origin/staging');
    git('branch', '--quiet', '--delete', '--force', 'staging');
    expect(await pasted(published, line)).toBe('git fetch origin staging:feature');
  });

  it.each([
    ['origin/x:refs/heads/copy', 'refs/remotes/origin/x:refs/heads/copy'],
    ['HEAD~1:refs/heads/copy', "'HEAD~1:refs/heads/copy'"],
    ['x:refs/heads/copy', 'x:copy'],
    ['light:refs/heads/copy', "'refs/tags/light^{}:refs/heads/copy'"],
    ['v1:refs/heads/copy', "'refs/tags/v1^{}:refs/heads/copy'"],
  ])('of %s, a branch is made', async (refspec, proposed) => {
    const published = publishedRepository();
    const { git } = published;
    git('switch', '--quiet', '--create', 'x');
    commit(published, 'f', 'feat: two');
    git('push', '--quiet', 'origin', 'x');
    git('tag', 'light');
    git('tag', '--annotate', '--message', 'one', 'v1');
    expect(await pasted(published, `git push --force origin ${refspec}`)).toBe(
      `git push --force-with-lease origin ${proposed}`,
    );
    expect(git('ls-remote', '--refs', 'origin', 'copy')).toMatch(/\trefs\/heads\/copy\n$/);
  });
});

describe('a branch that is not checked out is brought up to date', () => {
  /** Feat has a commit only here, and dev, to which it is pushed, one only there. */
  function divergedRepository(): GuardedRepository {
    const published = publishedRepository();
    const { git } = published;
    git('switch', '--quiet', '--create', 'dev');
    commit(published, 'd', 'feat: d');
    git('push', '--quiet', 'origin', 'dev');
    git('switch', '--quiet', '--create', 'feat', 'main');
    commit(published, 'e', 'feat: e');
    git('branch', '--quiet', '--delete', '--force', 'dev');
    git('switch', '--quiet', '--detach', 'main');
    return published;
  }
  const push = 'git push -f origin feat:dev';
  const proposed = 'git pull --rebase origin dev && git push --force-with-lease origin feat:dev';

  it('without leaving what only a detached HEAD has', async () => {
    const diverged = divergedRepository();
    expect((await diverged.judge(push)).findings[0]?.suggestion).toBe(`git switch feat && ${proposed}`);
    commit(diverged, 'x', 'feat: x');
    expect(await pasted(diverged, push)).toBe(`git branch kept-work && git switch feat && ${proposed}`);
    expect(diverged.git('log', '-1', '--format=%s', 'kept-work')).toBe('feat: x\n');
    expect(diverged.git('log', '--format=%s', 'origin/dev')).toBe('feat: e\nfeat: d\nfeat: one\n');
  });

  it('in the work tree that has it, whatever is changed there', async () => {
    const diverged = divergedRepository();
    const { git, path } = diverged;
    git('worktree', 'add', '--quiet', `${path}-feat`, 'feat');
    execSync(`echo changed > ${path}-feat/e`);
    diverged.write('below/g', 'g\n');
    expect((await diverged.judge('cd below && git push origin feat:dev')).findings).toMatchObject([
      { rule: 'diverged', suggestion: `git -C ${path}-feat pull --rebase --autostash origin dev` },
      { rule: 'uncommitted-changes' },
    ]);
    const command = proposed.replace('git pull --rebase', `git -C ${path}-feat pull --rebase --autostash`);
    expect(await pasted(diverged, push)).toBe(command);
    expect(git('log', '--format=%s', 'origin/dev')).toBe('feat: e\nfeat: d\nfeat: one\n');
    expect(execSync('git status --short', { cwd: `${path}-feat`, encoding: 'utf8' })).toBe(' M e\n');
  });

  it('there as well where it has no commits of its own', async () => {
    const diverged = divergedRepository();
    const { git, path } = diverged;
    git('worktree', 'add', '--quiet', `${path}-feat`, 'feat');
    git('-C', `${path}-feat`, 'reset', '--quiet', '--hard', 'main');
    expect(await pasted(diverged, push)).toBe(`git -C ${path}-feat pull --ff-only origin dev`);
    expect(git('rev-parse', 'feat')).toBe(git('rev-parse', 'origin/dev'));
  });
});

describe('instead of a forced push into the same repository', () => {
  it('what is there is told, because no tracking ref does', async () => {
    const published = publishedRepository();
    const { git } = published;
    git('switch', '--quiet', '--create', 'dev');
    commit(published, 'd', 'feat: d');
    expect(await pasted(published, 'git push . +dev:main')).toMatch(
      /^git push --force-with-lease=main:\w{12} \. dev:main$/,
    );
    expect(git('rev-parse', 'main')).toBe(git('rev-parse', 'dev'));
  });

  it.each([
    ['git push . HEAD~1:dev -f', "git log --oneline 'HEAD~1..dev'"],
    ['git push -f . main:dev', 'git log --oneline main..dev'],
    ['git push . +next:dev', 'git log --oneline dev..next'],
    ['git push -f . dev:there', 'git log --oneline dev..there'],
  ])('of a branch that is checked out, which git refuses, it is looked at: %s', async (line, proposed) => {
    const published = publishedRepository();
    const { git, path } = published;
    git('switch', '--quiet', '--create', 'there');
    commit(published, 't', 'feat: t');
    git('switch', '--quiet', '--create', 'dev', 'main');
    git('worktree', 'add', '--quiet', `${path}-there`, 'there');
    commit(published, 'd', 'feat: d');
    git('branch', 'next');
    commit(published, 'e', 'feat: e');
    git('branch', '--force', 'next');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    expect(await pasted(published, line)).toBe(proposed);
  });

  it('what the other branch has is taken in before', async () => {
    const published = publishedRepository();
    const { git } = published;
    git('switch', '--quiet', '--create', 'dev');
    commit(published, 'd', 'feat: d');
    git('switch', '--quiet', 'main');
    commit(published, 'm', 'feat: m');
    git('switch', '--quiet', 'dev');
    expect(await pasted(published, 'git push . +dev:main')).toMatch(
      /^git pull --rebase \. main && git push --force-with-lease=main:\w{12} \. dev:main$/,
    );
    expect(git('log', '--format=%s', 'main')).toBe('feat: d\nfeat: m\nfeat: one\n');
  });
});

describe('a push of a protected branch that git can’t make yet', () => {
  it.each(['git push --set-upstream origin main', 'git push', 'git push origin HEAD'])(
    'before the first commit, %s',
    async (line) => {
      const repository = emptyRepository();
      const { git, path, write, judge } = repository;
      git('init', '--quiet', '--bare', `${path}-origin.git`);
      git('remote', 'add', 'origin', `${path}-origin.git`);
      git('config', 'push.autoSetupRemote', 'true');
      write('f', 'one\n');
      const { findings } = await judge(line);
      expect(findings.map(({ suggestion }) => suggestion)).toEqual([
        'git push origin HEAD:refs/heads/my-change   # behind the first commit',
        'git add --all && git commit',
      ]);
      commit(repository, 'f', 'feat: one');
      execSync(findings[0]?.suggestion ?? '', { cwd: path, stdio: 'pipe' });
      expect(git('ls-remote', '--heads', 'origin')).toMatch(/^\w+\trefs\/heads\/my-change\n$/);
      expect(git('symbolic-ref', '--short', 'HEAD')).toBe('main\n');
    },
  );

  it('without a remote', async () => {
    const repository = emptyRepository();
    commit(repository, 'f', 'feat: one');
    expect(await pasted(repository, 'git push origin main')).toBe('git remote --verbose');
  });
});

it('a tag that is pushed to a protected branch goes to a branch of its own, annotated or not', async () => {
  const published = publishedRepository();
  published.git('tag', '--annotate', '--message', 'one', 'v1');
  expect(await pasted(published, 'git push origin v1:main')).toBe(
    "git push origin 'refs/tags/v1^{}:refs/heads/my-change'",
  );
  expect(published.git('rev-parse', 'origin/my-change')).toBe(published.git('rev-parse', 'main'));
});

it('what is no branch is not brought together with what the remote has', async () => {
  const published = publishedRepository();
  const { git } = published;
  git('switch', '--quiet', '--create', 'x');
  commit(published, 'f', 'feat: two');
  git('push', '--quiet', 'origin', 'x');
  git('switch', '--quiet', '--create', 'y', 'main');
  const { findings } = await published.judge('git push origin HEAD~0:x');
  expect(findings.map(({ suggestion }) => suggestion)).toEqual(["git log --oneline 'HEAD~0..origin/x'"]);
});

it('a branch of this very repository is looked at by its name', async () => {
  const repository = publishedRepository();
  repository.git('switch', '--quiet', '--create', 'x');
  commit(repository, 'f', 'feat: two');
  repository.git('switch', '--quiet', '--create', 'y', 'main');
  const { findings } = await repository.judge('git push . main:x -f');
  expect(findings.map(({ suggestion }) => suggestion)).toEqual(['git log --oneline main..x']);
});

describe('before several refs go, each that loses commits gets another name', () => {
  /** `a` is merged; b, c, x/y and x-y have commits of their own, c more than a finding lists. */
  function branchedRepository(): GuardedRepository {
    const published = publishedRepository();
    const { git } = published;
    git('branch', 'a');
    for (const name of ['b', 'x/y', 'x-y']) {
      git('switch', '--quiet', '--create', name, 'main');
      commit(published, 'f', `feat: ${name}`);
    }
    git('switch', '--quiet', '--create', 'c', 'main');
    for (let number = 0; number < 25; number += 1) {
      git('commit', '--quiet', '--allow-empty', '--message', `feat: c ${number}`);
    }
    git('switch', '--quiet', 'main');
    return published;
  }

  it.each([
    ['git branch -D a b', /^git tag kept-b \w+$/],
    ['git branch -D c a b', /^git tag kept-c \w+ && git tag kept-b \w+$/],
    ['git branch -D x/y x-y', /^git tag kept-x-y \w+ && git tag kept-x-y-2 \w+$/],
    ['git branch | grep -v main | xargs git branch -D', /^(?:git tag kept-[bcxy2-]+ \w+(?: && |$)){4}$/],
    ["printf 'delete refs/heads/a\\ndelete refs/heads/b\\n' | git update-ref --stdin", /^git tag kept-b \w+$/],
  ])('%s', async (line, proposed) => {
    const branched = branchedRepository();
    expect(await pasted(branched, line)).toMatch(proposed);
    expect((await branched.judge(line)).findings).toEqual([]);
  });

  it('and of many, a copy is made', async () => {
    const branched = branchedRepository();
    for (let number = 0; number < 8; number += 1) {
      branched.git('branch', `b${number}`, 'b');
    }
    const line = 'git branch | grep -v main | xargs git branch -D';
    branched.write('below/new', 'new\n');
    const suggestion = async (below: string) =>
      (await branched.judge(line, branched.path + below)).findings[0]?.suggestion;
    expect(await suggestion('')).toBe('git clone --mirror . ../backup.git');
    expect(await suggestion('/below')).toBe('git -C .. clone --mirror . ../backup.git');
  });

  it('annotated or not', async () => {
    const branched = branchedRepository();
    const { git } = branched;
    git('tag', 'light', 'b');
    git('tag', '--annotate', '--message', 'c', 'v1', 'c');
    git('tag', 'merged', 'main');
    git('branch', '--quiet', '--delete', '--force', 'b', 'c');
    const line = 'git tag -d merged light v1';
    expect(await pasted(branched, line)).toMatch(/^git branch kept-light \w+ && git branch kept-v1 \w+$/);
    expect((await branched.judge(line)).findings).toEqual([]);
  });
});

it('of a mirror is told what it would do, and nothing else is pushed with a lease', async () => {
  const published = publishedRepository();
  const { git } = published;
  commit(published, 'f', 'feat: not to be pushed yet');
  git('switch', '--quiet', '--create', 'own');
  const before = git('ls-remote', 'origin', 'main');
  const { findings } = await published.judge('git push --mirror origin');
  expect(findings.map(({ suggestion }) => suggestion)).toEqual([
    'git push -u origin own',
    'git push --dry-run --mirror origin',
  ]);
  for (const { suggestion } of findings) {
    expect(spawnSync('bash', ['-ec', suggestion ?? 'false'], { cwd: published.path }).status).toBe(0);
  }
  expect(git('ls-remote', 'origin', 'main')).toBe(before);
});

describe('a stash names only what the index has', () => {
  it.each([
    ['git mv f g', 'git restore -SW f g', 'git stash push -- g'],
    ['git rm -q f; echo 2 > h; git add h', 'git restore -SW f h', 'git stash push -- h'],
    ['echo 2 > f', 'git mv f g && git rm -f g', 'git stash push -- f'],
    ['echo 2 > f; git branch x; git add f', 'git checkout x -- nosuch f', 'git stash push -- f'],
    ['git rm -q --cached f; echo 2 > f', 'git checkout HEAD -- f', 'git add --force f && git stash push -- f'],
    [
      'echo "*.log" > .gitignore; echo 1 > a.log; git add -f .; git commit -qm x; git rm -q --cached a.log; echo 2 > a.log',
      'git checkout HEAD -- f a.log',
      'git add --force a.log && git stash push -- a.log',
    ],
    ['echo 2 > f', 'git rm -q --cached f && git checkout HEAD -- f', 'git stash push -- f'],
  ])('%s; %s', async (before, line, proposed) => {
    const published = publishedRepository();
    execSync(before, { cwd: published.path });
    expect(await pasted(published, line)).toBe(proposed);
    expect((await published.judge(line)).findings).toEqual([]);
  });
});

describe('a stash of files that are named in another way than here', () => {
  it.each([
    'GIT_ICASE_PATHSPECS=1 git checkout -- F',
    'git --icase-pathspecs checkout -- F',
    "git --literal-pathspecs checkout -- 'f'",
  ])('%s', async (line) => {
    const published = publishedRepository();
    published.write('f', 'changed\n');
    expect(await pasted(published, line)).toBe('git stash push -- f');
  });

  it.each([
    ['git --work-tree=topic reset --hard', 'git -C topic stash'],
    ['git --git-dir=worktrees/topic --work-tree=topic reset --hard', 'git -C topic stash'],
    ['git --git-dir=worktrees/topic --work-tree=topic checkout -- f', 'git -C topic stash push -- f'],
    ['git -C topic reset --hard', 'git -C topic stash'],
  ])('in the work tree of a bare repository: %s', async (line, proposed) => {
    const published = publishedRepository();
    const hub = `${published.path}-hub.git`;
    published.git('clone', '--quiet', '--bare', '.', hub);
    const bare = guardedAt(hub);
    bare.git('worktree', 'add', '--quiet', '-b', 'topic', 'topic');
    bare.write('topic/f', 'changed\n');
    expect(await pasted(bare, line)).toBe(proposed);
    expect(bare.git('-C', 'topic', 'stash', 'list')).toMatch(/^stash@\{0\}: WIP on topic/);
    expect(bare.git('-C', 'topic', 'status', '--short')).toBe('');
  });

  it('whose git directory lies apart from them', async () => {
    const published = publishedRepository();
    const { git, path, write } = published;
    git('clone', '--quiet', '--bare', '.', '../dot.git');
    write('files/f', 'changed\n');
    const call = 'git --git-dir=../dot.git --work-tree=files';
    execSync(`${call} read-tree HEAD`, { cwd: path });
    expect(await pasted(published, `${call} checkout -f`)).toBe(`${call} stash`);
    execSync('rm -rf ../dot.git', { cwd: path });
  });
});

describe('nothing is stashed while a file is in conflict', () => {
  /** A merge has stopped at f; g is changed beside it. */
  function conflictingRepository(): GuardedRepository {
    const published = publishedRepository();
    const { git, write } = published;
    commit(published, 'g', 'feat: g');
    git('switch', '--quiet', '--create', 'side');
    commit(published, 'f', 'feat: side');
    git('switch', '--quiet', 'main');
    commit(published, 'f', 'feat: main');
    spawnSync('git', ['merge', 'side'], { cwd: published.path });
    write('g', 'changed\n');
    return published;
  }

  it.each([
    ['git reset -q; git checkout .', 'cp g g.kept'],
    ['git checkout --ours f && git add f && git checkout g', 'cp g g.kept'],
    ['rm -f .git/index && git reset --hard', 'cp g g.kept'],
    ['git add -A && git stash && git stash drop', 'git stash list'],
  ])('also where the line ends that: %s', async (line, proposed) => {
    expect(await pasted(conflictingRepository(), line)).toBe(proposed);
  });
});

describe('a file of which the index has only the name is added before a stash, which git refuses otherwise', () => {
  it.each([
    ['git checkout -- f', 'git stash push -- f'],
    ['git restore f', 'git stash push -- f'],
    ['git rm -f f', 'git stash push -- f'],
    ['git mv -f g f', 'git stash'],
    ['git reset --hard', 'git stash'],
    ['git clean -f', 'git stash push --include-untracked -- u'],
    ['git clean -fx', 'git stash push --all -- u'],
    ['git checkout -f other', 'git stash push --include-untracked -- u'],
  ])('%s', async (line, proposed) => {
    const published = publishedRepository();
    const { git, write, path } = published;
    commit(published, 'g', 'feat: two');
    git('switch', '--quiet', '--create', 'other');
    commit(published, 'u', 'feat: u');
    git('switch', '--quiet', 'main');
    write('f', 'changed\n');
    write('u', 'untracked\n');
    write('n', 'named\n');
    git('add', '--intent-to-add', 'n');
    const { findings } = await published.judge(line);
    expect(findings.map(({ suggestion }) => suggestion)).toContain(`git add --force n && ${proposed}`);
    execSync(`git add --force n && ${proposed}`, { cwd: path });
    expect(git('stash', 'list')).not.toBe('');
  });

  it('where the line has not done that itself', async () => {
    const published = publishedRepository();
    published.write('f', 'changed\n');
    published.write('n', 'named\n');
    expect(await pasted(published, 'git add -N n && git checkout f')).toBe('git stash push -- f');
  });
});

describe('while a file is in conflict, each that would be lost is copied', () => {
  /** A merge has stopped at a conflict in c, which was resolved by hand; f has changes, l is a link that has changed. */
  function conflictedRepository(): GuardedRepository {
    const published = publishedRepository();
    const { git, write, path } = published;
    commit(published, 'c', 'feat: c');
    symlinkSync('c', join(path, 'l'));
    for (let number = 0; number < 8; number += 1) {
      write(`many/${number}`, '1\n');
    }
    git('add', '.');
    git('commit', '--quiet', '--message', 'feat: many');
    git('switch', '--quiet', '--create', 'other');
    commit(published, 'c', 'feat: theirs');
    git('switch', '--quiet', 'main');
    commit(published, 'c', 'feat: ours');
    expect(() => git('merge', '--quiet', 'other')).toThrow();
    write('c', 'by hand\n');
    write('f', 'changed\n');
    rmSync(join(path, 'l'));
    symlinkSync('nowhere', join(path, 'l'));
    return published;
  }

  it.each([
    ['git checkout --ours .', 'cp f f.kept && cp -R l l.kept && cp c c.kept'],
    ['git restore --staged --worktree .', 'cp f f.kept && cp -R l l.kept && cp c c.kept'],
    ['git checkout -q --theirs c f', 'cp f f.kept && cp c c.kept'],
    ['cd many && git checkout --merge ../f ../c', 'cd many && cp ../f ../f.kept && cp ../c ../c.kept'],
  ])('%s', async (line, proposed) => {
    const conflicted = conflictedRepository();
    const { path } = conflicted;
    expect(await pasted(conflicted, line)).toBe(proposed);
    execSync(line, { cwd: path, stdio: 'pipe' });
    const text = (file: string) => readFileSync(join(path, file), 'utf8');
    expect([text('c.kept'), text('f.kept')]).toEqual(['by hand\n', 'changed\n']);
  });

  it('beside an earlier copy', async () => {
    const conflicted = conflictedRepository();
    conflicted.write('f.kept', 'kept\n');
    expect(await pasted(conflicted, 'git checkout --ours f')).toBe('cp f f.kept-2');
  });

  it('of many, the whole work tree', async () => {
    const conflicted = conflictedRepository();
    const { path } = conflicted;
    for (let number = 0; number < 8; number += 1) {
      conflicted.write(`many/${number}`, '2\n');
    }
    expect(await pasted(conflicted, 'git checkout --ours .')).toBe(`cp -R . ../${basename(path)}.kept`);
    expect(readFileSync(`${path}.kept/many/7`, 'utf8')).toBe('2\n');
  });

  it('of a file that is staged and gone, what is staged', async () => {
    const conflicted = conflictedRepository();
    const { path, git } = conflicted;
    git('add', 'f');
    rmSync(join(path, 'f'));
    expect(await pasted(conflicted, 'git checkout HEAD -- f')).toBe('git show :f > f.kept');
    expect(readFileSync(join(path, 'f.kept'), 'utf8')).toBe('changed\n');
  });
});

describe('what git does not look at is kept as well', () => {
  it.each([
    ['git mv -f g f', 'git update-index --no-assume-unchanged -- h && git stash'],
    ['git reset --hard', 'git update-index --no-assume-unchanged -- h && git stash'],
    ['git checkout -- f', 'git stash push -- f'],
    ['git checkout -- [fhs]', 'git update-index --no-assume-unchanged -- h && git stash push -- f h'],
    ['git checkout -- f g h s', 'git update-index --no-assume-unchanged -- h && git stash push -- f h'],
  ])('%s', async (line, proposed) => {
    const published = publishedRepository();
    const { git, write, path } = published;
    for (const file of ['g', 'h', 's']) {
      commit(published, file, `feat: ${file}`);
    }
    git('update-index', '--assume-unchanged', 'h');
    git('update-index', '--skip-worktree', 's');
    for (const file of ['f', 'h', 's']) {
      write(file, 'changed\n');
    }
    expect(await pasted(published, line)).toBe(proposed);
    const kept = git('stash', 'show', '--name-only').trim().split('\n');
    const left = ['f', 'h', 's'].filter((file) => readFileSync(join(path, file), 'utf8') === 'changed\n');
    expect([...kept, ...left].sort()).toEqual(['f', 'h', 's']);
  });
});

describe('instead of a stash that would take the hooks along', () => {
  it.each([
    ['git stash -a', '*', 'git stash push --include-untracked'],
    [
      'git stash -a',
      'pre-push',
      "git stash push --include-untracked -- :/ ':(exclude,top).husky/_/.gitignore' ':(exclude,top).husky/_/pre-commit'",
    ],
    [
      'git stash -u',
      'pre-push',
      "git stash push --include-untracked -- :/ ':(exclude,top).husky/_/.gitignore' ':(exclude,top).husky/_/pre-commit'",
    ],
  ])('%s, where %s is ignored', async (line, ignored, proposed) => {
    const published = publishedRepository();
    const { git, write, path } = published;
    write('.husky/_/.gitignore', `${ignored}\n`);
    write('.husky/_/pre-commit', '#!/bin/sh\n');
    write('.husky/_/pre-push', '#!/bin/sh\n');
    git('config', 'core.hooksPath', '.husky/_');
    write('f', 'staged\n');
    git('add', 'f');
    write('u', 'untracked\n');
    expect(await pasted(published, line)).toBe(proposed);
    expect(git('stash', 'show', '--include-untracked', '--name-only')).toBe('f\nu\n');
    expect(readdirSync(join(path, '.husky/_')).sort()).toEqual(['.gitignore', 'pre-commit', 'pre-push']);
    expect(existsSync(join(path, 'u'))).toBe(false);
  });
});

describe('what only the line has changed', () => {
  it.each([
    ['echo x >> f', 'git checkout f', 'git stash push -- f   # before git checkout'],
    ['sed -i s/f/x/ f; git add f', 'git reset --hard', 'git stash   # before git reset --hard'],
    ['git stash pop -q', 'git checkout -f', 'git stash   # before git checkout --force'],
    ['git reset -q --soft HEAD~1', 'git restore -SW .', 'git stash push -- .   # before git restore'],
  ])('is said of %s; %s, and kept behind that', async (before, command, proposed) => {
    const published = publishedRepository();
    commit(published, 'f', 'feat: two');
    published.write('f', 'stashed\n');
    published.git('stash', '--quiet');
    published.git('checkout', '--quiet', '--detach');
    const { findings } = await published.judge(`${before}; ${command}`);
    const { message, suggestion } = findings.find(({ rule }) => rule === 'discard-changes') ?? {};
    expect(message).toMatch(/ would discard uncommitted changes that only this command line puts into 1 file: f\.$/);
    expect(suggestion).toBe(proposed);
    const output = execSync(`${before}; ${suggestion}\n${command}`, { cwd: published.path, encoding: 'utf8' });
    expect(output).toContain('Saved working directory');
  });

  it('is told apart from what was changed before', async () => {
    const published = publishedRepository();
    commit(published, 'g', 'feat: two');
    published.write('g', 'changed\n');
    const { findings } = await published.judge('echo x >> f && git checkout f g');
    expect(findings).toMatchObject([
      {
        message:
          'git checkout would discard uncommitted changes in 2 files: g, f; only this command line puts those into f.',
        suggestion: 'git stash push -- f g',
      },
    ]);
    const { findings: again } = await published.judge('echo x >> g && git checkout g');
    expect(again[0]?.message).toBe('git checkout would discard uncommitted changes in 1 file: g.');
  });
});

describe('what is proposed on a line that does more says for which command it stands', () => {
  it.each([
    [
      'echo 2 > f && git add f',
      "git commit -q -m 'Fixed it.'",
      "git commit -q -m 'fix: it'   # in place of git commit",
    ],
    [
      'git switch -qc x && git commit -q --allow-empty -m "feat: x" && git switch -q main && git merge -q x',
      'git push -q',
      'git switch -c my-change && git push -u origin my-change   # in place of git push',
    ],
    [
      'git switch -qc y && git commit -q --allow-empty -m "feat: y"',
      'git push -qf origin y',
      'git push --force-with-lease origin y   # in place of git push',
    ],
  ])('%s && %s', async (before, command, proposed) => {
    const published = publishedRepository();
    const { findings } = await published.judge(`${before} && ${command}`);
    expect(findings[0]?.suggestion).toBe(proposed);
    expect((await published.judge(command)).findings[0]?.suggestion ?? '').not.toContain('in place');
    execSync(`${before} && ${proposed}\n`, { cwd: published.path, stdio: 'pipe' });
    expect(published.git('status', '--short')).toBe('');
  });

  it('beside what else is to be said of it', async () => {
    const published = publishedRepository();
    const { findings } = await published.judge('git add -A && git commit -m zzz && git push origin HEAD:x');
    expect(findings[0]?.suggestion).toBe(
      "git commit -m 'TYPE: zzz'   # with feat, fix, docs, … for TYPE; in place of git commit",
    );
    expect((await published.judge('git status; git commit -m zzz')).findings[0]?.suggestion).toBe(
      "git commit -m 'TYPE: zzz'   # with feat, fix, docs, … for TYPE",
    );
  });
});

describe('a commit that ends a merge gets the message that git has prepared', () => {
  function merging(): GuardedRepository {
    const published = publishedRepository();
    const { git, write } = published;
    git('switch', '--quiet', '--create', 'other');
    commit(published, 'f', 'feat: theirs');
    git('switch', '--quiet', 'main');
    commit(published, 'f', 'feat: ours');
    expect(() => git('merge', '--quiet', 'other')).toThrow();
    write('f', 'by hand\n');
    return published;
  }

  it('where that keeps to the convention', async () => {
    const repository = merging();
    const { git, judge, path } = repository;
    const line = "git add f && git commit -q -m 'Resolved conflict in f'";
    expect((await judge(line)).findings[0]?.suggestion).toBe('git commit --no-edit -q   # in place of git commit');
    git('add', 'f');
    expect(await pasted(repository, "git commit -q -m 'Resolved conflict in f'")).toBe('git commit --no-edit -q');
    expect(git('log', '-1', '--format=%s')).toBe("Merge branch 'other'\n");
    expect(existsSync(join(path, '.git/MERGE_HEAD'))).toBe(false);
  });

  it('else one of its own', async () => {
    const { judge, path } = merging();
    writeFileSync(join(path, '.git/MERGE_MSG'), 'Take the other one\n');
    expect((await judge("git commit -m 'Resolved conflict in f'")).findings[0]?.suggestion).toBe(
      "git commit -m 'fix: resolved conflict in f'",
    );
  });
});

describe('a message that nobody else can say is left open, and nothing else of its commit', () => {
  const long = 'x'.repeat(120);
  it.each([
    ['git commit --allow-empty -m "feat:"', "git commit --allow-empty -m 'feat: SUBJECT'"],
    [`git commit --allow-empty -m ${long}`, "git commit --allow-empty -m 'TYPE: SUBJECT'"],
    [`git commit --amend -m "feat(a)!: ${long}" -m body`, "git commit --amend -m 'feat(a)!: SUBJECT' -m body"],
    ['git commit --allow-empty -m "xyz(a): totals"', "git commit --allow-empty -m 'TYPE(a): totals'"],
    ['git commit --allow-empty -m "zzz"', "git commit --allow-empty -m 'TYPE: zzz'"],
    ['git commit -a -m "x: $Y"', "git commit -a -m 'TYPE: SUBJECT'"],
  ])('%s', async (line, proposed) => {
    const published = publishedRepository();
    const { findings } = await published.judge(line);
    const suggestion = findings[0]?.suggestion ?? '';
    expect(suggestion.split('   # with ')[0]).toBe(proposed);
    // As it is, it is refused.
    expect((await published.judge(suggestion)).findings[0]?.rule).toBe('commit-message');
    const filled = suggestion.replaceAll('TYPE', 'fix').replaceAll('SUBJECT', 'add totals');
    expect((await published.judge(filled)).findings.filter(({ rule }) => rule === 'commit-message')).toEqual([]);
  });
});

describe('a message that breaks the convention is mended in the call that says it', () => {
  const manifest = '{"name":"a","version":"1.0.0","scripts":{"keep":"git add -A && git commit"}}\n';

  /** @returns the subject of the commit that was made */
  async function pastedWithPackage(line: string, proposed: string): Promise<string> {
    const published = publishedRepository();
    published.write('app/package.json', manifest);
    commit(published, 'f', 'feat: two');
    published.write('f', 'changed\n');
    published.git('config', 'alias.keep', '!git add -A && git commit');
    published.git('config', 'alias.say', '!git add -A; git commit -m');
    expect(await pasted(published, line)).toBe(proposed);
    expect(published.git('status', '--short')).toBe('');
    return published.git('log', '-1', '--format=%s').trim();
  }

  it.each([
    ["git say 'wip: stuff'", "git say 'chore: stuff'", 'chore: stuff'],
    ["git keep -m 'Fixed it.' -m 'As it is.'", "git keep -m 'fix: it' -m 'As it is.'", 'fix: it'],
    ["cd app && git keep -m 'Fixed it.'", "cd app && git keep -m 'fix: it'", 'fix: it'],
    ["cd app; npm run keep -- -m 'Fixed it.'", "cd app && npm run keep -- -m 'fix: it'", 'fix: it'],
  ])('%s', async (line, proposed, subject) => {
    expect(await pastedWithPackage(line, proposed)).toBe(subject);
  });

  it.each([
    ["npm version patch -m 'release %s'", "npm version patch -m 'chore: release %s'"],
    ["npm version patch --message='Fixed in %s'", "npm version patch '--message=fix: in %s'"],
    ["env A=1 npm version patch -m 'release %s'", "npm version patch -m 'chore: release %s'"],
    ["npm version patch -m 'zzz %s'", "npm version patch -m 'TYPE: zzz %s'   # with feat, fix, docs, … for TYPE"],
    ["lerna version -m 'Release v%v'", "lerna version -m 'chore: release v%v'"],
    ["echo wip; sudo git commit -a -m 'Fixed it.'", "git commit -a -m 'fix: it'"],
  ])('%s', async (line, proposed) => {
    const published = publishedRepository();
    published.write('package.json', manifest);
    published.write('f', 'changed\n');
    const { findings } = await published.judge(line);
    expect(findings.find(({ rule }) => rule === 'commit-message')?.suggestion).toBe(proposed);
    const { findings: again } = await published.judge(proposed.replace('TYPE', 'fix'));
    expect(again.filter(({ rule }) => rule === 'commit-message')).toEqual([]);
  });

  it('unless that skips the checks', async () => {
    const published = publishedRepository();
    published.git('config', 'alias.say', '!git add -A; git commit -n -m');
    const { findings } = await published.judge("git say 'wip: stuff'");
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([
      "git commit -m 'chore: stuff'",
      "git commit -m 'chore: stuff'",
    ]);
  });
});

it('what patch takes back is told as its own doing', async () => {
  const published = publishedRepository();
  published.write('f', 'changed\n');
  for (const line of ['patch -R -p1 < <(git diff)', 'git diff -R | patch -p1']) {
    const { findings } = await published.judge(line);
    expect(findings[0]?.message).toBe('patch would discard uncommitted changes in 1 file: f.');
  }
});

describe('in a repository that is named by its git directory', () => {
  function withSubmodule(): GuardedRepository {
    const library = publishedRepository();
    const outer = publishedRepository();
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib');
    outer.git('commit', '--quiet', '--message', 'build: add the library');
    outer.git('-C', 'lib', 'switch', '--quiet', '--create', 'own');
    outer.git('-C', 'lib', 'commit', '--quiet', '--allow-empty', '--message', 'feat: here');
    outer.git('-C', 'lib', 'switch', '--quiet', 'main');
    return outer;
  }

  it.each([
    [
      'git --git-dir=.git/modules/lib branch -f own origin/main',
      /^git --git-dir=.git\/modules\/lib branch kept-work \w+$/,
    ],
    ['GIT_DIR=.git/modules/lib git branch -D own', /^git --git-dir=.git\/modules\/lib tag kept-own \w+$/],
    ['export GIT_DIR=$PWD/.git/modules/lib; git branch -D own', /^git --git-dir=.git\/modules\/lib tag kept-own \w+$/],
    [
      'cd lib && git --git-dir=../.git/modules/lib branch -D own',
      /^git -C lib --git-dir=..\/.git\/modules\/lib tag kept-own \w+$/,
    ],
    ['git --git-dir=lib/.git branch -D own', /^git --git-dir=.git\/modules\/lib tag kept-own \w+$/],
  ])('%s', async (line, proposed) => {
    const outer = withSubmodule();
    expect(await pasted(outer, line)).toMatch(proposed);
    expect((await outer.judge(line)).findings).toEqual([]);
  });

  it('nothing is said of it where git would find it by itself', async () => {
    const published = publishedRepository();
    published.git('branch', 'own');
    published.git('switch', '--quiet', 'own');
    commit(published, 'f', 'feat: two');
    published.git('switch', '--quiet', 'main');
    expect(await pasted(published, 'git --git-dir=.git branch -D own')).toMatch(/^git tag kept-own \w+$/);
  });
});
