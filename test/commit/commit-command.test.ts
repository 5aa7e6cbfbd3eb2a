import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { withoutTmux } from '../ui/tmux.ts';

const running: string[] = [];

function repository(): string {
  const directory = mkdtempSync(join(tmpdir(), 'oxide-guard-commit-'));
  const git = (...argv: string[]) => execFileSync('git', ['-C', directory, ...argv]);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'feat(core): begin');
  writeFileSync(join(directory, 'file'), 'one\n');
  git('add', 'file');
  return directory;
}

/** A real terminal in which the wizard runs. */
class Terminal {
  readonly socket: string;

  constructor(directory: string) {
    this.socket = `oxide-guard-${process.pid}-${running.length}`;
    running.push(this.socket);
    const command = `'${process.execPath}' '${oxideGuard}' commit; echo "exit code $?"; sleep 60`;
    this.tmux('-f', '/dev/null', 'new-session', '-d', '-x', '120', '-y', '40', '-c', directory, command);
  }

  press(...keys: string[]): void {
    this.tmux('send-keys', ...keys);
  }

  async shows(text: string): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      const screen = this.tmux('capture-pane', '-p');
      if (screen.includes(text)) {
        return screen;
      }
      if (attempt === 200) {
        throw new Error(`The terminal never showed '${text}':\n${screen.trim()}`);
      }
      await pause(50);
    }
  }

  private tmux(...argv: string[]): string {
    return execFileSync('tmux', ['-L', this.socket, ...argv], { encoding: 'utf8' });
  }
}

afterEach(() => {
  for (const socket of running) {
    spawnSync('tmux', ['-L', socket, 'kill-server']);
  }
});

describe('oxide-guard commit without a terminal', () => {
  it('says so and exits with 3', () => {
    const { status, stderr } = runOxideGuard(['commit'], { cwd: repository() });
    expect(status).toBe(3);
    expect(stderr).toContain('There is no terminal');
  });
});

describe.skipIf(withoutTmux)('oxide-guard commit in a terminal', () => {
  it('asks, refuses a bad subject, previews and commits', async () => {
    const directory = repository();
    const terminal = new Terminal(directory);
    await terminal.shows('Type');
    terminal.press('Down', 'Enter');
    await terminal.shows('core');
    terminal.press('cor');
    await terminal.shows('› cor');
    terminal.press('Enter');
    await terminal.shows('89 left');
    terminal.press('-l', 'Repair it');
    await terminal.shows('80 left');
    terminal.press('Enter');
    await terminal.shows('does not begin in lower case');
    terminal.press('C-a');
    terminal.press('Delete');
    terminal.press('-l', 'r');
    terminal.press('Enter');
    await terminal.shows('Body');
    terminal.press('-l', 'one\\ntwo');
    terminal.press('Enter');
    await terminal.shows('Breaking');
    terminal.press('-l', 'the old one is gone');
    terminal.press('Enter');
    await terminal.shows('Issues');
    terminal.press('-l', '#1, 2');
    terminal.press('Enter');
    await terminal.shows('Commit this?');
    terminal.press('y');
    await terminal.shows('exit code 0');
    const message = execFileSync('git', ['-C', directory, 'log', '-1', '--format=%B'], { encoding: 'utf8' });
    expect(message.trim()).toBe(
      'fix(core)!: repair it\n\none\ntwo\n\nBREAKING CHANGE: the old one is gone\nCloses #1\nCloses #2',
    );
    expect(existsSync(join(directory, '.git/oxide-guard/commit-draft.json'))).toBe(false);
  });

  it('takes a scope that is pasted with its Enter', async () => {
    const terminal = new Terminal(repository());
    await terminal.shows('Type');
    terminal.press('Enter');
    await terminal.shows('core');
    terminal.press('-l', 'cor\r');
    await terminal.shows('Subject');
    terminal.press('-l', 'add it\r');
    await terminal.shows('Body');
    terminal.press('Enter');
    await terminal.shows('Breaking');
    terminal.press('Enter');
    await terminal.shows('Issues');
    terminal.press('Enter');
    await terminal.shows('feat(core): add it');
    terminal.press('C-c');
  });

  it('keeps what was typed on Ctrl+C and offers it the next time', async () => {
    const directory = repository();
    const terminal = new Terminal(directory);
    await terminal.shows('Type');
    terminal.press('Enter');
    await terminal.shows('core');
    terminal.press('Enter');
    await terminal.shows('Subject');
    terminal.press('-l', 'half a thou');
    await terminal.shows('half a thou');
    terminal.press('C-c');
    await terminal.shows('exit code 130');
    expect(JSON.parse(readFileSync(join(directory, '.git/oxide-guard/commit-draft.json'), 'utf8'))).toEqual({
      type: 'feat',
      scope: '',
      subject: 'half a thou',
    });
    const next = new Terminal(directory);
    const screen = await next.shows('Go on with this draft?');
    expect(screen).toContain('feat: half a thou');
  });

  it('does not ask anything when nothing is staged', async () => {
    const directory = repository();
    execFileSync('git', ['-C', directory, 'commit', '-q', '-m', 'feat: x']);
    const screen = await new Terminal(directory).shows('exit code 1');
    expect(screen).toContain('Nothing is staged');
  });
});
