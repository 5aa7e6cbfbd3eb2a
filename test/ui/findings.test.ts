import { expect, it } from 'vitest';
import { reasonOf } from '../../src/dialects/reason.ts';
import type { Finding } from '../../src/guards/finding.ts';
import { evidenceLimit } from '../../src/guards/wording.ts';
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

it('a list that may have been cut does not count what is left out', () => {
  const shown = (count: number) => {
    const files = Array.from({ length: count }, (_, index) => `f${index}`);
    const evidence = { commits: [], files, refs: [] };
    const finding: Finding = { rule: 'discard-changes', verdict: 'ask', message: 'Files.', evidence, suggestion: null };
    return [findingLines([finding], choosePaint({ isTTY: false }, {})).at(-1), reasonOf([finding]).split('\n').at(-1)];
  };
  expect(shown(12)).toEqual(['    … and 7 more', '  … and 2 more']);
  expect(shown(evidenceLimit)).toEqual(['    … and more', '  … and more']);
});
