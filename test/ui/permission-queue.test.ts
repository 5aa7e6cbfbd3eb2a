import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { plainPaint } from '../../src/ui/paint.ts';
import type { PermissionAnswer, PermissionRequest } from '../../src/ui/permission.ts';
import { createPermissionQueue } from '../../src/ui/tui/permission-queue.ts';
import { createScreen } from '../../src/ui/tui/screen.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const request: PermissionRequest = {
  id: 'c1',
  tool: 'Bash',
  input: { command: 'npm test' },
  reason: 'Bash may change something.',
  findings: [],
  sessionRule: null,
};
const yes = { name: 'y', text: 'y', ctrl: false, meta: false, shift: false };
const status = { branch: null, ahead: null, behind: null, model: 'm', tokens: 0, mode: 'default' } as const;

function open() {
  const screen = createScreen(plainPaint, { status, size: { columns: 80, rows: 24 }, history: [] });
  const queue = createPermissionQueue(screen, plainPaint);
  const answers: PermissionAnswer[] = [];
  const ask = () => {
    void queue.port.ask({ ...request }, new AbortController().signal).then((answer) => answers.push(answer));
  };
  return { queue, answers, ask };
}

it('a question takes no keys at first, and then it does', async () => {
  const { queue, answers, ask } = open();
  ask();
  queue.press(yes);
  await vi.advanceTimersByTimeAsync(399);
  queue.press(yes);
  expect(answers).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  queue.press(yes);
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toEqual([{ kind: 'once' }]);
});

it('a question that follows another one takes no keys at first either', async () => {
  const { queue, answers, ask } = open();
  ask();
  ask();
  await vi.advanceTimersByTimeAsync(500);
  queue.press(yes);
  queue.press(yes);
  await vi.advanceTimersByTimeAsync(300);
  queue.press(yes);
  expect(answers).toEqual([{ kind: 'once' }]);
  await vi.advanceTimersByTimeAsync(200);
  queue.press(yes);
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(2);
});

it('keys that waited while the program was busy for long do not answer', async () => {
  vi.useRealTimers();
  const { queue, answers, ask } = open();
  ask();
  const busyUntil = Date.now() + 600;
  while (Date.now() < busyUntil) {
    // Nothing else has a turn.
  }
  queue.press(yes);
  await setTimeout(0);
  expect(answers).toEqual([]);
});
