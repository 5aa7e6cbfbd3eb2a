import type { GitOutput, PreparedAnswers } from '../runner.ts';

export const nothingPrepared: PreparedAnswers = { answer: () => null };

/** Between an answer and git's exit code: no output that is asked for here has so many NULs behind a newline. */
export const endOfAnswer = `\n${'\0'.repeat(16)}`;

/**
 * Answers in the order in which they were asked: the words of the command, joined by spaces, and a newline; git's
 * standard output; {@link endOfAnswer}, its exit code and a newline.
 *
 * @param read gives all of it; called once, when the first answer is wanted
 */
export function preparedAnswers(read: () => Buffer): PreparedAnswers {
  let known: ReadonlyMap<string, GitOutput> | undefined;
  return {
    answer(args) {
      known ??= parseAnswers(read());
      return known.get(args.join(' ')) ?? null;
    },
  };
}

/** What is cut off counts as not answered. */
function parseAnswers(text: Buffer): ReadonlyMap<string, GitOutput> {
  const answers = new Map<string, GitOutput>();
  for (let start = 0; ; ) {
    const startOfOutput = text.indexOf('\n', start) + 1;
    const end = text.indexOf(endOfAnswer, startOfOutput);
    const next = text.indexOf('\n', end + endOfAnswer.length) + 1;
    if (startOfOutput === 0 || end === -1 || next === 0) {
      return answers;
    }
    answers.set(text.toString('utf8', start, startOfOutput - 1), {
      exitCode: Number(text.toString('latin1', end + endOfAnswer.length, next - 1)),
      stdout: text.subarray(startOfOutput, end),
      stderr: '',
    });
    start = next;
  }
}
