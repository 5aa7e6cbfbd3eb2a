import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { installAgent } from '../src/dialects/agent-installation.ts';
import { hookCommand } from '../src/dialects/hook-settings.ts';
import { installedCommand } from '../src/dialects/installed-hook.ts';
import { fastStart, unknownOption } from '../src/node-start.ts';
import { agentParts } from '../tsdown.agent-parts.ts';
import { emptyRepository, repositoryWithRemote, temporaryDirectory } from './git/fixture.ts';
import { installIn, writeHook } from './githooks/fixture.ts';

const hook = resolve('dist/hook/agent.cjs');

/** A node that ends as one does which has no such option, and is the real one otherwise. */
function nodeWithoutOption(name = 'node'): string {
  const path = join(temporaryDirectory(), name);
  const script = `#!/bin/sh\ncase $1 in ${fastStart}) echo "node: bad option: $1" >&2; exit ${unknownOption} ;; esac\n`;
  writeHook(path, `${script}exec '${process.execPath}' "$@"\n`);
  return path;
}

const forcePush = (cwd: string, more = {}) =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    cwd,
    tool_name: 'Bash',
    tool_input: { command: 'git push --force origin main', ...more },
  });

function ask(shell: readonly string[], command: string, input: string, env: NodeJS.ProcessEnv = {}) {
  const [program = '', ...words] = shell;
  const run = spawnSync(program, [...words, '-c', command], {
    cwd: '/',
    input,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { stdout: run.stdout, stderr: run.stderr, status: run.status };
}

const sh = ['/bin/sh'];

it('the option that hooks start node with is one that this node knows, and another one ends it with the code for that', () => {
  expect(spawnSync(process.execPath, [fastStart, '-e', '0']).status).toBe(0);
  expect(spawnSync(process.execPath, ['--no-such-option', '-e', '0']).status).toBe(unknownOption);
});

describe('a node that does not know the option', () => {
  const shells = [['/bin/dash'], ['/bin/bash'], ['/usr/bin/zsh'], ['/bin/busybox', 'sh'], ['/usr/bin/fish']];

  it.each(shells.filter(([program = '']) => existsSync(program)))(
    'judges an agent’s command all the same (%s)',
    (...shell) => {
      const { work } = repositoryWithRemote();
      const command = hookCommand('claude', { node: nodeWithoutOption(), hook });
      const { stdout, status } = ask(shell.filter(Boolean), command, forcePush(work));
      expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
      expect(status).toBe(0);
    },
  );

  it('judges for OpenCode all the same', async () => {
    const { work } = repositoryWithRemote();
    const gitDir = temporaryDirectory();
    installAgent('opencode', { workTree: work, gitDir }, { node: nodeWithoutOption(), hook }, false);
    const { OxideGuard } = await import(pathToFileURL(join(work, '.opencode/plugins/oxide-guard.js')).href);
    const before = (await OxideGuard({ directory: work }))['tool.execute.before'];
    const call = (command: string) => before({ tool: 'bash', sessionID: 's' }, { args: { command } });
    await expect(call('git push --force origin main')).rejects.toThrow('protected-force-push');
    await expect(call('git status')).resolves.toBeUndefined();
  });

  it('runs git’s hooks all the same', async () => {
    const { work } = repositoryWithRemote();
    await installIn(work, { node: nodeWithoutOption(), packageRoot: resolve('.') });
    const git = (...args: string[]) => spawnSync('git', args, { cwd: work, encoding: 'utf8' });
    expect(git('commit', '--allow-empty', '-m', 'no convention').status).toBe(1);
    expect(git('commit', '--allow-empty', '-m', 'feat: fine').status).toBe(0);
    expect(git('push', '--force', 'origin', 'main').status).toBe(1);
    expect(git('push', 'origin', 'HEAD:refs/heads/topic').status).toBe(0);
  });
});

describe('an agent’s command, started as it is installed', () => {
  it('answers once where it refuses by its exit code', () => {
    const { work } = repositoryWithRemote();
    const command = hookCommand('grok', { node: process.execPath, hook });
    const call = { hookEventName: 'PreToolUse', cwd: work, toolName: 'Bash' };
    const payload = JSON.stringify({ ...call, toolInput: { command: 'git push --force origin main' } });
    const { stdout, stderr, status } = ask(sh, command, payload);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny' });
    expect(stderr.match(/protected-force-push/g)).toHaveLength(1);
    expect(status).toBe(2);
  });

  it.each([['/bin/dash'], ['/bin/bash'], ['/usr/bin/zsh']].filter(([program = '']) => existsSync(program)))(
    'reads what Cursor puts behind it as a here-document (%s)',
    (shell) => {
      const { work } = repositoryWithRemote();
      const node = nodeWithoutOption("it's a node");
      installAgent('cursor', { workTree: work, gitDir: temporaryDirectory() }, { node, hook }, false);
      const command = installedCommand('cursor', work);
      const call = { hook_event_name: 'beforeShellExecution', command: 'git push --force origin main', cwd: '' };
      const payload = JSON.stringify({ ...call, workspace_roots: [work] });
      const here = `${command} <<'CURSOR_HOOK_EOF'\n${payload}\nCURSOR_HOOK_EOF`;
      expect(JSON.parse(ask([shell], here, '').stdout)).toMatchObject({ permission: 'deny' });
      expect(JSON.parse(ask([shell], command ?? '', payload).stdout)).toMatchObject({ permission: 'deny' });
    },
  );

  it.each([['/bin/dash'], ['/bin/bash'], ['/usr/bin/zsh']].filter(([program = '']) => existsSync(program)))(
    'reads what Cursor puts behind Claude Code’s as a here-document (%s)',
    (shell) => {
      const { work } = repositoryWithRemote();
      const line = hookCommand('claude', { node: process.execPath, hook });
      const answer = (command: string) => {
        const call = { hook_event_name: 'preToolUse', tool_name: 'Shell', tool_input: { command }, cwd: '' };
        const payload = JSON.stringify({ ...call, cursor_version: '3', workspace_roots: [work] });
        const { stdout, status } = ask([shell], `${line} <<'CURSOR_HOOK_EOF'\n${payload}\nCURSOR_HOOK_EOF`, '');
        return { answer: JSON.parse(stdout) as unknown, status };
      };
      expect(answer('git push --force origin main')).toMatchObject({ answer: { permission: 'deny' }, status: 0 });
      expect(answer('git status')).toEqual({ answer: {}, status: 0 });
    },
  );

  it('refuses when there is no call at all', () => {
    const { stdout, stderr, status } = ask(sh, hookCommand('claude', { node: process.execPath, hook }), '');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toMatch(/^oxide-guard: no call on standard input/);
  });

  it('refuses when the hook is killed after it has read the call', () => {
    const { work } = repositoryWithRemote();
    const node = join(temporaryDirectory(), 'node');
    writeHook(
      node,
      `#!/bin/sh\ncase $1 in ${fastStart}) cat >/dev/null; kill -9 $$ ;; esac\nexec '${process.execPath}' "$@"\n`,
    );
    const { stdout, status } = ask(sh, hookCommand('claude', { node, hook }), forcePush(work));
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
  });

  it('is found where a version before this one has written it', () => {
    const workTree = emptyRepository();
    mkdirSync(join(workTree, '.claude'));
    const former = `NODE_EXTRA_CA_CERTS= exec /usr/bin/node ${hook} --agent claude`;
    const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: former }] }] } };
    writeFileSync(join(workTree, '.claude/settings.json'), JSON.stringify(settings));
    expect(installedCommand('claude', workTree)).toBe(former);
    installAgent('claude', { workTree, gitDir: temporaryDirectory() }, { node: '/usr/bin/node', hook }, false);
    expect(installedCommand('claude', workTree)).toBe(hookCommand('claude', { node: '/usr/bin/node', hook }));
  });

  it('reads a large call in a process whose hashes nobody can know', () => {
    const { work } = repositoryWithRemote();
    const trace = join(temporaryDirectory(), 'trace');
    const preload = join(temporaryDirectory(), 'preload.cjs');
    // The hook's line keeps NODE_OPTIONS from its node; what that one starts is traced by them.
    writeFileSync(
      preload,
      `const options = JSON.stringify(process.execArgv.filter((option) => !option.startsWith('--require=')));
      require('node:fs').appendFileSync(${JSON.stringify(trace)}, options + '\\n');
      process.env.NODE_OPTIONS = '--require=${preload}';`,
    );
    const node = join(temporaryDirectory(), 'node');
    writeHook(node, `#!/bin/sh\nexec '${process.execPath}' --require=${preload} "$@"\n`);
    const command = hookCommand('claude', { node, hook });
    const starts = (payload: string) => {
      writeFileSync(trace, '');
      const { stdout } = ask(sh, command, payload);
      expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
      return readFileSync(trace, 'utf8').trim().split('\n');
    };
    expect(starts(forcePush(work))).toEqual([JSON.stringify([fastStart])]);
    expect(starts(forcePush(work, { description: 'x'.repeat(70_000) }))).toEqual([JSON.stringify([fastStart]), '[]']);
  });

  it('keeps compiled code beside that of a node without the option', () => {
    const directory = join(temporaryDirectory(), 'hook');
    mkdirSync(directory);
    for (const name of ['agent.cjs', ...agentParts.map((part) => `agent-${part}.cjs`)]) {
      copyFileSync(join('dist/hook', name), join(directory, name));
    }
    const caches = () => readdirSync(directory).filter((name) => name.endsWith('.cache'));
    const { work } = repositoryWithRemote();
    const programs = { node: process.execPath, hook: join(directory, 'agent.cjs') };
    ask(sh, hookCommand('claude', programs), forcePush(work));
    const first = caches();
    expect(first).toHaveLength(2);
    ask(sh, `'${programs.node}' '${programs.hook}' --agent claude`, forcePush(work));
    expect(caches()).toHaveLength(4);
    expect(caches()).toEqual(expect.arrayContaining(first));
  });
});
