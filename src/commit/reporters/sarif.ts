import type { Problem } from '../lint.ts';
import type { LintedMessage } from '../linted-message.ts';
import type { Reporter } from './reporter.ts';

/** SARIF 2.1.0. A commit is a logical location; a message file a physical one. */
export const sarif: Reporter = (linted) => {
  const rules = [...new Set(linted.flatMap(({ report }) => report.problems.map(({ rule }) => rule)))];
  return JSON.stringify({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'oxide-guard', rules: rules.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: linted.flatMap((each) => each.report.problems.map((problem) => result(each, problem))),
      },
    ],
  });
};

function result(linted: LintedMessage, { level, rule, message, position }: Problem): object {
  const { oid, file } = linted;
  const region = position && {
    startLine: position.line,
    startColumn: position.column,
    endColumn: position.column + position.length,
  };
  const physicalLocation = file === null ? {} : { physicalLocation: { artifactLocation: { uri: file }, region } };
  const logicalLocations = oid === null ? {} : { logicalLocations: [{ fullyQualifiedName: oid, kind: 'commit' }] };
  return {
    ruleId: rule,
    level,
    message: { text: message },
    locations: file === null && oid === null ? [] : [{ ...physicalLocation, ...logicalLocations }],
    ...(oid === null ? {} : { partialFingerprints: { 'commitRule/v1': `${oid}:${rule}` } }),
  };
}
