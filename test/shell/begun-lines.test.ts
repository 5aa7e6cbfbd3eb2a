import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { ofBegunLines } from '../../src/shell/outputs/begun-lines.ts';
import { unknownWord } from '../../src/shell/words/parameter.ts';

const prefix = 'On branch topic\nYour branch is ahead.\n';
const rests = ['', 'Changes not staged for commit:\n\tmodified:   On.md\n', 'nothing to commit\n'];

const input = { ...unknownWord('git status', 'it is not known'), prefix, onlyFirst: 'On branch' };

const followed: readonly (readonly [string, ...string[]])[] = [
  ['head', '-1'],
  ['head', '-n', '2'],
  ['sed', '1q'],
  ['sed', '-n', '1p'],
  ['sed', '-n', '2p'],
  ['sed', '-n', '1,2p'],
  ['sed', '-n', '2{p;q}'],
  ['sed', '-n', 's/^On branch //p'],
  ['grep', 'On branch'],
  ['grep', '^On branch topic$'],
  ['awk', 'NR==1{print $3}'],
  ['awk', '/On branch/{print $NF}'],
];

const others: readonly (readonly [string, ...string[]])[] = [
  ['head', '-3'],
  ['head', '-n', '-1'],
  ['tail', '-1'],
  ['sed', 's/^On branch //'],
  ['sed', '-n', '3p'],
  ['sed', '-n', 's/^On branch //p;s/x/y/p'],
  ['grep', '-v', 'On branch'],
  ['grep', 'On branch\\|modified'],
  ['grep', 'On'],
  ['awk', 'NR==3{print $1}'],
  ['awk', '{print $3}'],
];

describe('filters of a text of which only the first lines are known', () => {
  it.each(followed)('%s %s', (program, ...args) => {
    const printed = rests.map((rest) => execFileSync(program, args, { input: prefix + rest, encoding: 'utf8' }));
    expect(printed).toEqual(printed.map(() => ofBegunLines(program, args, input)));
  });

  it.each(others)('not: %s %s', (program, ...args) => {
    expect(ofBegunLines(program, args, input)).toBeNull();
  });
});
