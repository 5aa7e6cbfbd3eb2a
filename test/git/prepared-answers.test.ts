import { describe, expect, it } from 'vitest';
import { endOfAnswer, preparedAnswers } from '../../src/git/push/prepared-answers.ts';

const answer = (words: string, output: string, exitCode = 0) => `${words}\n${output}${endOfAnswer}${exitCode}\n`;
const prepared = (text: string) => preparedAnswers(() => Buffer.from(text));

describe('answers that git has given before the program began', () => {
  it('are found by the words of the command, whatever bytes they hold', () => {
    const output = 'a\n\0\0\0\0\0\0\0\nb\0\n';
    const answers = prepared(answer('status -z', output) + answer('rev-list', '', 128));
    expect(answers.answer(['status', '-z'])).toMatchObject({ exitCode: 0, stdout: Buffer.from(output) });
    expect(answers.answer(['rev-list'])).toMatchObject({ exitCode: 128, stdout: Buffer.from('') });
    expect(answers.answer(['status'])).toBe(null);
  });

  it('count as not given where they are cut off', () => {
    const whole = answer('status', 'a') + answer('rev-list', 'b');
    for (let length = 0; length < whole.length; length += 1) {
      expect(prepared(whole.slice(0, length)).answer(['rev-list'])).toBe(null);
    }
    expect(prepared(whole).answer(['rev-list'])).not.toBe(null);
  });

  it('are read when one is wanted, once', () => {
    let reads = 0;
    const answers = preparedAnswers(() => {
      reads += 1;
      return Buffer.from(answer('status', ''));
    });
    expect(reads).toBe(0);
    answers.answer(['status']);
    answers.answer(['other']);
    expect(reads).toBe(1);
  });
});
