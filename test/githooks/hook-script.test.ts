import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHookScript, renderHookScript } from '../../src/githooks/hook-script.ts';
import { emptyRepository, git, temporaryDirectory } from '../git/fixture.ts';
import { by, installIn, run, stubPackage, tryCommit, writeHook } from './fixture.ts';

/** What git itself puts on PATH for a hook when it was started with none. */
const gitAlone = git('.', '--exec-path');

/** A node in a place that only a version manager's layout tells. */
function nodeAt(path: string, version?: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  if (version === undefined) {
    symlinkSync(process.execPath, path);
  } else {
    writeHook(path, '#!/bin/sh\nexit 1\n');
  }
}

/** A hook whose recorded node is gone, in a repository of its own. */
async function hookWithoutNode(): Promise<{ readonly hook: string; readonly message: string; readonly home: string }> {
  const work = emptyRepository();
  await installIn(work, { node: '/nowhere/bin/node' });
  const message = join(work, '.git/COMMIT_EDITMSG');
  writeFileSync(message, 'feat: fine\n');
  return { hook: join(work, '.git/hooks/commit-msg'), message, home: temporaryDirectory() };
}

/** The script with the machine's own places taken out: this machine may have a node there. */
function withoutSystemPlaces(hook: string): void {
  writeFileSync(hook, readFileSync(hook, 'utf8').replaceAll(/^ {4}\/(?:usr|opt|snap|run|home)\/\S+ \\\n/gm, ''));
}

describe('started by a GUI client with an empty PATH', () => {
  it('uses the node that was recorded', async () => {
    const work = emptyRepository();
    await installIn(work);
    const gitProgram = run(work, ['sh', '-c', 'command -v git']).status === 0 ? join(gitAlone, 'git') : 'git';
    const result = run(work, [
      'env',
      '-i',
      `TRACE=${join(work, 'trace')}`,
      gitProgram,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@b',
      'commit',
      '--allow-empty',
      '-m',
      'refused',
    ]);
    expect(result.status).toBe(1);
    expect(readFileSync(join(work, 'trace'), 'utf8')).toContain('"by":"guard"');
  });

  it.each([
    ['nvm', '.nvm/versions/node/v20.19.0/bin/node'],
    ['fnm', '.local/share/fnm/node-versions/v22.1.0/installation/bin/node'],
    ['fnm on macOS', 'Library/Application Support/fnm/node-versions/v22.1.0/installation/bin/node'],
    ['volta', '.volta/bin/node'],
    ['asdf', '.asdf/installs/nodejs/24.0.0/bin/node'],
    ['mise', '.local/share/mise/installs/node/24/bin/node'],
  ])('finds the node of %s when the recorded one is gone', async (_manager, place) => {
    const { hook, message, home } = await hookWithoutNode();
    withoutSystemPlaces(hook);
    const env = { PATH: '', HOME: home };
    expect(run('/', ['/bin/sh', hook, message], env).status).toBe(1);
    nodeAt(join(home, place));
    expect(run('/', ['/bin/sh', hook, message], env)).toMatchObject({ status: 0, trace: [{ by: 'guard' }] });
  });

  it('passes over a node that is too old', async () => {
    const { hook, message, home } = await hookWithoutNode();
    withoutSystemPlaces(hook);
    nodeAt(join(home, '.volta/bin/node'), 'too old');
    nodeAt(join(home, '.nvm/versions/node/v22.1.0/bin/node'));
    nodeAt(join(home, '.nvm/versions/node/v8.17.0/bin/node'), 'too old');
    expect(by(run('/', ['/bin/sh', hook, message], { PATH: '', HOME: home }))).toEqual(['guard']);
  });

  it('reads the list of updates without a program on PATH', async () => {
    const work = emptyRepository();
    writeHook(
      join(work, '.git/hooks/pre-push'),
      '#!/bin/sh\nread -r line && printf \'{"by":"own","argv":"%s"}\\n\' "$line" >> "$TRACE"\n',
    );
    await installIn(work);
    const line = String.raw`HEAD^{/a\b} ${'a'.repeat(40)} refs/heads/x ${'0'.repeat(40)}`;
    const { trace } = run(
      work,
      ['/bin/sh', '.git/hooks/pre-push', 'origin', 'url'],
      { PATH: '' },
      `${line}\n${line}\n`,
    );
    expect(trace[0]?.input).toBe(`${line}\n${line}\n`);
    expect(trace[1]?.by).toBe('own');
  });
});

describe('node gone', () => {
  it('takes the one on PATH', async () => {
    const { hook, message } = await hookWithoutNode();
    expect(by(run('/', [hook, message]))).toEqual(['guard']);
  });

  it('refuses, says what to do, and how to get the message back', async () => {
    const { hook, message, home } = await hookWithoutNode();
    withoutSystemPlaces(hook);
    const { status, stderr } = run('/', ['/bin/sh', hook, message], { PATH: '', HOME: home });
    expect(status).toBe(1);
    expect(stderr).toContain('Node.js 20 or newer was not found');
    expect(stderr).toContain('npx oxide-guard install');
    expect(stderr).toContain(`git commit -eF "${message}"`);
  });
});

describe('package gone', () => {
  it('refuses commits and pushes, and says what to do', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    rmSync(packageRoot, { recursive: true });
    const { status, stderr } = tryCommit(work, 'feat: fine');
    expect(status).toBe(1);
    expect(stderr).toContain('The package oxide-guard was not found');
    expect(stderr).toContain('npm install');
    expect(run(work, ['.git/hooks/pre-push', 'origin', 'url'], {}, '').status).toBe(1);
  });

  it('is what an empty program counts for, as a full disk leaves it', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    for (const bundle of ['commit-msg', 'push']) {
      writeFileSync(join(packageRoot, 'dist/hook', `${bundle}.cjs`), '');
    }
    expect(tryCommit(work, 'feat: fine').status).toBe(1);
    expect(run(work, ['.git/hooks/pre-push', 'origin', 'url'], {}, '').status).toBe(1);
  });

  it('takes the one of the repository when the recorded one is gone', async () => {
    const work = emptyRepository();
    const packageRoot = stubPackage();
    await installIn(work, { packageRoot });
    mkdirSync(join(work, 'node_modules'));
    renameSync(packageRoot, join(work, 'node_modules/oxide-guard'));
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['guard']);
  });

  it('is found in the node_modules of a sub-folder, also through a store that links to it', async () => {
    const work = emptyRepository();
    const store = join(work, 'web/node_modules/.pnpm/oxide-guard@1.0.0/node_modules/oxide-guard');
    const packageRoot = stubPackage(store);
    symlinkSync('.pnpm/oxide-guard@1.0.0/node_modules/oxide-guard', join(work, 'web/node_modules/oxide-guard'));
    await installIn(join(work, 'web'), { packageRoot });
    renameSync(store, `${store}-next`);
    rmSync(join(work, 'web/node_modules/oxide-guard'));
    symlinkSync(`${store}-next`, join(work, 'web/node_modules/oxide-guard'));
    expect(by(tryCommit(work, 'feat: fine'))).toEqual(['guard']);
  });
});

describe('the script', () => {
  it('keeps the extra certificates from the guard, and leaves them to the hook that was there', async () => {
    const work = emptyRepository();
    for (const hook of ['commit-msg', 'pre-push']) {
      writeHook(
        join(work, '.git/hooks', hook),
        '#!/bin/sh\nprintf \'{"by":"own","argv":"%s"}\\n\' "$NODE_EXTRA_CA_CERTS" >> "$TRACE"\n',
      );
    }
    await installIn(work);
    const env = { NODE_EXTRA_CA_CERTS: '/nowhere/certificates' };
    const commits = tryCommit(work, 'feat: fine', env);
    const pushes = run(work, ['.git/hooks/pre-push', 'origin', 'url'], env, 'a b c d\n');
    for (const { trace } of [commits, pushes]) {
      expect(trace.find((line) => line.by === 'guard')?.ca).toBe(null);
      expect(trace.find((line) => line.by === 'own')?.argv).toBe('/nowhere/certificates');
    }
  });

  it('has Unix line ends and a mark, even when the template was checked out with others', () => {
    const packageRoot = stubPackage();
    const template = join(packageRoot, 'hooks/git-hook.sh');
    writeFileSync(template, readFileSync(template, 'utf8').replaceAll('\n', '\r\n'));
    const script = renderHookScript(
      { hook: 'pre-push', node: '/n', packagePlace: { local: 'l', recorded: 'r' }, kept: null, keptShell: null },
      packageRoot,
    );
    expect(script).not.toContain('\r');
    expect(script).not.toMatch(/@\w+@/);
    expect(isHookScript(script)).toBe(true);
    expect(isHookScript('#!/bin/sh\necho oxide-guard: the\n')).toBe(false);
    expect(isHookScript('')).toBe(false);
  });

  it.each(['/bin/dash', '/bin/bash', '/bin/busybox', '/usr/bin/ksh', '/usr/bin/mksh'].filter(existsSync))(
    'runs under %s',
    async (shell) => {
      const work = emptyRepository();
      for (const hook of ['commit-msg', 'pre-push']) {
        writeHook(join(work, '.git/hooks', hook), '#!/bin/sh\nprintf \'{"by":"own","argv":""}\\n\' >> "$TRACE"\n');
      }
      await installIn(work);
      const words = shell.endsWith('busybox') ? [shell, 'sh'] : [shell];
      const message = join(work, 'message');
      writeFileSync(message, 'feat: fine');
      expect(by(run(work, [...words, '.git/hooks/commit-msg', message]))).toEqual(['own', 'guard']);
      expect(by(run(work, [...words, '.git/hooks/pre-push', 'o', 'u'], {}, 'a b c d\n'))).toEqual(['guard', 'own']);
      expect(run(work, [...words, '.git/hooks/pre-push', 'o', 'u'], {}, 'refused b c d\n').status).toBe(1);
    },
  );
});
