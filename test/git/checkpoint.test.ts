import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createCheckpoint,
  findCheckpoint,
  listCheckpoints,
  pruneCheckpoints,
} from '../../src/git/checkpoints/checkpoint.ts';
import { undoTo } from '../../src/git/checkpoints/undo.ts';
import { keptByGuard, open } from './fixture.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'oxide-guard-checkpoint-')));
  git('init', '-q', '-b', 'main');
  write('tracked.txt', 'one\n');
  write('dir/deep.txt', 'deep\n');
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

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

const checkpoint = async (options = {}) => createCheckpoint(await open(root), options);
const undo = async (id?: string, options = {}) => {
  const repository = await open(root);
  return undoTo(repository, findCheckpoint(await listCheckpoints(repository), repository, id), options);
};

/** Everything a user could notice: HEAD, branches, the index byte for byte, every file with its mode. */
function state(): unknown {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.startsWith('.git/') && path !== '.git')
    .sort()
    .map((path) => {
      const stats = lstatSync(join(root, path));
      const content = stats.isFile() ? read(path) : stats.isSymbolicLink() ? readlinkSync(join(root, path)) : null;
      return [path, stats.mode, content];
    });
  const index = join(root, '.git/index');
  return {
    head: read('.git/HEAD'),
    refs: git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/stash'),
    index: existsSync(index) ? readFileSync(index).toString('hex') : null,
    files,
  };
}

it('a checkpoint holds a change of the same length in the second in which the index was written', async () => {
  const second = (path: string) => Math.floor(statSync(join(root, path)).ctimeMs / 1000);
  do {
    write('tracked.txt', 'old\n');
    git('add', '-A');
    write('tracked.txt', 'new\n');
  } while (second('.git/index') !== second('tracked.txt'));
  // The copy of the index, on which the snapshot is made, is of another second.
  await new Promise((later) => setTimeout(later, 1100));
  await checkpoint();
  write('tracked.txt', 'lost\n');
  await undo();
  expect(read('tracked.txt')).toBe('new\n');
});

describe('a checkpoint', () => {
  it('leaves index, HEAD, branches and files as they are, and no temporary file', async () => {
    write('tracked.txt', 'changed\n');
    write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    write('staged.txt', 'changed after staging\n');
    write('untracked.txt', 'new\n');
    const before = state();
    await checkpoint({ session: 'claude', reason: 'git reset --hard' });
    expect(state()).toEqual(before);
    expect(keptByGuard(root)).toEqual(['checkpoint-claude.json']);
  });

  it('records what is in the work tree, what is staged, and where HEAD stood', async () => {
    write('tracked.txt', 'changed\n');
    rmSync(join(root, 'dir/deep.txt'));
    write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    write('staged.txt', 'changed after staging\n');
    const { ref, tree, indexTree, head } = await checkpoint();
    expect(git('show', `${ref}:tracked.txt`)).toBe('changed\n');
    expect(git('show', `${tree}:staged.txt`)).toBe('changed after staging\n');
    expect(git('show', `${indexTree}:staged.txt`)).toBe('staged\n');
    expect(git('ls-tree', '-r', '--name-only', ref)).toBe('.gitignore\nstaged.txt\ntracked.txt\n');
    expect(head).toEqual({ ref: 'refs/heads/main', oid: git('rev-parse', 'HEAD').trim() });
  });

  it('is kept by git gc', async () => {
    write('untracked.txt', 'precious\n');
    write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    const { ref, indexTree } = await checkpoint();
    git('reset', '-q', '--hard');
    git('reflog', 'expire', '--expire=now', '--all');
    git('gc', '-q', '--prune=now');
    expect(git('show', `${ref}:untracked.txt`)).toBe('precious\n');
    expect(git('show', `${indexTree}:staged.txt`)).toBe('staged\n');
  });

  it('runs no hook', async () => {
    for (const hook of ['post-index-change', 'reference-transaction', 'post-checkout', 'pre-commit', 'post-commit']) {
      write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${root}/hook-ran.log"\n`);
      chmodSync(join(root, '.git/hooks', hook), 0o755);
    }
    write('tracked.txt', 'changed\n');
    await checkpoint();
    git('-c', 'core.hooksPath=/dev/null', 'checkout', '-q', 'tracked.txt');
    await undo();
    expect(existsSync(join(root, 'hook-ran.log'))).toBe(false);
  });

  it('is taken again only when something has changed', async () => {
    const first = await checkpoint({ session: 's' });
    expect((await checkpoint({ session: 's' })).id).toBe(first.id);
    write('untracked.txt', '1');
    const second = await checkpoint({ session: 's' });
    expect(second.id).toBe('s/2');
    expect((await checkpoint({ session: 's' })).id).toBe(second.id);
    git('switch', '-qc', 'other');
    expect((await checkpoint({ session: 's' })).id).toBe('s/3');
    expect((await listCheckpoints(await open(root))).map(({ id }) => id)).toEqual(['s/3', 's/2', 's/1']);
  });

  it('skips and names untracked files over 5 MiB and nested repositories', async () => {
    write('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1));
    write('fits.bin', Buffer.alloc(5 * 1024 * 1024));
    mkdirSync(join(root, 'nested'));
    execFileSync('git', ['init', '-q', 'nested'], { cwd: root });
    write('nested/file', 'x');
    const { skipped, ref } = await checkpoint();
    expect(skipped).toEqual([
      { path: 'large.bin', reason: 'too-large' },
      { path: 'nested/', reason: 'nested-repository' },
    ]);
    expect(git('ls-tree', '--name-only', ref)).toContain('fits.bin');
  });

  it('works before the first commit', async () => {
    rmSync(join(root, '.git'), { recursive: true });
    git('init', '-q', '-b', 'trunk');
    const { head, ref } = await checkpoint();
    expect(head).toEqual({ ref: 'refs/heads/trunk', oid: null });
    expect(git('show', `${ref}:tracked.txt`)).toBe('one\n');
    rmSync(join(root, 'tracked.txt'));
    await undo();
    expect(read('tracked.txt')).toBe('one\n');
  });

  it('works in the middle of a conflict', async () => {
    git('switch', '-qc', 'other');
    write('tracked.txt', 'theirs\n');
    git('commit', '-qam', 'feat: theirs');
    git('switch', '-q', 'main');
    write('tracked.txt', 'ours\n');
    git('commit', '-qam', 'feat: ours');
    expect(() => git('merge', 'other')).toThrow();
    const conflict = read('tracked.txt');
    const { indexTree } = await checkpoint();
    expect(indexTree).toBeNull();
    git('merge', '--abort');
    await undo();
    expect(read('tracked.txt')).toBe(conflict);
  });

  it('is refused in the home directory and in a bare repository', async () => {
    execFileSync('git', ['init', '-q'], { cwd: homedir() });
    await expect(createCheckpoint(await open(homedir()))).rejects.toMatchObject({ code: 'checkpoint-refused' });
    rmSync(join(homedir(), '.git'), { recursive: true });
    git('init', '-q', '--bare', 'bare.git');
    await expect(createCheckpoint(await open(join(root, 'bare.git')))).rejects.toMatchObject({
      code: 'checkpoint-refused',
    });
  });

  it('is given up when its time is over, and changes nothing', async () => {
    write('untracked.txt', '1');
    const before = state();
    await expect(createCheckpoint(await open(root), { budget: 1 })).rejects.toMatchObject({
      code: 'checkpoint-too-slow',
    });
    expect(state()).toEqual(before);
    expect(await listCheckpoints(await open(root))).toEqual([]);
  });

  it('is taken by several processes at once', async () => {
    write('untracked.txt', '1');
    const taken = await Promise.all(
      Array.from({ length: 4 }, (_, n) => checkpoint({ session: 's', refs: [{ name: `refs/x/${n}`, oid: head() }] })),
    );
    expect(new Set(taken.map(({ id }) => id)).size).toBe(4);
  });

  it('is pruned when it is old', async () => {
    await checkpoint();
    expect(await pruneCheckpoints(await open(root))).toEqual([]);
    expect(await pruneCheckpoints(await open(root), { all: true })).toHaveLength(1);
    expect(git('for-each-ref', 'refs/oxide-guard')).toBe('');
  });

  it('leaves nothing behind that a killed process made', async () => {
    mkdirSync(join(root, '.git/oxide-guard/index-killed'), { recursive: true });
    utimesSync(join(root, '.git/oxide-guard/index-killed'), 0, 0);
    await pruneCheckpoints(await open(root));
    expect(keptByGuard(root)).toEqual([]);
  });

  it('takes names that agents make up', async () => {
    expect((await checkpoint({ session: '../../heads/main..lock' })).ref).toBe(
      'refs/oxide-guard/checkpoints/heads-main-lock/1',
    );
  });
});

function head(): string {
  return git('rev-parse', 'HEAD').trim();
}

describe('an undo', () => {
  it('brings back changed, staged, deleted and untracked files, and deletes what was made since', async () => {
    write('tracked.txt', 'changed\n');
    write('staged.txt', 'staged\n');
    git('add', 'staged.txt');
    write('staged.txt', 'changed after staging\n');
    write('notes/untracked.txt', 'new\n');
    symlinkSync('tracked.txt', join(root, 'link'));
    write('tool.sh', '#!/bin/sh\n');
    chmodSync(join(root, 'tool.sh'), 0o755);
    const { files } = state() as { files: unknown };
    const status = git('status', '--porcelain');
    await checkpoint();

    git('reset', '-q', '--hard');
    git('clean', '-qfd');
    rmSync(join(root, 'dir'), { recursive: true });
    write('since.txt', 'made since\n');
    await undo();
    expect((state() as { files: unknown }).files).toEqual(files);
    expect(git('status', '--porcelain')).toBe(status);
  });

  it('can itself be undone', async () => {
    write('tracked.txt', 'changed\n');
    await checkpoint();
    git('checkout', '-q', 'tracked.txt');
    write('since.txt', 'made since\n');
    const { before } = await undo();
    expect(existsSync(join(root, 'since.txt'))).toBe(false);
    expect(before?.reason).toMatch(/^before undo/);
    await undo();
    expect(read('since.txt')).toBe('made since\n');
    expect(read('tracked.txt')).toBe('one\n');
    await undo();
    expect(read('tracked.txt')).toBe('changed\n');
  });

  it('never touches ignored files, and stops where one stands in the way', async () => {
    write('data.txt', 'untracked\n');
    await checkpoint();
    rmSync(join(root, 'data.txt'));
    write('.git/info/exclude', 'data.txt\n');
    write('data.txt', 'now ignored\n');
    write('build.log', 'ignored\n');
    await expect(undo()).rejects.toMatchObject({ code: 'undo-in-the-way' });
    expect(read('data.txt')).toBe('now ignored\n');
    rmSync(join(root, 'data.txt'));
    await undo();
    expect(read('data.txt')).toBe('untracked\n');
    expect(read('build.log')).toBe('ignored\n');
  });

  it('changes nothing as a dry run, and says what it would do', async () => {
    write('tracked.txt', 'changed\n');
    write('untracked.txt', 'new\n');
    await checkpoint();
    git('checkout', '-q', 'tracked.txt');
    rmSync(join(root, 'untracked.txt'));
    write('since.txt', 'x');
    const before = state();
    const plan = await undo(undefined, { dryRun: true });
    expect(plan.files).toEqual([
      { path: 'since.txt', change: 'delete' },
      { path: 'tracked.txt', change: 'restore' },
      { path: 'untracked.txt', change: 'recreate' },
    ]);
    expect(plan.before).toBeNull();
    expect(state()).toEqual(before);
    expect(await listCheckpoints(await open(root))).toHaveLength(1);
  });

  it('moves a branch back that was rewound', async () => {
    write('second.txt', '2');
    git('add', '-A');
    git('commit', '-qm', 'feat: second');
    const tip = head();
    await checkpoint();
    git('reset', '-q', '--hard', 'HEAD~1');
    const result = await undo();
    expect(result.head).toMatchObject({ kind: 'move', ref: 'refs/heads/main', to: tip });
    expect(head()).toBe(tip);
    expect(read('second.txt')).toBe('2');
    expect(git('status', '--porcelain')).toBe('');
  });

  it('moves a branch back that was amended, and keeps the amended commit on a checkpoint', async () => {
    const tip = head();
    await checkpoint();
    git('commit', '-q', '--amend', '-m', 'feat: amended');
    const amended = head();
    const { before } = await undo();
    expect(head()).toBe(tip);
    expect(git('rev-parse', `${before?.ref}^1`).trim()).toBe(amended);
  });

  it('never takes commits off that were made on top', async () => {
    write('tracked.txt', 'changed\n');
    await checkpoint();
    git('commit', '-qam', 'feat: on top');
    const tip = head();
    const result = await undo();
    expect(result.head).toMatchObject({ kind: 'keep' });
    expect(head()).toBe(tip);
  });

  it('goes back to the branch that was left, even when it was deleted', async () => {
    git('switch', '-qc', 'feature');
    write('feature.txt', 'f');
    git('add', '-A');
    git('commit', '-qm', 'feat: feature');
    const tip = head();
    await checkpoint();
    git('switch', '-q', 'main');
    git('branch', '-qD', 'feature');
    await undo();
    expect(git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/feature');
    expect(head()).toBe(tip);
    expect(git('status', '--porcelain')).toBe('');
  });

  it('goes back to a detached HEAD', async () => {
    const tip = head();
    git('checkout', '-q', '--detach');
    await checkpoint();
    git('switch', '-q', 'main');
    await undo();
    expect(read('.git/HEAD').trim()).toBe(tip);
  });

  it('says how to get an endangered branch back', async () => {
    git('branch', 'topic');
    const oid = head();
    await checkpoint({ refs: [{ name: 'refs/heads/topic', oid }] });
    git('branch', '-qD', 'topic');
    const { advice } = await undo();
    expect(advice).toEqual([`git update-ref refs/heads/topic ${oid}`]);
  });

  it('that was killed is finished by the same undo, and both states are kept', async () => {
    for (let n = 0; n < 200; n++) {
      write(`many/${n}.txt`, `before ${n}\n`);
    }
    const { id } = await checkpoint();
    const files = () => (state() as { files: unknown }).files;
    const then = files();
    const module = (name: string) => new URL(`../../src/git/${name}.ts`, import.meta.url).pathname;
    const script = `const load = require('jiti').createJiti(process.cwd() + '/');
      const { openRepository } = load(${JSON.stringify(module('open-repository'))});
      const { findCheckpoint, listCheckpoints } = load(${JSON.stringify(module('checkpoint'))});
      const { undoTo } = load(${JSON.stringify(module('undo'))});
      openRepository({ cwd: ${JSON.stringify(root)} }).then(async (repository) => {
        console.log('loaded');
        await undoTo(repository, findCheckpoint(await listCheckpoints(repository), repository, '${id}'));
      });`;
    for (const delay of [5, 15, 25, 35, 45]) {
      rmSync(join(root, 'many'), { recursive: true });
      write('since.txt', `${delay}`);
      await new Promise<void>((resolve) => {
        const child = spawn(process.execPath, ['-e', script], { detached: true });
        child.stdout.once('data', () => setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), delay));
        child.once('close', () => resolve());
      });
      rmSync(join(root, '.git/index.lock'), { force: true });
      await undo(id);
      expect(files()).toEqual(then);
    }
  });

  it('brings back files with odd names', async () => {
    const names = [
      'a b',
      'q"uote',
      "apo'strophe",
      'new\nline',
      'tab\t',
      '-dash',
      'ünï',
      '*?[',
      ':colon',
      'back\\slash',
    ];
    for (const name of names) {
      write(name, name);
    }
    const odd = Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe])]);
    writeFileSync(odd, 'latin');
    await checkpoint();
    git('clean', '-qfd');
    await undo();
    expect(names.map(read)).toEqual(names);
    expect(readFileSync(odd, 'utf8')).toBe('latin');
  });

  it('brings back a file that became a directory, and a directory that became a file', async () => {
    await checkpoint();
    rmSync(join(root, 'tracked.txt'));
    write('tracked.txt/inner', 'x');
    rmSync(join(root, 'dir'), { recursive: true });
    write('dir', 'a file');
    await undo();
    expect(read('tracked.txt')).toBe('one\n');
    expect(read('dir/deep.txt')).toBe('deep\n');
    await undo();
    expect(read('tracked.txt/inner')).toBe('x');
    expect(read('dir')).toBe('a file');
  });

  it('works in a linked worktree, and refuses another one’s checkpoint', async () => {
    git('worktree', 'add', '-q', '-b', 'linked', 'tree');
    const main = root;
    await checkpoint({ session: 'main' });
    root = join(root, 'tree');
    write('tracked.txt', 'changed\n');
    await checkpoint({ session: 'linked' });
    git('checkout', '-q', 'tracked.txt');
    await undo();
    expect(read('tracked.txt')).toBe('changed\n');
    await expect(undo('main/1')).rejects.toMatchObject({ code: 'undo-elsewhere' });
    root = main;
    expect(read('tracked.txt')).toBe('one\n');
  });

  it('leaves what a sparse checkout hides hidden', async () => {
    git('sparse-checkout', 'set', '--no-cone', '/*.txt', '/.gitignore');
    expect(existsSync(join(root, 'dir'))).toBe(false);
    write('tracked.txt', 'changed\n');
    const { ref } = await checkpoint();
    expect(git('show', `${ref}:dir/deep.txt`)).toBe('deep\n');
    git('checkout', '-q', 'tracked.txt');
    await undo();
    expect(read('tracked.txt')).toBe('changed\n');
    expect(existsSync(join(root, 'dir'))).toBe(false);
    expect(git('status', '--porcelain')).toBe(' M tracked.txt\n');
  });

  it('leaves a submodule’s own files alone', async () => {
    git('init', '-q', 'library');
    execFileSync('git', ['commit', '-qm', 'feat: library', '--allow-empty'], { cwd: join(root, 'library') });
    git('-c', 'advice.addEmbeddedRepo=false', 'add', 'library');
    git('commit', '-qm', 'feat: add library');
    write('library/work.txt', 'work');
    write('tracked.txt', 'changed\n');
    await checkpoint();
    git('checkout', '-q', 'tracked.txt');
    await undo();
    expect(read('library/work.txt')).toBe('work');
    expect(read('tracked.txt')).toBe('changed\n');
  });

  it('leaves a submodule’s changed files alone where commands reach into submodules', async () => {
    git('init', '-q', 'library');
    const inLibrary = (...args: string[]) => execFileSync('git', args, { cwd: join(root, 'library') });
    write('library/kept.txt', 'first\n');
    inLibrary('add', '-A');
    inLibrary('commit', '-qm', 'feat: library');
    write('.gitmodules', '[submodule "library"]\n\tpath = library\n\turl = ./library\n');
    git('-c', 'advice.addEmbeddedRepo=false', 'add', 'library', '.gitmodules');
    git('submodule', '--quiet', 'absorbgitdirs');
    git('commit', '-qm', 'feat: add library');
    git('config', 'submodule.library.active', 'true');
    git('config', 'submodule.recurse', 'true');
    await checkpoint();
    write('library/kept.txt', 'second\n');
    inLibrary('commit', '-qam', 'feat: second');
    git('commit', '-qam', 'feat: new library');
    write('library/kept.txt', 'by hand\n');
    await undo();
    expect(read('library/kept.txt')).toBe('by hand\n');
  });
});

describe('a checkpoint of files with a filter', () => {
  /** Like Git LFS: what git keeps names a content that lies elsewhere; whoever runs leaves a mark. */
  function filter(scope: '--local' | '--global') {
    const store = mkdtempSync(join(tmpdir(), 'oxide-guard-filter-'));
    const mark = join(store, 'ran');
    const script = (name: string, body: string) => {
      writeFileSync(join(store, name), `#!/bin/sh\ntouch '${mark}'\n${body}\n`, { mode: 0o755 });
      git('config', scope, `filter.kept.${name}`, join(store, name));
    };
    script(
      'clean',
      `cat > '${store}'/in.$$; h=$(git hash-object '${store}'/in.$$); mv '${store}'/in.$$ '${store}'/$h; echo "kept $h"`,
    );
    script(
      'smudge',
      `read -r word name; if [ "$word" = kept ]; then cat '${store}'/$name; else echo "$word $name"; cat; fi`,
    );
    git('config', scope, 'filter.kept.required', 'true');
    write('.gitattributes', '*.bin filter=kept\n');
    write('same.bin', 'same\n');
    write('changed.bin', 'before\n');
    git('add', '-A');
    git('commit', '-qm', 'feat: binaries');
    write('changed.bin', 'by hand\n');
    write('new.bin', 'new\n');
    rmSync(mark);
    const files = () => ['same.bin', 'changed.bin', 'new.bin'].map(read);
    return {
      files,
      spoil: () => {
        write('same.bin', 'spoiled\n');
        write('changed.bin', 'spoiled, too\n');
        rmSync(join(root, 'new.bin'));
      },
      hasRun: () => existsSync(mark),
      remove: () => git('config', scope, '--remove-section', 'filter.kept'),
    };
  }

  it('runs none that the repository itself configures, and brings back every byte', async () => {
    const { files, spoil, hasRun } = filter('--local');
    const [then, before] = [files(), state()];
    const { id } = await checkpoint();
    expect(state()).toEqual(before);
    spoil();
    await undo(id);
    expect(files()).toEqual(then);
    spoil();
    await undo(`${id.split('/')[0]}/2`);
    expect(read('same.bin')).toBe('spoiled\n');
    await undo(id);
    expect(files()).toEqual(then);
    expect(hasRun()).toBe(false);
    expect(git('status', '--porcelain')).toBe(' M changed.bin\n?? new.bin\n');
    expect(hasRun()).toBe(true);
  });

  it('brings back every byte although the filter has become the person’s own since', async () => {
    const { files, spoil, remove } = filter('--local');
    const then = files();
    const { id } = await checkpoint();
    const commands = ['clean', 'smudge'].map((name) => [name, git('config', `filter.kept.${name}`).trim()] as const);
    remove();
    for (const [name, command] of commands) {
      git('config', '--global', `filter.kept.${name}`, command);
    }
    try {
      spoil();
      await undo(id);
      expect(files()).toEqual(then);
    } finally {
      git('config', '--global', '--remove-section', 'filter.kept');
    }
  });

  it('is not taken again while nothing changes', async () => {
    filter('--local');
    const { id } = await checkpoint();
    expect((await checkpoint()).id).toBe(id);
  });

  it('runs those that a person has configured for all repositories, and keeps what they make', async () => {
    const { files, spoil, hasRun, remove } = filter('--global');
    try {
      const then = files();
      const { id, ref } = await checkpoint();
      expect(hasRun()).toBe(true);
      expect(git('show', `${ref}:changed.bin`)).toMatch(/^kept [0-9a-f]{40}\n$/);
      spoil();
      await undo(id);
      expect(files()).toEqual(then);
    } finally {
      remove();
    }
  });
});
