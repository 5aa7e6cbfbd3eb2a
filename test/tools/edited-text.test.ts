import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEditedText } from '../../src/tools/edited-text.ts';
import { occurrencesOf } from '../../src/tools/occurrences.ts';

const letters = (maxLength: number, minLength = 0) =>
  fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength, maxLength });

function offsetsOf(text: string, string: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = text.indexOf(string); at !== -1; at = text.indexOf(string, at + string.length)) {
    offsets.push(at);
  }
  return offsets;
}

/** What an EditedText says of a text that is one string. */
function said(text: string, string: string) {
  const offsets = offsetsOf(text, string);
  const lineEnd = (offset: number) => (text.includes('\n', offset) ? text.indexOf('\n', offset) : text.length);
  return {
    offsets,
    lines: offsets.map((offset) => text.slice(0, offset).split('\n').length),
    starts: offsets.map((offset) => text.slice(0, offset).lastIndexOf('\n') + 1),
    ends: offsets.map(lineEnd),
  };
}

describe('a text while edits are made to it', () => {
  const edit = fc.record({ old: letters(4, 1), new: letters(4), most: fc.constantFrom(1, 3, 100) });

  it('is what it would be if each edit made a new string of it', () => {
    fc.assert(
      fc.property(letters(60), fc.array(edit, { maxLength: 12 }), (before, edits) => {
        let expected = before;
        const text = createEditedText(before);
        for (const { old, new: replacement, most } of edits) {
          const offsets = text.offsetsOf(old);
          expect({
            offsets,
            lines: text.lineNumbers(offsets),
            starts: offsets.map((offset) => text.lineStart(offset)),
            ends: offsets.map((offset) => text.lineEnd(offset)),
          }).toEqual(said(expected, old));
          const replaced = offsets.slice(0, most);
          text.replace(replaced, old, replacement);
          for (const offset of replaced.toReversed()) {
            expected = expected.slice(0, offset) + replacement + expected.slice(offset + old.length);
          }
          expect(text.pieces().join('')).toBe(expected);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes what is known of the text before the first edit, and not after the text has become another', () => {
    const before = 'abc '.repeat(1_000);
    const known = occurrencesOf(Buffer.from(before), ['c abc a', 'bc abc abc']) ?? new Map();
    const text = createEditedText(before, known);
    expect(text.offsetsOf('c abc a')).toEqual(offsetsOf(before, 'c abc a'));
    text.replace([8], 'abc ', 'x');
    const after = `${'abc '.repeat(2)}x${'abc '.repeat(997)}`;
    expect(text.offsetsOf('c abc a')).toEqual(offsetsOf(after, 'c abc a'));
    // So many places that the text is made anew.
    text.replace(offsetsOf(after, 'bc a'), 'bc a', 'bc abc abc a');
    const last = after.replaceAll('bc a', 'bc abc abc a');
    expect(text.offsetsOf('bc abc abc')).toEqual(offsetsOf(last, 'bc abc abc'));
    expect(text.pieces().join('')).toBe(last);
  });
});

describe('several strings found in one pass', () => {
  const every = (text: string, string: string) =>
    Array.from(text, (_, at) => at).filter((at) => text.startsWith(string, at));

  it('are those that are found one after the other', () => {
    const word = fc.constantFrom('value', 'compute(', '1', '2', ', ', ') =', '\n', 'é'.normalize(), 'aaa');
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 200, maxLength: 300 }),
        fc.array(fc.array(word, { minLength: 6, maxLength: 9 }), { minLength: 1, maxLength: 4 }),
        fc.nat(190),
        (words, others, at) => {
          const text = Buffer.from(words.join('').repeat(4)).toString('latin1');
          const strings = [words.slice(at, at + 7), ...others].map((parts) =>
            Buffer.from(parts.join('')).toString('latin1'),
          );
          const found = occurrencesOf(Buffer.from(text, 'latin1'), strings);
          for (const [string, offsets] of found ?? []) {
            expect(offsets).toEqual(every(text, string));
          }
          expect(found === null).toBe(text.length < 2_048 || new Set(strings).size < 2);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are left to another way where they and the text repeat themselves', () => {
    const text = Buffer.from('a'.repeat(1_000_000));
    expect(occurrencesOf(text, ['a'.repeat(5_000), `b${'a'.repeat(5_000)}`])).toBeNull();
  });
});
