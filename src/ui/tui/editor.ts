import type { Key } from './keyboard.ts';

/** The prompt under construction. Every change makes a new one. */
export interface Editor {
  readonly text: string;
  /** An index into `text` (UTF-16 units) between two characters as people count them. */
  readonly cursor: number;
  /** Earlier prompts, oldest first. */
  readonly history: readonly string[];
  /** Which of them is shown; null: the draft. */
  readonly recalled: number | null;
  /** What was typed before an earlier prompt was recalled. */
  readonly draft: string;
}

/** How many earlier prompts are kept. */
const historyLimit = 200;

/** A pasted text longer than this is cut: a model's context has an end as well. */
const textLimit = 1_000_000;

export function emptyEditor(history: readonly string[] = []): Editor {
  return { text: '', cursor: 0, history: history.slice(-historyLimit), recalled: null, draft: '' };
}

export type EditorOutcome =
  | { readonly kind: 'edited'; readonly editor: Editor }
  | { readonly kind: 'submitted'; readonly text: string; readonly editor: Editor }
  /** The key means nothing here. */
  | { readonly kind: 'ignored' };

/**
 * What a key does to the prompt: the bindings that shells and Emacs share. Enter submits; a backslash before it,
 * Alt+Enter and Ctrl+J make a new line instead.
 */
export function pressKey(editor: Editor, key: Key): EditorOutcome {
  if (key.name === 'return' && !key.meta) {
    return editor.text.charAt(editor.cursor - 1) === '\\' ? continueLine(editor) : submit(editor);
  }
  const edited = (key.ctrl ? onControl(editor, key) : key.meta ? onMeta(editor, key) : onPlain(editor, key)) ?? null;
  return edited === null ? { kind: 'ignored' } : { kind: 'edited', editor: edited };
}

/** Puts text where the cursor is. */
export function insert(editor: Editor, text: string): Editor {
  const room = Math.max(0, textLimit - editor.text.length);
  const cleaned = text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .slice(0, room);
  return replace(editor, editor.cursor, editor.cursor, cleaned);
}

export function clearEditor(editor: Editor): Editor {
  return { ...editor, text: '', cursor: 0, recalled: null, draft: '' };
}

function onPlain(editor: Editor, key: Key): Editor | null {
  switch (key.name) {
    case 'left':
      return { ...editor, cursor: before(editor) };
    case 'right':
      return { ...editor, cursor: after(editor) };
    case 'home':
      return { ...editor, cursor: lineStart(editor) };
    case 'end':
      return { ...editor, cursor: lineEnd(editor) };
    case 'up':
      return moveUp(editor);
    case 'down':
      return moveDown(editor);
    case 'backspace':
      return replace(editor, before(editor), editor.cursor, '');
    case 'delete':
      return replace(editor, editor.cursor, after(editor), '');
    case 'enter':
      return insert(editor, '\n');
    default:
      return key.text === '' ? null : insert(editor, key.text);
  }
}

function onControl(editor: Editor, key: Key): Editor | null {
  switch (key.name) {
    case 'a':
      return { ...editor, cursor: lineStart(editor) };
    case 'e':
      return { ...editor, cursor: lineEnd(editor) };
    case 'b':
      return { ...editor, cursor: before(editor) };
    case 'f':
      return { ...editor, cursor: after(editor) };
    case 'left':
      return { ...editor, cursor: wordBefore(editor) };
    case 'right':
      return { ...editor, cursor: wordAfter(editor) };
    case 'p':
      return moveUp(editor);
    case 'n':
      return moveDown(editor);
    case 'h':
      return replace(editor, before(editor), editor.cursor, '');
    case 'd':
      return replace(editor, editor.cursor, after(editor), '');
    case 'j':
      return insert(editor, '\n');
    case 'u':
      return replace(editor, lineStart(editor), editor.cursor, '');
    case 'k':
      return replace(editor, editor.cursor, lineEnd(editor), '');
    case 'w':
      return replace(editor, wordBefore(editor), editor.cursor, '');
    default:
      return null;
  }
}

function onMeta(editor: Editor, key: Key): Editor | null {
  switch (key.name) {
    case 'return':
    case 'enter':
      return insert(editor, '\n');
    case 'b':
    case 'left':
      return { ...editor, cursor: wordBefore(editor) };
    case 'f':
    case 'right':
      return { ...editor, cursor: wordAfter(editor) };
    case 'backspace':
      return replace(editor, wordBefore(editor), editor.cursor, '');
    case 'd':
      return replace(editor, editor.cursor, wordAfter(editor), '');
    default:
      return null;
  }
}

function replace(editor: Editor, from: number, to: number, text: string): Editor {
  return {
    ...editor,
    text: editor.text.slice(0, from) + text + editor.text.slice(to),
    cursor: from + text.length,
    recalled: null,
  };
}

function continueLine(editor: Editor): EditorOutcome {
  return { kind: 'edited', editor: replace(editor, editor.cursor - 1, editor.cursor, '\n') };
}

function submit(editor: Editor): EditorOutcome {
  const text = editor.text.trim();
  if (text === '') {
    return { kind: 'ignored' };
  }
  const history = editor.history.at(-1) === text ? editor.history : [...editor.history, text];
  return { kind: 'submitted', text, editor: emptyEditor(history) };
}

const lineStart = ({ text, cursor }: Editor): number => text.lastIndexOf('\n', cursor - 1) + 1;

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

/** How far characters and words are looked for, in UTF-16 units: a paste may be a single line of a megabyte. */
const reach = 400;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Looks at one line only: a grapheme never spans a line end. */
function before(editor: Editor): number {
  const start = lineStart(editor);
  if (editor.cursor === start) {
    return Math.max(0, start - 1);
  }
  const near = Math.max(start, editor.cursor - reach);
  const last = [...characters.segment(editor.text.slice(near, editor.cursor))].at(-1);
  return near + (last?.index ?? 0);
}

function after({ text, cursor }: Editor): number {
  const [first] = characters.segment(text.slice(cursor, cursor + reach));
  return cursor + (first?.segment.length ?? 0);
}

function wordBefore({ text, cursor }: Editor): number {
  const near = Math.max(0, cursor - reach);
  const found = /[\p{L}\p{N}_]*[^\p{L}\p{N}_]*$/u.exec(text.slice(near, cursor));
  return near + (found?.index ?? 0);
}

function wordAfter({ text, cursor }: Editor): number {
  return cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]*/u.exec(text.slice(cursor))?.[0].length ?? 0);
}

/** One line up, or to the prompt before where there is no line above. */
function moveUp(editor: Editor): Editor {
  const start = lineStart(editor);
  if (start === 0) {
    return recall(editor, (editor.recalled ?? editor.history.length) - 1);
  }
  const column = editor.cursor - start;
  const above = lineStart({ ...editor, cursor: start - 1 });
  return { ...editor, cursor: whole(editor.text, Math.min(above + column, start - 1)) };
}

function moveDown(editor: Editor): Editor {
  const end = lineEnd(editor);
  if (end === editor.text.length) {
    return editor.recalled === null ? editor : recall(editor, editor.recalled + 1);
  }
  const column = editor.cursor - lineStart(editor);
  const below = lineEnd({ ...editor, cursor: end + 1 });
  return { ...editor, cursor: whole(editor.text, Math.min(end + 1 + column, below)) };
}

/** The start of the character that a column falls into. */
function whole(text: string, index: number): number {
  const start = text.lastIndexOf('\n', index - 1) + 1;
  return start + (characters.segment(text.slice(start)).containing(index - start)?.index ?? index - start);
}

function recall(editor: Editor, index: number): Editor {
  if (index < 0) {
    return { ...editor, cursor: 0 };
  }
  const draft = editor.recalled === null ? editor.text : editor.draft;
  const text = editor.history[index] ?? draft;
  return { ...editor, text, cursor: text.length, recalled: index < editor.history.length ? index : null, draft };
}
