import type { Paint } from '../paint.ts';
import { aroundChanges, type DiffLine, lineDiff } from './line-diff.ts';
import { clip, fold, terminalLine, terminalText } from './terminal-text.ts';

/** How many lines of a diff, of a result and of a failure are shown. */
const shown = { diff: 24, result: 4, failure: 10, files: 4 } as const;

/** Lines longer than this are cut: a minified file must not fill the screen. */
const lineLength = 300;

/** Unchanged lines around a change. */
const context = 2;

/** How the rest of a result can be seen. */
const unfolding = ' (Ctrl+O shows all)';

/** Tools whose result the model needs and people rarely do: only its size is told. */
const quietTools: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep']);

/** The fields that tell most about a call, best first. */
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'description',
  'message_prefix',
  'task_id',
  'path',
];

/** A call in one line: the tool and what it is about. */
export function callLine(tool: string, input: unknown, paint: Paint): string {
  return `${paint.bold(terminalLine(tool))} ${clip(callArgument(input), lineLength)}`;
}

/** The argument of a call in short, on one line. */
export function callArgument(input: unknown): string {
  const fields = fieldsOf(input);
  const edits = editsOf(input);
  if (edits.length > 0 && fields.file_path === undefined) {
    const files = [...new Set(edits.map(({ file }) => file))];
    const more = files.length > shown.files ? `, … ${files.length - shown.files} more` : '';
    return `${files.slice(0, shown.files).map(terminalLine).join(', ')}${more}`;
  }
  const key = telling.find((name) => typeof fields[name] === 'string');
  if (key !== undefined) {
    return terminalLine(String(fields[key]));
  }
  if (Array.isArray(fields.questions)) {
    return terminalLine(fields.questions.map((asked: unknown) => String(fieldsOf(asked).question)).join(' · '));
  }
  const text = JSON.stringify(input) ?? '';
  return text === '{}' ? '' : terminalLine(text);
}

/** The changes that a call asks for as a coloured, bounded diff; none for tools that edit nothing. */
export function diffLines(input: unknown, paint: Paint): readonly string[] {
  const edits = editsOf(input);
  const several = new Set(edits.map(({ file }) => file)).size > 1;
  const lines = edits.flatMap(({ file, before, after }) => [
    ...(several ? [paint.dim(terminalLine(file))] : []),
    ...aroundChanges(lineDiff(before, after), context).map((line) => paintedDiffLine(line, paint)),
  ]);
  return indented(folded(lines, shown.diff, paint));
}

export interface CallResult {
  readonly tool: string;
  readonly content: string;
  readonly isError: boolean;
}

/** Does {@link resultLines} leave something out? */
export function isResultFolded({ tool, content, isError }: CallResult): boolean {
  const count = content.trimEnd().split('\n').length;
  return quietTools.has(tool) && !isError ? count > 1 : count > (isError ? shown.failure : shown.result) + 1;
}

/** What came of a call, folded to a few lines. */
export function resultLines({ tool, content, isError }: CallResult, paint: Paint): readonly string[] {
  const lines = terminalText(content).trimEnd().split('\n');
  if (isError) {
    return indented(
      folded(lines, shown.failure, paint, unfolding).map((line, index) => (index === 0 ? paint.red(line) : line)),
    );
  }
  if (quietTools.has(tool)) {
    return indented([paint.dim(lines.length === 1 ? clip(lines[0] ?? '', lineLength) : `${lines.length} lines`)]);
  }
  return indented(folded(lines, shown.result, paint, unfolding).map((line) => paint.dim(line)));
}

/** Lines of a matter beyond this are told of, not shown. */
const wholeLimit = 2000;

/** Fields that a matter shows in another way, or that decide nothing. */
const shownOtherwise: ReadonlySet<string> = new Set([
  ...['command', 'description', 'file_path', 'notebook_path', 'edits'],
  ...['old_string', 'new_string', 'replace_all', 'content', 'new_source'],
]);

/**
 * Everything that a call would do, for a decision on it: nothing is cut at the side, where the worse half of a command
 * could stand.
 */
export function wholeCall(input: unknown, paint: Paint): readonly string[] {
  const fields = fieldsOf(input);
  const edits = editsOf(input);
  const { command } = fields;
  if (typeof command !== 'string' && edits.length === 0) {
    return whole(JSON.stringify(input, null, 2) ?? '', paint);
  }
  const files = [...new Set(edits.map(({ file }) => file))];
  const [named] = files.length === 1 ? files : [fields.file_path ?? fields.notebook_path];
  const others = Object.entries(fields).filter(([name]) => !shownOtherwise.has(name));
  const diff = edits.flatMap(({ file, before, after, everywhere }) => [
    ...(files.length > 1 ? [paint.dim(terminalLine(file))] : []),
    ...(everywhere ? [paint.dim('every occurrence:')] : []),
    ...aroundChanges(lineDiff(before, after), context).flatMap(({ kind, text }) =>
      pieces(terminalText(text)).map((piece) => paintedDiffLine({ kind, text: piece }, paint)),
    ),
  ]);
  return [
    ...(typeof command === 'string' ? whole(command, paint) : []),
    ...(typeof named === 'string' ? whole(named, paint) : []),
    ...others.flatMap(([name, value]) => whole(`${name}: ${JSON.stringify(value)}`, paint)),
    ...indented(beyond(diff, paint)),
  ];
}

function whole(text: string, paint: Paint): readonly string[] {
  return indented(beyond(terminalText(text).split('\n').flatMap(pieces), paint));
}

/** A long line in parts that a screen can hold. */
function pieces(line: string): readonly string[] {
  return line.match(/.{1,300}/gsu) ?? [''];
}

function beyond(lines: readonly string[], paint: Paint): readonly string[] {
  const { lines: kept, hidden } = fold(lines, wholeLimit);
  return hidden === 0 ? kept : [...kept, paint.yellow(`… ${hidden} more lines are not shown`)];
}

interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly everywhere: boolean;
}

/** The edits in a call's input, whichever tool it is for: Edit, MultiEdit, Write, NotebookEdit. */
function editsOf(input: unknown): readonly Edit[] {
  const fields = fieldsOf(input);
  if (Array.isArray(fields.edits)) {
    return fields.edits.flatMap((edit: unknown) => editsOf({ file_path: fields.file_path, ...fieldsOf(edit) }));
  }
  const { file_path: file = fields.notebook_path, old_string: before = '' } = fields;
  const after = fields.new_string ?? fields.content ?? fields.new_source;
  return typeof file === 'string' && typeof before === 'string' && typeof after === 'string'
    ? [{ file, before, after, everywhere: fields.replace_all === true }]
    : [];
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
}

function paintedDiffLine({ kind, text }: DiffLine, paint: Paint): string {
  const line = clip(terminalText(text), lineLength);
  switch (kind) {
    case 'same':
      return `  ${line}`;
    case 'removed':
      return paint.red(`- ${line}`);
    case 'added':
      return paint.green(`+ ${line}`);
  }
}

function folded(lines: readonly string[], limit: number, paint: Paint, way = ''): readonly string[] {
  const { lines: kept, hidden } = fold(lines, limit);
  const clipped = kept.map((line) => (line.includes('\x1b') ? line : clip(line, lineLength)));
  return hidden === 0 ? clipped : [...clipped, paint.dim(`… ${hidden} more lines${way}`)];
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);
