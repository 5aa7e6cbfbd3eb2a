import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { conventionOf } from '../../src/guards/convention.ts';
import { judgeCommandLine } from '../../src/guards/evaluate.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-scratch-')));
const temporary = join(root, 'temporary');
const session = join(root, 'session');
const scratch = join(temporary, 'scratch');
const cloned = join(temporary, 'cloned');
/** Files, and no repository. */
const kept = join(temporary, 'kept');
afterAll(() => rmSync(root, { recursive: true, force: true }));

function git(cwd: string, ...args: readonly string[]): void {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', [...identity, ...args], { cwd, stdio: 'ignore' });
}

function repositoryAt(directory: string): void {
  mkdirSync(directory, { recursive: true });
  git(directory, 'init', '-q', '-b', 'main', '.');
  writeFileSync(join(directory, 'a.txt'), 'one\n');
  git(directory, 'add', '-A');
  git(directory, 'commit', '-q', '-m', 'feat: one');
  writeFileSync(join(directory, 'a.txt'), 'two\n');
}

beforeAll(() => {
  for (const directory of [session, scratch, cloned]) {
    repositoryAt(directory);
  }
  mkdirSync(kept);
  writeFileSync(join(kept, 'a.txt'), 'one\n');
  git(cloned, 'remote', 'add', 'origin', 'git@example.com:o/shop.git');
});

const judge = async (line: string, cwd = session, environment: NodeJS.ProcessEnv = { TMPDIR: temporary }) =>
  (
    await judgeCommandLine(line, {
      cwd,
      env: { ...process.env, ...environment },
      convention: async () => conventionOf(defaultConfiguration),
    })
  ).verdict;

describe('a repository below the temporary directory that no remote knows', () => {
  it.each([
    'git reset --hard',
    'git commit -am "tried"',
    'git commit --amend -m "tried again"',
    'rm -rf .git/hooks',
    'git init -q --bare ../b.git && git push -f ../b.git main',
  ])('is nobody’s work: %s', async (line) => {
    expect(await judge(`cd ${scratch} && ${line}`)).toBe('allow');
  });

  it('may go as a whole', async () => {
    expect(await judge(`rm -rf ${scratch} && git init -q ${scratch} && cd ${scratch} && git clean -fdx`)).toBe('allow');
  });

  it('has no convention either where a call names it beside the files of a project, which are somebody’s', async () => {
    const beside = `git --git-dir=${scratch}/.git --work-tree=.`;
    expect(await judge(`${beside} add -A && ${beside} commit -qm before`)).toBe('allow');
    expect(await judge(`export GIT_DIR=${scratch}/.git; git add -A; git commit -qm before`)).toBe('allow');
    expect(await judge(`${beside} add -A; git commit -qam before`)).toBe('deny');
    expect(await judge(`git --git-dir=${cloned}/.git --work-tree=. commit -qam before`)).toBe('deny');
    expect(await judge(`${beside} reset -q --hard`)).toBe('ask');
  });

  it('is a project’s where its work tree leads there', async () => {
    const outside = join(root, 'outside');
    mkdirSync(outside);
    git(outside, 'init', '-q', `--separate-git-dir=${temporary}/separate`, '.');
    writeFileSync(join(outside, 'a.txt'), 'one\n');
    const line = `git --git-dir=${temporary}/separate --work-tree=. commit -qam before`;
    expect(await judge(line, outside)).toBe('deny');
    expect(await judge('git commit -qam before', outside)).toBe('deny');
  });

  it('pushes to others as every repository does', async () => {
    expect(await judge(`cd ${scratch} && git push -f ${session} main`)).toBe('deny');
    expect(await judge(`cd ${scratch} && git remote add o git@example.com:o/x.git && git push o main`)).toBe('ask');
  });
});

describe('a repository below the temporary directory that the line makes', () => {
  it.each([
    'git clone "$(git remote get-url origin)" $T/a && cd $T/a',
    'git init -q $T/b && cd $T/b && git remote add origin "$URL"',
    'git init -q $T/b && cd $T/b && git config remote.origin.url "$URL"',
    'cp -r . $T/c && cd $T/c',
    'cp -r .git $T/.git && cd $T',
  ])('pushes to a remote that is not known: %s', async (line) => {
    expect(await judge(`T=$(mktemp -d); ${line} && git push -f origin main`)).toBe('deny');
    expect(await judge(`T=$(mktemp -d); ${line} && git push origin HEAD:refs/heads/topic`)).toBe('allow');
  });

  it.each([
    [
      temporary,
      'mkdir -p DIRECTORY/repro && cd DIRECTORY/repro && git init && git commit --allow-empty -m "Initial commit"',
    ],
    [temporary, 'cd DIRECTORY && git init demo && cd demo && git commit --allow-empty -m one'],
    ['/tmp', 'D=DIRECTORY/not-there; mkdir -p $D; cd $D; git init -q; git commit -q --allow-empty -m init'],
    [kept, 'cd DIRECTORY && git init -q && git add -A && git commit -q -m init && git reset -q --hard'],
  ])('has no convention of a project, in %s: %s', async (directory, line) => {
    expect(await judge(line.replaceAll('DIRECTORY', directory))).toBe('allow');
  });

  it.each([
    [session, 'git init -q DIRECTORY/fixture && cd DIRECTORY/fixture && git commit --allow-empty -m one'],
    [root, 'git init -q DIRECTORY/beside && git -C DIRECTORY/beside commit --allow-empty -m one'],
    [temporary, 'git clone -q . DIRECTORY/copy && cd DIRECTORY/copy && git commit -qam one'],
    [temporary, 'cp -r . DIRECTORY/copy && cd DIRECTORY/copy && git commit -qam one'],
  ])('keeps that of the project within it, beside it and in its copies, in %s: %s', async (directory, line) => {
    expect(await judge(line.replaceAll('DIRECTORY', directory))).toBe('deny');
  });

  it('is a project where the session works in it', async () => {
    const line = 'git init -q && git add -A && git commit -q -m init';
    expect(await judge(line, kept)).toBe('deny');
    expect(await judge(`${line.replace('-m init', '-m "feat: begin"')} && git reset -q --hard`, kept)).toBe('allow');
    expect(await judge('git init -q && git clean -fd', kept)).toBe('ask');
  });

  it.each([
    'mktemp -d "${TMPDIR:-/tmp}/x.XXXX"',
    'mktemp -d -p "${TMPDIR:-/tmp}"',
    'mktemp -d --tmpdir="${TMPDIR:-/tmp}" x.XXXX',
    'd="${TMPDIR:-/tmp}/x-$$"; mkdir -p "$d"; echo "$d"',
  ])('may be made where nothing says where that is: %s', async (making) => {
    const line = 'cd "$d" && git init -q && git commit -q --allow-empty -m init && git reset -q --hard';
    expect(await judge(`d=$(${making}); ${line}`, session, { TMPDIR: undefined })).toBe('allow');
    expect(
      await judge(`TMPDIR=$PWD; d=$(${making}); cd "$d/.."; git reset --hard`, session, { TMPDIR: undefined }),
    ).toBe('ask');
  });

  it('pushes to no remote that it does not have', async () => {
    expect(await judge('T=$(mktemp -d); git init -q $T/b && cd $T/b && git push -f origin main')).toBe('allow');
  });
});

describe('what is no scratch repository', () => {
  it('has a remote elsewhere', async () => {
    expect(await judge(`cd ${cloned} && git reset --hard`)).toBe('ask');
    expect(await judge(`rm -rf ${cloned}`)).toBe('deny');
  });

  it('is where the session works', async () => {
    expect(await judge('git reset --hard', scratch)).toBe('ask');
    expect(await judge('git reset --hard')).toBe('ask');
  });
});
