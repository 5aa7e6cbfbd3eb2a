import { z } from 'zod';
import { editFailure } from './edit-failure.ts';
import { createEditedText } from './edited-text.ts';
import { findReplacement, spellingsOf } from './replacement.ts';
import { decodeText, encodeText } from './text-encoding.ts';
import { defineSessionTool } from './tool.ts';
import { success } from './tool-result.ts';
import { openFile, saveFile, staleness } from './working-file.ts';

/** One replacement, as Edit takes it alone and MultiEdit in a list. */
export const editSchema = z.strictObject({
  file_path: z.string().min(1).describe('The file to change, absolute or relative to the working directory'),
  old_string: z.string().describe('The text to replace, exactly as it is in the file, without line numbers'),
  new_string: z.string().describe('The text that takes its place'),
  replace_all: z.boolean().optional().describe('Replace every occurrence; without it, old_string must be unique'),
});

export const edit = defineSessionTool({
  name: 'Edit',
  description:
    'Replaces a text in a file. `old_string` has to occur exactly once, unless `replace_all` is set; add surrounding ' +
    'lines to make it unique. Line endings, encoding and mode of the file are kept.',
  effect: 'changes',
  schema: editSchema,
  example: { file_path: 'src/main.ts', old_string: 'const port = 80;', new_string: 'const port = 8080;' },
  touches: ({ file_path, old_string, new_string }) => [
    { path: file_path, access: 'write', edited: `${old_string}\n${new_string}` },
  ],
  run: async (input, context, session) => {
    const opening = openFile(input.file_path, context, session, 'write');
    if (!opening.ok) {
      return opening.failure;
    }
    const { file } = opening;
    const stale = staleness(file, session);
    if (stale !== null) {
      return stale;
    }
    const decoding = decodeText(file.bytes, file.place.path);
    if (!decoding.ok) {
      return decoding.failure;
    }
    const { decoded } = decoding;
    const text = createEditedText(decoded.text);
    const outcome = findReplacement(text, input, spellingsOf(input, decoded.lineEnding));
    if (outcome.kind !== 'found') {
      return editFailure(file.place.path, text, input.old_string, outcome);
    }
    const lines = text.lineNumbers(outcome.offsets);
    text.replace(outcome.offsets, outcome.removed, outcome.added);
    const saving = await saveFile(file.place, file, encodeText(text.pieces(), decoded), 'Edit', session);
    if (!saving.ok) {
      return saving.failure;
    }
    const version = saving.version === null ? '' : ` (Version ${saving.version})`;
    return success(`File ${input.file_path} edited${version}: ${places(lines)}`, {
      path: file.place.path,
      replacements: lines.length,
      lines,
      version: saving.version,
    });
  },
});

/** `1 replacement, line 4`. */
export function places(lines: readonly number[]): string {
  const shown = lines.slice(0, 5).join(', ') + (lines.length > 5 ? ', …' : '');
  return lines.length === 1 ? `1 replacement, line ${shown}` : `${lines.length} replacements, lines ${shown}`;
}
