import { spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agentParts } from '../../tsdown.agent-parts.ts';
import { repositoryWithRemote } from '../git/fixture.ts';

const push = 'git push --force origin main';

let work: string;
/** A copy of the hook's programs, without those that are left out. */
let copy: string;

beforeAll(() => {
  work = repositoryWithRemote().work;
});

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'oxide-guard-package-'));
  return () => rmSync(copy, { recursive: true });
});

function copyParts(...names: readonly string[]): void {
  for (const name of ['agent', ...names.map((name) => `agent-${name}`)]) {
    copyFileSync(`dist/hook/${name}.cjs`, join(copy, `${name}.cjs`));
  }
}

const payload = (command: string) =>
  JSON.stringify({ hook_event_name: 'PreToolUse', cwd: work, tool_name: 'Bash', tool_input: { command } });

const words = () => [join(copy, 'agent.cjs'), '--agent', 'claude'];

function answer(command: string): string {
  return spawnSync(process.execPath, words(), { input: payload(command), encoding: 'utf8' }).stdout;
}

function answerLater(command: string): Promise<string> {
  return new Promise((done) => {
    const child = spawn(process.execPath, words());
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.on('close', () => done(stdout));
    child.stdin.end(payload(command));
  });
}

/** The caches of one part, or everything that is no program. */
const caches = (part = '') =>
  readdirSync(copy)
    .filter((name) => !name.endsWith('.cjs') && name.startsWith(part && `agent-${part}.`))
    .map((name) => join(copy, name));

const cacheOf = (part: string): string => {
  const [only = '', ...others] = caches(part);
  expect(others).toEqual([]);
  return only;
};

/** What a file that was written again does not keep. */
const identity = (path: string) => {
  const { ino, mtimeMs } = statSync(path);
  return { ino, mtimeMs };
};

describe('the programs that the agents’ hook is made of', () => {
  it('refuse by the exit code where what makes the answer is gone', () => {
    copyParts('judge', 'push', 'shell');
    const input = JSON.stringify({
      hookEventName: 'PreToolUse',
      cwd: work,
      toolName: 'Bash',
      toolInput: { command: 'ls' },
    });
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(copy, 'agent.cjs'), '--agent', 'grok'], {
      input,
      encoding: 'utf8',
    });
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toMatch(/^oxide-guard: .*agent-guards\.cjs' \[guard-failure\]\n$/);
  });

  it('are read when a line needs them', () => {
    copyParts('judge');
    // Where this fails, a line needs a new module, which then belongs in a list of tsdown.agent-parts.ts.
    expect(['git status', 'ls -la src'].map(answer)).toEqual(['', '']);
    expect(answer(push)).toMatch(/"deny".*\[guard-failure\]/);
    copyParts('judge', 'push');
    expect(answer(push)).toMatch(/"deny".*\[protected-force-push\]/);
    expect(answer('git reset --hard HEAD~1')).toMatch(/"deny".*\[guard-failure\]/);
    const compound = `for each in a b; do ${push}; done`;
    expect(answer(compound)).not.toContain('[protected-force-push]');
    copyParts(...agentParts);
    expect(answer(compound)).toMatch(/"deny".*\[protected-force-push\]/);
    expect(answer('cd . && ls | head')).toBe('');
  });
});

describe('the code that is kept for the agents’ hook', () => {
  it('is there for each program that was read', () => {
    copyParts(...agentParts);
    expect(answer('ls')).toBe('');
    expect(caches()).toEqual([cacheOf('judge')]);
    expect(answer(push)).toContain('[protected-force-push]');
    expect(caches()).toEqual([cacheOf('judge'), cacheOf('push')]);
  });

  it('grows with a call of another kind, once', () => {
    copyParts(...agentParts);
    answer('ls');
    const { size } = statSync(cacheOf('judge'));
    answer(push);
    const grown = cacheOf('judge');
    expect(statSync(grown).size).toBeGreaterThan(size);
    const last = [...caches().map(identity)];
    expect(['ls', push, 'ls', push].map(answer).map((text) => text.includes('deny'))).toEqual([
      false,
      true,
      false,
      true,
    ]);
    expect(caches().map(identity)).toEqual(last);
  });

  it('stays as it is when it knows as many kinds as it has room for', () => {
    copyParts(...agentParts);
    answer('ls');
    const cache = cacheOf('judge');
    const bytes = readFileSync(cache);
    const full = new Uint32Array(64).map((_, index) => (index === 0 ? 63 : index));
    Buffer.from(full.buffer).copy(bytes);
    writeFileSync(cache, bytes);
    const last = identity(cache);
    expect(answer(push)).toContain('[protected-force-push]');
    expect(identity(cacheOf('judge'))).toEqual(last);
  });

  it.each([
    ['empty', (path: string) => truncateSync(path, 0)],
    ['cut off in its head', (path: string) => truncateSync(path, 100)],
    ['cut off after its head', (path: string) => truncateSync(path, 256)],
    ['cut off in the middle', (path: string) => truncateSync(path, 100_000)],
    ['something else', (path: string) => writeFileSync(path, 'something else')],
    ['something else of the same size', (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size, 'x'))],
    ['all zeros', (path: string) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
    ['of another program', (path: string) => copyFileSync(cacheOf(path === cacheOf('judge') ? 'push' : 'judge'), path)],
  ])('is written again where it is %s', (_, damage) => {
    copyParts(...agentParts);
    answer(push);
    for (const part of ['judge', 'push']) {
      const { size } = statSync(cacheOf(part));
      damage(cacheOf(part));
      expect(answer(push)).toMatch(/"deny".*\[protected-force-push\]/);
      expect(statSync(cacheOf(part)).size).toBeGreaterThan(size / 2);
      expect(answer(push)).toMatch(/"deny".*\[protected-force-push\]/);
    }
    expect(caches()).toHaveLength(2);
  });

  it('is not needed, and what a former build has left goes', () => {
    copyParts(...agentParts);
    answer(push);
    const cache = cacheOf('judge');
    const former = cache.replace(/[^-]+-[^-]+-[^-]+$/, '1-2-3.cache');
    writeFileSync(former, 'of a former build');
    rmSync(cache);
    mkdirSync(cache);
    expect(answer(push)).toContain('[protected-force-push]');
    rmSync(cache, { recursive: true });
    expect(answer(push)).toContain('[protected-force-push]');
    expect(caches()).toEqual([cache, cacheOf('push')]);
    expect(statSync(cache).size).toBeGreaterThan(50_000);
  });

  it('is whole when several calls write it at once', async () => {
    copyParts(...agentParts);
    const lines = ['ls', push, 'git status', 'ls | head -n 1', push, 'git log --oneline | cat'];
    const isDenied = lines.map((line) => line === push);
    const told = (answers: readonly string[]) => answers.map((text) => text.includes('[protected-force-push]'));
    expect(told(await Promise.all(lines.map(answerLater)))).toEqual(isDenied);
    expect(told(lines.map(answer))).toEqual(isDenied);
    expect(caches().filter((path) => !path.endsWith('.cache'))).toEqual([]);
    const last = caches().map(identity);
    expect(told(lines.map(answer))).toEqual(isDenied);
    expect(caches().map(identity)).toEqual(last);
  });
});
