import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { auditPath } from '../../src/audit/log.ts';
import { oxideGuard, runOxideGuard } from '../e2e/guarded-repository.ts';
import { repositoryWithCommit } from '../git/fixture.ts';

let work: string;
let trail: string;
beforeEach(() => {
  work = repositoryWithCommit();
  trail = auditPath(join(work, '.git'));
  mkdirSync(dirname(trail), { recursive: true });
});

function line(action: string, more = {}): string {
  const entry = { time: '2026-01-02T03:04:05.000Z', front: 'agent', agent: 'claude', directory: '/', action };
  return `${JSON.stringify({ ...entry, verdict: 'deny', rules: ['force-push'], answer: 'policy', ...more })}\n`;
}

const log = (...words: string[]) => runOxideGuard(['log', ...words], { cwd: work });

it('the trail is shown although some of it is damaged, and does nothing to the terminal', () => {
  const evil = line('a\u001b[2J\nb', { agent: 'x\u001b]0;title', time: '2026\u001b[1m', rules: ['\u001b'] });
  writeFileSync(
    trail,
    `${line('first')}{"half\n\0\0\n${evil}${line('odd', { verdict: 'maybe' })}${line('last').trimEnd()}`,
  );
  const { stdout, status } = log();
  expect(stdout.split('\n').map((shown) => shown.trim())).toEqual([
    '2026-01-02 03:04:05  denied   first  [force-push · claude]',
    '2026\ufffd[1m  denied   a\ufffd[2J ⏎ b  [\ufffd · x\ufffd]0;title]',
    '2026-01-02 03:04:05  ?  odd  [force-push · claude]',
    '2026-01-02 03:04:05  denied   last  [force-push · claude]',
    '',
  ]);
  expect(status).toBe(0);
  expect(log('--json').stdout.trim().split('\n')).toHaveLength(4);
});

it('following goes on when the trail is rotated, and when it is emptied', { timeout: 30_000 }, async () => {
  writeFileSync(`${trail}.1`, line('oldest'));
  writeFileSync(trail, line('old'));
  const child = spawn(process.execPath, [oxideGuard, 'log', '--follow', '--json'], { cwd: work });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const actions = () =>
    output
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text).action);
  const shown = (expected: readonly string[]) => expect.poll(actions, { timeout: 8000 }).toEqual(expected);
  try {
    await shown(['oldest', 'old']);
    appendFileSync(trail, line('new \u00e4'));
    await shown(['oldest', 'old', 'new \u00e4']);
    appendFileSync(trail, line('before the rotation'));
    renameSync(trail, `${trail}.1`);
    writeFileSync(trail, line('after the rotation'));
    const rotated = ['oldest', 'old', 'new \u00e4', 'before the rotation', 'after the rotation'];
    await shown(rotated);
    truncateSync(trail);
    appendFileSync(trail, line('emptied'));
    await shown([...rotated, 'emptied']);
    appendFileSync(trail, line('in two parts').slice(0, 20));
    appendFileSync(trail, line('in two parts').slice(20));
    await shown([...rotated, 'emptied', 'in two parts']);
  } finally {
    child.kill();
  }
});

it('times are those of the reader’s clock, and a person’s answer to a push is told', () => {
  const push = { front: 'pre-push', agent: undefined, verdict: 'ask', rules: ['protected-push'] };
  writeFileSync(
    trail,
    line('yes', { ...push, answer: 'person' }) +
      line('no', { ...push, answer: 'policy' }) +
      line('agent', { verdict: 'ask', answer: 'person' }),
  );
  const { stdout } = runOxideGuard(['log'], { cwd: work, env: { ...process.env, TZ: 'Asia/Tokyo' } });
  expect(stdout.trim().split('\n')).toEqual([
    '2026-01-02 12:04:05  asked    yes  [protected-push · pre-push · a person said yes]',
    '2026-01-02 12:04:05  asked    no  [protected-push · pre-push · a person said no]',
    '2026-01-02 12:04:05  asked    agent  [force-push · claude · put to the user]',
  ]);
});
