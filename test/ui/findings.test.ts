import { expect, it } from 'vitest';
import type { Finding } from '../../src/guards/finding.ts';
import { findingLines } from '../../src/ui/findings.ts';
import { choosePaint } from '../../src/ui/paint.ts';

it('a file’s name is one line and does nothing to the terminal', () => {
  const finding: Finding = {
    rule: 'discard-changes',
    verdict: 'ask',
    message: 'This would discard a file.',
    evidence: { commits: [], files: ['new\nline\u001b[2J', 'plain'], refs: [] },
    suggestion: null,
  };
  expect(findingLines([finding], choosePaint({ isTTY: false }, {}))).toEqual([
    '? This would discard a file. [discard-changes]',
    '    "new\\nline\\033[2J"',
    '    plain',
  ]);
});
