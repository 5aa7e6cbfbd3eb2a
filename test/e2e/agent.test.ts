import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { providerNames } from '../../src/config/agent-settings.ts';
import { events, loopback, status, wires } from '../agent/models/loopback.ts';
import { git, temporaryDirectory } from '../git/fixture.ts';
import { skipUnless } from '../skip.ts';
import { bash, stage, streamed } from './agent-stage.ts';
import { oxideGuard } from './guarded-repository.ts';
import { inTerminal } from './terminal.ts';

describe('oxide-guard agent, as it is built', () => {
  it('tries a force push by an alias, is denied, and then does it right', () => {
    const { work, remote, run } = stage([
      { text: 'I push it.', ...bash('git publish') },
      { text: 'Then a branch of its own.', ...bash('git switch -c topic && git push -u origin topic') },
      { text: 'It is on the branch topic.' },
    ]);
    git(work, 'config', 'alias.publish', 'push --force origin main');
    git(work, 'commit', '--amend', '--allow-empty', '--quiet', '-m', 'feat: other');
    const before = git(remote, 'rev-parse', 'main');
    const { status, events, stderr } = run(...streamed, 'Publish it');
    expect(stderr).not.toContain('oxide-guard:');
    expect(status).toBe(0);
    expect(events.map(({ type }) => type)).toEqual([
      'session',
      'text',
      'tool_call',
      'permission',
      'tool_result',
      'text',
      'tool_call',
      'checkpoint',
      'tool_result',
      'text',
      'result',
    ]);
    expect(events[2]).toMatchObject({ id: 'call_1_1', name: 'Bash', input: { command: 'git publish' } });
    expect(events[3]).toMatchObject({ id: 'call_1_1', verdict: 'deny', rule: 'protected-force-push' });
    expect(events[4]).toMatchObject({ id: 'call_1_1', name: 'Bash', is_error: true });
    expect(events[8]).toMatchObject({ is_error: false, content: expect.stringContaining('topic') });
    expect(events.at(-1)).toMatchObject({ stop_reason: 'end_turn', turns: 3, text: 'It is on the branch topic.' });
    expect(git(remote, 'rev-parse', 'main')).toBe(before);
    expect(git(remote, 'rev-parse', 'topic')).toBe(git(work, 'rev-parse', 'topic'));
  });

  it('exits with 4 when the turns are used up', () => {
    const { run } = stage([bash('true'), bash('true'), bash('true')]);
    const { status, events } = run(...streamed, '--max-turns', '2', 'Go');
    expect(status).toBe(4);
    expect(events.at(-1)).toMatchObject({ stop_reason: 'max_turns', turns: 2 });
  });

  it('exits with 1 and says why when the recording ends early', () => {
    const { run } = stage([bash('true')]);
    const { status, events, stderr } = run(...streamed, 'Go');
    expect(status).toBe(1);
    expect(events.at(-1)).toMatchObject({ stop_reason: 'error' });
    expect(stderr).toContain('has 1 turn, and the session asked for another one');
  });

  it('prints one document with --output json, or --json, and only the text with text', () => {
    const { run } = stage([{ text: 'Hello.' }]);
    for (const options of [['--output', 'json'], ['--json']]) {
      expect(JSON.parse(run(...options, 'Go').stdout)).toMatchObject({ type: 'result', text: 'Hello.' });
    }
    expect(run('--json', '--output', 'text', 'Go')).toMatchObject({ status: 2, stdout: '' });
    expect(run('Go').stdout).toBe('Hello.\n');
  });

  it('denies what would have to be asked where nobody can be', () => {
    const { run, work } = stage([
      { tool_calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] },
      { text: 'I could not.' },
    ]);
    const { status, events, stderr } = run('--output', 'stream-json', 'Go');
    expect(status).toBe(0);
    expect(stderr).toContain('To allow calls like this: "agent": {"permissions":{"allow":["Write"]}}');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool_result',
        is_error: true,
        content: expect.stringContaining('nobody could answer'),
      }),
    );
    expect(existsSync(join(work, 'a.txt'))).toBe(false);
  });

  it('asks on the terminal, and runs what the person allows', async () => {
    const { words, work, env } = stage([bash('echo from the shell > a.txt'), { text: 'Written.' }]);
    const quoted = [process.execPath, ...words(['--no-tui', 'Go'])].map((word) => `'${word}'`).join(' ');
    const command = `XDG_STATE_HOME='${env.XDG_STATE_HOME}' ${quoted}`;
    const { status, screen } = await inTerminal(work, command, [{ when: /Run Bash\? \[y\/a\/N\]/, type: 'y\n' }]);
    expect(screen).toContain('Written.');
    expect(status).toBe(0);
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('from the shell\n');
  });

  it('does not take what was typed before a question for its answer, whole lines or not', async () => {
    const { words, work, env } = stage([
      bash('sleep 1'),
      { tool_calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] },
      { text: 'Not written.' },
    ]);
    const quoted = [process.execPath, ...words(['--no-tui', 'Go'])].map((word) => `'${word}'`).join(' ');
    const { screen } = await inTerminal(work, `XDG_STATE_HOME='${env.XDG_STATE_HOME}' ${quoted}`, [
      { when: /Run Bash\? \[y\/a\/N\]/, type: 'y\n' },
      { when: /checkpoint/, type: 'y\ny' },
      { when: /Run Write\? \[y\/a\/N\]/, type: '\n' },
    ]);
    expect(screen).toContain('Not written.');
    expect(existsSync(join(work, 'a.txt'))).toBe(false);
  });

  it('takes all lines of a paste for one prompt', async () => {
    const { words, work, env } = stage([{ text: 'First answer.' }, { text: 'Second answer.' }]);
    const quoted = [process.execPath, ...words(['--no-tui'])].map((word) => `'${word}'`).join(' ');
    const { screen, status } = await inTerminal(work, `XDG_STATE_HOME='${env.XDG_STATE_HOME}' ${quoted}`, [
      { when: /> /, type: 'one\ntwo\nthree' },
      { when: /three/, type: ' and more\n' },
      { when: /First answer\.[\s\S]*> /, type: 'next\n' },
      { when: /Second answer\.[\s\S]*> /, type: '\x04' },
    ]);
    expect(status).toBe(0);
    expect(screen).toContain('Second answer.');
    const [session] = readdirSync(join(env.XDG_STATE_HOME ?? '', 'oxide-guard', 'sessions'));
    const transcript = readFileSync(
      join(env.XDG_STATE_HOME ?? '', 'oxide-guard', 'sessions', session ?? '', 'session.jsonl'),
      'utf8',
    );
    const prompts = transcript
      .split('\n')
      .flatMap((line) =>
        line.includes('"user"') ? [(JSON.parse(line) as { message: { text: string } }).message.text] : [],
      );
    expect(prompts).toEqual(['one\ntwo\nthree and more', 'next']);
  });

  it('takes the question back on Ctrl+C, and ends at once', async () => {
    const { words, work, env } = stage([bash('echo x > a.txt'), { text: 'Written.' }]);
    const quoted = [process.execPath, ...words(['--no-tui', 'Go'])].map((word) => `'${word}'`).join(' ');
    const command = `XDG_STATE_HOME='${env.XDG_STATE_HOME}' ${quoted}`;
    const { status, screen } = await inTerminal(work, command, [{ when: /Run Bash\? \[y\/a\/N\]/, type: '\x03' }]);
    expect(screen).toContain('Interrupted.');
    expect(status).toBe(130);
    expect(existsSync(join(work, 'a.txt'))).toBe(false);
  });

  it.each([
    [['--permission-mode', 'yolo'], "--permission-mode 'yolo' is none of"],
    [['--output', 'xml'], "--output 'xml' is none of"],
    [['--max-turns', '0'], "--max-turns '0' is no number of turns"],
    [['--provider', 'replay:'], "'replay:' names no file"],
    [['--provider', 'replay:missing'], "missing can't be read (ENOENT)"],
    [['--provider', 'nope', '--model', 'x'], "There is no provider 'nope'"],
    [['--resume', 'nope'], "There is no session 'nope'"],
    [['--continue'], 'There is no session of'],
    [[' '], 'The prompt is empty.'],
    [['--fork'], '--fork needs a session to copy'],
    [['--virtual', '--continue'], '--virtual is for new sessions'],
    [['--continue', '--resume', 'x'], '--resume and --continue name two sessions'],
  ])('refuses %j in one line with a remedy', (args, message) => {
    const { work, env, words } = stage([{ text: 'Hi.' }]);
    const own =
      args[0] === '--provider' ? [oxideGuard, 'agent', ...args, 'Go'] : words(args[0] === ' ' ? args : [...args, 'Go']);
    const { status, stderr } = spawnSync('setsid', ['-w', process.execPath, ...own], {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('→');
    expect(stderr).not.toContain('    at ');
  });

  it.skipIf(skipUnless(existsSync('/proc/self'), 'where no session can be kept: there is no /proc'))(
    'says what stands in the way where no session can be kept, and ends',
    () => {
      const { runWith } = stage([{ text: 'Hello.' }]);
      const { status, stderr } = runWith({ XDG_STATE_HOME: '/proc/nowhere' }, 'Go');
      expect(status).toBe(1);
      expect(stderr).toContain("'/proc/nowhere'");
    },
  );

  it('says how to configure a model when there is none', () => {
    const { work, env } = stage([]);
    const { status, stderr } = spawnSync(process.execPath, [oxideGuard, 'agent', 'Go'], {
      cwd: work,
      env,
      encoding: 'utf8',
    });
    expect(status).toBe(2);
    expect(stderr).toContain('No provider and model is configured.');
    expect(stderr).toContain('oxide-guard demo');
  });
});

describe.each(providerNames)('the built command speaks to %s', (provider) => {
  it('streams, runs the calls, and sends the results back', async () => {
    const { work, env } = stage([]);
    const wire = wires[provider];
    const call = { id: 'call_0', name: 'Bash', arguments: '{"command": "echo from the shell"}' };
    const server = await loopback([
      status(429, wire.error('slow down', 'rate_limit_error'), { 'retry-after-ms': '10' }),
      events(wire.say({ text: ['I look.'], calls: [call] })),
      events(wire.say({ text: ['Do', 'ne.'] })),
    ]);
    try {
      const args = ['agent', '--provider', provider, '--model', 'm', '--base-url', server.url, ...streamed, 'Look'];
      const keys = { ANTHROPIC_API_KEY: 'secret', OPENAI_API_KEY: 'secret' };
      const child = spawn('setsid', ['-w', process.execPath, oxideGuard, ...args], {
        cwd: work,
        env: { ...env, ...keys },
      });
      const { output, ended } = watch(child);
      expect(await ended).toBe(0);
      const lines = output().trim().split('\n');
      const told = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      expect(told.filter(({ type }) => type === 'text').map(({ text }) => text)).toEqual(['I look.', 'Do', 'ne.']);
      expect(told.at(-1)).toMatchObject({
        stop_reason: 'end_turn',
        text: 'Done.',
        usage: { inputTokens: 40, outputTokens: 14, cachedInputTokens: 16 },
      });
      expect(JSON.stringify(server.seen[2]?.body)).toContain('from the shell');
    } finally {
      await server.close();
    }
  });

  it('says what is wrong with the key, and exits with 1', async () => {
    const { work, env } = stage([]);
    const server = await loopback([status(401, wires[provider].error('invalid key', 'authentication_error'))]);
    try {
      const args = ['agent', '--provider', provider, '--model', 'm', '--base-url', server.url, 'Look'];
      const keys = { ANTHROPIC_API_KEY: 'secret', OPENAI_API_KEY: 'secret' };
      const child = spawn('setsid', ['-w', process.execPath, oxideGuard, ...args], {
        cwd: work,
        env: { ...env, ...keys },
      });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
        stderr += chunk;
      });
      expect(await watch(child).ended).toBe(1);
      expect(stderr).toContain('refused the key in');
      expect(stderr).toContain('→ export');
      expect(stderr).not.toContain('secret');
    } finally {
      await server.close();
    }
  });
});

describe('a session of the built command', () => {
  it('is continued, resumed by its id and forked', () => {
    const { run, sessions } = stage([{ text: 'Hello.' }]);
    const id = run(...streamed, 'One').events[0]?.session_id as string;
    expect(run(...streamed, '--continue', 'Two').events[0]).toMatchObject({ session_id: id });
    expect(run(...streamed, '--resume', id, 'Three').events[0]).toMatchObject({ session_id: id });
    const forked = run(...streamed, '--resume', id, '--fork', 'Four').events[0]?.session_id as string;
    expect(forked).not.toBe(id);
    const prompts = (session: string) =>
      readFileSync(join(sessions(), session, 'session.jsonl'), 'utf8').match(/"role":"user"/g)?.length;
    expect([prompts(id), prompts(forked)]).toEqual([3, 4]);
    expect(run('--resume').stderr).toMatch(new RegExp(`^ {2}${id} {2}[\\d-]+ [\\d:]+ {2}One$`, 'm'));
  });

  it('goes on with the model that its command line named, unless another is named', () => {
    const { run, work, env } = stage([{ text: 'Hello.' }]);
    const { events } = run(...streamed, '--max-turns', '1', 'One');
    const id = events[0]?.session_id as string;
    const goOn = (...args: string[]) =>
      spawnSync(process.execPath, [oxideGuard, 'agent', ...args], { cwd: work, env, encoding: 'utf8', input: '' });
    expect(goOn('--continue', 'Two')).toMatchObject({ status: 0, stdout: 'Hello.\n' });
    expect(goOn('--resume', id, 'Three')).toMatchObject({ status: 0, stdout: 'Hello.\n' });
    expect(goOn('--resume', id, '--provider', 'anthropic', 'Four').stderr).toContain('No model is configured.');
    expect(goOn('--resume', 'nope', 'Five').stderr).toContain("There is no session 'nope'");
  });

  it('is resumed in the directory where it works', () => {
    const { run, work, env, words, sessions } = stage([{ text: 'Hello.' }]);
    const id = run(...streamed, 'One').events[0]?.session_id as string;
    const elsewhere = spawnSync(process.execPath, words(['--resume', id, 'Two']), {
      cwd: temporaryDirectory(),
      env,
      encoding: 'utf8',
    });
    expect(elsewhere.status).toBe(2);
    expect(elsewhere.stderr).toContain(`cd ${work} && oxide-guard agent --resume ${id}`);
    const forked = spawnSync(process.execPath, words(['--resume', id, '--fork', 'Two']), {
      cwd: temporaryDirectory(),
      env,
      encoding: 'utf8',
    });
    expect(forked.status).toBe(2);
    expect(readdirSync(sessions())).toEqual([id]);
  });

  it('keeps virtual files to itself until `agent apply`', () => {
    const { run, work, env } = stage([
      { tool_calls: [{ name: 'Write', input: { file_path: 'a.txt', content: 'virtual\n' } }] },
      { text: 'Written.' },
    ]);
    expect(run('--virtual', '--permission-mode', 'accept-edits', 'Go').status).toBe(0);
    expect(existsSync(join(work, 'a.txt'))).toBe(false);
    // One that writes to the disk, used since, is not what there is to apply.
    expect(run('--permission-mode', 'plan', 'Again').status).toBe(0);
    const applied = spawnSync(process.execPath, [oxideGuard, 'agent', 'apply'], { cwd: work, env, encoding: 'utf8' });
    expect(applied.stdout).toContain(`${join(work, 'a.txt')} (version 1)`);
    expect(readFileSync(join(work, 'a.txt'), 'utf8')).toBe('virtual\n');
  });

  it('ends cleanly on Ctrl+C: exit code 130, and every call has a result', async () => {
    const { work, env, words, sessions } = stage([bash('sleep 30'), { text: 'Done.' }]);
    const child = spawn('setsid', ['-w', process.execPath, ...words([...streamed, 'Go'])], { cwd: work, env });
    const { output, ended } = watch(child);
    await until(() => output().includes('"tool_call"') && readdirSync(sessions()).length === 1);
    await sleep(300);
    process.kill(lockOwner(sessions()), 'SIGINT');
    expect(await ended).toBe(130);
    expect(output()).toContain('"tool_result"');
    expect(output()).toContain('"stop_reason":"interrupted"');
  });

  it('is whole after its disk was full: the prompt ends with a result, and the session goes on', () => {
    const { work, env, words, run, record, sessions } = stage([
      { text: 'First.', ...bash('true') },
      { text: 'long '.repeat(20_000), ...bash('echo never > never') },
      { text: 'Done.' },
    ]);
    // No file may become longer than 64 KiB: the line of the second turn is cut off in its middle.
    const limited = spawnSync(
      'sh',
      ['-c', 'ulimit -f 128; exec "$@"', 'sh', process.execPath, ...words([...streamed, 'Go'])],
      {
        cwd: work,
        env: { ...env, NODE_COMPILE_CACHE: '' },
        encoding: 'utf8',
        input: '',
      },
    );
    const last = JSON.parse(limited.stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
    expect([limited.status, last]).toEqual([
      1,
      expect.objectContaining({ type: 'result', stop_reason: 'error', turns: 2 }),
    ]);
    expect(limited.stderr).toContain("session.jsonl can't be written");
    expect(existsSync(join(work, 'never'))).toBe(false);
    const [id = ''] = readdirSync(sessions());
    const transcript = readFileSync(join(sessions(), id, 'session.jsonl'), 'utf8');
    expect(transcript.endsWith('}\n')).toBe(true);
    record([{ text: 'I am back.' }]);
    expect(run(...streamed, '--resume', id, 'Go on').events.at(-1)).toMatchObject({ text: 'I am back.' });
  });

  it('survives kill -9 at any moment: it resumes, and nothing is half written', async () => {
    const turns = Array.from({ length: 40 }, (_, index) => ({
      text: `Step ${index}.`,
      tool_calls: [
        { name: 'Write', input: { file_path: `f${index}.txt`, content: `${index}\n`.repeat(2000) } },
        { name: 'Glob', input: { pattern: '*.txt' } },
      ],
    }));
    for (const delay of [0, 60, 150, 300]) {
      const { work, env, words, run, record, sessions } = stage([...turns, { text: 'Done.' }]);
      const args = ['--output', 'stream-json', '--permission-mode', 'accept-edits'];
      const child = spawn(process.execPath, words([...args, 'Go']), { cwd: work, env });
      const { output, ended } = watch(child);
      await until(() => output().includes('"tool_result"'));
      await sleep(delay);
      child.kill('SIGKILL');
      await ended;
      const id = readdirSync(sessions())[0] ?? '';
      record([{ text: 'I am back.' }]);
      const { status, events, stderr } = run(...args, '--resume', id, 'Go on');
      expect(stderr).not.toContain('oxide-guard:');
      expect(status).toBe(0);
      expect(events.at(-1)).toMatchObject({ text: 'I am back.', session_id: id });
      for (const name of readdirSync(work).filter((file) => file.endsWith('.txt'))) {
        expect(readFileSync(join(work, name), 'utf8')).toHaveLength(2000 * (name.length - 4));
      }
      expect(readdirSync(work).filter((file) => file.endsWith('.tmp')).length).toBeLessThanOrEqual(1);
    }
  });
});

function watch(child: ChildProcess): { readonly output: () => string; readonly ended: Promise<number | null> } {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { output: () => output, ended };
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 1000) {
      throw new Error('it did not come to it');
    }
    await sleep(20);
  }
}

/** The process that works in the only session. */
function lockOwner(sessions: string): number {
  const [id = ''] = readdirSync(sessions);
  return Number(readFileSync(join(sessions, id, 'lock'), 'utf8').split(' ')[0]);
}
