import { statSync } from 'node:fs';
import { z } from 'zod';
import { fileFailure } from './file-failure.ts';
import { locateForWriting, type Place } from './place.ts';
import { defineSessionTool, type ToolSession } from './tool.ts';
import { failure, success, type ToolFailure } from './tool-result.ts';
import { notRegular, openPlace, saveFile, staleness, type WorkingFile } from './working-file.ts';

export const write = defineSessionTool({
  name: 'Write',
  description:
    'Writes a whole file: a new one, or all of an existing one that was read before. Makes missing directories. ' +
    'Prefer Edit for a change to an existing file.',
  effect: 'changes',
  schema: z.strictObject({
    file_path: z.string().min(1).describe('The file to write, absolute or relative to the working directory'),
    content: z.string().describe('All of its content'),
  }),
  example: { file_path: 'src/main.ts', content: 'export const answer = 42;\n' },
  touches: ({ file_path, content }) => [{ path: file_path, access: 'write', text: content }],
  run: async ({ file_path: named, content }, context, session) => {
    const placing = locateForWriting(named, context);
    if (!placing.ok) {
      return placing.failure;
    }
    const { place } = placing;
    const before = fileBefore(place, session);
    if (!before.ok) {
      return before.failure;
    }
    const bytes = Buffer.from(content);
    const saving = await saveFile(place, before.file, bytes, 'Write', session);
    if (!saving.ok) {
      return saving.failure;
    }
    const { version } = saving;
    return success(`File ${named} written${version === null ? '' : ` (Version ${version})`}`, {
      path: place.path,
      version,
      created: before.file === null,
      bytes: bytes.length,
    });
  },
});

type Before =
  | { readonly ok: true; readonly file: WorkingFile | null }
  | { readonly ok: false; readonly failure: ToolFailure };

/** What will be overwritten, if the author may: nobody overwrites in a session what it has not read as it is. */
function fileBefore(place: Place, session: ToolSession | null): Before {
  if (!exists(place, session)) {
    return { ok: true, file: null };
  }
  const stats = statSync(place.target, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isFile()) {
    const isDirectory = Object.assign(new Error(), { code: 'EISDIR' });
    return { ok: false, failure: stats.isDirectory() ? fileFailure(isDirectory, place.path) : notRegular(place.path) };
  }
  const opening = openPlace(place, session);
  if (!opening.ok) {
    return opening;
  }
  if (session !== null && session.files.mark(place.target, session.author) === null) {
    return { ok: false, failure: notRead(place.path) };
  }
  const stale = staleness(opening.file, session);
  return stale === null ? opening : { ok: false, failure: stale };
}

function exists(place: Place, session: ToolSession | null): boolean {
  const isVirtual = session?.files.mode === 'virtual' && session.files.latest(place.target) !== null;
  return isVirtual || statSync(place.target, { throwIfNoEntry: false }) !== undefined;
}

function notRead(path: string): ToolFailure {
  return failure(
    'not-read',
    `'${path}' exists and was not read in this session, so writing it could lose what it holds.`,
    {
      path,
      remedy: 'Read it first. To change a part of it, use Edit.',
    },
  );
}
