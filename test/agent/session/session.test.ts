import { execFileSync, spawn } from 'node:child_process';
import fs, { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { SessionRecord } from '../../../src/agent/session/record.ts';
import { restoreSession } from '../../../src/agent/session/restore.ts';
import {
  createSession,
  forkSession,
  listSessions,
  readSession,
  resumeSession,
} from '../../../src/agent/session/store.ts';
import { continueTranscript, createTranscript, readTranscript } from '../../../src/agent/session/transcript.ts';
import { applySession } from '../../../src/agent/session-apply.ts';
import { OxideError } from '../../../src/errors.ts';
import { git, repositoryWithCommit, temporaryDirectory } from '../../git/fixture.ts';
import { openTestSession, recordingTool, write } from '../fixture.ts';

const done = { text: 'Done.' };
const header = {
  type: 'session',
  version: 1,
  id: '20260101-000000-abcd',
  cwd: '/project',
  created: '2026-01-01T00:00:00.000Z',
  mode: 'disk',
  model: 'scripted',
} as const;

const records: readonly SessionRecord[] = [
  { type: 'message', message: { role: 'user', id: 'm1', text: 'Grüße 😀' } },
  {
    type: 'message',
    message: {
      role: 'assistant',
      id: 'm2',
      text: '',
      calls: [
        { id: 'c1', name: 'Read', input: {} },
        { id: 'c2', name: 'Read', input: {} },
      ],
    },
  },
  { type: 'result', message_id: 'm3', result: { callId: 'c2', name: 'Read', content: 'two', isError: false } },
  { type: 'result', message_id: 'm3', result: { callId: 'c1', name: 'Read', content: 'one', isError: false } },
  { type: 'message', message: { role: 'assistant', id: 'm4', text: 'Done.', calls: [] } },
];

describe('a transcript', () => {
  it('cut off at any byte is whole up to its last complete line, and can be continued', () => {
    const path = join(temporaryDirectory(), 'session.jsonl');
    const transcript = createTranscript(path, header);
    records.forEach(transcript.append);
    transcript.close();
    const bytes = readFileSync(path);
    for (let length = readFileSync(path).indexOf(0x0a) + 1; length < bytes.length; length += 1) {
      writeFileSync(path, bytes.subarray(0, length));
      const opened = continueTranscript(path);
      const whole = bytes.subarray(0, length).filter((byte) => byte === 0x0a).length;
      expect(opened.records).toEqual([header, ...records].slice(0, whole));
      opened.transcript.append({ type: 'end', stop: 'end_turn' });
      opened.transcript.close();
      expect(readTranscript(path).at(-1)).toEqual({ type: 'end', stop: 'end_turn' });
    }
  });

  it('cut off between records restores a conversation in which every call has a result', () => {
    for (let count = 0; count <= records.length; count += 1) {
      const { messages } = restoreSession(records.slice(0, count));
      const called = messages.flatMap((message) => (message.role === 'assistant' ? message.calls : []));
      const answered = messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
      expect(answered.map(({ callId }) => callId)).toEqual(called.map(({ id }) => id));
    }
    expect(restoreSession(records.slice(0, 3)).messages.at(-1)).toMatchObject({
      results: [{ isError: true, content: expect.stringContaining('may have run') }, { content: 'two' }],
    });
  });

  it('with a damaged line in its middle is refused, naming the line', () => {
    const path = join(temporaryDirectory(), 'session.jsonl');
    writeFileSync(path, `${JSON.stringify(header)}\n{"type":\n${JSON.stringify(records[0])}\n`);
    expect(() => readTranscript(path)).toThrow('line 2 is no record of a session');
  });
});

describe('a transcript that is not what this program wrote', () => {
  it('is read, or refused by an error that a person can act on', () => {
    const path = join(temporaryDirectory(), 'session.jsonl');
    const lines = [header, ...records].map((record) => JSON.stringify(record));
    const field = fc.constantFrom('type', 'message', 'result', 'message_id', 'calls', 'role', 'text', 'id');
    const value = fc.oneof(fc.constantFrom(null, 7, 'x', [], {}, { role: 'assistant' }, 'message'), fc.jsonValue());
    const mangled = fc.tuple(fc.nat(lines.length - 1), field, value).map(([at, key, changed]) =>
      lines.map((line, index) => {
        const put = (_: string, part: unknown) =>
          typeof part === 'object' && part !== null && key in part ? { ...part, [key]: changed } : part;
        return index === at ? JSON.stringify(JSON.parse(line, put)) : line;
      }),
    );
    const garbage = fc.array(fc.oneof(fc.string(), fc.json()));
    fc.assert(
      fc.property(fc.oneof(mangled, garbage), (changed) => {
        writeFileSync(path, changed.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''));
        try {
          restoreSession(readTranscript(path));
        } catch (error) {
          expect(error).toBeInstanceOf(OxideError);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('a stored session', () => {
  it.each([
    ['a call without an id', { type: 'message', message: { role: 'assistant', id: 'm9', text: '', calls: [{}] } }],
    ['a result without a content', { type: 'result', message_id: 'm3', result: { callId: 'c1', name: 'Read' } }],
    ['a summary that is no message', { type: 'compaction', summary: {}, kept_from: null }],
    ['a correction that is no message', { type: 'rewind', to: 'm1', correction: {} }],
    ['a count that is none', { type: 'usage', model: 'm', usage: {} }],
  ])('with %s is refused, naming the line', (_, line) => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    appendFileSync(join(root, header.id, 'session.jsonl'), `${JSON.stringify(line)}\n`);
    expect(() => resumeSession(root, header.id)).toThrow(
      expect.objectContaining({ code: 'session-damaged', message: expect.stringContaining('line 2') }),
    );
  });

  it('of a later version of this program is told as that', () => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    writeFileSync(join(root, header.id, 'session.jsonl'), `${JSON.stringify({ ...header, version: 2 })}\n`);
    expect(() => resumeSession(root, header.id)).toThrow(expect.objectContaining({ code: 'session-newer' }));
  });

  it.each([
    ['directory', (path: string) => mkdirSync(path)],
    ['pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('whose transcript is a %s is neither listed nor waited for', (_, make) => {
    const root = temporaryDirectory();
    mkdirSync(join(root, header.id));
    make(join(root, header.id, 'session.jsonl'));
    expect(listSessions(root, null)).toEqual([]);
    expect(() => resumeSession(root, header.id)).toThrow(expect.objectContaining({ code: 'session-damaged' }));
  });

  it('is not taken for running when its lock names nobody', () => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    writeFileSync(join(root, header.id, 'lock'), '');
    resumeSession(root, header.id).close();
  });

  it('does not give a content that is another one by now', () => {
    const session = createSession(temporaryDirectory(), header);
    const hash = session.keepContent(Buffer.from('written'));
    expect(session.readContent(hash).toString()).toBe('written');
    writeFileSync(join(session.directory, 'files', hash), 'changed');
    expect(() => session.readContent(hash)).toThrow(expect.objectContaining({ code: 'session-damaged' }));
    expect(() => session.readContent('0'.repeat(64))).toThrow(expect.objectContaining({ code: 'session-damaged' }));
  });

  it('belongs to one process at a time', () => {
    const root = temporaryDirectory();
    const session = createSession(root, header);
    expect(() => resumeSession(root, header.id)).toThrow(expect.objectContaining({ code: 'session-in-use' }));
    session.close();
    resumeSession(root, header.id).close();
  });

  it('is taken over from a process that was killed', async () => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    const child = spawn('sleep', ['60']);
    writeFileSync(join(root, header.id, 'lock'), `${child.pid}`);
    expect(() => resumeSession(root, header.id)).toThrow(expect.objectContaining({ code: 'session-in-use' }));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    resumeSession(root, header.id).close();
  });

  it('is not taken for running when another process has its number now', () => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    writeFileSync(join(root, header.id, 'lock'), `${process.pid} 1`);
    resumeSession(root, header.id).close();
  });

  it('that does not exist is told with the latest ones', () => {
    const root = temporaryDirectory();
    createSession(root, header).close();
    expect(() => resumeSession(root, 'nope')).toThrow(
      expect.objectContaining({ code: 'unknown-session', remedy: expect.stringContaining(header.id) }),
    );
    expect(() => resumeSession(root, '../nope')).toThrow(expect.objectContaining({ code: 'unknown-session' }));
  });

  it('can be forked, also while it is in use: the original stays as it is', () => {
    const root = temporaryDirectory();
    const original = createSession(root, header);
    records.forEach(original.transcript.append);
    const fork = forkSession(root, header.id, '20260102-000000-ffff');
    fork.transcript.append({ type: 'message', message: { role: 'user', id: 'm5', text: 'Another way' } });
    expect(restoreSession(fork.records).messages).toEqual(restoreSession(records).messages);
    expect(readSession(root, header.id)).toEqual([header, ...records]);
    expect(readSession(root, fork.header.id)[0]).toMatchObject({ id: fork.header.id, parent: header.id });
    expect(listSessions(root, '/project')).toHaveLength(2);
  });
});

describe('a session that is resumed', () => {
  /** One that has written a file, and is closed. */
  async function written() {
    const first = await openTestSession({
      mode: 'accept-edits',
      script: [
        { calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'one' } }], inputTokens: 10 },
        { ...done, inputTokens: 10 },
      ],
    });
    await first.prompt('Write it');
    await first.session.close('completed');
    return first;
  }

  /** It writes the file once more. */
  async function resumed({ root, stored, cwd }: Awaited<ReturnType<typeof written>>) {
    const second = await openTestSession({
      cwd,
      mode: 'accept-edits',
      resume: { root, id: stored.header.id },
      script: [{ calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'two' } }] }, done],
    });
    await second.prompt('Once more');
    return second;
  }

  it('goes on with its messages, versions and usage', async () => {
    const second = await resumed(await written());
    expect(second.model.requests[0]?.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(second.results('Write')).toMatchObject([{ is_error: false, content: 'File a.txt written (Version 2)' }]);
    expect(second.session.report().total).toMatchObject({ inputTokens: 20, outputTokens: 4 });
  });

  it('goes on although a content of its history is gone', async () => {
    const first = await written();
    rmSync(join(first.stored.directory, 'files'), { recursive: true });
    const second = await resumed(first);
    expect(second.results('Write')).toMatchObject([{ content: 'File a.txt written (Version 2)' }]);
  });

  it('says what it has cost, where the prices are known', async () => {
    const { prompt, session } = await openTestSession({
      tools: [],
      settings: { prices: { scripted: { input: 3, output: 15 } } },
      script: [{ ...done, inputTokens: 1_000_000 }],
    });
    await prompt();
    expect(session.report().cost).toBeCloseTo(3.000015);
  });
});

describe('a virtual session', () => {
  const writeAll = (content: string) => ({
    calls: ['a.txt', 'deep/b.txt'].map((file_path) => ({ name: 'Write', input: { file_path, content } })),
  });

  async function play(content = 'new\n') {
    const cwd = temporaryDirectory();
    write(cwd, 'a.txt', 'old\n');
    const opened = await openTestSession({
      cwd,
      virtual: true,
      mode: 'accept-edits',
      script: [{ calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] }, writeAll(content), done],
    });
    await opened.prompt();
    await opened.session.close('completed');
    const apply = () => {
      const stored = resumeSession(opened.root, opened.stored.header.id);
      try {
        return applySession(stored);
      } finally {
        stored.close();
      }
    };
    return { cwd, apply, directory: opened.stored.directory };
  }

  it('writes nothing until it is applied, and then its newest versions', async () => {
    const { cwd, apply } = await play();
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('old\n');
    expect(existsSync(join(cwd, 'deep'))).toBe(false);
    expect(apply()).toMatchObject([
      { path: join(cwd, 'a.txt'), version: 1, state: 'replace' },
      { path: join(cwd, 'deep/b.txt'), version: 1, state: 'create' },
    ]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('new\n');
    expect(readFileSync(join(cwd, 'deep/b.txt'), 'utf8')).toBe('new\n');
    expect(apply()).toEqual([]);
  });

  it('refuses to overwrite what has changed on disk meanwhile, and then writes nothing at all', async () => {
    const { cwd, apply } = await play();
    write(cwd, 'a.txt', 'changed by hand\n');
    expect(apply).toThrow(
      expect.objectContaining({ code: 'apply-conflict', message: expect.stringContaining('a.txt') }),
    );
    expect(existsSync(join(cwd, 'deep'))).toBe(false);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('changed by hand\n');
  });

  it.each([
    ['a directory in place of the file', (cwd: string) => mkdirSync(join(cwd, 'deep/b.txt'), { recursive: true })],
    ['a file in place of the directory', (cwd: string) => write(cwd, 'deep', '')],
    ['a link that leads elsewhere', (cwd: string) => symlinkSync(temporaryDirectory(), join(cwd, 'deep'))],
  ])('writes nothing at all where there is %s now', async (_, change) => {
    const { cwd, apply } = await play();
    change(cwd);
    expect(apply).toThrow(
      expect.objectContaining({ code: 'apply-conflict', message: expect.stringContaining('deep/b.txt') }),
    );
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('old\n');
  });

  it('writes nothing at all when a content that it kept is gone', async () => {
    const { cwd, apply, directory } = await play();
    rmSync(join(directory, 'files'), { recursive: true });
    expect(apply).toThrow(expect.objectContaining({ code: 'session-damaged' }));
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('old\n');
  });

  it('says which file could not be written, and finishes once it can be', async () => {
    const { cwd, apply } = await play();
    const { renameSync } = fs;
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (String(to).endsWith('b.txt')) {
        throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
      }
      renameSync(from, to);
    });
    syncBuiltinESMExports();
    try {
      expect(apply).toThrow(
        expect.objectContaining({
          code: 'apply-failed',
          message: `'${join(cwd, 'deep/b.txt')}' can't be written (EROFS); 1 of 2 files are written, the session keeps the rest.`,
        }),
      );
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('new\n');
    expect(apply()).toMatchObject([{ path: join(cwd, 'deep/b.txt') }]);
    expect(readFileSync(join(cwd, 'deep/b.txt'), 'utf8')).toBe('new\n');
  });

  it('counts a file that has the content already as applied', async () => {
    const { cwd, apply } = await play();
    write(cwd, 'a.txt', 'new\n');
    expect(apply()).toMatchObject([{ state: 'same' }, { state: 'create' }]);
  });
});

describe('TimeMachine', () => {
  const rewind = (more: object = {}) => ({
    calls: [
      { name: 'TimeMachine', input: { message_prefix: 'Add a cache', course_correction: 'Add an index', ...more } },
      { name: 'Echo', input: { text: 'after' } },
    ],
  });

  async function play(more: object = {}) {
    const cwd = repositoryWithCommit();
    write(cwd, 'a.txt', 'before\n');
    git(cwd, 'add', '--all');
    git(cwd, 'commit', '--quiet', '-m', 'feat: a');
    const ran: string[] = [];
    const { sessionTools } = await import('../../../src/agent/session-tools.ts');
    const opened = await openTestSession({
      cwd,
      mode: 'bypass',
      tools: [...sessionTools, recordingTool('Echo', 'changes', ({ text }) => ran.push(text))],
      script: [
        { text: 'Hello.' },
        { calls: [{ name: 'Bash', input: { command: 'echo after > a.txt; echo new > b.txt' } }] },
        rewind(more),
        { text: 'Index added.' },
      ],
    });
    await opened.prompt('Say hello');
    await opened.prompt('Add a cache, please');
    return { ...opened, ran };
  }

  it('Scenario: Rewind messages with course correction', async () => {
    const { model, ran, results } = await play();
    expect(model.requests.at(-1)?.messages).toMatchObject([
      { role: 'user', text: 'Say hello' },
      { role: 'assistant', text: 'Hello.' },
      { role: 'user', text: 'Add an index' },
    ]);
    expect(ran).toEqual([]);
    expect(results('Echo')).toMatchObject([{ content: 'Not run: the conversation was rewound' }]);
  });

  it('Scenario: Code restoration default', async () => {
    const { cwd, results } = await play();
    expect(results('TimeMachine')).toMatchObject([{ is_error: false }]);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('before\n');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
  });

  it('Scenario: Optional code restoration', async () => {
    const { cwd } = await play({ restore_code: false });
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('after\n');
  });

  it('without a match changes nothing and says how the messages begin', async () => {
    const { results, model } = await play({ message_prefix: 'Never said' });
    expect(results('TimeMachine')).toMatchObject([{ is_error: true, content: expect.stringContaining('"Say hello"') }]);
    expect(model.requests.at(-1)?.messages.some(({ role }) => role === 'tool')).toBe(true);
  });

  it('survives a resume', async () => {
    const { session, root, stored, model, cwd } = await play();
    await session.close('completed');
    const last = model.requests.at(-1)?.messages ?? [];
    const resumed = await openTestSession({ cwd, resume: { root, id: stored.header.id }, script: [done] });
    await resumed.prompt('Go on');
    expect(resumed.model.requests[0]?.messages.slice(0, last.length)).toEqual(last);
  });
});
