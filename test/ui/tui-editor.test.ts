import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Editor, emptyEditor, pressKey } from '../../src/ui/tui/editor.ts';
import type { Key } from '../../src/ui/tui/keyboard.ts';

const plain = { text: '', ctrl: false, meta: false, shift: false };
const named = (name: string): Key => ({ ...plain, name });
const control = (name: string): Key => ({ ...plain, name, ctrl: true });
const meta = (name: string): Key => ({ ...plain, name, meta: true });
const typed = (text: string): readonly Key[] => [...text].map((character) => ({ ...plain, name: '', text: character }));
const paste = (text: string): Key => ({ ...plain, name: 'paste', text });

/** Presses keys and gives the editor with what was submitted on the way. */
function press(keys: readonly Key[], start: Editor = emptyEditor()) {
  const submitted: string[] = [];
  let editor = start;
  for (const key of keys) {
    const outcome = pressKey(editor, key);
    editor = outcome.kind === 'ignored' ? editor : outcome.editor;
    if (outcome.kind === 'submitted') {
      submitted.push(outcome.text);
    }
  }
  return { editor, submitted };
}

const written = (...keys: readonly (Key | readonly Key[])[]) => press(keys.flat() as readonly Key[]).editor.text;

describe('the prompt', () => {
  it('is edited at the cursor', () => {
    expect(written(typed('ac'), named('left'), typed('b'))).toBe('abc');
    expect(written(typed('abc'), named('backspace'), named('left'), named('delete'))).toBe('a');
    expect(written(typed('bc'), control('a'), typed('a'), control('e'), typed('d'))).toBe('abcd');
    expect(written(typed('one two'), control('w'), typed('three'))).toBe('one three');
    expect(written(typed('one two'), meta('b'), control('k'))).toBe('one ');
    expect(written(typed('one two'), control('left'), control('u'))).toBe('two');
  });

  it('moves over characters as people see them', () => {
    for (const character of ['漢', '👩‍👩‍👧', 'e\u0301', '🇪🇺']) {
      expect(written([paste(`a${character}`)], named('backspace')), character).toBe('a');
      expect(written([paste(`a${character}`)], named('left'), typed('b')), character).toBe(`ab${character}`);
      expect(written([paste(`${character}a`)], named('home'), named('delete')), character).toBe('a');
    }
  });

  it('has several lines by backslash and Enter, Alt+Enter, Ctrl+J and by pastes', () => {
    for (const key of [meta('return'), named('enter'), control('j')]) {
      expect(written(typed('a'), key, typed('b'))).toBe('a\nb');
    }
    expect(written(typed('a\\'), named('return'), typed('b'))).toBe('a\nb');
    expect(press([paste('a\r\nb\rc\n')]).editor.text).toBe('a\nb\nc\n');
    expect(press([paste('a\nb')]).submitted).toEqual([]);
  });

  it('goes up and down between lines, keeping the column', () => {
    expect(written([paste('long line\nab\nlast')], named('up'), typed('!'))).toBe('long line\nab!\nlast');
    expect(written([paste('abc\ndef')], named('home'), named('up'), typed('!'))).toBe('!abc\ndef');
    expect(written([paste('ab\ncdef')], named('up'), named('home'), named('down'), typed('!'))).toBe('ab\n!cdef');
  });

  it('recalls earlier prompts and comes back to the draft', () => {
    const { editor, submitted } = press([
      ...typed('one'),
      named('return'),
      ...typed('two'),
      named('return'),
      ...typed('two'),
      named('return'),
      ...typed('dra'),
    ]);
    expect(submitted).toEqual(['one', 'two', 'two']);
    const recalled = (...names: string[]) => press(names.map(named), editor).editor.text;
    expect(recalled('up')).toBe('two');
    expect(recalled('up', 'up')).toBe('one');
    expect(recalled('up', 'up', 'up')).toBe('one');
    expect(recalled('up', 'up', 'down')).toBe('two');
    expect(recalled('up', 'up', 'down', 'down')).toBe('dra');
    expect(recalled('down')).toBe('dra');
  });

  it('submits nothing where nothing is written', () => {
    expect(press([...typed('  '), named('return')]).submitted).toEqual([]);
  });

  it('takes no control characters from a paste', () => {
    expect(written([paste('a\x1b[2Jb\x07\x9b')])).toBe('a[2Jb');
  });

  it('keeps the cursor between characters, whatever is pressed', () => {
    const names = ['left', 'right', 'up', 'down', 'home', 'end', 'backspace', 'delete', 'enter', 'return'];
    const key = fc.oneof(
      fc.constantFrom(...names).map(named),
      fc.constantFrom(...'aebfpnhdjukw').map(control),
      fc.constantFrom('b', 'f', 'd', 'backspace', 'return').map(meta),
      fc.string({ unit: 'grapheme' }).map(paste),
    );
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(fc.array(key, { maxLength: 40 }), (keys) => {
        const { text, cursor } = press(keys).editor;
        expect(cursor).toBeGreaterThanOrEqual(0);
        expect(cursor).toBeLessThanOrEqual(text.length);
        // Never within a surrogate pair; graphemes may join when what stood between them is deleted.
        expect(/[\ud800-\udbff]$/.test(text.slice(0, cursor)) && /^[\udc00-\udfff]/.test(text.slice(cursor))).toBe(
          false,
        );
        expect([...segmenter.segment(text)].map(({ segment }) => segment).join('')).toBe(text);
      }),
    );
  });
});
