import { describe, expect, it } from 'vitest';
import { withReferences } from '../../src/shell/words/variable-reference.ts';

describe('a script with references to variables between its parts', () => {
  it.each([
    ['outside of quotes', ['echo ', ' end'], 'echo ${x} end'],
    ['in single quotes, which are closed for it', ["echo '", "'"], "echo ''\"${x}\"''"],
    ['in double quotes with an apostrophe', ['echo "it\'s ', '"'], 'echo "it\'s ${x}"'],
    ['behind an apostrophe without a meaning', ["echo it\\'s ", ''], "echo it\\'s ${x}"],
    ['behind a backslash in single quotes, which is none', ["echo 'a\\' ", ''], "echo 'a\\' ${x}"],
    ['without any place for one', ['echo'], 'echo'],
  ])('has one %s', (_, parts, script) => {
    expect(
      withReferences(
        parts,
        parts.map(() => 'x'),
      ),
    ).toBe(script);
  });
});
