import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentName } from '../../src/dialects/dialect.ts';
import { hooksOff } from '../../src/dialects/hooks-off.ts';

let workTree: string;
let home: string;
beforeEach(() => {
  workTree = mkdtempSync(join(tmpdir(), 'oxide-guard-off-'));
  home = mkdtempSync(join(tmpdir(), 'oxide-guard-home-'));
});

function write(path: string, text: string): string {
  const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(workTree, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

describe('the hooks of an agent', () => {
  it.each<[AgentName, string, string]>([
    ['claude', '.claude/settings.json', '{"disableAllHooks": true}'],
    ['claude', '.claude/settings.local.json', '{\n  // for now\n  "disableAllHooks": true,\n}'],
    ['claude', '~/.claude/settings.json', '{"disableAllHooks": true}'],
    ['qwen', '.qwen/settings.json', '{"disableAllHooks": true}'],
    ['copilot', '.github/hooks/oxide-guard.json', '{"disableAllHooks": true, "hooks": {}}'],
    ['gemini', '.gemini/settings.json', '{"hooksConfig": {"enabled": false}}'],
    ['gemini', '~/.gemini/settings.json', '{"tools": {"enableHooks": false}}'],
    ['codex', '.codex/config.toml', 'model = "m"\n[features]\nhooks = false # for now\n'],
    ['codex', '~/.codex/config.toml', 'features.codex_hooks = false\n'],
    ['codex', '~/.codex/config.toml', 'features = { web = true, hooks = false }\n'],
  ])('of %s are switched off by %s: %s', (agent, path, text) => {
    const file = write(path, text);
    expect(hooksOff(agent, workTree, { HOME: home })?.file).toBe(file);
  });

  it.each<[AgentName, string, string]>([
    ['claude', '.claude/settings.json', '{"disableAllHooks": false}'],
    ['claude', '.qwen/settings.json', '{"disableAllHooks": true}'],
    ['gemini', '.gemini/settings.json', '{"hooksConfig": {"enabled": true}, "telemetry": {"enabled": false}}'],
    ['codex', '.codex/config.toml', '[features]\n# hooks = false\n[other]\nhooks = false\n'],
    ['cursor', '.cursor/hooks.json', '{"disableAllHooks": true}'],
    ['claude', '.claude/settings.json', 'no JSON'],
  ])('of %s are left on by %s: %s', (agent, path, text) => {
    write(path, text);
    expect(hooksOff(agent, workTree, { HOME: home })).toBeNull();
  });

  it('are on where a stronger file says so', () => {
    write('~/.claude/settings.json', '{"disableAllHooks": true}');
    write('.claude/settings.json', '{"disableAllHooks": false}');
    expect(hooksOff('claude', workTree, { HOME: home })).toBeNull();
  });
});
