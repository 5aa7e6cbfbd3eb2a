import { expect, test } from 'vitest';
import { LineStashes } from '../../src/guards/simulation/files/line-stashes.ts';

const numbers = (stashes: LineStashes, upTo: number) =>
  Array.from({ length: upTo }, (_, number) => stashes.before(number));

test('what is taken out moves the older entries up', () => {
  const stashes = new LineStashes();
  expect(numbers(stashes, 3)).toEqual([0, 1, 2]);
  stashes.take(1);
  expect(numbers(stashes, 3)).toEqual([0, 2, 3]);
  stashes.take(0);
  stashes.take(0);
  expect(numbers(stashes, 2)).toEqual([3, 4]);
  expect(stashes.count(5)).toBe(2);
});

test('what the line makes stands before the others, also after it has taken some out', () => {
  const stashes = new LineStashes();
  stashes.take(0);
  stashes.push();
  stashes.push();
  expect(numbers(stashes, 4)).toEqual([null, null, 1, 2]);
  expect(stashes.count(3)).toBe(4);
  stashes.take(0);
  stashes.take(1);
  expect(numbers(stashes, 2)).toEqual([null, 2]);
});

test('there are no fewer than none', () => {
  const stashes = new LineStashes();
  stashes.take(0);
  expect(stashes.count(0)).toBe(0);
});
