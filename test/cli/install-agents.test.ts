import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { repositoryWithCommit } from '../git/fixture.ts';

let work: string;
beforeEach(() => {
  work = repositoryWithCommit();
});

const run = (...words: string[]) => runOxideGuard(words, { cwd: work });

describe('install --agent', () => {
  it('writes nothing when it is called with an agent that nobody knows', () => {
    expect(run('install', '--agent', 'claude,clippy')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining("'clippy'"),
      status: 2,
    });
    expect(existsSync(join(work, '.git/hooks/pre-push'))).toBe(false);
    expect(readdirSync(work)).toEqual(['.git']);
  });

  it('takes several names, with commas or spaces between', () => {
    const namesOf = (...words: string[]) => {
      const { agents } = JSON.parse(run('install', '--dry-run', '--json', ...words).stdout);
      return agents.map(({ agent }: { agent: string }) => agent);
    };
    expect(namesOf('--agent', 'claude', 'codex', 'droid')).toEqual(['claude', 'codex', 'droid']);
    expect(namesOf('--agent', 'claude,codex', '--agent', 'droid')).toEqual(['claude', 'codex', 'droid']);
    expect(run('install', 'claude')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'claude' is one word"),
    });
  });

  it('serves the other agents when the settings of one can’t be read, and says so', () => {
    mkdirSync(join(work, '.claude/settings.json'), { recursive: true });
    const { stdout, stderr, status } = run('install', '--agent', 'claude,cursor');
    expect(stdout).toContain('pre-push: .git/hooks/pre-push written');
    expect(stdout).toContain('✗ Claude Code: .claude/settings.json stays as it is');
    expect(stdout).toContain('✓ Cursor: .cursor/hooks.json written');
    expect(stderr).toContain('no regular file');
    expect(status).toBe(1);

    const { agents } = JSON.parse(run('install', '--agent', 'claude,cursor', '--json').stdout);
    expect(agents).toMatchObject([
      { agent: 'claude', change: 'failed' },
      { agent: 'cursor', change: 'unchanged' },
    ]);
    expect(run('doctor').stdout).toContain("Cursor's hook refuses");
    const { stdout: removed, status: end } = run('uninstall');
    expect(removed).toContain('✓ .git/hooks/pre-push removed');
    expect(removed).toContain('✓ Cursor: .cursor/hooks.json removed');
    expect(end).toBe(0);
    expect(existsSync(join(work, '.cursor'))).toBe(false);
  });

  it('all installs the hooks where no agent is used, and says so', () => {
    const bin = join(work, '..', `${basename(work)}-bin`);
    mkdirSync(bin);
    const [git = ''] = spawnSync('which', ['git'], { encoding: 'utf8' }).stdout.split('\n');
    symlinkSync(git, join(bin, 'git'));
    const { stdout, stderr, status } = runOxideGuard(['install', '--agent', 'all'], {
      cwd: work,
      env: { PATH: bin, HOME: bin },
    });
    expect(stdout).toContain('pre-push: .git/hooks/pre-push written');
    expect(stderr).toContain('No agent is used here');
    expect(status).toBe(0);
  });

  it('is no success for doctor where the agent does not read it', () => {
    run('install', '--agent', 'cursor');
    renameSync(join(work, '.cursor'), join(work, 'shared'));
    symlinkSync('shared', join(work, '.cursor'));
    const { stdout, status } = run('doctor');
    expect(stdout).toContain('Cursor reads no settings through a symbolic link');
    expect(status).toBe(1);
  });

  it('is told by doctor to be older where the agent asks it of fewer tools, until it is installed again', () => {
    run('install', '--agent', 'claude,codex,gemini,opencode,grok,copilot');
    const settings = (file: string, change: (text: string) => string) =>
      writeFileSync(join(work, file), change(readFileSync(join(work, file), 'utf8')));
    expect(run('doctor').stdout).not.toContain('older');
    settings('.claude/settings.json', (text) => text.replace('Bash|PowerShell|Write', 'Bash'));
    settings('.codex/hooks.json', (text) => text.replaceAll('"timeout": 10', '"timeout": 30'));
    settings('.gemini/settings.json', (text) => text.replace(/"matcher": ".*"/, '"matcher": ""'));
    settings('.opencode/plugins/oxide-guard.js', (text) =>
      text.replace("'tool.execute.before'", "'tool.execute.some'"),
    );
    settings('.grok/hooks/oxide-guard.json', (text) => text.replace('Bash|', ''));
    const { stdout } = run('doctor');
    expect(Array.from(stdout.matchAll(/(\S+)'s hook is not told of every tool/g), ([, name]) => name)).toEqual([
      'Code',
      'OpenCode',
      'Grok',
    ]);
    run('install', '--agent', 'claude,opencode,grok');
    expect(run('doctor').stdout).not.toContain('older');
  });

  it('keeps what doctor tries out of the trail, and the same push of an agent in it', () => {
    run('install', '--agent', 'claude,cursor');
    expect(run('doctor').stdout).toContain("Cursor's hook refuses a force push to main");
    expect(run('log', '--json').stdout).toBe('');
    const call = {
      hook_event_name: 'beforeShellExecution',
      cwd: work,
      command: 'git push --force . HEAD:refs/heads/main',
    };
    const { stdout } = runOxideGuard(['hook', '--agent', 'cursor'], { cwd: work, input: JSON.stringify(call) });
    expect(JSON.parse(stdout)).toMatchObject({ permission: 'deny' });
    expect(run('log').stdout).toContain('git push --force . HEAD:refs/heads/main');
  });

  it('of several processes at once leaves settings that one uninstall takes back', async () => {
    const install = () =>
      new Promise<number | null>((done) => {
        const child = spawn(process.execPath, [oxideGuard, 'install', '--agent', 'claude,gemini'], { cwd: work });
        child.on('close', done);
      });
    expect(await Promise.all([install(), install(), install()])).toEqual([0, 0, 0]);
    expect(readFileSync(join(work, '.claude/settings.json'), 'utf8').match(/"command": .*agent\.cjs/g)).toHaveLength(2);
    run('uninstall');
    expect(readdirSync(work)).toEqual(['.git']);
  });
});
