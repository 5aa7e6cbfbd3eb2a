import { explainReport } from '../explain.ts';
import type { Reporter } from './reporter.ts';

/** For people: each message with a problem, then a count. */
export const text: Reporter = (linted, { paint, columns, convention, isRange }) => {
  const troubled = linted.filter(({ report }) => report.problems.length > 0);
  const indent = '  ';
  const told = troubled.map(({ oid, message, report, suggestion }) => {
    if (oid === null) {
      return explainReport(message, report, suggestion, { paint, convention, columns });
    }
    const room = columns === undefined ? undefined : columns - indent.length;
    const explanation = explainReport(message, report, suggestion, { paint, convention, columns: room });
    return `${paint.bold(oid.slice(0, 10))}\n${explanation.replace(/^(?=.)/gm, indent)}`;
  });
  const invalid = linted.filter(({ report }) => !report.valid).length;
  if (!isRange) {
    return told.join('\n\n');
  }
  const count = `${linted.length} ${linted.length === 1 ? 'commit' : 'commits'}`;
  const verdict =
    invalid === 0 ? `${paint.green('✓')} ${count} checked` : `${paint.red('✗')} ${invalid} of ${count} invalid`;
  return [...told, verdict].join('\n\n');
};
