import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { detectAgents } from '../../src/dialects/agent-detection.ts';
import { installAgent, uninstallAgent } from '../../src/dialects/agent-installation.ts';
import { type AgentName, agentNames } from '../../src/dialects/dialect.ts';
import { installedCommand } from '../../src/dialects/installed-hook.ts';

const programs = { node: '/opt/my node/bin/node', hook: '/srv/oxide-guard/dist/hook/agent.cjs' };

let workTree: string;
let gitDir: string;
beforeEach(() => {
  workTree = mkdtempSync(join(tmpdir(), 'oxide-guard-settings-'));
  gitDir = mkdtempSync(join(tmpdir(), 'oxide-guard-gitdir-'));
});

const install = (agent: AgentName, more = {}) =>
  installAgent(agent, { workTree, gitDir }, { ...programs, ...more }, false);
const uninstall = (agent: AgentName) => uninstallAgent(agent, { workTree, gitDir }, false);

function write(path: string, content: string): void {
  mkdirSync(dirname(join(workTree, path)), { recursive: true });
  writeFileSync(join(workTree, path), content);
}

const read = (path: string) => readFileSync(join(workTree, path), 'utf8');

describe.each(agentNames)('the settings of %s', (agent) => {
  it('get the hook, once, and lose it without a trace', () => {
    expect(install(agent).change).toBe('written');
    expect(installedCommand(agent, workTree)).toContain(`/srv/oxide-guard/dist/hook/agent.cjs`);
    const { path } = install(agent);
    const text = readFileSync(path, 'utf8');
    expect(install(agent).change).toBe('unchanged');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(uninstall(agent).change).toBe('removed');
    expect(readdirSync(workTree)).toEqual([]);
    expect(readdirSync(gitDir)).toEqual([]);
    expect(installedCommand(agent, workTree)).toBeNull();
    expect(uninstall(agent).change).toBe('absent');
  });

  it('follow the package when it has moved, and still come back', () => {
    install(agent);
    expect(install(agent, { hook: '/new/place/hook/agent.cjs' }).change).toBe('updated');
    expect(installedCommand(agent, workTree)).toContain('/new/place/hook/agent.cjs');
    expect(readFileSync(install(agent, { hook: '/new/place/hook/agent.cjs' }).path, 'utf8')).not.toContain('/srv/');
    expect(uninstall(agent).change).toBe('removed');
    expect(readdirSync(workTree)).toEqual([]);
  });

  it('are only told about in a dry run', () => {
    expect(installAgent(agent, { workTree, gitDir }, programs, true).change).toBe('written');
    expect(readdirSync(workTree)).toEqual([]);
  });
});

it.each([
  ['grok', '.grok/hooks/oxide-guard.json', 'monitor'],
  ['qwen', '.qwen/settings.json', 'monitor'],
  ['claude', '.claude/settings.json', 'PowerShell'],
] as const)('%s starts the hook for every tool that runs a command: %s names %s', (agent, file, tool) => {
  install(agent);
  const { hooks } = JSON.parse(read(file));
  expect(new RegExp(hooks.PreToolUse[0].matcher).test(tool)).toBe(true);
});

describe('the hooks of Factory Droid, which reads one file only', () => {
  const own = { PostToolUse: [{ matcher: 'Execute', hooks: [{ type: 'command', command: './mine.sh' }] }] };

  it.each([
    ['.factory/settings.json', { model: 'x', hooks: own }],
    ['.factory/hooks/hooks.json', own],
    ['.factory/hooks.json', own],
  ])('are where somebody has hooks already: %s', (file, content) => {
    const text = `${JSON.stringify(content, null, 2)}\n`;
    write(file, text);
    expect(install('droid').path).toBe(join(workTree, file));
    expect(installedCommand('droid', workTree)).toContain('agent.cjs');
    const { hooks, ...events } = JSON.parse(read(file));
    expect(hooks ?? events).toMatchObject({
      ...own,
      PreToolUse: [{ matcher: 'Execute|Create|Edit|MultiEdit|ApplyPatch' }],
    });
    expect(install('droid').change).toBe('unchanged');
    expect(uninstall('droid').change).toBe('restored');
    expect(read(file)).toBe(text);
  });

  it('are in a file of their own beside settings without hooks', () => {
    write('.factory/settings.json', '{ "model": "x", "hooks": { "PreToolUse": [] } }');
    expect(install('droid').path).toBe(join(workTree, '.factory/hooks.json'));
  });
});

it('Claude Code runs nothing when the hook is killed or can’t be started', () => {
  install('claude');
  const { hooks } = JSON.parse(read('.claude/settings.json'));
  expect(hooks.PreToolUse[0].hooks[0].onFailure).toBe('block');
  expect(hooks.PermissionRequest[0].hooks[0].onFailure).toBe('block');
});

describe('settings that somebody has written', () => {
  const mine = `{
\t// why: see the wiki
\t"model": "opus",
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] },
\t\t],
\t},
\t"permissions": { "allow": ["Bash(ls)"] } /* the end */
}
`;

  it('keep their comments, order, indentation and hooks', () => {
    write('.claude/settings.json', mine);
    expect(install('claude').change).toBe('updated');
    const text = read('.claude/settings.json');
    for (const line of ['\t// why: see the wiki', '\t"model": "opus",', './mine.sh', '/* the end */']) {
      expect(text).toContain(line);
    }
    expect(text).not.toMatch(/^ +"/m);
    expect(text.indexOf('./mine.sh')).toBeLessThan(text.indexOf('agent.cjs'));
    expect(text.indexOf('agent.cjs')).toBeLessThan(text.indexOf('"permissions"'));
  });

  it.each([
    '{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "./mine.sh" }] }',
    '{ "matcher": "x", /* in */ "hooks": [] } // after',
    '{ "matcher": "x",\n              "hooks": [ ] }',
  ])('keep the way in which theirs are written: %j', (theirs) => {
    write('.claude/settings.json', `{\n  "hooks": {\n    "PreToolUse": [\n      ${theirs}\n    ]\n  }\n}\n`);
    install('claude');
    const written = read('.claude/settings.json');
    expect(written.slice(0, written.indexOf('"Bash|'))).toContain(theirs.replace(/\}( \/\/.*)?$/, '},$1'));
  });

  it('stay readable where a comment ends its line before a hook that goes', () => {
    write('.claude/settings.json', '{ "a": 1, // mine\n"hooks": {}, "b": 2 }');
    install('claude');
    write('.claude/settings.json', read('.claude/settings.json').replace('"a": 1', '"a": 3'));
    expect(uninstall('claude').change).toBe('cleaned');
    expect(read('.claude/settings.json')).toBe('{ "a": 3, // mine\n "b": 2 }');
  });

  it('keep the comments around a hook that goes', () => {
    write('.claude/settings.json', mine.replace('\t\t],', '\t\t\t// last of mine\n\t\t],'));
    install('claude');
    const changed = read('.claude/settings.json')
      .replace('opus', 'sonnet')
      .replace(/\}(\s*\],\s*"PermissionRequest)/, '} // theirs$1');
    write('.claude/settings.json', changed);
    expect(changed).toContain('// theirs');
    expect(uninstall('claude').change).toBe('cleaned');
    const text = read('.claude/settings.json');
    expect(text).not.toContain('agent.cjs');
    for (const comment of ['// why: see the wiki', '// last of mine', '// theirs', '/* the end */']) {
      expect(text).toContain(comment);
    }
  });

  it.each([
    mine,
    mine.replaceAll('\n', '\r\n'),
    `\uFEFF${mine}`,
    '{}',
    '',
    '{"hooks":{}}',
    '{"hooks":{"PreToolUse":[]},"x":1}',
  ])('come back byte for byte: %j', (text) => {
    write('.claude/settings.json', text);
    install('claude');
    install('claude', { node: '/usr/bin/node' });
    expect(uninstall('claude').change).toBe('restored');
    expect(read('.claude/settings.json')).toBe(text);
  });

  it('lose only the hook when they were changed since', () => {
    write('.claude/settings.json', mine);
    install('claude');
    write('.claude/settings.json', read('.claude/settings.json').replace('opus', 'sonnet'));
    expect(uninstall('claude').change).toBe('cleaned');
    const text = read('.claude/settings.json');
    expect(text).not.toContain('agent.cjs');
    expect(text).not.toContain('PermissionRequest');
    expect(text).toContain('./mine.sh');
    expect(text).toContain('sonnet');
    expect(text).toContain('// why: see the wiki');
  });

  it('lose the hook, too, when they were changed before the hook was renewed', () => {
    write('.claude/settings.json', '{ "a": 1 }\n');
    install('claude');
    write('.claude/settings.json', read('.claude/settings.json').replace('1', '2'));
    expect(install('claude', { hook: '/new/place/hook/agent.cjs' }).change).toBe('updated');
    expect(read('.claude/settings.json')).not.toContain('/srv/');
    uninstall('claude');
    expect(JSON.parse(read('.claude/settings.json'))).toEqual({ a: 2 });
  });

  it('are kept when they are a file of ours that somebody has changed', () => {
    const kept = () => readFileSync(join(gitDir, 'oxide-guard/agents/copilot.json.edited'), 'utf8');
    install('copilot');
    const edited = read('.github/hooks/oxide-guard.json').replace('"version": 1,', '"version": 1, "mine": true,');
    write('.github/hooks/oxide-guard.json', edited);
    install('copilot');
    expect(kept()).toBe(edited);
    write('.github/hooks/oxide-guard.json', `${edited}\n`);
    expect(uninstall('copilot').change).toBe('removed');
    expect(kept()).toBe(`${edited}\n`);
  });

  it.each([
    ['a directory', (path: string) => mkdirSync(path, { recursive: true })],
    ['a symbolic link to nothing', (path: string) => symlinkSync('/nowhere/settings.json', path)],
    ['a named pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('are left alone when they are %s', (_, make) => {
    mkdirSync(join(workTree, '.claude'));
    make(join(workTree, '.claude/settings.json'));
    const before = lstatSync(join(workTree, '.claude/settings.json'));
    expect(() => install('claude')).toThrow(expect.objectContaining({ code: 'settings-unreadable' }));
    expect(uninstall('claude').change).toBe('absent');
    expect(installedCommand('claude', workTree)).toBeNull();
    expect(lstatSync(join(workTree, '.claude/settings.json')).ino).toBe(before.ino);
  });

  it.each([
    ['not in UTF-8', Buffer.from('{"note":"caf\xe9"}\n', 'latin1')],
    ['in UTF-16', Buffer.from('\ufeff{}\n', 'utf16le')],
    ['too deep to be read', Buffer.from(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ])('are left alone when they are %s', (_, bytes) => {
    mkdirSync(join(workTree, '.claude'));
    writeFileSync(join(workTree, '.claude/settings.json'), bytes);
    expect(() => install('claude')).toThrow(expect.objectContaining({ code: 'settings-unreadable' }));
    expect(uninstall('claude').change).toBe('absent');
    expect(readFileSync(join(workTree, '.claude/settings.json'))).toEqual(bytes);
  });

  it('are not looked for where a file stands in the place of their directory', () => {
    write('.claude', 'a file');
    expect(() => install('claude')).toThrow(expect.objectContaining({ code: 'settings-unreadable' }));
    expect(uninstall('claude').change).toBe('absent');
    expect(installedCommand('claude', workTree)).toBeNull();
  });

  it('lose what an installation left that was killed while it wrote them', () => {
    write('.claude/settings.json', '{}');
    write('.claude/.settings.json.4711.oxide-guard-tmp', '{ "hoo');
    install('claude');
    expect(readdirSync(join(workTree, '.claude'))).toEqual(['settings.json']);
  });

  it('lose what was left of their record, too', () => {
    const records = join(gitDir, 'oxide-guard/agents');
    const killed = join(records, '.claude.json.4711.oxide-guard-tmp');
    mkdirSync(records, { recursive: true });
    writeFileSync(killed, '{ "ori');
    install('claude');
    expect(readdirSync(records)).toEqual(['claude.json']);
    writeFileSync(killed, '{ "ori');
    uninstall('claude');
    expect(readdirSync(gitDir)).toEqual([]);
  });

  it('come back when an installation was killed before it wrote them', () => {
    write('.claude/settings.json', '{ "a": 1 }\n');
    install('claude');
    // The record is written first.
    write('.claude/settings.json', '{ "a": 1 }\n');
    expect(uninstall('claude').change).toBe('absent');
    install('claude');
    expect(uninstall('claude').change).toBe('restored');
    expect(read('.claude/settings.json')).toBe('{ "a": 1 }\n');
  });

  it.each([
    '{',
    '[]',
    '"x"',
    '{"hooks": {"PreToolUse": {}}}',
    '{"a": }',
    '{"hooks": null}',
    '{"hooks": []}',
    '{"hooks": "x"}',
    '{"hooks": {}, "hooks": {}}',
    '{"hooks": {"PreToolUse": [], "PreToolUse": []}}',
  ])('stay as they are when unreadable: %s', (text) => {
    write('.claude/settings.json', text);
    expect(() => install('claude')).toThrow(expect.objectContaining({ code: 'settings-unreadable' }));
    expect(read('.claude/settings.json')).toBe(text);
    expect(readdirSync(join(workTree, '.claude'))).toEqual(['settings.json']);
  });

  it('are written through a symbolic link', () => {
    const dotfiles = mkdtempSync(join(tmpdir(), 'oxide-guard-dotfiles-'));
    writeFileSync(join(dotfiles, 'claude.json'), '{}\n');
    mkdirSync(join(workTree, '.claude'));
    symlinkSync(join(dotfiles, 'claude.json'), join(workTree, '.claude/settings.json'));
    install('claude');
    expect(lstatSync(join(workTree, '.claude/settings.json')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toContain('agent.cjs');
    uninstall('claude');
    expect(readFileSync(join(dotfiles, 'claude.json'), 'utf8')).toBe('{}\n');
  });

  it.each(['.cursor', '.cursor/hooks.json'])(
    'are not written where Cursor would not read them: %s is a link',
    (name) => {
      const dotfiles = mkdtempSync(join(tmpdir(), 'oxide-guard-dotfiles-'));
      writeFileSync(join(dotfiles, 'hooks.json'), '{}\n');
      mkdirSync(dirname(join(workTree, name)), { recursive: true });
      symlinkSync(name === '.cursor' ? dotfiles : join(dotfiles, 'hooks.json'), join(workTree, name));
      expect(() => install('cursor')).toThrow(`${join(workTree, name)} is a symbolic link`);
      expect(readFileSync(join(dotfiles, 'hooks.json'), 'utf8')).toBe('{}\n');
    },
  );

  it('keep a directory in which something else lies', () => {
    install('cursor');
    write('.cursor/rules.md', 'mine');
    uninstall('cursor');
    expect(existsSync(join(workTree, '.cursor/rules.md'))).toBe(true);
  });
});

it('agents are found by their settings here or at home, and on PATH', () => {
  const home = mkdtempSync(join(tmpdir(), 'oxide-guard-user-'));
  const bin = mkdtempSync(join(tmpdir(), 'oxide-guard-path-'));
  expect(detectAgents(workTree, { PATH: bin }, home)).toEqual([]);
  mkdirSync(join(workTree, '.cursor'));
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(bin, 'opencode'), '', { mode: 0o755 });
  writeFileSync(join(bin, 'grok'), '', { mode: 0o644 });
  expect(detectAgents(workTree, { PATH: bin }, home)).toEqual(['codex', 'cursor', 'opencode']);
});
