import { expect, it } from 'vitest';
import { ansiPaint, choosePaint, plainPaint } from '../../src/ui/paint.ts';

const terminal = { isTTY: true };

it('paints on a terminal and not in a pipe', () => {
  expect(choosePaint(terminal, {})).toBe(ansiPaint);
  expect(choosePaint({}, {})).toBe(plainPaint);
});

it('honours NO_COLOR, FORCE_COLOR and a dumb terminal', () => {
  expect(choosePaint(terminal, { NO_COLOR: '1' })).toBe(plainPaint);
  expect(choosePaint(terminal, { TERM: 'dumb' })).toBe(plainPaint);
  expect(choosePaint({}, { FORCE_COLOR: '1' })).toBe(ansiPaint);
  expect(choosePaint(terminal, { FORCE_COLOR: '0' })).toBe(plainPaint);
  expect(choosePaint({}, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(plainPaint);
});
