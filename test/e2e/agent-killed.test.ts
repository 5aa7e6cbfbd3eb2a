import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { restoreSession } from '../../src/agent/session/restore.ts';
import { listSessions, readSession } from '../../src/agent/session/store.ts';
import { git, temporaryDirectory } from '../git/fixture.ts';
import { bash, stage, streamed, type Turn } from './agent-stage.ts';
import { oxideGuard } from './guarded-repository.ts';

const killer = new URL('./kill-at.cjs', import.meta.url).pathname;

type Where = 'before' | 'within' | 'after';

/** The same command line, from the same beginning, killed at one change of a file after the other. */
function killable(env: NodeJS.ProcessEnv, cwd: string, below: string) {
  const counts = join(temporaryDirectory(), 'count');
  const run = (words: readonly string[], at: number, where: Where) =>
    spawnSync('setsid', ['-w', process.execPath, '--require', killer, ...words], {
      cwd,
      env: { ...env, KILL_AT: `${at}`, KILL_WHERE: where, KILL_BELOW: below, KILL_COUNT: counts },
      encoding: 'utf8',
      input: '',
    });
  return {
    /** Without being killed: how many changes it makes. */
    count: (words: readonly string[]) => {
      const { status, stderr } = run(words, 0, 'before');
      expect([status, stderr.includes('oxide-guard:')]).toEqual([0, false]);
      return Number(readFileSync(counts, 'utf8'));
    },
    kill: (words: readonly string[], at: number, where: Where) => {
      const { signal } = run(words, at, where);
      expect(signal).toBe('SIGKILL');
    },
  };
}

/** What a directory was when this was called can be had back. */
function kept(directory: string): () => void {
  const copy = join(temporaryDirectory(), 'copy');
  cpSync(directory, copy, { recursive: true });
  return () => {
    rmSync(directory, { recursive: true });
    cpSync(copy, directory, { recursive: true });
  };
}

const said = 'word '.repeat(300);

describe('kill -9 in the middle of a compaction', () => {
  it('loses nothing: the session goes on with the whole conversation, or with its summary', () => {
    const { work, env, words, run, record, sessions } = stage([{ text: said }]);
    const config = join(temporaryDirectory(), 'oxide-guard');
    mkdirSync(config);
    writeFileSync(join(config, 'config.json'), JSON.stringify({ agent: { compactAt: 1700 } }));
    const compacting = { ...env, XDG_CONFIG_HOME: join(config, '..') };
    const prompts = ['One', 'Two', 'Three', 'Four', 'Five'];
    const id = run(...streamed, prompts[0] ?? '').events[0]?.session_id as string;
    prompts.slice(1).forEach((prompt) => {
      expect(run(...streamed, '--continue', prompt).status).toBe(0);
    });
    record([{ text: 'SUMMARY' }, { text: 'Gone on.' }]);
    const transcript = join(sessions(), id, 'session.jsonl');
    const before = readFileSync(transcript, 'utf8');
    const again = kept(sessions());
    const { count, kill } = killable(compacting, work, transcript);
    const goOn = words([...streamed, '--continue', 'Go on']);
    count(goOn);
    const kinds = readFileSync(transcript, 'utf8')
      .slice(before.length)
      .match(/(?<=^\{"type":")\w+/gm);
    expect(kinds).toEqual(['message', 'usage', 'compaction', 'usage', 'message', 'end']);
    // The first change cuts off what is left of a line; the prompt is the second.
    for (const [at, where] of [
      [2, 'after'],
      [3, 'within'],
      [3, 'after'],
      [4, 'within'],
      [4, 'after'],
      [5, 'within'],
    ] as const) {
      again();
      kill(goOn, at, where);
      const left = readFileSync(transcript, 'utf8');
      expect(left.startsWith(before)).toBe(true);
      const isCompacted =
        left.lastIndexOf('\n') > left.indexOf('"type":"compaction"') && left.includes('"type":"compaction"');
      const { status, stderr } = spawnSync('setsid', ['-w', process.execPath, ...goOn], {
        cwd: work,
        env: compacting,
        encoding: 'utf8',
      });
      expect([status, stderr.includes('oxide-guard:')]).toEqual([0, false]);
      const records = readSession(sessions(), id);
      expect(records.filter(({ type }) => type === 'compaction')).toHaveLength(1);
      const texts = restoreSession(records).messages.map((message) => ('text' in message ? message.text : ''));
      expect(texts).toEqual([
        expect.stringContaining('SUMMARY'),
        ...(isCompacted ? [said] : []),
        ...['Four', said, 'Five', said, 'Go on', 'Go on'],
        isCompacted ? 'SUMMARY' : 'Gone on.',
      ]);
    }
  });
});

describe('kill -9 in the middle of a fork', () => {
  it('leaves the original as it was, and never a half of it', () => {
    const { work, env, words, run, record, sessions } = stage([
      { tool_calls: ['a', 'b', 'c'].map((name) => ({ name: 'Write', input: { file_path: name, content: name } })) },
      { text: said },
    ]);
    const id = run(...streamed, 'One').events[0]?.session_id as string;
    const original = readFileSync(join(sessions(), id, 'session.jsonl'), 'utf8');
    record([{ text: said }]);
    const again = kept(sessions());
    const { count, kill } = killable(env, work, sessions());
    const fork = words([...streamed, '--continue', '--fork', 'Two']);
    expect(count(fork)).toBeGreaterThan(8);
    // Its directory, its lock, the contents, the transcript and its name, and the first record of its own.
    for (const at of [1, 3, 5, 6, 7, 9]) {
      again();
      kill(fork, at, 'within');
      expect(readFileSync(join(sessions(), id, 'session.jsonl'), 'utf8')).toBe(original);
      for (const { id: listed } of listSessions(sessions(), work)) {
        const records = readSession(sessions(), listed).slice(1);
        expect(
          records
            .map((record) => `${JSON.stringify(record)}\n`)
            .join('')
            .startsWith(original.slice(original.indexOf('\n') + 1)),
        ).toBe(true);
        expect(readdirSync(join(sessions(), listed, 'files'))).toHaveLength(3);
      }
      const { status, events } = run(...streamed, '--continue', 'Three');
      expect(status).toBe(0);
      expect(events.at(-1)).toMatchObject({ text: said });
    }
  });
});

describe('kill -9 while a virtual session is applied', () => {
  it('leaves every file old or new, and the next `agent apply` finishes it', () => {
    const files = { 'a.txt': 'new\n'.repeat(500), 'deep/down/b.txt': 'b\n'.repeat(500), 'c.txt': 'c\n'.repeat(500) };
    const { work, env, run } = stage([
      { tool_calls: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
      {
        tool_calls: Object.entries(files).map(([file_path, content]) => ({
          name: 'Write',
          input: { file_path, content },
        })),
      },
      { text: 'Written.' },
    ]);
    writeFileSync(join(work, 'a.txt'), 'old\n');
    expect(run('--virtual', '--permission-mode', 'accept-edits', 'Go').status).toBe(0);
    const again = [kept(work), kept(env.XDG_STATE_HOME ?? '')];
    const words = [oxideGuard, 'agent', 'apply'];
    const allowed: Readonly<Record<string, readonly (string | null)[]>> = Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, [content, path === 'a.txt' ? 'old\n' : null]]),
    );
    const read = (path: string) => (existsSync(join(work, path)) ? readFileSync(join(work, path), 'utf8') : null);
    const { count, kill } = killable(env, work, work);
    const changes = count(words);
    for (let at = 1; at <= changes; at += 1) {
      again.forEach((restore) => {
        restore();
      });
      kill(words, at, 'within');
      for (const [path, contents] of Object.entries(allowed)) {
        expect(contents).toContain(read(path));
      }
      const { status, stdout } = spawnSync(process.execPath, words, { cwd: work, env, encoding: 'utf8' });
      expect([status, stdout]).toEqual([0, expect.stringContaining('c.txt (version 1)')]);
      expect(Object.keys(files).map(read)).toEqual(Object.values(files));
      expect(readdirSync(work).filter((name) => name.endsWith('.tmp')).length).toBeLessThanOrEqual(1);
    }
  });
});

describe('kill -9 while TimeMachine brings files back', () => {
  /** A git before the real one: at one of its commands, whoever started it is killed, before it, after it, or with it. */
  function killingGit(command: string, when: string): string {
    const directory = temporaryDirectory();
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const half = `'${real}' "$@" & sleep 0.01; kill -9 $! $PPID`;
    const moments: Readonly<Record<string, string>> = {
      before: 'kill -9 $PPID; exit 1',
      half,
      after: `'${real}' "$@"; kill -9 $PPID; exit 1`,
    };
    const script = `#!/bin/sh\ncase "$*" in *'${command}'*) ${moments[when]} ;; esac\nexec '${real}' "$@"\n`;
    writeFileSync(join(directory, 'git'), script, { mode: 0o755 });
    return `${directory}:${process.env.PATH}`;
  }

  it.each([
    ['update-ref --stdin', 'after'],
    ['read-tree -m -u', 'half'],
    ['read-tree -m -u', 'after'],
    ['read-tree --reset', 'after'],
  ])('(%s, %s) the session goes on, and going back again brings back every file', (command, when) => {
    const goBack: Turn = {
      tool_calls: [{ name: 'TimeMachine', input: { message_prefix: 'Change', course_correction: 'Leave them' } }],
    };
    const { work, env, words, record, run } = stage([
      bash('for n in $(seq 150); do echo after > f$n; done; rm g1; echo new > made'),
      { text: 'Changed.' },
    ]);
    for (let n = 1; n <= 150; n += 1) {
      writeFileSync(join(work, `f${n}`), `before ${n}\n`);
    }
    writeFileSync(join(work, 'g1'), 'tracked\n');
    git(work, 'add', 'g1');
    git(work, 'commit', '--quiet', '-m', 'feat: g1');
    const files = () =>
      readdirSync(work)
        .filter((name) => name !== '.git')
        .map((name) => [name, readFileSync(join(work, name), 'utf8')]);
    const then = files();
    const id = run(...streamed, 'Change them').events[0]?.session_id as string;
    expect(readFileSync(join(work, 'f1'), 'utf8')).toBe('after\n');
    const now = files();
    record([goBack, { text: 'Left.' }]);
    const killed = spawnSync('setsid', ['-w', process.execPath, ...words([...streamed, '--continue', 'Think again'])], {
      cwd: work,
      env: { ...env, PATH: killingGit(command, when) },
      encoding: 'utf8',
      input: '',
    });
    expect(killed.signal).toBe('SIGKILL');
    const torn = files().filter(
      ([name, content]) => ![...then, ...now].some((file) => file[0] === name && file[1] === content),
    );
    // git writes in place: if it is killed itself, the one file that it was writing may be cut off.
    expect(torn.length).toBeLessThanOrEqual(when === 'half' ? 1 : 0);
    // What a killed git leaves is for the person to remove, as after every killed git.
    rmSync(join(work, '.git/index.lock'), { force: true });
    const { events, status } = run(...streamed, '--resume', id, 'Go on');
    expect([status, events.at(-1)]).toEqual([0, expect.objectContaining({ text: 'Left.' })]);
    expect(files()).toEqual(then);
    // The state before is on a checkpoint, too.
    const checkpoints = git(work, 'for-each-ref', '--format=%(refname)', 'refs/oxide-guard').split('\n');
    expect(checkpoints.map((ref) => git(work, 'show', `${ref}:f150`))).toContain('after');
  });
});
