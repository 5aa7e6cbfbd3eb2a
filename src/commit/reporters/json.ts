import type { LintedMessage } from '../linted-message.ts';
import type { Reporter } from './reporter.ts';

/** One document for a message, an array with object names for a range. */
export const json: Reporter = (linted, { isRange }) => {
  const [only] = linted;
  return JSON.stringify(
    isRange || only === undefined ? linted.map((each) => ({ oid: each.oid, ...verdict(each) })) : verdict(only),
  );
};

function verdict({ report, suggestion }: LintedMessage): object {
  return {
    valid: report.valid,
    header: report.header,
    problems: report.problems.map(({ level, rule, message }) => ({ level, rule, message })),
    suggestion: suggestion?.message ?? null,
  };
}
