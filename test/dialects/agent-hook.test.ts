import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { agentNames } from '../../src/dialects/dialect.ts';
import { hookCommand } from '../../src/dialects/hook-settings.ts';
import { repositoryWithRemote } from '../git/fixture.ts';

const hook = resolve('dist/hook/agent.cjs');
let work: string;
beforeAll(() => {
  work = repositoryWithRemote().work;
});

interface Run {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

interface Setting {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Leave the hook's standard input open. */
  readonly open?: boolean;
  readonly before?: string;
}

/** Reads what a hook says. Its input ends when it has answered, as agents end it. */
function collect(child: ChildProcessWithoutNullStreams, done: (run: Run) => void): void {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    child.stdin.end();
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  child.stdin.on('error', () => undefined);
  child.on('close', (code) => done({ stdout, stderr, code }));
}

/** Runs the built hook through `sh`, as the agents do, with a pipe for its input. */
function run(agent: string, input: string, { cwd = '/', env = {}, open = false, before = '' }: Setting = {}) {
  return new Promise<Run>((done) => {
    const line = `${before} cat | exec '${process.execPath}' '${hook}' --agent ${agent}`;
    const child = spawn('sh', ['-c', line], { cwd, env: { ...process.env, ...env } });
    collect(child, done);
    child.stdin.write(input);
    if (!open) {
      child.stdin.end();
    }
  });
}

/** Runs the built hook by itself, with a socket for its input, as node does: it comes in the pieces given. */
function runDirectly(agent: string, pieces: readonly (string | Buffer)[], { env = {}, open = false }: Setting = {}) {
  return new Promise<Run>((done) => {
    const child = spawn(process.execPath, [hook, '--agent', agent], {
      cwd: '/',
      stdio: 'pipe',
      env: { ...process.env, ...env },
    });
    collect(child, done);
    const [first = '', ...others] = pieces;
    child.stdin.write(first);
    const next = () => {
      const piece = others.shift();
      if (piece === undefined) {
        if (!open) {
          child.stdin.end();
        }
      } else {
        child.stdin.write(piece);
        setTimeout(next, 120);
      }
    };
    setTimeout(next, others.length > 0 ? 120 : 0);
  });
}

const payload = (command: string, cwd = work) =>
  JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', tool_input: { command } });

function decision({ stdout, stderr }: Run): string | null {
  expect(stderr).toBe('');
  return stdout === '' ? null : JSON.parse(stdout).hookSpecificOutput.permissionDecision;
}

describe('the built agent hook', () => {
  it.each([
    ['git push --force origin main', 'deny'],
    ['git -C . push -f origin +HEAD:main', 'deny'],
    ['oxide-guard approve abc123', 'deny'],
    ['git push --force-with-lease origin main', 'ask'],
    ['git status && echo git push --force origin main', null],
    ['ls -la', null],
  ])('answers %s with %s', async (command, verdict) => {
    expect(decision(await run('claude', payload(command)))).toBe(verdict);
  });

  it('starts no process for what is none of git’s business', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'oxide-guard-bin-'));
    writeFileSync(join(bin, 'git'), `#!/bin/sh\ntouch '${bin}/started'\n`);
    chmodSync(join(bin, 'git'), 0o755);
    const env = { PATH: `${bin}:${process.env.PATH}` };
    for (const command of ['ls', 'npm test && cat README.md | grep -n git', 'echo "git push --force"']) {
      expect(decision(await run('claude', payload(command), { env }))).toBeNull();
    }
    expect(existsSync(join(bin, 'started'))).toBe(false);
  });

  it('answers although the agent keeps the pipe open', async () => {
    const result = await run('claude', `${payload('git push --force origin main')}\n`, { open: true });
    expect(decision(result)).toBe('deny');
  });

  it.each([
    ['at once', 1],
    ['in three pieces', 3],
    ['byte by byte at its end', 12],
  ])('reads a payload that comes %s', async (_, count) => {
    const text = payload('git push --force origin main');
    const cuts = Array.from({ length: count - 1 }, (_unused, index) => text.length - count + index);
    const pieces = [0, ...cuts].map((start, index) => text.slice(start, cuts[index]));
    expect(pieces.join('')).toBe(text);
    expect(decision(await runDirectly('claude', pieces))).toBe('deny');
  });

  it('takes a git that hangs with it when its time is over', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'oxide-guard-bin-'));
    const hanging = `#!/bin/sh\ntrap 'touch "${bin}/ended"; exit' TERM\nwhile :; do sleep 0.05; done\n`;
    writeFileSync(join(bin, 'git'), hanging, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, OXIDE_GUARD_HOOK_TIMEOUT: '500' };
    expect(decision(await run('claude', payload('git push --force origin main'), { env }))).toBe('deny');
    await vi.waitUntil(() => existsSync(join(bin, 'ended')), { timeout: 30_000 });
  });

  it('denies when the payload does not end in time', async () => {
    const result = await run('claude', '{"tool_name": "Ba', { open: true, env: { OXIDE_GUARD_HOOK_TIMEOUT: '300' } });
    expect(decision(result)).toBe('deny');
  });

  it('denies when the payload of an agent on node does not end in time', async () => {
    const setting = { open: true, env: { OXIDE_GUARD_HOOK_TIMEOUT: '300' } };
    expect(decision(await runDirectly('claude', ['{"tool_name": "Ba'], setting))).toBe('deny');
  });

  it.each([
    ['keeps its end open', { open: true }],
    ['writes pages of text', {}],
  ])('answers an agent on node that %s', async (_, setting) => {
    const command = `git push --force origin main # ${'x'.repeat(200_000)}`;
    expect(decision(await runDirectly('claude', [payload(command)], setting))).toBe('deny');
  });

  it('denies an agent on node that writes too much, or nothing', async () => {
    const large = payload(`echo ${'x'.repeat(11 * 1024 * 1024)}`);
    expect(decision(await runDirectly('claude', [large]))).toBe('deny');
    expect(decision(await runDirectly('claude', ['']))).toBe('deny');
  });

  it('loads none of node’s streams for it', async () => {
    const report = join(mkdtempSync(join(tmpdir(), 'oxide-guard-modules-')), 'list.cjs');
    writeFileSync(
      report,
      `process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join(' ')));`,
    );
    const { stderr } = await runDirectly('claude', [payload('ls')], { env: { NODE_OPTIONS: `--require=${report}` } });
    expect(stderr).toContain('NativeModule vm');
    expect(stderr).not.toMatch(/NativeModule (?:net|stream)\b/);
  });

  it('denies a payload that is too large', async () => {
    expect(decision(await run('claude', payload(`echo ${'x'.repeat(11 * 1024 * 1024)}`)))).toBe('deny');
  });

  it('works from a directory that is gone', async () => {
    const gone = mkdtempSync(join(tmpdir(), 'oxide-guard-gone-'));
    const before = `rmdir '${gone}';`;
    expect(decision(await run('claude', payload('git push --force origin main'), { cwd: gone, before }))).toBe('deny');
  });

  it('denies a git command in a directory that is gone', async () => {
    const gone = join(work, 'gone');
    expect(decision(await run('claude', payload('git push --force origin main', gone)))).toBe('deny');
  });

  it('judges what leaves a directory that is gone where it goes', async () => {
    const from = (command: string) => run('claude', payload(command, join(work, 'gone')));
    const harmless = [`cd ${work} && git status`, `cd '${work}'; git log -1`, `git -C "${work}" log -1`];
    expect(await Promise.all(harmless.map(from))).toMatchObject(harmless.map(() => ({ stdout: '', code: 0 })));
    const data = ['echo git push --force', "printf 'git push -f\\n' | cat", 'grep -r "git push" /nowhere || true'];
    expect(await Promise.all(data.map(from))).toMatchObject(data.map(() => ({ stdout: '', code: 0 })));
    const going = [
      ...[`cd ${work} && git push -f origin main`, `git -C ${work} push -f`],
      ...[`top=${work}; cd "$top" && git push -f`, `{ cd ${work}; git push -f; }`],
    ];
    const pushed = await Promise.all(going.map(from));
    expect(pushed.map(({ stdout }) => /protected-force-push/.test(stdout))).toEqual(going.map(() => true));
    const staying = [
      ...[`git -C ${work} log -1; git log`, `ls && cd ${work} && git log`, `cd ${work}x && git log`],
      ...[`git -C ${work} log -1 && g=git && $g log`, `cd .. && git log`, `cd "$(cat place)" && git log`],
    ];
    const refused = await Promise.all(staying.map(from));
    expect(refused.map(({ stdout }) => /guard-failure/.test(stdout))).toEqual(staying.map(() => true));
  });

  it('judges although it can keep nothing, and says that nobody can approve', async () => {
    const { work: odd } = repositoryWithRemote();
    rmSync(join(odd, '.git/oxide-guard'), { recursive: true, force: true });
    writeFileSync(join(odd, '.git/oxide-guard'), '');
    const denied = await run('codex', payload('git push --force origin main', odd));
    expect(denied.stdout).toContain('protected-force-push');
    const asked = await run('codex', payload('git push origin main', odd));
    expect(asked.stdout).toContain('the request could not be recorded');
    expect(decision(await run('claude', payload('git push origin main', odd)))).toBe('ask');
    expect((await run('claude', payload('git push origin HEAD:other', odd))).stdout).not.toContain('deny');
  });

  it('runs no program of a repository in which nobody has installed the guard', async () => {
    const { work: stranger } = repositoryWithRemote();
    const mark = join(work, 'it-ran');
    const config = join(stranger, 'oxide-guard.config.mjs');
    writeFileSync(
      config,
      `(await import('node:fs')).writeFileSync('${mark}', '');
      export default { rules: { 'protected-force-push': 'off', 'force-push': 'off', 'protected-push': 'off' } };`,
    );
    const call = payload(`git -C ${stranger} push --force origin main`);
    const before = await run('claude', call);
    expect(decision(before)).toBe('deny');
    expect(before.stdout).toContain(`${config} was not run`);
    expect(existsSync(mark)).toBe(false);

    spawnSync(process.execPath, [resolve('bin/oxide-guard.js'), 'install'], { cwd: stranger });
    expect((await run('claude', call)).stdout).not.toContain('deny');
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
  });

  it.each([
    [
      'other types',
      '.commitlintrc.json',
      '{"extends":["@commitlint/config-conventional"],"rules":{"type-enum":[2,"always",["shop"]]}}',
      'shop: x',
      null,
    ],
    [
      'other types',
      '.commitlintrc.json',
      '{"extends":["@commitlint/config-conventional"],"rules":{"type-enum":[2,"always",["shop"]]}}',
      'feat: x',
      'deny',
    ],
    [
      'the usual ones',
      'commitlint.config.js',
      "export default { extends: ['@commitlint/config-conventional'] };",
      'Bad.',
      'deny',
    ],
    ['what only commitlint knows', 'commitlint.config.js', 'export default { rules: rules() };', 'Bad.', null],
  ])('honours a commitlint configuration: %s in %s', async (_, name, text, message, expected) => {
    const { work: own } = repositoryWithRemote();
    writeFileSync(join(own, name), text);
    expect(decision(await run('claude', payload(`git commit --allow-empty -m '${message}'`, own)))).toBe(expected);
  });

  it('says which agents it knows', async () => {
    expect(await run('clippy', '{}')).toMatchObject({ stdout: '', code: 2 });
  });

  it('goes by the exit code where the agent does', async () => {
    const text = JSON.stringify({
      toolName: 'Bash',
      toolInput: { command: 'git push --force origin main' },
      cwd: work,
    });
    const { stdout, stderr, code } = await run('grok', text);
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny' });
    expect(stderr).toContain('protected-force-push');
    expect(code).toBe(2);
  });
});

describe('the built agent hook, called as nobody should', () => {
  const sh = (line: string, input: string | Buffer = '') => {
    const { stdout, stderr, status } = spawnSync('sh', ['-c', line], { cwd: '/', input, timeout: 20_000 });
    return { stdout: stdout.toString(), stderr: stderr.toString(), status };
  };
  const call = (agent: string) => `'${process.execPath}' '${hook}' --agent ${agent}`;

  it.each(agentNames)('stops what it can’t read, in the words of %s alone', (agent) => {
    const rubbish = [
      Buffer.alloc(0),
      Buffer.from([0xff, 0xfe, 0, 1, 0x80, 0x7d]),
      Buffer.from('\uFEFF{"tool_name": }'),
    ];
    for (const input of rubbish) {
      const { stdout, status } = sh(call(agent), input);
      expect(typeof JSON.parse(stdout)).toBe('object');
      expect(stdout).toMatch(/deny|block/);
      expect([0, 2]).toContain(status);
    }
  });

  it('denies when its standard input is closed, or is a directory', () => {
    expect(sh(`${call('claude')} <&-`).stdout).toContain('"deny"');
    expect(sh(`${call('claude')} </tmp`).stdout).toContain('"deny"');
    expect(sh(`${call('claude')} </dev/null`).stdout).toContain('"deny"');
  });

  it.each(agentNames)('refuses %s by its exit code when nobody gets its answer', (agent) => {
    const text = payload('git push --force origin main');
    for (const nowhere of ['>&-', '>/dev/null', ...(existsSync('/dev/full') ? ['>/dev/full'] : [])]) {
      const { stderr, status } = sh(`${call(agent)} ${nowhere}`, text);
      expect([stderr, status]).toEqual([expect.stringMatching(/oxide-guard: the answer .* could not be written/), 2]);
    }
  });

  it('needs nobody to get what is no objection', () => {
    expect(sh(`${call('claude')} >&-`, payload('git status'))).toEqual({ stdout: '', stderr: '', status: 0 });
  });
});

describe('the line in an agent’s settings', () => {
  const line = (node: string) => hookCommand('codex', { node, hook });
  const payload = () =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      session_id: 's',
      cwd: work,
      tool_input: { command: 'git push --force origin main' },
    });

  it('judges although NODE_OPTIONS names a module that is gone, or one that prints', () => {
    const printing = join(mkdtempSync(join(tmpdir(), 'oxide-guard-preload-')), 'print.cjs');
    writeFileSync(printing, 'console.log("loaded");\n');
    for (const preload of ['/gone/bootloader.js', printing]) {
      const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
      const { stdout } = spawnSync('sh', ['-c', line(process.execPath)], { input: payload(), env, encoding: 'utf8' });
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny');
    }
  });

  it('gives a reason where node was killed when it had read the call', () => {
    const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-killed-'));
    const node = join(directory, 'node');
    // The first start reads the call and dies, as by a lack of memory; the shell that it replaces would say "Killed".
    const dying = `case "$*" in *--again) exec '${process.execPath}' "$@" ;; esac\ncat >/dev/null\nexit 137\n`;
    writeFileSync(node, `#!/bin/sh\n${dying}`, { mode: 0o755 });
    const { stdout, stderr, status } = spawnSync('sh', ['-c', line(node)], { input: payload(), encoding: 'utf8' });
    expect([stdout, stderr, status]).toEqual(['', 'oxide-guard: the call is refused\n', 2]);
  });
});
