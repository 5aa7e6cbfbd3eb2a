import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, readFileSync, readSync, type Stats, statSync } from 'node:fs';
import { OxideError } from '../errors.ts';
import { writeAtomically } from './atomic-write.ts';
import { fileFailure, isErrnoException } from './file-failure.ts';
import type { LateClosing } from './late-closing.ts';
import { locate, locateForWriting, type Place } from './place.ts';
import { openResolved } from './resolved-file.ts';
import type { ReadMark } from './session-files.ts';
import type { ToolContext, ToolSession } from './tool.ts';
import { failure, type ToolFailure } from './tool-result.ts';

/** A file as a tool works on it: the session's newest virtual version, or what is on the disk. */
export interface WorkingFile {
  readonly place: Place;
  readonly bytes: Buffer;
  /** Null for a file that exists in a virtual session only. */
  readonly stats: Stats | null;
  /** The session's version that the bytes are; 0 when the session has written none. */
  readonly version: number;
}

export type Opening =
  | { readonly ok: true; readonly file: WorkingFile }
  | { readonly ok: false; readonly failure: ToolFailure };

export type Saving =
  /** `version` is null outside of a session. */
  { readonly ok: true; readonly version: number | null } | { readonly ok: false; readonly failure: ToolFailure };

/** Bytes of a file that tools load as a whole. Read pages through larger ones. */
export const loadLimit = 256 * 1024 * 1024;

/** How who reads many files, one after the other, reads each. */
export interface Reading {
  /** Files are read into it that fit: their bytes are there until the next one is read. */
  readonly room: Buffer;
  /** Takes over the descriptors that were read from. */
  readonly closing: LateClosing;
}

/** Finds and reads a whole file. */
export function openFile(
  named: string,
  context: ToolContext,
  session: ToolSession | null,
  purpose: 'read' | 'write',
): Opening {
  const placing = purpose === 'write' ? locateForWriting(named, context) : locate(named, context);
  return placing.ok ? openPlace(placing.place, session) : placing;
}

/** Reads a whole file, with one open and one read. */
export function openPlace(place: Place, session: ToolSession | null, reading?: Reading): Opening {
  const version = session?.files.latest(place.target) ?? null;
  if (version !== null && session?.files.mode === 'virtual') {
    return { ok: true, file: { place, bytes: version.content, stats: null, version: version.version } };
  }
  try {
    const loaded = load(place, reading);
    return 'failure' in loaded
      ? { ok: false, failure: loaded.failure }
      : { ok: true, file: { place, ...loaded, version: version?.version ?? 0 } };
  } catch (error) {
    return { ok: false, failure: fileFailure(error, place.path) };
  }
}

function load(
  { path, target }: Place,
  reading: Reading | undefined,
): { readonly bytes: Buffer; readonly stats: Stats } | { readonly failure: ToolFailure } {
  // Without O_NONBLOCK, opening a named pipe would wait for its other end.
  const descriptor = openResolved(target, constants.O_RDONLY | constants.O_NONBLOCK);
  let isKept = false;
  try {
    const stats = fstatSync(descriptor);
    const unfit = unfitToLoad(path, stats);
    if (unfit !== null) {
      return { failure: unfit };
    }
    const bytes = readAll(descriptor, stats.size, reading?.room);
    isKept = reading?.closing.keep(descriptor, target, stats) ?? false;
    return { bytes, stats };
  } finally {
    if (!isKept) {
      closeSync(descriptor);
    }
  }
}

/** One read where the size is told; files of /proc say 0 and have content. */
export function readAll(descriptor: number, size: number, room?: Buffer): Buffer {
  const bytes = room !== undefined && size <= room.length ? room.subarray(0, size) : Buffer.allocUnsafe(size);
  for (let offset = 0; offset < size; ) {
    const count = readSync(descriptor, bytes, offset, size - offset, null);
    if (count === 0) {
      return bytes.subarray(0, offset);
    }
    offset += count;
  }
  return size === 0 ? readFileSync(descriptor) : bytes;
}

function unfitToLoad(path: string, stats: Stats): ToolFailure | null {
  if (stats.isDirectory()) {
    return fileFailure(Object.assign(new Error(), { code: 'EISDIR' }), path);
  }
  if (!stats.isFile()) {
    return notRegular(path);
  }
  if (stats.size > loadLimit) {
    return failure('too-big', `'${path}' has ${megabytes(stats.size)}; at most ${megabytes(loadLimit)} are loaded.`, {
      path,
      remedy: 'Work on a part of it, with a command such as sed.',
    });
  }
  return null;
}

/** For pipes, sockets and devices. */
export function notRegular(path: string): ToolFailure {
  return failure('not-a-file', `'${path}' is a pipe, a socket or a device, not a file.`, {
    path,
    remedy: 'Name a regular file.',
  });
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/**
 * The failure when a file is no longer what its author last saw; null when it is, or was never seen.
 * A version that a subagent made in between is named with the version that was read.
 */
export function staleness(file: WorkingFile, session: ToolSession | null): ToolFailure | null {
  const mark = session?.files.mark(file.place.target, session.author) ?? null;
  if (session === null || mark === null) {
    return null;
  }
  const current = session.files.latest(file.place.target);
  if (current !== null && current.version !== mark.version) {
    return conflict(file.place.path, mark.version, current.version, current.author);
  }
  const untouched = file.stats !== null && mark.mtimeMs === file.stats.mtimeMs && mark.size === file.stats.size;
  return untouched || mark.hash === hashOf(file.bytes) ? null : changedSinceRead(file.place.path);
}

function changedSinceRead(path: string): ToolFailure {
  return failure('changed-since-read', `'${path}' has changed on disk since it was read; nothing was written.`, {
    path,
    remedy: 'Read it again, then repeat the change on what it is now.',
  });
}

function conflict(path: string, base: number, current: number, author: string): ToolFailure {
  return failure(
    'version-conflict',
    `'${path}' is at version ${current} (by ${author}), but this change was made from version ${base}; nothing was written.`,
    {
      path,
      remedy: 'Read it again, then repeat the change on what it is now.',
      data: { base_version: base, current_version: current },
    },
  );
}

/** Notes that the session's author has seen a file as it is. */
export function markAsRead(file: WorkingFile, session: ToolSession | null): void {
  session?.files.setMark(file.place.target, session.author, markOf(file.bytes, file.stats, file.version));
}

function markOf(bytes: Buffer, stats: Stats | null, version: number): ReadMark {
  return { mtimeMs: stats?.mtimeMs ?? null, size: bytes.length, hash: hashOf(bytes), version };
}

/**
 * Writes the new content of a file: one atomic write, or the next version of a virtual session.
 *
 * @param file as it was opened; null for a new file
 * @param reason why, for the version's history: the tool's name
 */
export async function saveFile(
  place: Place,
  file: WorkingFile | null,
  content: Buffer,
  reason: string,
  session: ToolSession | null,
): Promise<Saving> {
  let isOnDisk = false;
  const toDisk = () => {
    if (changedMeanwhile(place, file)) {
      throw new OxideError('changed-since-read', `'${place.path}' was changed by another program just now.`);
    }
    writeAtomically(place.target, content, file?.stats ?? null);
    isOnDisk = true;
  };
  try {
    if (session === null) {
      toDisk();
      return { ok: true, version: null };
    }
    const { files, author } = session;
    const baseVersion = file?.version ?? 0;
    const change = { path: place.target, content, author, reason, baseVersion };
    const outcome = await files.write(change, async () => toDisk());
    if (outcome.kind === 'conflict') {
      return { ok: false, failure: conflict(place.path, baseVersion, outcome.currentVersion, outcome.author) };
    }
    const { version } = outcome.version;
    files.setMark(
      place.target,
      author,
      markOf(content, files.mode === 'disk' ? statSync(place.target) : null, version),
    );
    return { ok: true, version };
  } catch (error) {
    if (error instanceof OxideError && error.code === 'changed-since-read') {
      return { ok: false, failure: changedSinceRead(place.path) };
    }
    if (isErrnoException(error)) {
      return { ok: false, failure: isOnDisk ? notKept(place.path, error) : fileFailure(error, place.path, 'write') };
    }
    throw error;
  }
}

/** The file is new, but its version is not in the session's history. */
function notKept(path: string, { message }: Error): ToolFailure {
  return failure(
    'version-not-kept',
    `'${path}' was written, but the session could not keep its version (${message}).`,
    {
      path,
      remedy:
        'Tell the person: the directory of the session is full or can’t be written. Read the file before you go on.',
    },
  );
}

/** Whether somebody wrote to the file between its reading and its writing. */
function changedMeanwhile({ target }: Place, file: WorkingFile | null): boolean {
  const now = statSync(target, { throwIfNoEntry: false });
  if (file === null) {
    return now !== undefined;
  }
  return now?.mtimeMs !== file.stats?.mtimeMs || now?.size !== file.stats?.size;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
