import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commit, git } from '../git/fixture.ts';
import { checks, database } from '../ui/questions.ts';
import { startTmux, type TmuxTerminal, withoutTmux } from '../ui/tmux.ts';
import { guardedRepository, oxideGuard, pushFromElsewhere } from './guarded-repository.ts';

const tmux = startTmux('tui-e2e');
afterAll(() => tmux.end());

interface Turn {
  readonly text?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly input: unknown }[];
}

interface Scene {
  readonly terminal: TmuxTerminal;
  readonly work: string;
  readonly remote: string;
  /** Another process on a terminal of its own, in the same directory and with the same sessions. */
  readonly again: (turns: readonly Turn[], ...words: string[]) => TmuxTerminal;
  /** The session's transcript, with what the tools told the model. */
  readonly transcript: () => string;
}

/** A session with a replayed model in a guarded repository, on a real terminal. */
function agent(turns: readonly Turn[], ...words: string[]): Scene {
  const repository = guardedRepository();
  const { work } = repository;
  pushFromElsewhere(repository, 'main', 'feat: their work');
  git(work, 'fetch', '--quiet');
  commit(work, 'feat: my work');
  const recording = join(dirname(work), 'turns.jsonl');
  const state = join(dirname(work), 'state');
  const variables = Object.entries(process.env).filter(([name]) => /^(GIT_|HOME$|LC_ALL$)/.test(name));
  // DEV is a variable that ink looks at, and that people set for programs of their own.
  const env = { ...Object.fromEntries(variables), XDG_STATE_HOME: state, DEV: 'true' };
  const again: Scene['again'] = (said, ...options) => {
    writeFileSync(recording, said.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const command = [process.execPath, oxideGuard, 'agent', '--provider', `replay:${recording}`, ...options];
    return tmux.open(command, { cwd: work, columns: 100, rows: 40, env });
  };
  const terminal = again(turns, ...words);
  const transcript = () => {
    const sessions = join(state, 'oxide-guard', 'sessions');
    return readdirSync(sessions)
      .map((id) => readFileSync(join(sessions, id, 'session.jsonl'), 'utf8'))
      .join('');
  };
  return { terminal, work, remote: repository.remote, again, transcript };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries += 1) {
    expect(tries).toBeLessThan(1000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Longer than a dialog ignores keys after it has opened. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 500));
const bash = (command: string) => ({ name: 'Bash', input: { command } });
const ask = (...questions: readonly object[]) => ({ name: 'AskUserQuestion', input: { questions } });

describe.skipIf(withoutTmux)('oxide-guard agent on a terminal', () => {
  it('refuses a force push with its evidence, and goes on', async () => {
    const { terminal, work, remote } = agent(
      [{ text: 'I push.', tool_calls: [bash('git push --force origin main')] }, { text: 'It was refused.' }],
      'push my work',
    );
    const before = git(remote, 'rev-parse', 'main');
    const screen = await terminal.shows('It was refused.');
    expect(screen).toContain('› push my work');
    expect(screen).toContain('● Bash git push --force origin main');
    expect(screen).toMatch(/✗ This push overwrites main on origin: 1 commit there would be lost/);
    expect(screen).toContain(`${git(work, 'rev-parse', '--short=7', 'origin/main')} feat: their work`);
    await terminal.shows('default · main ↑1 ↓1 · replay:');
    expect(git(remote, 'rev-parse', 'main')).toBe(before);
  });

  it('asks before a command changes something, and runs what was allowed for the session without asking', async () => {
    const { terminal, work } = agent([
      { tool_calls: [bash('git branch one')] },
      { tool_calls: [bash('git branch two')] },
      { text: 'Both are there.' },
    ]);
    await terminal.shows('default · main');
    terminal.type('make two branches');
    await terminal.press('Enter');
    await terminal.shows('a  allow for the session: Bash(git branch:*)');
    await settled();
    await terminal.press('a');
    await terminal.shows('Both are there.');
    expect(git(work, 'branch', '--format=%(refname:short)').split('\n')).toEqual(['main', 'one', 'two']);
    await terminal.press('C-c', 'C-c');
    const end = await terminal.shows('ended with 0');
    expect(end).toMatch(/tokens in.*--resume \d{8}-\d{6}/);
  });

  it('tells the model why the person refused', async () => {
    const { terminal, work, transcript } = agent([{ tool_calls: [bash('touch made')] }, { text: 'Understood.' }], 'go');
    await terminal.shows('May Bash do this?');
    await settled();
    await terminal.press('n');
    await terminal.shows('Why not?');
    terminal.type('not in this directory');
    await terminal.press('Enter');
    await terminal.shows('Understood.');
    expect(transcript()).toContain('not in this directory');
    expect(existsSync(join(work, 'made'))).toBe(false);
  });

  it('interrupts a command with Ctrl+C, and takes the next prompt', async () => {
    const { terminal } = agent(
      [{ tool_calls: [bash('sleep 600')] }, { text: 'Something else.' }],
      'wait',
      '--permission-mode',
      'bypass',
    );
    await terminal.shows('○ Bash sleep 600');
    await terminal.press('C-c');
    await terminal.shows('Interrupted.');
    terminal.type('then do something else');
    await terminal.press('Enter');
    await terminal.shows('Something else.');
  });

  it('gives the terminal back when it is told to end', async () => {
    const { terminal } = agent([{ tool_calls: [bash('sleep 600')] }], 'go', '--permission-mode', 'bypass');
    await terminal.shows('○ Bash');
    process.kill(terminal.processId(), 'SIGTERM');
    await terminal.shows('ended with 130');
    expect(terminal.screen()).not.toContain('default · main');
    // Typed characters are echoed again: the terminal is not in raw mode any more.
    terminal.type('echoed by the terminal');
    await terminal.shows('echoed by the terminal');
  });

  it.each([
    ['the terminal UI', []],
    ['plain mode', ['--no-tui']],
  ])('ends the session, with what it has started, when the terminal of %s is closed', async (_, words) => {
    const { terminal, work, transcript } = agent(
      [{ tool_calls: [bash('echo $$ > started; sleep 1000')] }, { text: 'Done.' }],
      '--permission-mode',
      'bypass',
      ...words,
      'Go',
    );
    await until(() => existsSync(join(work, 'started')));
    const agentProcess = terminal.processId();
    terminal.hangUp();
    await until(() => !isRunning(agentProcess));
    expect(transcript()).toContain('"type":"end","stop":"interrupted"');
  });

  it('goes on after kill -9 where it was, and beside that in a copy', async () => {
    const { terminal, again, transcript } = agent(
      [{ text: 'I wait.', tool_calls: [bash('sleep 600')] }],
      'wait for it',
      ...['--permission-mode', 'bypass'],
    );
    await terminal.shows('○ Bash sleep 600');
    process.kill(terminal.processId(), 'SIGKILL');
    await terminal.shows('ended with 137');
    const resumed = again([{ text: 'I am back.' }], '--continue');
    await resumed.shows('The session goes on after 1 prompt. The last: wait for it');
    resumed.type('are you there?');
    await resumed.press('Enter');
    await resumed.shows('I am back.');
    expect(transcript()).toContain('are you there?');
    const taken = again([], '--continue');
    await taken.shows('Another process works in the session');
    const copy = again([{ text: 'I am the copy.' }], '--continue', '--fork', 'and you?');
    await copy.shows('I am the copy.');
    await resumed.press('C-d');
    await resumed.shows('ended with 0');
    expect(transcript()).toContain('and you?');
  });

  it('takes the signal of Ctrl+C for the key, as it comes before the keyboard is read', async () => {
    const { terminal } = agent([{ text: 'Never asked for.' }]);
    await terminal.shows('Enter sends');
    process.kill(terminal.processId(), 'SIGINT');
    await terminal.shows('Ctrl+C again quits.');
    process.kill(terminal.processId(), 'SIGINT');
    await terminal.shows('ended with 0');
    terminal.type('echoed by the terminal');
    await terminal.shows('echoed by the terminal');
  });

  it('draws plain lines with --no-tui', async () => {
    const { terminal } = agent([{ text: 'Plainly.' }], 'hello', '--no-tui');
    const screen = await terminal.shows('ended with 0');
    expect(screen).toContain('Plainly.');
    expect(screen).not.toContain('› hello');
  });

  it('TUI 模式交互', async () => {
    const { terminal, transcript } = agent(
      [{ text: 'I have to ask.', tool_calls: [ask(database)] }, { text: 'PostgreSQL it is.' }],
      'set up a database',
    );
    // 暂停 TUI 渲染, 显示原生交互界面
    const asking = await terminal.shows('? Database Which database?');
    expect(asking).toContain('I have to ask.');
    expect(asking).not.toContain('default · main');
    expect(asking).not.toContain('working');
    await terminal.press('Down', 'Enter');
    // 用户选择后恢复 TUI
    await terminal.shows('PostgreSQL it is.');
    await terminal.shows('default · main');
    expect(transcript()).toContain('Which database? → PostgreSQL');
    terminal.type('the prompt takes keys again');
    await terminal.shows('› the prompt takes keys again');
  });

  it('单选问题, 多选问题, 带描述的选项', async () => {
    const { terminal, transcript } = agent([{ tool_calls: [ask(database, checks)] }, { text: 'Noted.' }], 'ask');
    const single = await terminal.shows('? Database Which database?');
    expect(single).toMatch(/SQLite +One file, no server/);
    expect(single).toMatch(/PostgreSQL +A server, many writers/);
    await terminal.press('Enter');
    await terminal.shows('Space selects');
    await terminal.press('Space', 'Down', 'Down', 'Space', 'Enter');
    await terminal.shows('Noted.');
    expect(transcript()).toContain('Which database? → SQLite');
    expect(transcript()).toContain('Which checks? → Types, Format');
  });

  it('用户取消操作', async () => {
    for (const key of ['Escape', 'C-c']) {
      const { terminal, transcript } = agent([{ tool_calls: [ask(database)] }, { text: 'Then without.' }], 'ask');
      await terminal.shows('? Database Which database?');
      await terminal.press(key);
      await terminal.shows('Then without.');
      await terminal.shows('default · main');
      expect(transcript()).toContain('closed the question without answering');
    }
  });
});

describe('what the terminal UI costs the other commands', () => {
  const directory = join(dirname(oxideGuard), '..', 'dist', 'cli');
  const read = (chunk: string) => readFileSync(join(directory, chunk), 'utf8');
  const named = (chunk: string, pattern: RegExp) => [...read(chunk).matchAll(pattern)].map(([, name = '']) => name);
  const draws = (chunk: string) => /ink-box|yoga-layout|react-reconciler/.test(read(chunk));

  it('is loaded by nothing but a session on a terminal', () => {
    const reached = new Set<string>();
    const follow = (chunk: string) => {
      if (!reached.has(chunk)) {
        reached.add(chunk);
        named(chunk, /\b(?:from|import) ?"\.\/([\w-]+\.mjs)"/g).forEach(follow);
      }
    };
    follow('cli.mjs');
    // Each command is a chunk that is imported when it is called.
    const commands = [...reached].flatMap((chunk) => named(chunk, /import\("\.\/([\w-]+\.mjs)"\)/g));
    commands.forEach(follow);
    expect(commands.length).toBeGreaterThan(10);
    expect([...reached].filter(draws)).toEqual([]);
    const lazily = [...reached].flatMap((chunk) => named(chunk, /import\("\.\/(terminal-ui-[\w-]+\.mjs)"\)/g));
    expect(lazily).toHaveLength(1);
    expect(lazily.every(draws)).toBe(true);
  });
});
