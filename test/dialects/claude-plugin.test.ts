import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';

const plugin = resolve('plugins/claude-code');

describe('the plugin for Claude Code', () => {
  it('blocks when its hook fails, as the installed one does', () => {
    const { hooks } = JSON.parse(readFileSync(join(plugin, 'hooks/hooks.json'), 'utf8'));
    for (const event of ['PreToolUse', 'PermissionRequest']) {
      expect(hooks[event][0].hooks[0]).toMatchObject({ timeout: 10, onFailure: 'block' });
    }
  });

  const ask = (root: string, PATH = process.env.PATH) => {
    const { work } = repositoryWithRemote();
    const tool_input = { command: 'git push --force origin main' };
    const input = JSON.stringify({ hook_event_name: 'PreToolUse', cwd: work, tool_name: 'Bash', tool_input });
    const { stdout, status } = spawnSync('/bin/sh', [join(root, 'hooks/guard.sh')], {
      input,
      encoding: 'utf8',
      env: { ...process.env, PATH, CLAUDE_PROJECT_DIR: work, CLAUDE_PLUGIN_ROOT: root },
    });
    return { answer: JSON.parse(stdout), status };
  };

  it('finds the package that it lies in', () => {
    expect(ask(plugin)).toMatchObject({ answer: { hookSpecificOutput: { permissionDecision: 'deny' } }, status: 0 });
  });

  it('tells the user, and stops nothing, where there is no package', () => {
    const copy = join(temporaryDirectory(), 'plugin');
    cpSync(plugin, copy, { recursive: true });
    expect(ask(copy, '/nowhere')).toMatchObject({
      answer: { systemMessage: expect.stringContaining('no command is judged') },
      status: 0,
    });
  });
});
