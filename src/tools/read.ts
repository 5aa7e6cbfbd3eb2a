import { closeSync, readdirSync, readSync, statSync } from 'node:fs';
import { z } from 'zod';
import { fileFailure } from './file-failure.ts';
import { type Page, pageOfFile, pageOfText } from './file-page.ts';
import { renderNotebook } from './notebook-rendering.ts';
import { locate, type Place } from './place.ts';
import { openResolved } from './resolved-file.ts';
import { binaryKind, isBinary, readableText } from './text-encoding.ts';
import { defineSessionTool, type ToolSession } from './tool.ts';
import { failure, success, type ToolFailure, type ToolResult } from './tool-result.ts';
import { markAsRead, megabytes, openPlace } from './working-file.ts';

const defaultLineCount = 2_000;
/** Bytes up to which a file is read as a whole; a page of a larger one is taken while it streams by. */
const wholeLimit = 16 * 1024 * 1024;

interface Text {
  readonly page: Page;
  /** Notebooks are shown by cell: their lines have no number that means anything. */
  readonly numbered: boolean;
  readonly notice: string | null;
}

export const read = defineSessionTool({
  name: 'Read',
  description:
    `Reads a text file with line numbers, ${defaultLineCount} lines at most unless \`limit\` says otherwise; \`offset\` is ` +
    'the first line. Notebooks are shown by cell. The number and the tab at the start of a line are not in the file.',
  effect: 'reads',
  schema: z.strictObject({
    file_path: z.string().min(1).describe('The file to read, absolute or relative to the working directory'),
    offset: z.number().int().min(1).optional().describe('The number of the first line, from 1'),
    limit: z.number().int().min(1).optional().describe('How many lines'),
  }),
  example: { file_path: 'src/main.ts', offset: 1, limit: 200 },
  touches: ({ file_path }) => [{ path: file_path, access: 'read' }],
  run: async ({ file_path: named, offset = 1, limit = defaultLineCount }, context, session) => {
    const placing = locate(named, context);
    if (!placing.ok) {
      return placing.failure;
    }
    const { place } = placing;
    try {
      const stats = statSync(place.target, { throwIfNoEntry: false });
      if (stats?.isDirectory() === true) {
        return directory(place);
      }
      const request = { firstLine: offset, lineCount: limit };
      const isStreamed = stats?.isFile() === true && stats.size > wholeLimit && !isNotebook(place);
      const text = isStreamed ? streamed(place, request) : whole(place, request, session);
      return 'ok' in text ? text : shown(place, text);
    } catch (error) {
      return fileFailure(error, place.path);
    }
  },
});

type Request = Parameters<typeof pageOfText>[1];

function whole(place: Place, request: Request, session: ToolSession | null): Text | ToolFailure {
  const opening = openPlace(place, session);
  if (!opening.ok) {
    return opening.failure;
  }
  const { file } = opening;
  if (isBinary(file.bytes)) {
    return binary(place, file.bytes, file.bytes.length);
  }
  markAsRead(file, session);
  const text = readableText(file.bytes);
  if (text === null) {
    const page = pageOfText(file.bytes.toString('latin1'), request);
    return { page, numbered: true, notice: 'The file is not UTF-8 and is shown as Latin-1; Edit does not take it.' };
  }
  const rendered = isNotebook(place) ? renderNotebook(text) : null;
  return rendered === null
    ? { page: pageOfText(text, request), numbered: true, notice: null }
    : { page: pageOfText(rendered, request), numbered: false, notice: null };
}

function streamed(place: Place, request: Request): Text | ToolFailure {
  const start = firstBytes(place.target);
  return isBinary(start)
    ? binary(place, start, statSync(place.target).size)
    : { page: pageOfFile(place.target, request), numbered: true, notice: null };
}

function firstBytes(target: string): Buffer {
  const descriptor = openResolved(target, 'r');
  try {
    const start = Buffer.alloc(8_000);
    return start.subarray(0, readSync(descriptor, start));
  } finally {
    closeSync(descriptor);
  }
}

function shown(place: Place, { page, numbered, notice }: Text): ToolResult {
  const { lines, firstLine, totalLines, more, cutLines } = page;
  if (totalLines !== null && firstLine > Math.max(1, totalLines)) {
    return failure('past-end', `'${place.path}' has ${totalLines} lines; line ${firstLine} is past its end.`, {
      path: place.path,
      remedy: `Use an \`offset\` of at most ${totalLines}.`,
    });
  }
  const lastLine = firstLine + lines.length - 1;
  const body = lines.map((line, index) => (numbered ? `${firstLine + index}\t${line}` : line));
  const notices = [
    totalLines === 0 ? 'The file is empty.' : null,
    more
      ? `Lines ${firstLine}–${lastLine} of ${totalLines ?? 'more than can be counted quickly'}; go on with offset ${lastLine + 1}.`
      : null,
    cutLines > 0
      ? `${cutLines} long ${cutLines === 1 ? 'line was' : 'lines were'} cut; Grep finds what was left out.`
      : null,
    notice,
  ].flatMap((text) => (text === null ? [] : [`[${text}]`]));
  return success([...body, ...notices].join('\n'), {
    path: place.path,
    first_line: firstLine,
    lines: lines.length,
    total_lines: totalLines,
    truncated: more || cutLines > 0,
  });
}

function binary(place: Place, start: Buffer, size: number): ToolFailure {
  const kind = binaryKind(start);
  const isImage = kind.endsWith('image');
  return failure('binary-file', `'${place.path}' is ${kind} (${megabytes(size)}); Read shows text only.`, {
    path: place.path,
    remedy: isImage
      ? 'Images cannot be shown here; ask the person what is on it, or look at its metadata with the command file.'
      : 'Look at it with a command such as file, strings or xxd.',
  });
}

function directory(place: Place): ToolFailure {
  const names = readdirSync(place.target, { withFileTypes: true })
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort();
  const listed = names.slice(0, 100).join('\n') + (names.length > 100 ? `\n… and ${names.length - 100} more` : '');
  return failure('is-a-directory', `'${place.path}' is a directory, not a file.`, {
    path: place.path,
    remedy: names.length === 0 ? 'It is empty.' : `It has:\n${listed}`,
    data: { entries: names.slice(0, 1_000), total: names.length },
  });
}

function isNotebook({ path }: Place): boolean {
  return path.toLowerCase().endsWith('.ipynb');
}
