import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { resolveAgentSettings } from '../../src/config/agent-settings.ts';
import { loadConfiguration } from '../../src/config/load.ts';
import { validateConfiguration } from '../../src/config/validate.ts';

let root: string;
const load = async (agent: unknown) => {
  writeFileSync(join(root, 'oxide-guard.config.json'), JSON.stringify({ agent }));
  return (await loadConfiguration(root, join(root, 'state'), validateConfiguration)).agent;
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'oxide-guard-agent-settings-'));
});

describe('the agent’s settings', () => {
  it('are the defaults where the configuration is silent', async () => {
    expect(await load({})).toEqual(resolveAgentSettings());
  });

  it('add aliases to the known ones, and keep the lists of rules that are not set', async () => {
    const settings = await load({
      model: 'fast',
      aliases: { fast: 'gpt-5-mini' },
      permissions: { deny: ['Read(.env)'] },
    });
    expect(settings).toMatchObject({ model: 'fast', permissions: { allow: [], ask: [], deny: ['Read(.env)'] } });
    expect(settings.aliases).toMatchObject({ fast: 'gpt-5-mini', opus: expect.stringContaining('opus') });
  });

  it.each([
    [{ modell: 'x' }, "agent.modell (line 1): no such key; did you mean 'model'?"],
    [{ permissions: { allow: ['Bash(npm test'] } }, 'agent.permissions.allow.0 (line 1): a tool with its argument'],
    [
      { hooks: { PreToolUse: [{ matcher: '(', command: 'x' }] } },
      'agent.hooks.PreToolUse.0.matcher (line 1): a regular expression',
    ],
    [{ hooks: { BeforeTool: [] } }, 'agent.hooks.BeforeTool (line 1): no such key'],
    [{ maxTurns: 0 }, 'agent.maxTurns'],
  ])('name what is wrong in %j', async (agent, problem) => {
    await expect(load(agent)).rejects.toThrow(problem);
  });
});
