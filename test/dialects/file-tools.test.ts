import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { repositoryConvention as convention } from '../../src/cli/repository-convention.ts';
import { answerAgent } from '../../src/dialects/agent-front.ts';
import type { AgentName } from '../../src/dialects/dialect.ts';
import { agentSetups } from '../../src/dialects/hook-settings.ts';
import { judgeCommandLine } from '../../src/guards/evaluate.ts';
import { repositoryWithRemote } from '../git/fixture.ts';

let work: string;
beforeAll(() => {
  ({ work } = repositoryWithRemote());
  mkdirSync(join(work, '.claude'));
  writeFileSync(join(work, '.claude/settings.json'), '{"hooks":{"PreToolUse":[{"command":"oxide-guard"}]}}');
  writeFileSync(join(work, 'package.json'), '{"name":"shop","oxide-guard":{"rules":{"force-push":"deny"}}}');
  mkdirSync(join(work, '.git/hooks'), { recursive: true });
  writeFileSync(join(work, '.git/hooks/pre-push'), '#!/bin/sh\ncheck\n');
});

async function answer(agent: AgentName, payload: object): Promise<string> {
  const { stdout } = await answerAgent(agent, JSON.stringify(payload), {
    env: process.env,
    cwd: '/',
    judge: ({ command, cwd }) => judgeCommandLine(command, { cwd, env: process.env, convention }),
    checkpoints: async () => false,
  });
  return stdout;
}

/** A file's new text, as each agent announces it. */
const writers: Readonly<Record<Exclude<AgentName, 'codex' | 'cursor'>, (path: string, content: string) => object>> = {
  claude: (file_path, content) => claudes('Write', { file_path, content }),
  copilot: (path, file_text) => ({ cwd: work, toolName: 'create', toolArgs: JSON.stringify({ path, file_text }) }),
  droid: (file_path, content) => claudes('Create', { file_path, content }),
  gemini: (file_path, content) => ({
    ...claudes('write_file', { file_path, content }),
    hook_event_name: 'BeforeTool',
  }),
  grok: (file_path, content) => ({
    hookEventName: 'PreToolUse',
    cwd: work,
    toolName: 'Write',
    toolInput: { file_path, content },
  }),
  opencode: (filePath, content) => ({ tool: 'write', args: { filePath, content }, cwd: work }),
  qwen: (file_path, content) => claudes('write_file', { file_path, content }),
};

const claudes = (tool_name: string, tool_input: object) => ({
  hook_event_name: 'PreToolUse',
  permission_mode: 'default',
  cwd: work,
  tool_name,
  tool_input,
});
const edit = (file: string, old_string: string, new_string: string) =>
  claudes('Edit', { file_path: join(work, file), old_string, new_string });

describe.each(Object.entries(writers))('a file that %s writes by its own tool', (name, write) => {
  const agent = name as AgentName;

  it.each([
    '.git/hooks/pre-push',
    'oxide-guard.config.json',
    '.git/refs/heads/main',
    '.git/oxide-guard/approvals/x.json',
  ])('is refused where a command could not write it: %s', async (file) => {
    expect(await answer(agent, write(join(work, file), '{}\n'))).toMatch(/"den(?:y|ied)"/);
  });

  it.each(['src/app.ts', 'deploy.sh', '.gitignore', 'src/hooks/use-cart.ts'])(
    'is nobody’s business: %s',
    async (file) => {
      expect(await answer(agent, write(join(work, file), "git push --force origin main # it's data\n"))).toBe('');
    },
  );
});

describe('an edit', () => {
  it('of package.json counts where it changes the guard’s key', async () => {
    expect(await answer('claude', edit('package.json', '"shop"', '"store"'))).toBe('');
    expect(await answer('claude', edit('package.json', '"deny"', '"off"'))).toContain('[skip-checks]');
  });

  it('of git’s configuration asks, and tells the file as a person would', async () => {
    const said = await answer('claude', edit('.git/config', '[core]', '[alias]\n\tp = push -f\n[core]'));
    expect(said).toContain('"ask"');
    expect(said).toContain('writes to .git/config by other means');
  });

  it('in several places is the text after all of them', async () => {
    const edits = [
      { old_string: '"shop"', new_string: '"store"' },
      { old_string: '"force-push"', new_string: '"diverged"' },
    ];
    const call = claudes('MultiEdit', { file_path: join(work, 'package.json'), edits });
    expect(await answer('claude', call)).toContain('[skip-checks]');
  });

  it('that does not fit, or can’t be read, is left to the tool', async () => {
    expect(await answer('claude', claudes('Edit', { file_path: join(work, 'README.md') }))).toBe('');
    expect(await answer('claude', claudes('Write', {}))).toBe('');
    const edits = [null, 'x', [1]];
    expect(await answer('claude', claudes('MultiEdit', { file_path: join(work, 'README.md'), edits }))).toBe('');
    expect(await answer('copilot', { cwd: work, toolName: 'edit', toolArgs: '{' })).toBe('');
  });
});

it('settings in which an agent’s hooks are switched off are the guard’s business, others are not', async () => {
  const local = join(work, '.claude/settings.local.json');
  expect(await answer('claude', writers.claude(local, '{"disableAllHooks":true}'))).toContain('[skip-checks]');
  expect(await answer('claude', writers.claude(local, '{"permissions":{"allow":["Bash(ls)"]}}'))).toBe('');
});

it('a program that later calls would take for git is nobody’s to write, another one is', async () => {
  const [directory = ''] = (process.env.PATH ?? '').split(delimiter);
  const program = (name: string) => writers.claude(join(directory, name), '#!/bin/sh\nexec /usr/bin/git "$@"\n');
  expect(await answer('claude', program('git'))).toContain('[delayed-execution]');
  expect(await answer('claude', program('gitters'))).toBe('');
  expect(await answer('claude', writers.claude(join(work, 'docs/git'), 'About git.\n'))).toBe('');
});

it('variables of an agent’s settings count for what they switch off in its commands', async () => {
  const local = join(work, '.claude/settings.local.json');
  expect(await answer('claude', writers.claude(local, '{"env":{"HUSKY":"0"}}'))).toContain('HUSKY=0 switches off');
  expect(await answer('claude', writers.claude(local, '{"env":{"CI":"1"}}'))).toBe('');
  expect(await answer('claude', writers.claude(local, 'null'))).toBe('');
});

it('the patches of Codex count for the files that they name', async () => {
  const patch = (header: string) => ({
    ...claudes('apply_patch', { command: `*** Begin Patch\n${header}\n@@\n-check\n+exit 0\n*** End Patch` }),
  });
  expect(await answer('codex', patch('*** Update File: .git/hooks/pre-push'))).toContain('[skip-checks]');
  expect(await answer('codex', patch('*** Delete File: .git/hooks/pre-push'))).toContain('[skip-checks]');
  expect(await answer('codex', patch('*** Update File: src/app.ts'))).toBe('');
  const added = '*** Begin Patch\n  *** Add File: .git/hooks/pre-push\n+exit 0\n*** End Patch\n';
  for (const command of [added, added.replaceAll('\n', '\r\n')]) {
    expect(await answer('codex', claudes('apply_patch', { command }))).toContain('[skip-checks]');
  }
});

it.each([
  ['claude', 'MultiEdit'],
  ['codex', 'apply_patch'],
  ['droid', 'Create'],
  ['gemini', 'replace'],
  ['qwen', 'edit'],
  ['grok', 'Write'],
] as const)('the hook of %s is started for its tool %s', (agent, tool) => {
  const settings = JSON.stringify(agentSetups[agent].settings({ node: 'node', hook: 'agent.cjs' }, work));
  const matchers = [...settings.matchAll(/\\?"matcher\\?":\s*\\?"([^"\\]*)/g)].map(([, matcher = '']) => matcher);
  expect(matchers.length).toBeGreaterThan(0);
  expect(matchers.every((matcher) => new RegExp(matcher).test(tool))).toBe(true);
});

it('the plugin of OpenCode hands on what its tools write', async () => {
  const source = readFileSync(resolve('plugins/opencode/oxide-guard.js'), 'utf8').replace(
    /^const hook = .*$/m,
    () => `const hook = ${JSON.stringify(join(work, 'hook.cjs'))};`,
  );
  writeFileSync(join(work, 'plugin.mjs'), source);
  writeFileSync(
    join(work, 'hook.cjs'),
    `const { tool } = JSON.parse(require('fs').readFileSync(0, 'utf8')); console.log(JSON.stringify({ reason: 'no ' + tool }));`,
  );
  const { OxideGuard } = await import(pathToFileURL(join(work, 'plugin.mjs')).href);
  const before = (await OxideGuard({ directory: work }))['tool.execute.before'];
  await expect(before({ tool: 'write' }, { args: { filePath: 'x', content: 'y' } })).rejects.toThrow('no write');
  await expect(before({ tool: 'read' }, { args: { filePath: 'x' } })).resolves.toBeUndefined();
});

describe('an agent’s settings in which the guard is a hook', () => {
  const settings = (more: object) =>
    JSON.stringify({ ...more, hooks: { PreToolUse: [{ command: 'oxide-guard' }] } }, null, 2);
  const writing = (content: string) =>
    answer('claude', claudes('Write', { file_path: join(work, '.claude/settings.json'), content }));

  it('may be written as long as it is started as before', async () => {
    expect(await writing(settings({ permissions: { allow: ['Bash(npm test:*)'] } }))).toBe('');
    expect(await answer('claude', edit('.claude/settings.json', '{"hooks"', '{"model":"x","hooks"'))).toBe('');
  });

  it.each([
    ['without it', '{"permissions":{}}'],
    ['with another matcher', '{"hooks":{"PreToolUse":[{"matcher":"Nothing","command":"oxide-guard"}]}}'],
    ['with all hooks switched off', settings({ disableAllHooks: true })],
    ['with them switched off further inside', settings({ tools: { enableHooks: false } })],
    ['with checks switched off in the environment', settings({ env: { HUSKY: '0' } })],
    ['as no JSON', '{'],
  ])('may not be written %s', async (_, content) => {
    expect(await writing(content)).toContain('"deny"');
  });
});
