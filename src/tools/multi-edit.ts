import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { editSchema, places } from './edit.ts';
import { editFailure } from './edit-failure.ts';
import { createEditedLines } from './edited-lines.ts';
import { createEditedText } from './edited-text.ts';
import { createLateClosing } from './late-closing.ts';
import { occurrencesOf } from './occurrences.ts';
import { locateForWriting, type Place, type Placing } from './place.ts';
import { findReplacement, spellingsOf } from './replacement.ts';
import { type DecodedText, decodeText, encodeText } from './text-encoding.ts';
import { defineSessionTool, type ToolContext, type ToolSession } from './tool.ts';
import { failure, fitText, success, type ToolError, type ToolFailure, type ToolResult } from './tool-result.ts';
import { openPlace, type Reading, saveFile, staleness } from './working-file.ts';

/** Milliseconds after which the rest of the program has a turn. */
const turn = 15;

/** Bytes that most files fit into: they are read into the same place, one after the other, and so are their new contents. */
const roomSize = 256 * 1024;

type EditInput = z.output<typeof editSchema>;

/** What became of one edit, in the order of the input. */
type EditReport =
  | {
      readonly index: number;
      readonly file_path: string;
      readonly ok: true;
      /** One-based lines, in the text that the edit found. */
      readonly lines: readonly number[];
      readonly warning: string | null;
    }
  | { readonly index: number; readonly file_path: string; readonly ok: false; readonly error: ToolError };

interface FileReport {
  readonly path: string;
  readonly version: number | null;
  readonly edits: number;
}

export const multiEdit = defineSessionTool({
  name: 'MultiEdit',
  description:
    'Makes many replacements, in one file or several. Edits of a file are applied in order, each on the result of the ' +
    'one before, and the file is written once. An edit that fails is reported; the others are made.',
  effect: 'changes',
  schema: z.strictObject({ edits: z.array(editSchema).min(1) }),
  example: {
    edits: [{ file_path: 'src/main.ts', old_string: 'const port = 80;', new_string: 'const port = 8080;' }],
  },
  touches: ({ edits }) => {
    const edited = new Map<string, string>();
    for (const { file_path, old_string, new_string } of edits) {
      edited.set(file_path, `${edited.get(file_path) ?? ''}${old_string}\n${new_string}\n`);
    }
    return [...edited].map(([path, texts]) => ({ path, access: 'write', edited: texts }));
  },
  run: async ({ edits }, context, session) => {
    const closing = createLateClosing();
    try {
      const { reports, files } = await editFiles(groupByFile(edits, context), context, {
        session,
        reading: { room: Buffer.allocUnsafe(roomSize), closing },
        // A session keeps what was written.
        written: session === null ? Buffer.allocUnsafe(roomSize) : undefined,
      });
      return resultOf(
        reports.toSorted((a, b) => a.index - b.index),
        files,
      );
    } finally {
      await closing.closeAll();
    }
  },
});

/** What all files of one call have in common. */
interface Work {
  readonly session: ToolSession | null;
  readonly reading: Reading;
  /** New contents are put together in it, one after the other. */
  readonly written: Buffer | undefined;
}

interface FileOutcome {
  readonly reports: readonly EditReport[];
  readonly files: readonly FileReport[];
}

async function editFiles(groups: readonly FileGroup[], { signal }: ToolContext, work: Work): Promise<FileOutcome> {
  const reports: EditReport[] = [];
  const files: FileReport[] = [];
  let until = 0;
  for (const { placing, edits } of groups) {
    // Between two files nothing is half done: here an interruption stops it, and a terminal may draw.
    if (performance.now() > until) {
      await setImmediate();
      until = performance.now() + turn;
    }
    const outcome = signal.aborted
      ? failure('interrupted', 'The session was interrupted before this edit.')
      : placing.ok
        ? await editFile(placing.place, edits, work)
        : placing.failure;
    if ('reports' in outcome) {
      reports.push(...outcome.reports);
      files.push(...outcome.files);
    } else {
      reports.push(...allFailed(edits, outcome));
    }
    await work.reading.closing.closeSome();
  }
  return { reports, files };
}

interface FileGroup {
  readonly placing: Placing;
  readonly edits: readonly NumberedEdit[];
}

interface NumberedEdit {
  readonly index: number;
  readonly input: EditInput;
}

/** The edits of each file in their order, whatever names and links lead to it. */
function groupByFile(edits: readonly EditInput[], context: ToolContext): readonly FileGroup[] {
  const placings = new Map<string, Placing>();
  const groups = new Map<string, { placing: Placing; edits: NumberedEdit[] }>();
  edits.forEach((input, index) => {
    const placing = placings.get(input.file_path) ?? locateForWriting(input.file_path, context);
    placings.set(input.file_path, placing);
    const key = placing.ok ? placing.place.target : `${input.file_path}\0`;
    const group = groups.get(key) ?? { placing, edits: [] };
    groups.set(key, group);
    group.edits.push({ index, input });
  });
  return [...groups.values()];
}

async function editFile(
  place: Place,
  edits: readonly NumberedEdit[],
  { session, reading, written }: Work,
): Promise<FileOutcome | ToolFailure> {
  const opening = openPlace(place, session, reading);
  if (!opening.ok) {
    return opening.failure;
  }
  const { file } = opening;
  const stale = staleness(file, session);
  if (stale !== null) {
    return stale;
  }
  const decoding = decodeText(file.bytes, place.path);
  if (!decoding.ok) {
    return decoding.failure;
  }
  const { pieces, reports } = applyEdits(place.path, decoding.decoded, edits);
  const made = reports.filter(({ ok }) => ok).length;
  const content = made === 0 ? file.bytes : encodeText(pieces, decoding.decoded, written);
  if (content.equals(file.bytes)) {
    return { reports, files: [] };
  }
  const saving = await saveFile(place, file, content, 'MultiEdit', session);
  return saving.ok ? { reports, files: [{ path: place.path, version: saving.version, edits: made }] } : saving.failure;
}

/** Makes edits in order, each in the text that the one before left. */
function applyEdits(
  path: string,
  decoded: DecodedText,
  edits: readonly NumberedEdit[],
): { readonly pieces: readonly string[]; readonly reports: readonly EditReport[] } {
  const spelled = edits.map(({ input }) => spellingsOf(input, decoded.lineEnding));
  const sought = spelled.flatMap((spellings) => spellings.flatMap(({ removed }) => removed || []));
  const text = createEditedText(decoded.text, occurrencesOf(decoded.bytes, sought) ?? undefined);
  const editedLines = createEditedLines();
  const reports = edits.map(({ index, input }, nth): EditReport => {
    const { file_path } = input;
    const outcome = findReplacement(text, input, spelled[nth] ?? []);
    if (outcome.kind !== 'found') {
      return { index, file_path, ok: false, error: editFailure(path, text, input.old_string, outcome).error };
    }
    const { offsets, removed, added } = outcome;
    const earlier = editedLines.conflicting(text, offsets, removed.length);
    editedLines.note(index, offsets, removed.length, added.length);
    const lines = text.lineNumbers(offsets);
    text.replace(offsets, removed, added);
    const warning =
      earlier === null
        ? null
        : `changes a line that edit ${earlier + 1} had changed already; it was applied to the result of that edit`;
    return { index, file_path, ok: true, lines, warning };
  });
  return { pieces: text.pieces(), reports };
}

function allFailed(edits: readonly NumberedEdit[], { error }: ToolFailure): readonly EditReport[] {
  return edits.map(({ index, input }) => ({ index, file_path: input.file_path, ok: false, error }));
}

function resultOf(reports: readonly EditReport[], files: readonly FileReport[]): ToolResult {
  const failed = reports.filter(({ ok }) => !ok).length;
  const made = reports.length - failed;
  const data = { edits: reports, files };
  const lines = reports.map(describe).join('\n');
  if (made === 0) {
    const message = `None of the ${reports.length} edits was made; no file was changed.\n${lines}`;
    return failure('no-edit-made', message, { data });
  }
  const failures = failed === 0 ? '' : `; ${failed} failed`;
  const head = `${made} of ${reports.length} edits made in ${files.length} ${files.length === 1 ? 'file' : 'files'}${failures}.`;
  const versions = files.flatMap(({ path, version }) => (version === null ? [] : [`${path}: Version ${version}`]));
  return success(fitText([head, lines, ...versions].join('\n')).text, data);
}

function describe(report: EditReport): string {
  const head = `${report.index + 1}. ${report.file_path}:`;
  if (!report.ok) {
    const { message, remedy } = report.error;
    return `${head} FAILED: ${message}${remedy === null ? '' : ` ${remedy}`}`;
  }
  return `${head} ${places(report.lines)}${report.warning === null ? '' : ` (warning: ${report.warning})`}`;
}
