import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rulesOf } from '../../src/agent/sandbox/confinement.ts';
import { createSandbox, type SandboxOptions } from '../../src/agent/sandbox/sandbox.ts';
import { seatbeltProfile } from '../../src/agent/sandbox/seatbelt.ts';
import { bash } from '../../src/tools/bash.ts';
import { executeTool, type ToolContext } from '../../src/tools/tool.ts';
import {
  emptyRepository,
  git,
  repositoryWithCommit,
  repositoryWithRemote,
  temporaryDirectory,
  tryGit,
  write,
} from '../git/fixture.ts';
import { contextIn, session } from '../tools/fixture.ts';
import { withoutBubblewrap } from './bubblewrap.ts';

const disposals: (() => void)[] = [];
afterAll(() => {
  for (const dispose of disposals) {
    dispose();
  }
});

function sandboxed(
  root: string,
  options: Partial<SandboxOptions> & { readonly network?: boolean; readonly required?: boolean } = {},
): ToolContext {
  const { network = false, required = false, ...rest } = options;
  const sandbox = createSandbox({
    settings: { requireSandbox: required, sandboxNetwork: network },
    onNotice: (message) => {
      throw new Error(message);
    },
    ...rest,
  });
  disposals.push(sandbox.dispose);
  return { ...contextIn(root), sandbox };
}

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly text: string;
  readonly sandboxed: boolean;
}

async function run(command: string, context: ToolContext, timeout?: number): Promise<Run> {
  const result = await executeTool(bash, { command, ...(timeout === undefined ? {} : { timeout }) }, context, null);
  const data = result.data as unknown as Omit<Run, 'text'>;
  return { ...data, text: result.text };
}

describe.skipIf(withoutBubblewrap)('Bash with sandbox enabled (default)', () => {
  it('applies standard sandbox restrictions, and says so', async () => {
    const root = temporaryDirectory();
    expect(await run('echo fine', sandboxed(root))).toMatchObject({ exitCode: 0, stdout: 'fine\n', sandboxed: true });
  });

  it('limits access to safe directories: the working directory can be written, nothing else', async () => {
    const root = temporaryDirectory();
    const outside = temporaryDirectory();
    const context = sandboxed(root);
    expect(await run('echo in > file; mkdir dir', context)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('in\n');
    for (const place of ['/opt', '/usr/bin', '/etc', '/var', '/']) {
      const { exitCode, stderr, text } = await run(`echo out > '${place}/oxide-guard-test'`, context);
      expect({ place, exitCode, stderr }).toMatchObject({
        exitCode: 1,
        stderr: /Read-only file system|Permission denied/,
      });
      expect(text).toContain('This may be the sandbox');
    }
    // Another directory in /tmp is not even there: /tmp is the session's own.
    await run(`mkdir -p ${outside}; echo out > ${outside}/file`, context);
    expect(existsSync(join(outside, 'file'))).toBe(false);
  });

  it('keeps a /tmp of the session, from one command to the next', async () => {
    const context = sandboxed(temporaryDirectory());
    await run('echo kept > /tmp/oxide-guard-note', context);
    expect((await run('cat $TMPDIR/oxide-guard-note', context)).stdout).toBe('kept\n');
    expect(existsSync('/tmp/oxide-guard-note')).toBe(false);
  });

  it('writes nothing but in /tmp in a virtual session, and without a sandbox does not run there', async () => {
    const root = repositoryWithCommit();
    const virtual = session({ mode: 'virtual' });
    const context = sandboxed(root);
    const command = 'git status --porcelain; echo x > /tmp/note && cat /tmp/note; touch file; touch .git/index';
    const result = await executeTool(bash, { command }, context, virtual);
    expect(result.data).toMatchObject({
      stdout: 'x\n',
      stderr: expect.stringMatching(/'file': Read-only.*index': Read-only/s),
    });
    expect(result.text).toContain('Nothing reaches the disk in this session');
    const { sandbox: _, ...unconfined } = context;
    expect(await executeTool(bash, { command }, unconfined, virtual)).toMatchObject({
      error: { code: 'virtual-session' },
    });
    expect(existsSync(join(root, 'file'))).toBe(false);
  });

  it('can write in several roots', async () => {
    const [one, two] = [temporaryDirectory(), temporaryDirectory()];
    const context = { ...sandboxed(one), roots: [one, two] };
    expect(await run(`touch a ${two}/b`, context)).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(two, 'b'))).toBe(true);
  });

  it('runs where the working directory is a symbolic link, or has spaces and quotes in its name', async () => {
    const root = join(temporaryDirectory(), `a "b' $c`);
    mkdirSync(root);
    const link = join(temporaryDirectory(), 'link');
    symlinkSync(root, link);
    expect(await run('touch file; pwd -P', sandboxed(link))).toMatchObject({ exitCode: 0, stdout: `${root}\n` });
  });

  it('sees no processes but its own, and none of the environment of others', async () => {
    const context = sandboxed(temporaryDirectory());
    const { stdout } = await run(`ls -d /proc/[0-9]* | wc -l; kill -0 ${process.pid} && echo reached`, context);
    expect(Number(stdout.split('\n')[0])).toBeLessThan(10);
    expect(stdout).not.toContain('reached');
  });

  it('can’t change the settings of the kernel, as root neither', async () => {
    // The value is what it is already: should this fail, nothing has changed.
    const rewrite = 'value=$(cat $f) && echo "$value" > $f';
    for (const file of ['/proc/sys/kernel/core_pattern', '/proc/sys/vm/swappiness']) {
      const { stderr } = await run(`f=${file}; ${rewrite}`, sandboxed(temporaryDirectory()));
      expect(stderr).toMatch(/Read-only file system|Permission denied/);
    }
    const { stdout } = await run('grep CapEff /proc/self/status', sandboxed(temporaryDirectory()));
    expect(stdout).toMatch(/^CapEff:\s*0+$/m);
  });

  it('sees nothing of the system’s passwords and rights, whoever started it', async () => {
    const command = 'cat /etc/shadow /etc/gshadow /etc/sudoers 2>/dev/null; ls -A /etc/sudoers.d 2>/dev/null; true';
    expect(await run(command, sandboxed(temporaryDirectory()))).toMatchObject({ exitCode: 0, stdout: '' });
  });

  it('ends what it leaves behind, also when that has left its session', async () => {
    const root = temporaryDirectory();
    const marker = `sleep 61.${process.pid}`;
    await run(`setsid ${marker} & echo started`, sandboxed(root));
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(marker);
  });

  it('lets a command that takes too long clean up', async () => {
    const root = temporaryDirectory();
    await run(`trap 'echo clean > done; exit' TERM; while :; do sleep 0.05; done`, sandboxed(root), 400);
    expect(readFileSync(join(root, 'done'), 'utf8')).toBe('clean\n');
  });

  it('has no terminal to type into', async () => {
    const { stderr } = await run('echo > /dev/tty', sandboxed(temporaryDirectory()));
    expect(stderr).toMatch(/No such device or address/);
  });
});

describe.skipIf(withoutBubblewrap)('secrets', () => {
  function home(): string {
    const path = temporaryDirectory('oxide-guard-person-');
    for (const file of [
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.gnupg/private-keys-v1.d/key',
      '.netrc',
      '.npmrc',
      '.config/gh/hosts.yml',
      '.config/gcloud/credentials.db',
      '.kube/config',
      '.docker/config.json',
      '.git-credentials',
      '.local/state/oxide-guard/sessions/1.jsonl',
    ]) {
      write(path, file, 'secret\n');
    }
    write(path, '.gitconfig', '[user]\n\tname = Person\n');
    return path;
  }

  it('seem to be empty, while the rest of the home directory can be read', async () => {
    const person = home();
    const context = sandboxed(temporaryDirectory(), { env: { ...process.env, HOME: person } });
    const { stdout } = await run(`find '${person}' -type f -exec cat {} + 2>&1`, context);
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('name = Person');
  });

  it('stay hidden behind symbolic links', async () => {
    const person = temporaryDirectory('oxide-guard-person-');
    const dotfiles = temporaryDirectory('oxide-guard-dotfiles-');
    write(dotfiles, 'npmrc', 'secret\n');
    symlinkSync(join(dotfiles, 'npmrc'), join(person, '.npmrc'));
    const context = { ...sandboxed(dotfiles, { env: { ...process.env, HOME: person } }) };
    expect((await run(`cat '${person}/.npmrc' npmrc`, context)).stdout).not.toContain('secret');
  });

  it('stay hidden where the home directory is the working directory', async () => {
    const person = home();
    const context = sandboxed(person, { env: { ...process.env, HOME: person } });
    const { stdout } = await run(
      'cat .ssh/id_ed25519 .npmrc; echo x >> .gitconfig; echo y > .ssh/authorized_keys',
      context,
    );
    expect(stdout).not.toContain('secret');
    expect(readFileSync(join(person, '.gitconfig'), 'utf8')).toBe('[user]\n\tname = Person\n');
    expect(existsSync(join(person, '.ssh/authorized_keys'))).toBe(false);
  });

  it('are hidden where a variable says they are, and where the session says so', async () => {
    const elsewhere = temporaryDirectory();
    const root = temporaryDirectory();
    write(root, 'key.json', 'secret\n');
    write(root, 'private/notes', 'secret\n');
    const env = { ...process.env, GOOGLE_APPLICATION_CREDENTIALS: join(root, 'key.json'), AWS_CONFIG_FILE: elsewhere };
    const context = sandboxed(root, { env, hidden: () => [join(root, 'private')] });
    expect((await run('cat key.json; ls private', context)).stdout).toBe('');
  });

  it('can’t be reached through sockets of the person’s agents', async () => {
    const context = {
      ...sandboxed(temporaryDirectory()),
      env: { ...process.env, SSH_AUTH_SOCK: '/run/x', DISPLAY: ':0' },
    };
    expect((await run('echo "[$SSH_AUTH_SOCK$DISPLAY]"; ls -A /run', context)).stdout).toBe('[]\n');
  });
});

describe.skipIf(withoutBubblewrap)('the network', () => {
  async function reach(network: boolean): Promise<string> {
    const server = createServer((socket) => socket.end('reached\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as { port: number };
    try {
      const context = sandboxed(temporaryDirectory(), { network });
      return (await run(`cat < /dev/tcp/127.0.0.1/${port}`, context)).stdout;
    } finally {
      server.close();
    }
  }

  it('can’t be reached', async () => {
    expect(await reach(false)).toBe('');
  });

  it('can be reached where the configuration allows it', async () => {
    expect(await reach(true)).toBe('reached\n');
  });
});

describe.skipIf(withoutBubblewrap)('git in the sandbox', () => {
  const hook = '#!/bin/sh\necho "hook ran in $(pwd)" >&2\n';

  function repository(): string {
    const root = repositoryWithCommit();
    write(root, 'tracked', 'one\n');
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'feat: a file');
    return root;
  }

  function installHook(directory: string): void {
    const path = write(directory, 'commit-msg', hook);
    execFileSync('chmod', ['+x', path]);
  }

  const everyday =
    'git status --porcelain && echo two >> tracked && echo new > untracked && git add -A && git commit -qm "feat: more" && ' +
    'git status --porcelain && git stash list && git switch -qc topic && git commit -q --allow-empty -m "feat: topic" && ' +
    'git switch -q - && git merge -q topic && git rebase -q HEAD~1 && git tag v1 && git log --format=%s -1';

  it('status is clean; add, commit, switch, merge, rebase and tag work, and the hooks run', async () => {
    const root = repository();
    installHook(join(root, '.git/hooks'));
    const { stdout, stderr, exitCode } = await run(everyday, sandboxed(root));
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
    expect(stdout).toBe('feat: topic\n');
    expect(stderr).toContain(`hook ran in ${root}`);
    expect(git(root, 'status', '--porcelain')).toBe('');
    expect(git(root, 'fsck')).not.toMatch(/error|missing/);
  });

  it('works in a linked worktree, too', async () => {
    const main = repository();
    installHook(join(main, '.git/hooks'));
    const linked = join(temporaryDirectory(), 'linked');
    git(main, 'worktree', 'add', '-q', '-b', 'linked', linked);
    const { stdout, stderr, exitCode } = await run(everyday, sandboxed(linked));
    expect({ stderr, exitCode }).toMatchObject({ exitCode: 0 });
    expect(stdout).toBe('feat: topic\n');
    expect(stderr).toContain('hook ran in');
    expect(git(linked, 'log', '--format=%s', '-1')).toBe('feat: topic');
    expect(git(linked, 'status', '--porcelain')).toBe('');
    // The other work tree is outside.
    await run(`echo out > '${main}/tracked'`, sandboxed(linked));
    expect(readFileSync(join(main, 'tracked'), 'utf8')).toBe('one\n');
  });

  it('works in a subdirectory of the work tree', async () => {
    const root = repository();
    write(root, 'sub/file', 'one\n');
    const { exitCode, stderr } = await run('git add -A . && git commit -qm "feat: sub"', sandboxed(join(root, 'sub')));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it('works in a submodule', async () => {
    const [root, library] = [repository(), repository()];
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'lib');
    git(root, 'commit', '-qm', 'feat: a submodule');
    const { exitCode, stderr } = await run(
      'cd lib && git commit -q --allow-empty -m "feat: x"; cd .. && git add -A && git status --porcelain',
      sandboxed(root),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['write a hook', 'echo evil > .git/hooks/pre-commit'],
    ['change a hook', 'echo evil >> .git/hooks/commit-msg'],
    ['remove a hook', 'rm -f .git/hooks/commit-msg'],
    ['move the hooks away', 'mv .git/hooks .git/h'],
    ['write git’s settings', 'echo "[core]" >> .git/config'],
    ['set with git itself', 'git config core.fsmonitor evil'],
    ['replace git’s settings', 'echo evil > c && mv -f c .git/config'],
    ['reach git’s settings by a hard link', 'ln .git/config c && echo evil >> c'],
    ['move the repository away', 'mv .git moved && mkdir .git'],
    ['write the guard’s state', 'echo evil > .git/oxide-guard/approvals.json'],
    ['remove the guard’s state', 'rm -rf .git/oxide-guard'],
    ['write the guard’s configuration', 'echo "{}" > oxide-guard.config.json'],
    ['replace the guard’s configuration', 'rm -f oxide-guard.config.json'],
    ['switch an agent’s hooks off', 'echo "{}" > .factory/settings.local.json'],
    ['write a hook of an agent', 'echo "{}" > .grok/hooks/guard.json'],
    ['write the hooks in the work tree', 'echo evil > tools/git/hooks/commit-msg'],
    ['move the hooks in the work tree away', 'mv tools old && mkdir -p tools/git/hooks && touch tools/git/hooks/x'],
    ['mount over what is protected', 'unshare -Urm sh -c "mount -o remount,rw,bind .git/hooks && touch .git/hooks/x"'],
    ['unmount what protects', 'unshare -Urm sh -c "umount .git/hooks && touch .git/hooks/x"'],
  ])('can’t %s', async (_, command) => {
    const root = emptyRepository();
    installHook(join(root, '.git/hooks'));
    installHook(join(root, 'tools/git/hooks'));
    write(root, 'oxide-guard.config.json', '{ "protectedBranches": ["release/*"] }\n');
    write(root, '.factory/settings.local.json', '{ "hooks": {} }\n');
    write(root, '.grok/hooks/guard.json', '{ "hooks": {} }\n');
    git(root, 'config', 'core.hooksPath', 'tools/git/hooks');
    const snapshot = () =>
      execFileSync(
        'find',
        [
          '.git/hooks',
          '.git/config',
          'tools',
          '.factory',
          '.grok',
          'oxide-guard.config.json',
          '-type',
          'f',
          '-print',
          '-exec',
          'cat',
          '{}',
          ';',
        ],
        {
          cwd: root,
          encoding: 'utf8',
        },
      );
    const context = sandboxed(root);
    await run('true', context);
    const before = snapshot();
    const { exitCode } = await run(command, context);
    expect(exitCode).not.toBe(0);
    expect(snapshot()).toBe(before);
    expect(existsSync(join(root, '.git/oxide-guard'))).toBe(true);
  });

  it.each([
    ['the settings of a linked worktree’s repository', (main: string) => `echo evil >> '${main}/.git/config'`],
    ['the hooks of a linked worktree’s repository', (main: string) => `touch '${main}/.git/hooks/x'`],
    ['which repository a linked worktree belongs to', () => 'rm .git; echo "gitdir: evil" > .git'],
    [
      'where a linked worktree’s repository is',
      (main: string) => `echo /evil > '${main}/.git/worktrees/linked/commondir'`,
    ],
    [
      'where another worktree’s repository is',
      (main: string) => `echo /evil > '${main}/.git/worktrees/other/commondir'`,
    ],
    ['the place of all worktrees', (main: string) => `mv '${main}/.git/worktrees' '${main}/.git/moved'`],
  ])('can’t change %s', async (_, command) => {
    const main = repository();
    const place = temporaryDirectory();
    git(main, 'worktree', 'add', '-q', '-b', 'linked', join(place, 'linked'));
    git(main, 'worktree', 'add', '-q', '-b', 'other', join(place, 'other'));
    const { exitCode } = await run(command(main), sandboxed(join(place, 'linked')));
    expect(exitCode).not.toBe(0);
    expect(git(join(place, 'linked'), 'status', '--porcelain')).toBe('');
    expect(git(join(place, 'other'), 'status', '--porcelain')).toBe('');
  });

  it('can’t write in a repository that git refuses to read', async () => {
    const root = repository();
    write(root, '.git/HEAD', 'broken\n');
    write(root, '.git/commondir', '/nowhere\n');
    expect((await run('touch .git/hooks/x', sandboxed(root))).exitCode).not.toBe(0);
    expect((await run('touch file', sandboxed(root))).exitCode).toBe(0);
  });

  it.each(['echo ../evil > .git/commondir', 'ln -s nowhere .git/commondir', 'mkdir .git/commondir'])(
    'takes back a file through which git would read other settings: %s',
    async (command) => {
      const root = repository();
      const { text } = await run(command, sandboxed(root));
      expect(text).toContain(".git/commondir' appeared while the command ran");
      expect(lstatSync(join(root, '.git/commondir'), { throwIfNoEntry: false })).toBeUndefined();
      expect(git(root, 'status', '--porcelain')).toBe('');
    },
  );

  it('can’t change the settings of a submodule, which the outer git would read', async () => {
    const [root, library] = [repository(), repository()];
    git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'dir/lib');
    git(root, 'commit', '-qm', 'feat: a submodule');
    const config = readFileSync(join(root, '.git/modules/dir/lib/config'), 'utf8');
    const context = sandboxed(root);
    for (const command of [
      'echo evil >> .git/modules/dir/lib/config',
      'touch .git/modules/dir/lib/hooks/x',
      'rm dir/lib/.git; echo "gitdir: /evil" > dir/lib/.git',
      'mv dir moved',
      'mv .git/modules .git/moved',
    ]) {
      expect({ command, exitCode: (await run(command, context)).exitCode }).not.toMatchObject({ exitCode: 0 });
    }
    expect(readFileSync(join(root, '.git/modules/dir/lib/config'), 'utf8')).toBe(config);
  });

  it('can’t write hooks and settings of repositories that lay below before it began', async () => {
    const root = repository();
    const nested = repositoryWithCommit(join(root, 'packages/nested'));
    const context = sandboxed(root);
    for (const command of ['touch .git/hooks/pre-push', 'echo evil >> .git/config', 'mv .git moved']) {
      expect((await run(`cd packages/nested && ${command}`, context)).exitCode).not.toBe(0);
    }
    expect((await run('cd packages/nested && touch a && git add a && git commit -qm "feat: a"', context)).text).toBe(
      '[No output.]',
    );
    expect(git(nested, 'log', '-1', '--format=%s')).toBe('feat: a');
    expect((await run('git init -q own && touch own/.git/hooks/pre-push', context)).exitCode).toBe(0);
  });

  it.each([
    ['below', 'mkdir sub && echo "gitdir: OTHER/.git" > sub/.git'],
    ['at the root', 'echo "gitdir: OTHER/.git" > .git'],
  ])('can’t open another repository of the person by a .git file of its own making %s', async (where, command) => {
    const other = repository();
    const root = temporaryDirectory();
    const context = sandboxed(root);
    expect((await run(command.replace('OTHER', other), context)).exitCode).toBe(0);
    const inside = where === 'below' ? { ...context, cwd: join(root, 'sub') } : context;
    await run(`touch '${other}/.git/planted'; rm -rf '${other}/.git/refs'`, inside);
    expect(existsSync(join(other, '.git/planted'))).toBe(false);
    expect(git(other, 'log', '--format=%s')).toContain('feat: begin');
  });

  it('protects the scripts of husky beside its hooks path', async () => {
    const root = repository();
    installHook(join(root, '.husky/_'));
    write(root, '.husky/pre-commit', 'npm test\n');
    git(root, 'config', 'core.hooksPath', '.husky/_');
    expect((await run('echo evil > .husky/pre-commit', sandboxed(root))).exitCode).not.toBe(0);
  });

  it('leaves nothing in the work tree', async () => {
    const root = repository();
    const before = execFileSync('find', ['.', '-path', './.git', '-prune', '-o', '-print'], {
      cwd: root,
      encoding: 'utf8',
    });
    await run('true', sandboxed(root));
    expect(
      execFileSync('find', ['.', '-path', './.git', '-prune', '-o', '-print'], { cwd: root, encoding: 'utf8' }),
    ).toBe(before);
    expect(tryGit(root, 'status', '--porcelain')).toBe('');
  });

  it('switches to a branch that only the remote has, which it then does not track', async () => {
    const { work } = repositoryWithRemote();
    git(work, 'push', '-q', 'origin', 'main:topic');
    git(work, 'fetch', '-q');
    const { exitCode, stderr } = await run('git switch topic', sandboxed(work));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "Switched to a new branch 'topic'\n" });
    expect(git(work, 'status', '-sb')).toBe('## topic');
  });

  it('starts no garbage collection that would be cut off', async () => {
    const root = repository();
    git(root, 'config', 'gc.auto', '1');
    const { stderr } = await run('for n in 1 2 3; do git commit -q --allow-empty -m "feat: $n"; done', sandboxed(root));
    expect(stderr).not.toMatch(/packing/);
    expect(existsSync(join(root, '.git/gc.pid'))).toBe(false);
  });
});

describe.skipIf(withoutBubblewrap)('a program that commands may have planted', () => {
  it('is not taken for bwrap', async () => {
    const root = temporaryDirectory();
    const planted = write(root, 'node_modules/.bin/bwrap', `#!/bin/sh\necho planted\n`);
    execFileSync('chmod', ['+x', planted]);
    const env = { ...process.env, PATH: `${dirname(planted)}:${process.env.PATH}` };
    expect(await run('echo mine', { ...sandboxed(root), env })).toMatchObject({ stdout: 'mine\n', sandboxed: true });
  });
});

describe('where no sandbox works', () => {
  const nowhere = { PATH: '/nonexistent' };

  function withoutBackend(options: { readonly required: boolean; readonly platform?: NodeJS.Platform }) {
    const notices: string[] = [];
    const { required, ...rest } = options;
    const sandbox = createSandbox({
      settings: { requireSandbox: required, sandboxNetwork: false },
      onNotice: (message) => notices.push(message),
      ...rest,
    });
    const root = temporaryDirectory();
    const confine = () => sandbox.confine({ argv: ['true'], cwd: root, env: nowhere, roots: [root] });
    return { notices, confine };
  }

  it('it is said once, with the way out, and calls count as unsandboxed', async () => {
    const { notices, confine } = withoutBackend({ required: false });
    expect(await confine()).toEqual({ argv: ['true'], env: nowhere, sandboxed: false });
    await confine();
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/without a sandbox: bwrap is not installed\. apt install bubblewrap/);
  });

  it('requireSandbox makes it an error', async () => {
    const { confine } = withoutBackend({ required: true });
    await expect(confine()).rejects.toMatchObject({ code: 'sandbox-required', remedy: /apt install bubblewrap/ });
  });

  it('a bwrap that fails is tried, and its reason told', async () => {
    const bin = temporaryDirectory();
    write(bin, 'bwrap', '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n');
    execFileSync('chmod', ['+x', join(bin, 'bwrap')]);
    const notices: string[] = [];
    const sandbox = createSandbox({
      settings: { requireSandbox: false, sandboxNetwork: false },
      onNotice: (message) => notices.push(message),
      platform: 'linux',
    });
    const root = temporaryDirectory();
    const env = { PATH: `${bin}:${process.env.PATH}` };
    expect(await sandbox.confine({ argv: ['true'], cwd: root, env, roots: [root] })).toMatchObject({
      sandboxed: false,
    });
    expect(notices[0]).toMatch(/uid map: Permission denied.*user namespaces are off/);
  });

  it('other platforms have none', async () => {
    const { notices, confine } = withoutBackend({ required: false, platform: 'freebsd' });
    await confine();
    expect(notices[0]).toMatch(/none for freebsd/);
  });
});

describe('the rules of a confinement', () => {
  it('go from outer to inner paths, and pin the directories above what is protected', () => {
    const rules = rulesOf({
      writable: ['/project', '/project/.git'],
      protected: ['/project/tools/git/hooks', '/project/.git/config', '/etc/other'],
      hidden: ['/project/.git/config'],
      network: false,
    });
    expect(rules.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'writable /project',
      'writable /project/.git',
      'protected /etc/other',
      'writable /project/tools',
      'hidden /project/.git/config',
      'writable /project/tools/git',
      'protected /project/tools/git/hooks',
    ]);
  });

  it('make a profile for macOS, whose later rules win', () => {
    const profile = seatbeltProfile(
      { writable: ['/project "x"'], protected: ['/project "x"/config'], hidden: ['/Users/me/.ssh'], network: false },
      '/scratch',
    );
    expect(profile.split('\n')).toEqual([
      '(version 1)',
      '(allow default)',
      '(deny file-write*)',
      '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (subpath "/dev/fd"))',
      '(deny network*)',
      '(allow file-write* (subpath "/project \\"x\\""))',
      '(allow file-write* (subpath "/scratch"))',
      '(deny file-write* (subpath "/project \\"x\\"/config"))',
      '(deny file-read* file-write* (subpath "/Users/me/.ssh"))',
    ]);
  });
});
