import { textOfByteString } from './byte-string.ts';
import type { EditedText } from './edited-text.ts';
import { nearMatch } from './near-match.ts';
import type { ReplacementOutcome } from './replacement.ts';
import { failure, type ToolFailure } from './tool-result.ts';

/**
 * The failure of a replacement that changed nothing: why, and what to send instead.
 *
 * @param text of byte strings
 */
export function editFailure(
  path: string,
  text: EditedText,
  oldString: string,
  outcome: Exclude<ReplacementOutcome, { readonly kind: 'found' }>,
): ToolFailure {
  switch (outcome.kind) {
    case 'empty':
      return failure('empty-old-string', `\`old_string\` is empty, so it says no place in '${path}'.`, {
        path,
        remedy: 'Give the text to replace. To make a new file or replace all of it, use Write.',
      });
    case 'same':
      return failure('nothing-to-change', `\`old_string\` and \`new_string\` are the same.`, {
        path,
        remedy: 'Give a `new_string` that differs.',
      });
    case 'ambiguous': {
      const lines = text.lineNumbers(outcome.offsets);
      const shown = lines.slice(0, 10).join(', ') + (lines.length > 10 ? ', …' : '');
      return failure('not-unique', `\`old_string\` occurs ${lines.length} times in '${path}' (lines ${shown}).`, {
        path,
        remedy: 'Add surrounding lines until it is unique, or set `replace_all` to replace every one.',
        data: { lines },
      });
    }
    case 'absent':
      return absent(path, textOfByteString(text.pieces().join('')), oldString);
  }
}

function absent(path: string, text: string, oldString: string): ToolFailure {
  const near = nearMatch(text, oldString);
  if (near === null) {
    return failure('not-found-in-file', `\`old_string\` does not occur in '${path}', nor does anything like it.`, {
      path,
      remedy: 'Read the file and copy the text to replace from it.',
    });
  }
  const because = {
    'line-numbers': 'the line numbers of a Read result were copied along',
    'white-space': 'white space differs',
    'letter-case': 'letter case differs',
    content: 'the nearest text differs',
  }[near.difference];
  return failure('not-found-in-file', `\`old_string\` does not occur in '${path}': ${because}, at line ${near.line}.`, {
    path,
    remedy: `The file has there:\n${near.text.slice(0, 2_000)}`,
    data: { line: near.line, text: near.text },
  });
}
