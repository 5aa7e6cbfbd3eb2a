import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCheckpoint, findCheckpoint, listCheckpoints } from '../../src/git/checkpoints/checkpoint.ts';
import { undoTo } from '../../src/git/checkpoints/undo.ts';
import { keptByGuard, open } from './fixture.ts';

let root: string;
beforeEach(() => {
  root = join(realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-undo-'))), 'work');
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  write('f', 'one\n');
  write('d/g', 'deep\n');
  write('.gitignore', '*.log\n');
  git('add', '-A');
  git('commit', '-qm', 'feat: first');
});

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const has = (path: string) => existsSync(join(root, path));
const checkpoint = async (options = {}) => createCheckpoint(await open(root), options);
const undo = async (id?: string, options = {}) => {
  const repository = await open(root);
  return undoTo(repository, findCheckpoint(await listCheckpoints(repository), repository, id), options);
};
/** A file's times are finer than a checkpoint's. */
const pause = () => new Promise((later) => setTimeout(later, 30));

describe('an undo that could not end', () => {
  beforeEach(async () => {
    write('f', 'two\n');
    write('new', 'x');
    await checkpoint();
    git('reset', '-q', '--hard');
    rmSync(join(root, 'new'));
  });

  it.each(['index', 'HEAD'])('changes nothing where git has locked %s, and the next one goes there', async (name) => {
    write(`.git/${name}.lock`, '');
    await expect(undo()).rejects.toMatchObject({ code: 'git-locked' });
    expect([read('f'), has('new'), (await listCheckpoints(await open(root))).length]).toEqual(['one\n', false, 1]);
    rmSync(join(root, `.git/${name}.lock`));
    await undo();
    expect([read('f'), read('new')]).toEqual(['two\n', 'x']);
  });

  it('is ended by the next one, and what was there before it is what an undo of that goes back to', async () => {
    const { checkpoint: to, before } = await undo();
    // As a kill leaves it.
    rmSync(join(root, 'new'));
    const started = new Date().toISOString();
    write('.git/oxide-guard/undo.json', JSON.stringify({ to: to.id, before: before?.id, started }));
    const ended = await undo();
    expect([ended.checkpoint.id, ended.before?.id, read('new')]).toEqual([to.id, before?.id, 'x']);
    expect(has('.git/oxide-guard/undo.json')).toBe(false);
    expect((await undo()).checkpoint.id).toBe(before?.id);
    expect([read('f'), has('new')]).toEqual(['one\n', false]);
    await undo();
    expect([read('f'), has('new')]).toEqual(['two\n', true]);
  });

  it('says how it goes on, and where the state before is', async () => {
    git('commit', '-qm', 'feat: second', '--allow-empty');
    write('f', 'three\n');
    const { id } = await checkpoint();
    git('reset', '-q', '--hard', 'HEAD~1');
    const reflog = join(root, '.git/logs/refs/heads/main');
    renameSync(reflog, `${reflog}.kept`);
    write('.git/logs/refs/heads/main/in-the-way', '');
    const [first, second] = [`oxide-guard undo ${id} `, 'before: oxide-guard undo manual/3'];
    await expect(undo()).rejects.toMatchObject({ code: 'undo-unfinished', remedy: expect.stringContaining(first) });
    expect(read('f')).toBe('three\n');
    await expect(undo(id)).rejects.toMatchObject({ remedy: expect.stringContaining(second) });
    rmSync(reflog, { recursive: true });
    await undo();
    expect([read('f'), git('log', '-1', '--format=%s')]).toEqual(['three\n', 'feat: second\n']);
    await undo('manual/3');
    expect(read('f')).toBe('one\n');
  });

  it('is left alone where a checkpoint was taken since', async () => {
    write('.git/oxide-guard/undo.json', JSON.stringify({ to: 'manual/1', before: 'x/1', started: '2020-01-01' }));
    write('f', 'three\n');
    const { id } = await checkpoint();
    expect((await undo()).checkpoint.id).toBe(id);
  });

  it('is alone in its work tree', async () => {
    write('.git/oxide-guard/undo.lock', String(process.ppid));
    await expect(undo()).rejects.toMatchObject({ code: 'undo-under-way' });
    expect(read('f')).toBe('one\n');
    write('.git/oxide-guard/undo.lock', '4194304');
    await undo();
    expect(read('f')).toBe('two\n');
    expect(keptByGuard(root)).toEqual(['checkpoint-manual.json']);
  });

  it('has its copy of the index taken away by a later one', async () => {
    mkdirSync(join(root, '.git/oxide-guard/index-killed'));
    utimesSync(join(root, '.git/oxide-guard/index-killed'), 0, 0);
    await undo();
    expect(has('.git/oxide-guard/index-killed')).toBe(false);
  });
});

describe('an undo leaves what was not in the checkpoint because it was ignored', () => {
  it('whatever is ignored now', async () => {
    write('d/.gitignore', 'own/\n');
    git('add', '-A');
    git('commit', '-qm', 'chore: ignore');
    write('a.log', 'ignored\n');
    write('d/own/file', 'ignored\n');
    write('f', 'two\n');
    await checkpoint();
    await pause();
    write('.gitignore', '');
    write('d/.gitignore', '');
    write('a.log', 'written since\n');
    write('since', 'x');
    const { files } = await undo();
    expect(files.filter(({ change }) => change === 'delete').map(({ path }) => path)).toEqual(['since']);
    expect([read('a.log'), read('d/own/file'), has('since')]).toEqual(['written since\n', 'ignored\n', false]);
  });

  it('by a file that is nobody’s to undo, as long as it was not touched', async () => {
    write('.git/info/exclude', 'local\n');
    write('local', 'x');
    await pause();
    write('f', 'two\n');
    await checkpoint();
    write('.git/info/exclude', '');
    await undo();
    expect(read('local')).toBe('x');
  });

  it('but not the files of a directory that was moved', async () => {
    await pause();
    await checkpoint();
    renameSync(join(root, 'd'), join(root, 'e'));
    await undo();
    expect([has('d/g'), has('e/g')]).toEqual([true, false]);
  });
});

describe('files that are named', () => {
  beforeEach(() => {
    write('a.log', 'ignored\n');
  });

  it('come back although they are ignored, and stay as they are where they are there', async () => {
    await checkpoint({ named: ['a.log'] });
    write('a.log', 'changed\n');
    await undo('manual/1');
    expect(read('a.log')).toBe('changed\n');
    git('clean', '-qfdX');
    await undo('manual/1');
    expect(read('a.log')).toBe('ignored\n');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('come back in the place of what a checkout has brought', async () => {
    git('switch', '-qc', 'other');
    git('add', '--force', 'a.log');
    git('commit', '-qm', 'feat: log');
    git('switch', '-q', 'main');
    write('a.log', 'mine\n');
    await checkpoint({ named: ['a.log'] });
    git('switch', '-q', 'other');
    await undo('manual/1');
    expect(read('a.log')).toBe('mine\n');
    expect(git('status', '--porcelain', '--ignored')).toBe('!! a.log\n');
  });

  it('are changes that git was told not to look at', async () => {
    git('update-index', '--assume-unchanged', 'f');
    write('f', 'two\n');
    const { named } = await checkpoint({ named: ['f'] });
    expect(named).toEqual(['f']);
    git('update-index', '--no-assume-unchanged', 'f');
    git('checkout', '-q', 'f');
    await undo();
    expect(read('f')).toBe('two\n');
  });

  it('are none of another repository, beyond a link, or too large', async () => {
    git('init', '-q', 'nested');
    write('nested/file', 'x');
    mkdirSync(join(root, '../beyond'));
    write('../beyond/file', 'x');
    symlinkSync('../beyond', join(root, 'link'));
    write('large.log', Buffer.alloc(5 * 1024 * 1024 + 1));
    const { named } = await checkpoint({
      named: ['a.log', 'nested/file', 'link/file', 'large.log', '.git/config', '../beyond/file'],
    });
    expect(named).toEqual(['a.log']);
  });
});

it('a directory in whose place a link has come is in a checkpoint, and comes back by an undo', async () => {
  renameSync(join(root, 'd'), join(root, '../real'));
  symlinkSync('../real', join(root, 'd'));
  await checkpoint();
  rmSync(join(root, 'd'));
  git('checkout', '-q', '.');
  expect(lstatSync(join(root, 'd')).isDirectory()).toBe(true);
  await undo();
  expect(lstatSync(join(root, 'd')).isSymbolicLink()).toBe(true);
  await undo();
  expect([lstatSync(join(root, 'd')).isDirectory(), read('d/g'), read('../real/g')]).toEqual([
    true,
    'deep\n',
    'deep\n',
  ]);
});

it('a file that only its owner may read is such a one again', async () => {
  write('.env', 'S=1');
  chmodSync(join(root, '.env'), 0o600);
  await checkpoint();
  rmSync(join(root, '.env'));
  await undo();
  expect(lstatSync(join(root, '.env')).mode & 0o777).toBe(0o600);
});

it('says nothing of a file that a sparse checkout leaves out', async () => {
  write('e/h', 'x');
  write('d/g', 'changed\n');
  git('add', '-A');
  git('commit', '-qm', 'feat: second');
  git('sparse-checkout', 'set', 'e');
  await checkpoint();
  git('reset', '-q', '--hard', 'HEAD~1');
  expect((await undo()).files.map(({ path }) => path)).toEqual(['e/h']);
  expect([read('e/h'), has('d/g'), git('status', '--porcelain')]).toEqual(['x', false, '']);
});

it('says how to get a stash back that was kept, as long as it is not there', async () => {
  write('f', 'two\n');
  git('stash', '-q');
  const oid = git('rev-parse', 'stash').trim();
  await checkpoint({ refs: [{ name: 'stash@{0}', oid }] });
  expect((await undo('manual/1')).advice).toEqual([]);
  git('stash', 'drop', '-q');
  expect((await undo('manual/1')).advice).toEqual([`git stash store ${oid}`]);
});
