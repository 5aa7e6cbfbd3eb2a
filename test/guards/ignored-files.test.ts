import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { emptyRepository, type GuardedRepository, guardedAt } from './guarded-repository.ts';

/** The same as git does it: each command is judged, and then carried out in a copy. */

const mine = 'exists nowhere else\n';
let origin: GuardedRepository;

/**
 * `tracks` has a `.env` that is ignored elsewhere, `untracks` has removed it again, `edits` has changed it since `early`.
 * main is behind its upstream, which is `tracks`; `own` has a commit of its own, too.
 */
beforeAll(() => {
  origin = emptyRepository();
  const { git, write } = origin;
  const commit = (path: string, text: string, message: string) => {
    write(path, text);
    git('add', '--force', path);
    git('commit', '--quiet', '--message', message);
  };
  git('config', 'core.editor', 'true');
  git('config', 'pull.rebase', 'false');
  commit('.gitignore', '.env\ndata\ndist/\n*.log\n', 'chore: begin');
  commit('src/a.txt', 'a\n', 'feat: a');
  git('switch', '--quiet', '-c', 'tracks');
  commit('.env', 'tracked\n', 'chore: settings');
  git('switch', '--quiet', '-c', 'edits');
  commit('.env', 'changed\n', 'chore: other settings');
  git('switch', '--quiet', '-c', 'untracks', 'tracks');
  git('rm', '--quiet', '.env');
  git('commit', '--quiet', '--message', 'chore: no settings');
  git('switch', '--quiet', '-c', 'file', 'main');
  commit('data', 'a file\n', 'feat: a file');
  git('switch', '--quiet', '-c', 'directory', 'main');
  commit('data/a.csv', 'in a directory\n', 'feat: a directory');
  git('switch', '--quiet', '-c', 'built', 'main');
  commit('dist/a.js', 'built\n', 'build: a');
  git('switch', '--quiet', '-c', 'both', 'main');
  commit('.env', 'tracked\n', 'chore: settings');
  commit('untracked.txt', 'tracked\n', 'feat: a file that is not ignored');
  commit('src/a.txt', 'other\n', 'feat: another a');
  git('switch', '--quiet', '-c', 'own', 'main');
  commit('src/b.txt', 'b\n', 'feat: b');
  write('.env', 'stashed\n');
  git('add', '--force', '.env');
  git('stash', 'push', '--quiet');
  git('branch', '--quiet', '--set-upstream-to=tracks', 'own');
  git('branch', '--quiet', '--set-upstream-to=tracks', 'main');
  git('switch', '--quiet', 'main');
});

/** A copy of it with `.env` and `data/notes.csv`, and what else a shell does there. */
function copied(branch: string, prepare: string): GuardedRepository {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-ignored-')));
  cpSync(origin.path, path, { recursive: true });
  execFileSync('sh', ['-c', `git switch -q ${branch} && { ${prepare} ; }`], { cwd: path });
  return guardedAt(path);
}

function isKept(path: string, file: string): boolean {
  try {
    return readFileSync(join(path, file), 'utf8') === mine;
  } catch {
    return false;
  }
}

/** What the guard says, and whether the file is there as it was once git has done it. */
async function verdictAndEffect(command: string, branch: string, file: string, prepare: string) {
  const { path, judge } = copied(branch, prepare);
  writeFileSync(join(path, '.git/mine'), mine);
  const { verdict, findings } = await judge(command);
  const isSame = isKept(path, file);
  spawnSync('sh', ['-c', command], { cwd: path });
  const kept = isKept(path, file);
  rmSync(path, { recursive: true });
  return {
    verdict,
    files: findings.flatMap(({ verdict: each, evidence }) => (each === 'allow' ? [] : (evidence.files ?? []))),
    isSame,
    kept,
  };
}

const env = `printf '${mine.trim()}\\n' >.env`;

describe('an ignored file that a commit has is asked about where git overwrites it', () => {
  it.each([
    'git switch tracks',
    'git checkout tracks',
    'git checkout tracks --',
    'git checkout --detach tracks',
    'git checkout -b more tracks',
    'git switch -C more tracks',
    'git switch -m tracks',
    'git checkout -f tracks',
    'git checkout -f --no-overwrite-ignore tracks',
    'git switch --discard-changes tracks',
    'git checkout --orphan more tracks',
    'git checkout tracks -- .env',
    'git checkout tracks .',
    'git restore --source=tracks .',
    'cd src && git restore -s tracks -SW ..',
    'git merge tracks',
    'git merge --squash tracks',
    'git merge --no-ff --no-overwrite-ignore tracks',
    'git merge edits',
    'git merge',
    'git pull',
    'git pull --rebase',
    'git pull . tracks',
    'git config pull.rebase true && git pull',
    'git rebase tracks',
    'git rebase',
    'git rebase own tracks',
    'git reset --hard tracks',
    'git reset --hard tracks~0',
    'git reset --merge tracks',
    'git reset --keep tracks',
    'git read-tree -m -u HEAD tracks',
    'git read-tree --reset -u tracks',
    'git cherry-pick tracks',
    'git cherry-pick -n main..edits',
    'git cherry-pick edits',
    'git revert --no-edit untracks',
    'git stash apply',
    'git stash pop --index',
    'git stash branch more',
  ])('%s', async (command) => {
    // A branch that can follow, and one that has gone another way.
    for (const branch of /merge|pull|rebase/.test(command) ? ['main', 'own'] : ['main']) {
      expect({ branch, ...(await verdictAndEffect(command, branch, '.env', env)) }).toEqual({
        branch,
        verdict: 'ask',
        files: ['.env'],
        isSame: true,
        kept: false,
      });
    }
  });
});

describe('not where git keeps it', () => {
  it.each([
    'git switch -c more',
    'git switch own',
    'git switch untracks',
    'git switch --no-overwrite-ignore tracks',
    'git checkout --no-overwrite-ignore tracks',
    'git merge --no-overwrite-ignore tracks',
    'git merge -s ours tracks',
    'git merge untracks',
    'git merge --abort',
    'git rebase main~1',
    'git reset --hard',
    'git reset tracks',
    'git restore --staged --source=tracks .env',
    'git checkout tracks -- src',
    'git checkout src/a.txt',
    'git cherry-pick own',
    'git revert --no-edit main',
    'git apply </dev/null',
    'git worktree add -q ../$$ tracks && git worktree remove ../$$',
    'git diff main tracks | git apply',
    'git switch --orphan more',
    'git switch nothing-of-that-name',
    'git checkout built',
  ])('%s', async (command) => {
    const { verdict, kept } = await verdictAndEffect(command, 'main', '.env', env);
    expect({ verdict, kept }).toEqual({ verdict: 'allow', kept: true });
  });
});

describe('git refuses for other reasons', () => {
  it.each([
    ['git switch both', `${env}; echo new >untracked.txt`],
    ['git merge both', `${env}; echo new >untracked.txt`],
    ['git reset --keep both', `${env}; echo new >untracked.txt`],
    ['git switch both', `${env}; echo changed >src/a.txt`],
    ['git merge both', `${env}; echo changed >src/a.txt`],
    ['git pull . both', `${env}; echo changed >src/a.txt`],
    ['git rebase tracks', `${env}; echo changed >src/a.txt`],
    ['git stash apply', `git stash drop -q; printf '${mine.trim()}\\n' >.env; git stash -q -a; ${env}`],
  ])('%s', async (command, prepare) => {
    const { verdict, kept } = await verdictAndEffect(command, 'main', '.env', prepare);
    expect({ verdict, kept }).toEqual({ verdict: 'allow', kept: true });
  });
});

it('not where changes are put aside before', async () => {
  const prepare = `${env}; echo changed >src/a.txt`;
  const { verdict, kept } = await verdictAndEffect('git merge --autostash both', 'main', '.env', prepare);
  expect({ verdict, kept }).toEqual({ verdict: 'ask', kept: false });
});

describe('a directory in the place of a file, and a file in that of a directory', () => {
  const notes = `mkdir data; printf '${mine.trim()}\\n' >data/notes.csv`;
  const data = `printf '${mine.trim()}\\n' >data`;
  it.each([
    ['git switch file', notes, 'data/notes.csv'],
    ['git merge file', notes, 'data/notes.csv'],
    ['git switch directory', data, 'data'],
    ['git checkout directory -- .', data, 'data'],
    ['git reset --hard file', `mkdir data; cd data; git init -q; printf '${mine.trim()}\\n' >x`, 'data/x'],
    ['git switch file', 'ln -s .git/mine data', 'data'],
  ])('%s', async (command, prepare, file) => {
    const { verdict, files, kept } = await verdictAndEffect(command, 'own', file, prepare);
    expect({ verdict, kept }).toEqual({ verdict: 'ask', kept: false });
    expect(files).toHaveLength(1);
  });

  it.each([
    ['git switch directory', notes, 'data/notes.csv'],
    [
      'git switch directory',
      `git sparse-checkout set src; mkdir data; printf '${mine.trim()}\\n' >data/a.csv`,
      'data/a.csv',
    ],
  ])('not by %s', async (command, prepare, file) => {
    const { verdict, kept } = await verdictAndEffect(command, 'own', file, prepare);
    expect({ verdict, kept }).toEqual({ verdict: 'allow', kept: true });
  });
});

describe('nothing is lost', () => {
  it.each([
    ['git switch tracks', 'echo tracked >.env', 'it has the same contents'],
    ['git switch edits', 'echo tracked >.env', 'a commit has them'],
    ['git switch built', 'mkdir dist; echo mine >dist/a.js', 'tools make it again'],
    ['cp .env .env.kept && git switch tracks', env, 'it has a copy'],
    ['mv .env ../ && git switch tracks', env, 'it is elsewhere'],
    ['git stash --all && git switch tracks', env, 'it is in a stash'],
    ['git stash push --all -- .env && git switch tracks', env, 'it is in a stash'],
  ])('%s', async (command, prepare) => {
    const { path, judge } = copied('main', prepare);
    expect((await judge(command)).findings.filter(({ verdict }) => verdict !== 'allow')).toEqual([]);
    rmSync(path, { recursive: true });
  });
});

it('what is proposed keeps it', async () => {
  const { path, judge, git } = copied('main', env);
  const { findings } = await judge('git switch tracks', join(path, 'src'));
  expect(findings[0]?.message).toBe('git switch would discard 1 ignored file: .env.');
  expect(findings[0]?.suggestion).toBe('git stash push --all -- ../.env');
  execFileSync('sh', ['-c', `${findings[0]?.suggestion}`], { cwd: join(path, 'src') });
  git('switch', '--quiet', 'tracks');
  expect(git('show', 'stash@{0}^3:.env')).toBe(mine);
  rmSync(path, { recursive: true });
});
