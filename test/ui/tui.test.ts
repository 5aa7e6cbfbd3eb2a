import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'tsdown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/agent/event.ts';
import type { Finding } from '../../src/guards/finding.ts';
import type { PermissionRequest } from '../../src/ui/permission.ts';
import { temporaryDirectory } from '../git/fixture.ts';
import { database } from './questions.ts';
import { startTmux, type TmuxTerminal, withoutTmux } from './tmux.ts';
import type { ScriptedStep } from './tui-session.ts';

const tmux = startTmux('tui');
const program = join(temporaryDirectory(), 'program');

beforeAll(async () => {
  if (!withoutTmux) {
    await build({
      config: false,
      entry: { session: join(import.meta.dirname, 'tui-session.ts') },
      outDir: program,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      dts: false,
      deps: { onlyBundle: false, alwaysBundle: [/./] },
      define: { 'process.env.NODE_ENV': '"production"' },
      logLevel: 'silent',
    });
  }
});
afterAll(() => tmux.end());

interface Scene {
  readonly terminal: TmuxTerminal;
  /** What the person decided, in order. */
  readonly log: () => readonly unknown[];
}

/** A session in a terminal that has drawn its prompt; each prompt plays the next turn. */
async function session(
  turns: readonly (readonly ScriptedStep[])[],
  { columns = 80, rows = 30, env = {} }: { columns?: number; rows?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<Scene> {
  const directory = temporaryDirectory();
  const logFile = join(directory, 'log');
  writeFileSync(join(directory, 'steps.json'), JSON.stringify(turns));
  const command = [process.execPath, join(program, 'session.mjs'), join(directory, 'steps.json'), logFile];
  const terminal = tmux.open(command, { cwd: directory, columns, rows, env });
  await terminal.shows('default · main');
  const log = () =>
    existsSync(logFile)
      ? readFileSync(logFile, 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown)
      : [];
  return { terminal, log };
}

const text = (said: string): ScriptedStep => ({ event: { type: 'text', text: said } });
const call = (id: string, name: string, input: unknown): ScriptedStep => ({
  event: { type: 'tool_call', id, name, input },
});
const result = (id: string, name: string, content: string, isError = false): ScriptedStep => ({
  event: { type: 'tool_result', id, name, content, is_error: isError },
});
const permission = (
  id: string,
  rest: Omit<Extract<AgentEvent, { type: 'permission' }>, 'type' | 'id'>,
): ScriptedStep => ({ event: { type: 'permission', id, ...rest } });

const push = 'git push --force origin main';
const lost: Finding = {
  rule: 'force-push',
  verdict: 'ask',
  message: 'origin/main would lose 1 commit that only the remote has.',
  evidence: {
    commits: [{ oid: '0123456789abcdef', subject: 'feat: their work', author: 'Ada', date: '2026-01-02T00:00:00Z' }],
    files: ['notes.txt'],
    refs: [],
  } as unknown as Finding['evidence'],
  suggestion: 'git push --force-with-lease origin main',
};
const request: PermissionRequest = {
  id: '1',
  tool: 'Bash',
  input: { command: push },
  reason: lost.message,
  findings: [lost],
  sessionRule: null,
};
const plainRequest: PermissionRequest = {
  id: '1',
  tool: 'Bash',
  input: { command: 'npm test' },
  reason: 'Bash may change something.',
  findings: [],
  sessionRule: 'Bash(npm test:*)',
};
/** Longer than a dialog ignores keys after it has opened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 500));

describe.skipIf(withoutTmux)('the terminal UI', () => {
  it('streams text, and shows calls with folded results and edits as diffs', async () => {
    const { terminal } = await session([
      [
        text('Half a '),
        { wait: 1500 },
        text('sentence, with `code`.\n'),
        call('1', 'Bash', { command: 'npm test' }),
        result('1', 'Bash', Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n')),
        call('2', 'Edit', { file_path: 'src/a.ts', old_string: 'one\ntwo\nthree', new_string: 'one\n2\nthree' }),
        result('2', 'Edit', 'Edited.'),
        call('3', 'Read', { file_path: 'src/a.ts' }),
        result('3', 'Read', 'a\nb\nc'),
        text('Done.'),
      ],
    ]);
    terminal.type('look');
    await terminal.press('Enter');
    await terminal.shows(/Half a$/m);
    const screen = await terminal.shows('Done.');
    expect(screen).toContain('› look');
    expect(screen).toContain('Half a sentence, with `code`.');
    expect(screen).toMatch(/● Bash npm test\n {2}line 0\n {2}line 1\n {2}line 2\n {2}line 3\n {2}… 36 more lines/);
    expect(screen).toMatch(/● Edit src\/a\.ts\n {4}one\n {2}- two\n {2}\+ 2\n {4}three/);
    expect(screen).toMatch(/● Read src\/a\.ts\n {2}3 lines/);
    await terminal.shows('1.2k tokens');
    await terminal.press('C-o');
    await terminal.shows(/○ Read src\/a\.ts\n {2}a\n {2}b\n {2}c\n/);
  });

  it('shows what the guard found, with the commits, the files and the way out', async () => {
    const denied = { ...lost, verdict: 'deny' as const };
    const { terminal } = await session([
      [
        call('1', 'Bash', { command: push }),
        permission('1', { verdict: 'deny', rule: 'force-push', message: lost.message, findings: [denied] }),
        result('1', 'Bash', `Denied: ${lost.message}`, true),
      ],
    ]);
    terminal.type('push');
    await terminal.press('Enter');
    const screen = await terminal.shows('--force-with-lease');
    expect(screen).toContain('✗ origin/main would lose 1 commit that only the remote has. [force-push]');
    expect(screen).toContain('0123456 feat: their work (Ada, 2026-01-02)');
    expect(screen).toContain('notes.txt');
    expect(screen).not.toContain('Denied:');
  });

  it('asks before a call runs, and takes the answer that was chosen', async () => {
    const { terminal, log } = await session([
      [{ permission: plainRequest }, { permission: plainRequest }, { permission: plainRequest }, text('all decided')],
    ]);
    terminal.type('go');
    await terminal.press('Enter');
    const dialog = await terminal.shows('May Bash do this?');
    expect(dialog).toMatch(/npm test\n {2}\? Bash may change something\./);
    expect(dialog).toContain('❯ y  allow once');
    expect(dialog).toContain('a  allow for the session: Bash(npm test:*)');
    await settled();
    await terminal.press('Enter');
    await settled();
    await terminal.press('a');
    await settled();
    await terminal.press('Escape');
    await terminal.shows('all decided');
    expect(log().slice(1)).toEqual([{ kind: 'once' }, { kind: 'session' }, { kind: 'deny', reason: '' }]);
  });

  it('shows the evidence with the question, starts at the denial, and takes a reason', async () => {
    const { terminal, log } = await session([[{ permission: request }, text('decided')]]);
    terminal.type('go');
    await terminal.press('Enter');
    const dialog = await terminal.shows('May Bash do this?');
    for (const fact of [push, '? origin/main would lose', '0123456 feat: their work', '--force-with-lease', '❯ n']) {
      expect(dialog).toContain(fact);
    }
    await settled();
    await terminal.press('Enter');
    await terminal.shows('Why not?');
    await terminal.press('Escape');
    await terminal.shows('❯ n');
    await terminal.press('n');
    terminal.type('Ada is at work there');
    await terminal.press('Enter');
    await terminal.shows('decided');
    expect(log().slice(1)).toEqual([{ kind: 'deny', reason: 'Ada is at work there' }]);
  });

  it('does not take what was typed for the prompt as an answer', async () => {
    const { terminal, log } = await session([[{ wait: 1500 }, { permission: plainRequest }]]);
    terminal.type('go');
    await terminal.press('Enter');
    await terminal.shows('working');
    terminal.type('yyy');
    await terminal.shows('May Bash do this?');
    expect(log()).toEqual([{ prompt: 'go' }]);
    await settled();
    await terminal.press('Escape');
    await terminal.shows('› yyy');
    expect(log()[1]).toEqual({ kind: 'deny', reason: '' });
  });

  it('edits lines, recalls earlier prompts and takes pastes of several lines', async () => {
    const { terminal, log } = await session([[], [], [], []]);
    terminal.type('second');
    await terminal.press('Home');
    terminal.type('first \\');
    await terminal.press('Enter', 'End');
    terminal.type('!');
    await terminal.press('Enter');
    await terminal.shows('› first');
    terminal.paste('a\tb\nc 漢字\n');
    await terminal.shows('c 漢字');
    await terminal.press('BSpace', 'BSpace', 'Enter');
    terminal.type('draft');
    await terminal.press('Up', 'Up', 'Up', 'Enter');
    await terminal.shows(/default · main/);
    await terminal.press('Up', 'Down');
    terminal.type('last');
    await terminal.press('Enter');
    for (let tries = 0; tries < 200 && log().length < 4; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(log()).toEqual([
      { prompt: 'first \nsecond!' },
      { prompt: 'a\tb\nc 漢' },
      { prompt: 'first \nsecond!' },
      { prompt: 'last' },
    ]);
  });

  it('interrupts the turn with Ctrl+C, and quits with a second one', async () => {
    const { terminal, log } = await session([[call('1', 'Bash', { command: 'sleep 60' }), { wait: 60_000 }]]);
    terminal.type('go');
    await terminal.press('Enter');
    await terminal.shows('○ Bash sleep 60');
    await terminal.press('C-c');
    await terminal.shows('Interrupted.');
    expect(terminal.screen()).toContain('○ Bash sleep 60 (no result)');
    await terminal.losesSight('again quits');
    await terminal.press('C-c');
    await terminal.shows('Ctrl+C again quits');
    await terminal.press('C-c');
    await terminal.shows('ended with 0');
    expect(log()).toEqual([{ prompt: 'go' }, { quit: true }, { closed: true }]);
  });

  it('answers /help itself, and ends by /quit', async () => {
    const { terminal, log } = await session([[text('Asked.')]]);
    terminal.type('/help');
    await terminal.press('Enter');
    await terminal.shows(/^Ctrl\+O +shows the last folded result/m);
    expect(log()).toEqual([]);
    terminal.type('/quit');
    await terminal.press('Enter');
    await terminal.shows('ended with 0');
    expect(log()).toEqual([{ quit: true }, { closed: true }]);
  });

  it('quits with two Ctrl+C while a dialog is open, and decides nothing', async () => {
    const { terminal, log } = await session([[{ permission: request }]]);
    terminal.type('go');
    await terminal.press('Enter');
    await terminal.shows('May Bash do this?');
    await terminal.press('C-c', 'C-c');
    const screen = await terminal.shows('ended with 0');
    expect(log()[1]).toEqual({ kind: 'nobody', reason: 'the session was interrupted' });
    expect(screen).not.toContain('May Bash do this?');
  });

  it('TUI 模式交互', async () => {
    const checks = { ...database, question: 'Which stores?', header: 'Stores', multiSelect: true };
    const { terminal, log } = await session([
      [text('A question.'), { questions: [database, checks] }, { questions: [database] }, text('Thanks.')],
    ]);
    terminal.type('ask me');
    await terminal.press('Enter');
    const asking = await terminal.shows('Which database?');
    // 暂停 TUI 渲染, 显示原生交互界面
    expect(asking).not.toContain('default · main');
    expect(asking).not.toContain('working');
    expect(asking).toContain('A question.');
    expect(asking).toMatch(/PostgreSQL +A server, many writers/);
    await terminal.press('Down', 'Enter');
    await terminal.shows('Which stores?');
    await terminal.press('Space', 'Down', 'Space', 'Enter');
    await terminal.shows(/Which database\?.*Esc cancels/);
    await terminal.press('Escape');
    // 用户选择后恢复 TUI
    await terminal.shows('Thanks.');
    await terminal.shows('default · main');
    expect(log().slice(1)).toEqual([
      { kind: 'answered', answers: { 'Which database?': 'PostgreSQL', 'Which stores?': 'SQLite, PostgreSQL' } },
      { kind: 'cancelled' },
    ]);
    terminal.type('still here');
    await terminal.shows('› still here');
    expect(terminal.everything().match(/A question\./g)).toHaveLength(1);
  });

  it('fits a screen of 40 columns, and follows a resize', async () => {
    const { terminal, log } = await session(
      [[text('A sentence that is longer than a narrow screen is wide.\n'), { permission: request }]],
      { columns: 40, rows: 20 },
    );
    terminal.type('a prompt that is longer than a narrow screen is wide');
    await terminal.press('Enter');
    const screen = await terminal.shows('❯ n');
    expect(screen).toContain('May Bash do this?');
    expect(screen).toContain('y  allow once');
    expect(screen).toMatch(/default · main/);
    terminal.resize(100, 20);
    await terminal.shows('? origin/main would lose 1 commit that only the remote has. [force-push]');
    terminal.resize(40, 20);
    await terminal.shows('only the remote has');
    await settled();
    expect(terminal.screen().match(/May Bash do this\?/g)).toHaveLength(1);
    expect(terminal.everything()).toContain('› a prompt that is longer than a narrow');
    expect(terminal.everything().match(/A sentence that is longer/g)).toHaveLength(1);
    await terminal.press('y');
    await terminal.losesSight('May Bash do this?');
    expect(log()[1]).toEqual({ kind: 'once' });
  });

  it.each([60, 23])('leaves no empty lines behind while text streams in on %i columns', async (columns) => {
    const words = Array.from({ length: 12 }, (_, index) => `word${index}${index % 4 === 3 ? '\n\n' : ' '}`);
    const { terminal } = await session([words.flatMap((word) => [text(word), { wait: 60 }])], { columns, rows: 16 });
    terminal.type('go');
    await terminal.press('Enter');
    await terminal.shows('word11');
    await terminal.losesSight('working');
    const all = terminal.everything();
    expect(all.slice(0, all.indexOf('word11'))).not.toMatch(/\n\s*\n\s*\n/);
  });

  it('shows the whole of a command that no dialog can hold', async () => {
    const command = Array.from({ length: 60 }, (_, index) => `echo ${index}`).join('\n');
    const request = { ...plainRequest, input: { command }, sessionRule: `Bash(=${command})` };
    const { terminal } = await session([[{ permission: request }]], { rows: 20 });
    terminal.type('go');
    await terminal.press('Enter');
    const dialog = await terminal.shows('v shows all');
    expect(dialog).toContain('y  allow once');
    expect(dialog).toContain('a  allow for the session: exactly this command line\n');
    expect(dialog).not.toContain('echo 59');
    await settled();
    await terminal.press('v');
    await settled();
    expect(terminal.everything()).toMatch(/echo 0\n[\s\S]*echo 59\n/);
  });

  it('lets nothing of a model or a program act on the terminal', async () => {
    const title = '\x1b]0;owned\x07';
    const hostile = `\x1b[2J\x1b[31m${title}\r\u202e`;
    const { terminal } = await session([
      [
        text(`text ${hostile} end\n`),
        call('1', `Ba${hostile}sh`, { command: `echo ${hostile}` }),
        permission('1', { verdict: 'deny', rule: hostile, message: `message ${hostile}` }),
        result('1', `Ba${hostile}sh`, `output ${hostile}`),
        call('2', 'Bash', { command: 'ls' }),
        result('2', 'Bash', `listing ${hostile}`),
        { permission: { ...plainRequest, reason: `reason ${hostile}`, input: { command: `rm ${hostile}` } } },
      ],
    ]);
    terminal.type('go');
    await terminal.press('Enter');
    const screen = await terminal.shows('reason');
    expect(screen).toMatch(/^› go/m);
    expect(screen).toMatch(/text .*\ufffd.* end/);
    expect(screen).toMatch(/listing .*\ufffd/);
    expect(screen).not.toContain('\u202e');
  });

  it('has no colours with NO_COLOR', async () => {
    const steps = [text('**bold** and `code`'), { permission: request }];
    const plain = await session([steps], { env: { NO_COLOR: '1' } });
    const painted = await session([steps]);
    for (const { terminal } of [plain, painted]) {
      terminal.type('go');
      await terminal.press('Enter');
      await terminal.shows('May Bash do this?');
    }
    const colour = /\x1b\[[0-9;]*3[0-7]m/;
    expect(plain.terminal.colours()).not.toMatch(colour);
    expect(painted.terminal.colours()).toMatch(colour);
  });

  it('changes the mode with Shift+Tab', async () => {
    const { terminal, log } = await session([]);
    await terminal.press('BTab');
    await terminal.shows('accept-edits · main');
    await terminal.press('BTab');
    await terminal.shows('plan · main');
    await terminal.press('BTab');
    await terminal.shows('default · main');
    expect(log()).toEqual([{ mode: 'accept-edits' }, { mode: 'plan' }, { mode: 'default' }]);
  });

  it('keeps later prompts for the next turn', async () => {
    const { terminal, log } = await session([[{ wait: 1000 }], [text('second turn')]]);
    terminal.type('one');
    await terminal.press('Enter');
    await terminal.shows('working');
    terminal.type('two');
    await terminal.press('Enter');
    await terminal.shows('› two (queued)');
    await terminal.shows('second turn');
    expect(log()).toEqual([{ prompt: 'one' }, { prompt: 'two' }]);
  });

  it('prints everything once, however much it is', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => text(`row ${index} ${'x'.repeat(12_000)} end ${index}\n`));
    const { terminal } = await session([[...lines, text('finished')]]);
    terminal.type('go');
    await terminal.press('Enter');
    await terminal.shows('finished');
    const shown = [...terminal.everything().matchAll(/end (\d+)/g)].map(([, number]) => Number(number));
    expect(shown).toEqual([...new Set(shown)]);
    expect(shown.at(-1)).toBe(99);
    expect(shown.length).toBeGreaterThan(5);
  });
});
