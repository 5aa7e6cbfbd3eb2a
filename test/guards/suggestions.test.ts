import { execSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../git/fixture.ts';
import { busyRepository, commit, emptyRepository, type GuardedRepository } from './guarded-repository.ts';

let repository: GuardedRepository;
let other: GuardedRepository;
beforeAll(() => {
  repository = busyRepository();
  repository.write('src/d.txt', 'd\n');
  commit(repository, 'e.txt', 'feat: e');
  repository.write('src/d.txt', 'changed\n');
  other = busyRepository();
});

async function suggested(command: string, cwd = repository.path): Promise<string | null | undefined> {
  return (await repository.judge(command, cwd)).findings.find(({ verdict }) => verdict !== 'allow')?.suggestion;
}

it('a suggestion works where the line begins, not where it has gone', async () => {
  expect(await suggested(`git -C ${other.path} reset --hard`)).toBe(`git -C ../${other.path.split('/').at(-1)} stash`);
  expect(await suggested(`cd ${other.path} && git checkout -f`)).toMatch(/^git -C \S+ stash$/);
  expect(await suggested('cd src && git checkout -- d.txt')).toBe('git -C src stash push -- d.txt');
  expect(await suggested('cd src && git reset --hard')).toBe('git stash');
  expect(await suggested('git checkout -- src/d.txt')).toBe('git stash push -- src/d.txt');
});

it('what --work-tree names is stashed in the work tree that it is', async () => {
  const main = busyRepository();
  const linked = `${main.path}-linked`;
  main.git('worktree', 'add', '--quiet', '--detach', linked);
  execSync('echo changed >a.txt', { cwd: linked });
  const stash = `git -C ../${basename(linked)} stash push -- a.txt`;
  expect(await suggested(`git --work-tree=${linked} checkout -- a.txt`, main.path)).toBe(stash);
  expect(await suggested(`GIT_WORK_TREE=${linked} git checkout a.txt`, main.path)).toBe(stash);
  expect(await suggested(`git --git-dir=.git --work-tree=${linked} checkout -- a.txt`, main.path)).toBe(stash);
  main.write('a.txt', 'changed\n');
  const fromLinked = await suggested(`git --work-tree=${main.path} checkout -- a.txt`, linked);
  expect(fromLinked).toBe(`git -C ../${basename(main.path)} stash push -- a.txt`);
  const there = `cd ${linked} && git --work-tree=${main.path} checkout -- a.txt`;
  expect(await suggested(there, main.path)).toBe('git stash push -- a.txt');
  execSync(stash, { cwd: main.path });
  expect(execSync('git status --porcelain', { cwd: linked, encoding: 'utf8' })).toBe('');
});

it('a copy is made of the repository that goes, whatever it is called and wherever the line stands', async () => {
  const around = emptyRepository();
  commit(around, 'a.txt', 'feat: a');
  const inner = join(around.path, 'my repo');
  mkdirSync(join(inner, 'deep'), { recursive: true });
  execSync('git init -q && git commit -q --allow-empty -m x', { cwd: inner });
  const suggest = async (line: string, cwd = around.path) => (await around.judge(line, cwd)).findings[0]?.suggestion;
  const ofInner = "git -C 'my repo' clone --mirror . ../backup.git";
  expect(await suggest('rm -rf "my repo/.git"')).toBe(ofInner);
  expect(await suggest('cd "my repo/deep" && rm -rf ../.git/objects')).toBe(ofInner);
  expect(await suggest('git -C "my repo/deep" filter-branch HEAD')).toBe(ofInner);
  expect(await suggest('git filter-branch HEAD', join(inner, 'deep'))).toBe('git -C .. clone --mirror . ../backup.git');
});

it('no message names a variable that nobody has written', async () => {
  const lines = [
    'echo "B=$X" > e; . ./e; git push -f origin "$B"',
    "xargs -I{} sh -c 'git push -f origin {}' < list",
    'KEY=$(node -p 1); git config core.sshCommand "ssh -i $KEY; git push -f"',
  ];
  const judged = await Promise.all(lines.map((line) => repository.judge(line)));
  expect(judged.map(({ verdict }) => verdict)).toEqual(['ask', 'ask', 'ask']);
  expect(JSON.stringify(judged.map(({ findings }) => findings))).not.toMatch(/a_value|inserted_word|value_1/);
});

it('it keeps the very stash that would be dropped', async () => {
  repository.git('stash', 'push', '--quiet');
  repository.write('a.txt', 'again\n');
  repository.git('stash', 'push', '--quiet');
  expect(await suggested('git stash drop')).toBe("git branch kept-stash-0 'stash@{0}'");
  expect(await suggested('git stash drop stash@{1}')).toBe("git branch kept-stash-1 'stash@{1}'");
  expect(await suggested('git stash clear')).toBe(
    "git branch kept-stash-0 'stash@{0}' && git branch kept-stash-1 'stash@{1}'",
  );
  repository.git('stash', 'drop', '--quiet');
  expect(await suggested('git stash clear')).toBe("git branch kept-stash-0 'stash@{0}'");
});

it.each([
  'git stash drop',
  'git stash drop stash@{4}; git stash drop stash@{3}',
  'git stash drop && git stash drop 1',
  'git stash pop && git stash clear',
  'git stash clear',
])('it keeps stashes over changes and beside files that they have as well, and then lets them go: %s', async (line) => {
  const stashed = busyRepository();
  for (const text of ['one', 'two', 'three', 'four', 'five']) {
    stashed.write('a.txt', `${text}\n`);
    stashed.write('new.txt', `${text}\n`);
    stashed.git('stash', '--quiet', '--include-untracked');
  }
  stashed.write('b.txt', 'meanwhile\n');
  stashed.write('new.txt', 'another\n');
  const before = stashed.git('stash', 'list', '--format=%H');
  const proposed = (await stashed.judge(line)).findings.map(({ suggestion }) => suggestion ?? '');
  expect(proposed.join()).toMatch(/^git branch /);
  for (const suggestion of proposed) {
    execSync(suggestion, { cwd: stashed.path, stdio: 'pipe' });
  }
  expect(stashed.git('stash', 'list', '--format=%H')).toBe(before);
  expect((await stashed.judge(line)).verdict).toBe('allow');
});

it('it leaves published commits alone where nothing else says what should become of them', async () => {
  const published = busyRepository();
  const { git } = published;
  git('stash', '--quiet', '--include-untracked');
  git('switch', '--quiet', 'main');
  const suggest = async (line: string) => (await published.judge(line)).findings[0]?.suggestion;
  const another = 'Leave the published commits as they are, and put a new commit on top of them.';
  expect(await suggest('git commit --amend --no-edit')).toBe(another);
  expect(await suggest("GIT_SEQUENCE_EDITOR='sed -i 1s/pick/reword/' git rebase -i --root")).toBe(another);
  published.write('b.txt', 'staged\n');
  git('add', 'b.txt');
  expect(await suggest('git commit --amend --no-edit')).toBe('git commit');
});

it.each([
  ['gh pr merge 3 --admin --squash', 'gh pr merge 3 --squash --auto'],
  ['gh pr merge --admin --auto 3 -R a/b', 'gh pr merge --auto 3 -R a/b'],
  ['gh pr close 3 --delete-branch', 'gh pr close 3'],
  ['gh pr close -dc done 3', 'gh pr close -c done 3'],
  ['gh release delete v1 --cleanup-tag -y', 'gh release delete v1 -y'],
  ['glab release delete v1 --with-tag', 'glab release delete v1'],
  ['az repos pr update --id 3 --bypass-policy true', 'az repos pr update --id 3 --auto-complete true'],
])('%s: the same without what is asked about', async (line, instead) => {
  expect(await suggested(line)).toBe(instead);
  expect((await repository.judge(instead)).verdict).toBe('allow');
});

it('it copies the whole repository, wherever below it the line begins', async () => {
  const below = join(repository.path, 'src');
  const top = 'git -C .. clone --mirror . ../backup.git';
  for (const line of [
    'git filter-branch --tree-filter true',
    'git -C .. filter-repo',
    'rm -rf ../.git',
    'bfg --strip',
  ]) {
    expect(await suggested(line, below)).toBe(top);
  }
  expect(await suggested('rm -rf .git')).toBe('git clone --mirror . ../backup.git');
});

it('it asks for no stash before the first commit', async () => {
  const fresh = emptyRepository();
  fresh.write('a.txt', 'new\n');
  const { findings } = await fresh.judge('git clean -fd');
  expect(findings[0]?.suggestion).toBe("git add --all && git commit -m 'chore: keep the work'");
});

it('it moves a repository out of the way, which no stash would keep', async () => {
  const around = emptyRepository();
  commit(around, 'a.txt', 'feat: a');
  around.git('init', '--quiet', 'nested');
  around.write('nested/b.txt', 'new\n');
  const { findings } = await around.judge('git clean -ffdx');
  expect(findings.map(({ suggestion }) => suggestion)).toContain('mv nested ../');
});

it('it repeats no credentials of a URL that was typed', async () => {
  const { findings } = await repository.judge('git push --force https://me:s3cret@example.org/x.git main');
  expect(findings[0]?.rule).toBe('protected-force-push');
  expect(JSON.stringify(findings)).not.toContain('s3cret');
  const { findings: bySsh } = await repository.judge('git push --force ssh://git@example.org/x.git main');
  expect(bySsh[0]?.suggestion).toBe('git fetch ssh://git@example.org/x.git');
});

it('it proposes no stash during a conflict', async () => {
  const conflicted = emptyRepository();
  commit(conflicted, 'a.txt', 'feat: a');
  commit(conflicted, 'b.txt', 'feat: b');
  conflicted.git('switch', '--quiet', '-c', 'topic');
  commit(conflicted, 'a.txt', 'feat: theirs');
  conflicted.git('switch', '--quiet', 'main');
  commit(conflicted, 'a.txt', 'feat: ours');
  expect(() => conflicted.git('merge', '--quiet', 'topic')).toThrow();
  conflicted.write('b.txt', 'changed\n');
  const listed = 'echo "$(git diff --name-only --diff-filter=U)" | xargs git checkout --theirs';
  expect((await conflicted.judge(listed)).findings[0]?.suggestion).not.toContain('input');
  const { findings } = await conflicted.judge('git checkout HEAD -- b.txt');
  expect(findings[0]?.suggestion).toBe('cp b.txt b.txt.kept');
  conflicted.write('notes.txt', 'new\n');
  const whole = async () => (await conflicted.judge('git reset --hard')).findings[0]?.suggestion;
  // It leaves b.txt as it is, which takes no part.
  expect(await whole()).toBe('git merge --abort');
  conflicted.write('a.txt', 'brought together\n');
  expect(await whole()).toBe('git add :/b.txt :/a.txt && git stash push -- :/b.txt :/a.txt');
  const { findings: cleaned } = await conflicted.judge('git clean -fx');
  expect(cleaned[0]?.suggestion).toBe('git clean --dry-run -d -x   # and move away what is needed');
});

it('it names files as they are, whatever git clean makes of their names', async () => {
  const fresh = emptyRepository();
  commit(fresh, 'a.txt', 'feat: a');
  mkdirSync(join(fresh.path, 'below'));
  fresh.write('below/new "draft" ü.txt', 'new\n');
  const { findings } = await fresh.judge('git clean -fd', join(fresh.path, 'below'));
  expect(findings[0]?.evidence.files).toEqual(['new "draft" ü.txt']);
  const kept = findings[0]?.suggestion ?? '';
  execSync(kept, { cwd: join(fresh.path, 'below'), stdio: 'pipe' });
  expect(existsSync(join(fresh.path, 'below/new "draft" ü.txt'))).toBe(false);
  expect(fresh.git('stash', 'show', '--include-untracked', '--name-only')).toContain('draft');
});

it('it names what the line moves to where git cleans as it lies before, from where git stands', async () => {
  const fresh = emptyRepository();
  commit(fresh, 'below/a.txt', 'feat: a');
  fresh.write('below/notes.txt', 'new\n');
  const { findings } = await fresh.judge('mv notes.txt build.txt && git clean -f', join(fresh.path, 'below'));
  expect(findings[0]?.evidence.files).toEqual(['build.txt']);
  execSync(findings[0]?.suggestion ?? '', { cwd: join(fresh.path, 'below'), stdio: 'pipe' });
  expect(fresh.git('stash', 'show', '--include-untracked', '--name-only').trim()).toBe('below/notes.txt');
});

describe('what a line names can be pasted, and runs nothing by that', () => {
  const trap = '$(touch${IFS}sprung);touch${IFS}sprung;`touch${IFS}sprung`';
  let trapped: GuardedRepository;
  beforeAll(() => {
    trapped = busyRepository();
    trapped.git('switch', '--quiet', '-c', trap);
    commit(trapped, 'trap.txt', 'feat: trap');
    trapped.git('switch', '--quiet', 'main');
    trapped.write(trap, 'kept\n');
    trapped.git('add', '.');
    trapped.git('commit', '--quiet', '--message', 'feat: a name');
    trapped.write(trap, 'changed\n');
    trapped.git('init', '--quiet', `${trap}.d`);
    trapped.git('-C', `${trap}.d`, 'commit', '--quiet', '--allow-empty', '--message', 'feat: only here');
  });
  const lines = [
    `git remote set-url origin 'https://x/${trap}'`,
    `git remote add --mirror=push '${trap}' 'https://x/${trap}'`,
    `git config 'remote.origin.pushurl' 'https://x/${trap}'`,
    `git config 'url.https://x/${trap}.insteadOf' '/'`,
    `git config 'filter.${trap}.clean' 'sh -c evil'`,
    `git branch -D '${trap}'`,
    `git branch -f '${trap}' main`,
    `git -c core.hooksPath='${trap}' push -f origin '${trap}'`,
    `git checkout '${trap}' && git rebase --onto main HEAD~1 '${trap}'`,
    `git clone https://x.example/y.git y && git -C y push -f '${trap}' 'HEAD:${trap}'`,
    `git -C /nowhere push -f '${trap}' main`,
    `git push -f '${trap}' main`,
    `git push --mirror '${trap}'`,
    `git push origin ':${trap}'`,
    `gh api -X DELETE 'repos/a/b/git/refs/heads/${trap}'`,
    `git checkout -- '${trap}'`,
    `git clean -fd '${trap}'`,
    `git reset --hard '${trap}'`,
    `git rebase --onto HEAD~1 '${trap}'`,
    `git restore './${trap}'`,
    `mv './${trap}' .git/hooks/pre-push`,
    `echo x > '.git/hooks/${trap}'`,
    `chmod -x '.git/hooks/${trap}'`,
    `git worktree remove --force '${trap}'`,
    `git submodule deinit -f '${trap}'`,
    `git update-ref -d 'refs/heads/${trap}'`,
    `git symbolic-ref HEAD 'refs/heads/${trap}'`,
    `git branch -M '${trap}' other`,
    `git switch -C '${trap}' main`,
    `git fetch origin '+main:${trap}'`,
    `git fetch . '+main:${trap}'`,
    `git push --delete origin '${trap}'`,
    `git push origin '+HEAD:${trap}' '+HEAD:main'`,
    `git commit --no-verify -m '${trap}'`,
    `git commit -m 'feat: x' --author '${trap}' --no-verify`,
    `HUSKY=0 git commit -m 'feat: ${trap}'`,
    `git -c core.hooksPath='${trap}' commit -m 'feat: x'`,
    `git config --unset-all 'remote.${trap}.url'`,
    `git config core.hooksPath '${trap}'`,
    `git config 'alias.x' '!${trap}'`,
    `git reflog delete '${trap}@{0}'`,
    `git reflog expire --expire=now '${trap}'`,
    `git stash drop '${trap}'`,
    `git clean -fdx -- '${trap}'`,
    `curl -X DELETE 'https://api.github.com/repos/a/b/git/refs/heads/${trap}'`,
    `glab api -X DELETE 'projects/1/repository/branches/${trap}'`,
    `gh pr merge --admin '${trap}'`,
    `gh repo delete '${trap}'`,
    `rm -rf './${trap}.d'`,
    `git filter-branch --tree-filter '${trap}' -- '${trap}'`,
    `git send-pack '${trap}' '+HEAD:${trap}'`,
    `git svn dcommit '${trap}'`,
    `eval "$X ${trap}"`,
  ];
  it.each(lines)('%s', async (line) => {
    const directory = temporaryDirectory();
    for (const { suggestion } of (await trapped.judge(line)).findings) {
      spawnSync('sh', ['-c', suggestion ?? ''], {
        cwd: directory,
        env: { PATH: '/usr/bin:/bin', GIT_DIR: '/nowhere' },
      });
    }
    expect(existsSync(join(directory, 'sprung'))).toBe(false);
  });

  it('of which some are objected to', async () => {
    const objections = await Promise.all(lines.map(async (line) => (await trapped.judge(line)).findings.length));
    expect(objections.filter((count) => count > 0).length).toBeGreaterThan(9);
  });
});

it('it keeps the files that git clean would take, and leaves installed packages where they are', async () => {
  const cleaned = emptyRepository();
  cleaned.write('.gitignore', 'node_modules\n.env\n');
  commit(cleaned, 'a.txt', 'feat: a');
  cleaned.write('node_modules/left-pad/index.js', 'x\n');
  cleaned.write('.env', 'KEY=1\n');
  cleaned.write('draft [1].md', 'new\n');
  const { findings } = await cleaned.judge('git clean -fdx');
  const suggestion = findings[0]?.suggestion ?? '';
  expect(suggestion).toBe("git stash push --all -- .env ':(literal)draft [1].md'");
  execSync(suggestion, { cwd: cleaned.path });
  expect(existsSync(`${cleaned.path}/node_modules/left-pad`)).toBe(true);
  expect((await cleaned.judge('git clean -fdx')).findings).toEqual([]);
  expect(cleaned.git('stash', 'show', '--include-untracked', '--name-only')).toContain('draft [1].md');
});

it('husky’s own hooks stay where they are cleaned with the rest', async () => {
  const guarded = emptyRepository();
  guarded.write('.gitignore', 'node_modules\n.husky/_\n');
  commit(guarded, '.husky/pre-push', 'chore: test before a push');
  commit(guarded, 'a.txt', 'feat: a');
  guarded.write('.husky/_/pre-push', '#!/bin/sh\n');
  guarded.write('node_modules/left-pad/index.js', 'x\n');
  guarded.git('config', 'core.hooksPath', '.husky/_');
  const { findings } = await guarded.judge('git clean -fdX');
  expect(findings).toMatchObject([{ rule: 'discard-changes', verdict: 'ask', evidence: { files: ['.husky/_'] } }]);
  const suggestion = findings[0]?.suggestion ?? '';
  expect((await guarded.judge(suggestion)).verdict).toBe('allow');
  execSync(suggestion, { cwd: guarded.path });
  expect([existsSync(`${guarded.path}/node_modules`), existsSync(`${guarded.path}/.husky/_/pre-push`)]).toEqual([
    false,
    true,
  ]);
});

it('it goes into the submodule whose changes are at stake', async () => {
  const outer = emptyRepository();
  commit(outer, 'a.txt', 'feat: a');
  outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.path, 'lib');
  outer.git('commit', '--quiet', '-m', 'build: add the library');
  outer.write('lib/a.txt', 'changed\n');
  const { findings } = await outer.judge('git submodule deinit -f lib');
  expect(findings[0]?.suggestion).toBe('git -C lib stash --include-untracked');
});

it('what takes one check away is not proposed with another one', async () => {
  expect(await suggested('OXIDE_GUARD_CONFIRM=1 git push --no-verify origin topic')).toBe('git push origin topic');
});

it('a push without a remote that is known names one', async () => {
  mkdirSync(`${repository.path}/empty`);
  expect(await suggested('cd "$NOWHERE" && git push "$REMOTE" main')).not.toContain('the remote ');
});

it('a corrected message leaves the rest of the command as it is', async () => {
  expect(await suggested('git commit -am "Fixed the parser."')).toBe("git commit -a -m 'fix: the parser'");
  expect(await suggested('git commit -am"Fixed it." --allow-empty -- a.txt')).toBe(
    "git commit -a -m 'fix: it' --allow-empty -- a.txt",
  );
  expect(await suggested('git commit --amend -F - <<< "Fixed the parser."')).toBe(
    "git commit --amend -m 'fix: the parser'",
  );
});

it('a push of a protected branch goes to the branch that is there, or to a new one under a name that is free', async () => {
  const remote = busyRepository();
  const suggest = async (command: string) =>
    (await remote.judge(command)).findings.find(({ verdict }) => verdict !== 'allow')?.suggestion;
  expect(await suggest('git push origin HEAD:main')).toBe('git push -u origin topic');
  expect(await suggest('git push origin main')).toBe('git push origin main:refs/heads/my-change');
  remote.git('branch', 'my-change');
  remote.git('switch', '--quiet', '--force', 'main');
  expect(await suggest('git push origin topic:main')).toBe('git push -u origin topic');
  expect(await suggest('git push origin HEAD')).toBe('git switch -c my-change-2 && git push -u origin my-change-2');
});

it('what is lost is kept under a name that is free', async () => {
  const kept = busyRepository();
  kept.git('branch', 'kept-work', 'HEAD~1');
  kept.git('switch', '--quiet', '--force', 'main');
  const { findings } = await kept.judge('git branch -f topic origin/topic');
  expect(findings[0]?.suggestion).toMatch(/^git branch kept-work-2 [0-9a-f]{12}$/);
});

it('a remote that is a mirror is told that it is none for once', async () => {
  const mirrored = busyRepository();
  mirrored.git('config', 'remote.origin.mirror', 'true');
  const { findings } = await mirrored.judge('git push');
  expect(findings.find(({ rule }) => rule === 'mirror-push')?.suggestion).toBe(
    'git -c remote.origin.mirror=false push -u origin topic',
  );
});

it('a forced push of a branch that only lacks commits takes them in instead', async () => {
  const behind = busyRepository();
  const push = (line: string) => behind.git('-c', 'core.hooksPath=/dev/null', 'push', '--quiet', ...line.split(' '));
  commit(behind, 'newer.txt', 'feat: newer');
  push('--force origin topic');
  behind.git('stash', '--quiet', '--include-untracked');
  behind.git('reset', '--quiet', '--hard', 'HEAD~1');
  const suggest = async (command: string) =>
    (await behind.judge(command)).findings.find(({ verdict }) => verdict !== 'allow')?.suggestion;
  expect(await suggest('git push -f origin topic')).toBe('git pull --ff-only origin topic');
  expect(await suggest('git push -f origin HEAD')).toBe('git pull --ff-only origin topic');
  expect(await suggest('git push -f origin main:topic')).toBe('git log --oneline main..origin/topic');
  behind.git('switch', '--quiet', '--detach');
  expect(await suggest('git push -f origin topic')).toBe('git fetch origin topic:topic');
  behind.git('switch', '--quiet', 'topic');
  behind.git('pull', '--quiet', '--ff-only', 'origin', 'topic');
  expect(behind.git('log', '-1', '--format=%s')).toBe('feat: newer\n');
});

describe('a suggestion for a push', () => {
  const suggest = async (repository: GuardedRepository, command: string, rule?: string) =>
    (await repository.judge(command)).findings.find((finding) => rule === undefined || finding.rule === rule)
      ?.suggestion;

  /** Main has one commit only here, and one only on its remote. */
  function divergedRepository(): GuardedRepository {
    const diverged = busyRepository();
    const { git } = diverged;
    git('stash', '--quiet', '--include-untracked');
    git('switch', '--quiet', 'main');
    commit(diverged, 'there.txt', 'feat: there');
    git('-c', 'core.hooksPath=/dev/null', 'push', '--quiet');
    git('reset', '--quiet', '--hard', 'HEAD~1');
    commit(diverged, 'here.txt', 'feat: here');
    return diverged;
  }

  it('goes to a new branch where one can neither leave the branch nor push it', async () => {
    const stopped = busyRepository();
    const { git } = stopped;
    git('stash', '--quiet', '--include-untracked');
    git('push', '--quiet', '--force', 'origin', 'topic');
    git('commit', '--quiet', '--amend', '-m', 'feat: c, better');
    expect(await suggest(stopped, 'git push origin HEAD:main')).toBe('git push origin HEAD:refs/heads/my-change');
    expect(() => git('-c', 'sequence.editor=sed -i 1ibreak', 'rebase', '-i', 'HEAD~1')).not.toThrow();
    expect(await suggest(stopped, 'git push origin HEAD:main')).toBe('git push origin HEAD:refs/heads/my-change');
    expect(await suggest(stopped, 'git push --mirror')).toBe('git push origin HEAD:refs/heads/my-change');
  });

  it('looks at a URL before a push from a repository that is not there yet', async () => {
    const busy = busyRepository();
    const made = 'T=$(mktemp -d) && cd $T && git init -q && git commit --allow-empty -m "feat: x"';
    const suggestion = await suggest(busy, `${made} && git push -f https://x/r.git main:gh-pages`);
    expect(suggestion).toBe('git ls-remote https://x/r.git refs/heads/gh-pages');
  });

  it('makes a tag where there is none, and moves none', async () => {
    const busy = busyRepository();
    busy.git('tag', 'nightly');
    expect(await suggest(busy, 'git push -f origin nightly', 'force-push')).toBe(
      'git push origin refs/tags/nightly:refs/tags/nightly',
    );
  });

  it('is not forced by what is configured', async () => {
    const diverged = divergedRepository();
    diverged.git('config', 'remote.origin.push', '+refs/heads/*:refs/heads/*');
    expect(await suggest(diverged, 'git push', 'protected-force-push')).toBe(
      'git push --force-with-lease origin main:refs/heads/main',
    );
    expect(await suggest(diverged, 'git push --all')).toBe(
      'git switch -c my-change && git push -u origin my-change:refs/heads/my-change',
    );
  });

  it('makes no mirror', async () => {
    const diverged = divergedRepository();
    diverged.git('config', 'remote.origin.mirror', 'true');
    expect(await suggest(diverged, 'git push', 'protected-force-push')).toBe('git push --dry-run --mirror origin');
  });

  it('makes none either where the push itself has said so', async () => {
    const diverged = divergedRepository();
    diverged.git('config', 'remote.origin.mirror', 'true');
    expect(await suggest(diverged, 'git -c remote.origin.mirror=false push origin HEAD')).toBe(
      'git switch -c my-change && git -c remote.origin.mirror=false push -u origin my-change',
    );
  });

  it('says which main is meant where a tag has the same name', async () => {
    const diverged = divergedRepository();
    diverged.git('tag', 'main', 'HEAD~1');
    expect(await suggest(diverged, 'git push -f')).toBe(
      'git push --force-with-lease origin refs/heads/main:refs/heads/main',
    );
  });

  it('asks no remote that there is not, but which there are', async () => {
    const alone = emptyRepository();
    commit(alone, 'a.txt', 'feat: a');
    const suggest = async (line: string) => (await alone.judge(line)).findings[0]?.suggestion;
    expect(await suggest('git push --force origin main')).toBe('git remote --verbose');
    expect(await suggest('git push --delete up main')).toBe('git remote --verbose');
    expect(await suggest('git push --force ../x.git main')).toBe('git fetch ../x.git');
    alone.git('remote', 'add', 'up', '../x.git');
    expect(await suggest('git push --force up main')).toBe('git fetch up');
    expect(await suggest('git push --delete up main')).toBe('git ls-remote up main');
  });

  it('fetches into branches only', async () => {
    expect(await suggest(divergedRepository(), 'git push -f origin HEAD~1:main')).toBe(
      "git push --force-with-lease origin 'HEAD~1:refs/heads/main'",
    );
  });

  it('shows the commits in whose place a lease puts others, and does not bring them back', async () => {
    expect(await suggest(divergedRepository(), 'git push --force-with-lease origin main', 'diverged')).toBe(
      'git log --oneline main..origin/main',
    );
  });

  it('rebases the branch that is pushed, over what is not committed', async () => {
    const diverged = divergedRepository();
    expect(await suggest(diverged, 'git push', 'diverged')).toBe('git pull --rebase origin main');
    diverged.write('a.txt', 'changed again\n');
    expect(await suggest(diverged, 'git push', 'diverged')).toBe('git pull --rebase --autostash origin main');
    diverged.git('stash', '--quiet');
    diverged.git('switch', '--quiet', 'topic');
    expect(await suggest(diverged, 'git push origin main', 'diverged')).toBe(
      'git switch main && git pull --rebase origin main',
    );
    diverged.git('branch', '--quiet', '--force', 'main', 'main~1');
    expect(await suggest(diverged, 'git push origin main', 'diverged')).toBe('git fetch origin main:main');
  });

  it('does not put main on the topic that it is pushed to', async () => {
    const busy = busyRepository();
    busy.git('push', '--quiet', '--force', 'origin', 'topic');
    busy.git('stash', '--quiet');
    busy.git('switch', '--quiet', 'main');
    busy.git('commit', '--quiet', '--allow-empty', '-m', 'fix: d');
    const look = 'git log --oneline main..origin/topic';
    expect(await suggest(busy, 'git push -f origin main:topic', 'force-push')).toBe(look);
    expect(await suggest(busy, 'git push origin main:topic', 'diverged')).toBe(look);
    expect(busy.git('log', '--oneline', 'main..origin/topic')).not.toBe('');
  });

  it('counts the commits that the line makes', async () => {
    const behind = divergedRepository();
    behind.git('reset', '--quiet', '--hard', 'HEAD~1');
    const line = 'git commit --allow-empty -m "feat: made" && git push';
    const { findings } = await behind.judge(line);
    expect(findings.find(({ rule }) => rule === 'diverged')?.message).toBe(
      'main and origin/main have diverged: 1 commit only here, 1 commit only there.',
    );
    expect(await suggest(behind, `${line} -f`)).toBe(
      'git push --force-with-lease origin main   # in place of git push',
    );
    expect(await suggest(behind, 'git push -f')).toBe('git pull --ff-only origin main');
  });
});

it('it takes in what somebody else has pushed before it pushes with a lease', async () => {
  const own = busyRepository();
  own.git('push', '--quiet', '--force', 'origin', 'topic');
  own.git('commit', '--quiet', '--amend', '-m', 'feat: c, better');
  const proposed = async (command: string) => (await own.judge(command)).findings[0]?.suggestion;
  expect(await proposed('git push --force')).toBe('git push --force-with-lease origin topic');
  const theirs = own.git('commit-tree', '-p', 'origin/topic', '-m', 'fix: theirs', 'origin/topic^{tree}').trim();
  own.git('push', '--quiet', 'origin', `${theirs}:refs/heads/topic`);
  own.git('fetch', '--quiet');
  const command = await proposed('git push --force');
  expect(command).toBe('git pull --rebase --autostash origin topic && git push --force-with-lease origin topic');
  own.git('checkout', '--quiet', '--', '.');
  execSync(command ?? '', { cwd: own.path, stdio: 'pipe' });
  expect(own.git('branch', '--remotes', '--contains', theirs)).toContain('origin/topic');
});

it('it puts nothing in the place of a published merge, and stashes nothing in a conflict', async () => {
  const merged = emptyRepository();
  commit(merged, 'a.txt', 'feat: a');
  merged.git('switch', '--quiet', '-c', 'side');
  commit(merged, 'b.txt', 'feat: b');
  merged.git('switch', '--quiet', 'main');
  merged.git('merge', '--quiet', '--no-ff', '--no-edit', 'side');
  merged.git('init', '--quiet', '--bare', `${merged.path}-origin.git`);
  merged.git('remote', 'add', 'origin', `${merged.path}-origin.git`);
  merged.git('push', '--quiet', '-u', 'origin', 'main');
  const { findings } = await merged.judge('git reset --soft HEAD~1 && git commit -m "feat: c"');
  expect(findings.find(({ rule }) => rule === 'rewrite-published')?.suggestion).toMatch(/^Leave the published commits/);
  const { findings: amended } = await merged.judge('git commit --amend --no-edit');
  expect(amended[0]?.message).toContain('would replace 1 commit that');
  merged.git('switch', '--quiet', '-c', 'other', 'HEAD~1');
  commit(merged, 'b.txt', 'feat: other');
  expect(() => merged.git('merge', '--quiet', 'main')).toThrow();
  const { findings: noticed } = await merged.judge('git rebase main');
  expect(noticed.find(({ rule }) => rule === 'uncommitted-changes')?.suggestion).toMatch(/^git status/);
  for (const command of ['git merge --abort', 'git merge --continue', 'git merge --quit']) {
    const { findings: ended } = await merged.judge(command);
    // What was merged is a part of the merge, and its end brings nothing new.
    expect(ended.filter(({ rule }) => rule === 'uncommitted-changes')).toEqual([]);
  }
});

it('it proposes to commit nothing that the line has committed', async () => {
  const clean = emptyRepository();
  commit(clean, 'a.txt', 'feat: a');
  clean.git('init', '--quiet', '--bare', `${clean.path}-origin.git`);
  clean.git('remote', 'add', 'origin', `${clean.path}-origin.git`);
  clean.git('push', '--quiet', 'origin', 'main');
  clean.git('switch', '--quiet', '-c', 'topic');
  commit(clean, 'b.txt', 'feat: b');
  commit(clean, 'c.txt', 'feat: c');
  const line = 'git reset --soft HEAD~2 && git commit -m "feat: both" && git push -u origin topic';
  expect((await clean.judge(line)).findings).toEqual([]);
  const lost = 'git reset --soft HEAD~2 && git reset --hard';
  expect((await clean.judge(lost)).verdict).toBe('ask');
});

it('a commit that skips the checks and has a message which they refuse is proposed with another message', async () => {
  const better = "git commit -a -m 'feat: add totals'";
  expect(await suggested('git commit -a --no-verify -m "Add totals"')).toBe(better);
  expect(await suggested('HUSKY=0 git commit -a -m "feat : add totals"')).toBe(better);
  expect(await suggested('git commit -a --no-verify -m "feat: add totals"')).toBe(
    "git commit -a -m 'feat: add totals'",
  );
});

it.each([
  ["git commit -m 'fix: it's done'", /^Close the quote/],
  ['git log (x)', /^Put the words with brackets into single quotes/],
  ["cat > a.txt <<'EOF'\na\nEOF\n&& git add a.txt", /^A command can't begin with '&&'/],
  ['git add $(ls', /^Close what is left open: a bracket/],
  ['for i in a; do git push', /^Write the 'done' that is missing/],
  ['if git push; echo x; fi', /^Write 'then' where it belongs/],
  ['git log )', /^Take '\)' away/],
  ['git push >', /^Write the file/],
  ['git status &&', /^Write the command that is missing/],
])('says what helps against the syntax error of %j', async (command, help) => {
  expect(await suggested(command)).toMatch(help);
});

it.each([
  [
    'git remote set-url origin https://ada:s3cret@example.com/o/r.git',
    'git remote add origin-new https://example.com/o/r.git',
  ],
  ['git push https://ghp_abcdefghijk@example.com/o/r.git topic:main', 'git push -u https://example.com/o/r.git topic'],
  ['git push -f https://x@example.com/o/r.git main', 'git fetch https://example.com/o/r.git'],
  ['git push ssh://git@example.com/o/r.git topic:main', 'git push -u ssh://git@example.com/o/r.git topic'],
])('it has no credentials, nor what stands for them: %s', async (line, proposed) => {
  const { git, judge } = busyRepository();
  git('remote', 'set-url', 'origin', 'https://example.com/o/other.git');
  const { findings } = await judge(line);
  expect(findings[0]?.suggestion).toBe(proposed);
  expect(findings[0]?.message).not.toMatch(/s3cret|ghp_|x@/);
});

it.each([
  ['gh repo sync me/r --branch main', 'gh repo view me/r'],
  ['gh repo sync me/r -b dev --force', 'gh repo sync me/r -b dev'],
  ['gh repo delete me/r --yes', 'gh repo view me/r'],
  ['gh repo archive', 'gh repo view'],
  ['pre-commit uninstall', 'oxide-guard doctor'],
  ['npx husky uninstall', 'oxide-guard doctor'],
  ['pre-commit install --overwrite', 'pre-commit install'],
])('it is about the same repository and its hooks: %s', async (line, proposed) => {
  const { judge } = busyRepository();
  expect((await judge(line)).findings[0]?.suggestion).toBe(proposed);
  expect((await judge(proposed)).findings).toEqual([]);
});

it('it says once what becomes of many hooks, those first that git starts', async () => {
  const { judge, path } = busyRepository();
  rmSync(join(path, '.git/hooks'), { recursive: true, force: true });
  mkdirSync(join(path, '.git/hooks'));
  for (const name of ['a.sample', 'b.sample', 'pre-push']) {
    writeFileSync(join(path, '.git/hooks', name), '#!/bin/sh\n');
  }
  const { findings } = await judge('chmod -x .git/hooks/*');
  expect(findings).toMatchObject([
    {
      message: "This command changes the permissions of .git/hooks/pre-push and 2 more files, where git's hooks are.",
      evidence: { files: ['.git/hooks/pre-push', '.git/hooks/a.sample', '.git/hooks/b.sample'] },
    },
  ]);
});

it('a push of what only running the line tells is proposed with the refspec that was given', async () => {
  const split = '$(git subtree split --prefix src main)';
  expect(await suggested(`git push -f origin ${split}:pages`)).toBe(
    `git push --force-with-lease origin ${split}:pages   # in place of git push`,
  );
  expect(await suggested(`git push origin "+${split}:main"`)).toBe(
    `git push --force-with-lease origin "${split}:main"   # in place of git push`,
  );
  expect(await suggested(`git push -f origin ${split}:main`)).toBe(
    `git push --force-with-lease origin ${split}:main   # in place of git push`,
  );
  expect(await suggested(`git push origin "${split}:main"`)).toBe(
    `git push origin "${split}:refs/heads/my-change"   # in place of git push`,
  );
});

it('a call whose checks a variable skips is proposed without the variable', async () => {
  expect(await suggested('HUSKY=0 npm version patch')).toBe('npm version patch');
  expect(await suggested('export HUSKY=0 && npm version patch -m "chore: release %s"')).toBe(
    "npm version patch -m 'chore: release %s'",
  );
  expect(await suggested('HUSKY=0 npx standard-version')).toBe('npx standard-version');
  expect(await suggested("HUSKY=0 git commit -m 'feat: x'")).toBe("git commit -m 'feat: x'");
  expect(await suggested('npm version patch --no-commit-hooks')).toMatch(/^git commit /);
});
