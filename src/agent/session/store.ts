import { createHash, randomBytes } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userState } from '../../audit/user-state.ts';
import { ExitCode, OxideError } from '../../errors.ts';
import { makeDirectory } from '../../git/files.ts';
import type { Environment } from '../../git/runner.ts';
import { lockSession } from './lock.ts';
import type { SessionHeader, SessionRecord } from './record.ts';
import {
  continueTranscript,
  createTranscript,
  headerOf,
  readHeader,
  readTranscript,
  type Transcript,
} from './transcript.ts';

/** A session on the disk, taken by this process. */
export interface StoredSession {
  readonly header: SessionHeader;
  /** What was in the transcript when it was opened. */
  readonly records: readonly SessionRecord[];
  readonly transcript: Transcript;
  /** Holds `session.jsonl`, `agents/`, `files/`. */
  readonly directory: string;
  /** Keeps a content, and gives its SHA-256. */
  keepContent(content: Buffer): string;
  /** @throws OxideError `session-damaged` when it is gone or another one */
  readContent(hash: string): Buffer;
  close(): void;
}

export interface SessionSummary {
  readonly id: string;
  readonly cwd: string;
  readonly created: string;
  readonly model: string;
  readonly mode: SessionHeader['mode'];
  /** Milliseconds since the epoch. */
  readonly used: number;
}

/** Where sessions are kept: `$XDG_STATE_HOME/oxide-guard/sessions`. */
export function sessionsDirectory(env: Environment): string {
  return join(userState(env), 'oxide-guard', 'sessions');
}

/** `20261121-231502-9f3a`: sorted by time, and short enough to type. */
export function newSessionId(now = new Date()): string {
  const [date = '', time = ''] = now.toISOString().slice(0, 19).split('T');
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}-${randomBytes(2).toString('hex')}`;
}

export function createSession(root: string, header: SessionHeader): StoredSession {
  const directory = join(root, header.id);
  makeStateDirectory(directory);
  const release = lockSession(join(directory, 'lock'), header.id);
  return stored(directory, header, [], createTranscript(join(directory, 'session.jsonl'), header), release);
}

function makeStateDirectory(directory: string): void {
  try {
    makeDirectory(directory, 0o700);
  } catch (cause) {
    const { code = String(cause), path = directory } = cause as NodeJS.ErrnoException;
    throw new OxideError('session-not-kept', `No session can be kept: '${path}' can't be made (${code}).`, {
      remedy: `XDG_STATE_HOME=DIRECTORY oxide-guard agent "…"   # somewhere that you may write to`,
      cause,
    });
  }
}

/**
 * Opens a session to go on with it.
 *
 * @throws OxideError `unknown-session`, `session-in-use`, `session-damaged`
 */
export function resumeSession(root: string, id: string): StoredSession {
  const directory = existing(root, id);
  const release = lockSession(join(directory, 'lock'), id);
  try {
    const { transcript, records } = continueTranscript(join(directory, 'session.jsonl'));
    const header = headerOf(records);
    if (header === null) {
      transcript.close();
      throw unknownSession(root, id);
    }
    return stored(directory, header, records, transcript, release);
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Copies a session, also one that is in use, and opens the copy; the original stays as it is. The transcript comes last
 * and whole: a process that is killed before leaves nothing that passes for a session.
 */
export function forkSession(root: string, id: string, newId: string): StoredSession {
  const source = existing(root, id);
  const records = readTranscript(join(source, 'session.jsonl'));
  const header = headerOf(records);
  if (header === null) {
    throw unknownSession(root, id);
  }
  const directory = join(root, newId);
  makeDirectory(directory, 0o700);
  const copy: SessionHeader = { ...header, id: newId, parent: id };
  try {
    const release = lockSession(join(directory, 'lock'), newId);
    for (const part of ['files', 'agents']) {
      if (existsSync(join(source, part))) {
        cpSync(join(source, part), join(directory, part), { recursive: true });
      }
    }
    const path = join(directory, 'session.jsonl');
    writeWhole(path, [copy, ...records.slice(1)].map((record) => `${JSON.stringify(record)}\n`).join(''));
    const opened = continueTranscript(path);
    return stored(directory, copy, opened.records, opened.transcript, release);
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Under another name first: what has the name is whole. */
function writeWhole(path: string, content: string | Buffer): void {
  writeFileSync(`${path}.${process.pid}`, content, { mode: 0o600 });
  renameSync(`${path}.${process.pid}`, path);
}

/** The sessions of a directory, or of all, the one used last first. */
export function listSessions(root: string, cwd: string | null): readonly SessionSummary[] {
  const names = existsSync(root) ? readdirSync(root) : [];
  return names
    .flatMap((name) => summaryOf(join(root, name, 'session.jsonl')))
    .filter((summary) => cwd === null || summary.cwd === cwd)
    .sort((a, b) => b.used - a.used);
}

/**
 * What a session began with, without taking it.
 *
 * @throws OxideError `unknown-session`
 */
export function sessionHeader(root: string, id: string): SessionHeader {
  const header = readHeader(join(existing(root, id), 'session.jsonl'));
  if (header === null) {
    throw unknownSession(root, id);
  }
  return header;
}

/** Reads a session without taking it. */
export function readSession(root: string, id: string): readonly SessionRecord[] {
  return readTranscript(join(existing(root, id), 'session.jsonl'));
}

function summaryOf(path: string): readonly SessionSummary[] {
  try {
    const header = readHeader(path);
    if (header === null) {
      // Killed before its first line was written.
      return [];
    }
    const { id, cwd, created, model, mode } = header;
    return [{ id, cwd, created, model, mode, used: statSync(path).mtimeMs }];
  } catch {
    return [];
  }
}

function existing(root: string, id: string): string {
  const directory = join(root, id);
  if (!/^[\w-]+$/.test(id) || !existsSync(join(directory, 'session.jsonl'))) {
    throw unknownSession(root, id);
  }
  return directory;
}

function unknownSession(root: string, id: string): OxideError {
  const known = listSessions(root, null).slice(0, 5);
  return new OxideError('unknown-session', `There is no session '${id}'.`, {
    remedy: known.length === 0 ? 'There is none yet.' : `The latest: ${known.map((session) => session.id).join(', ')}`,
    exitCode: ExitCode.usage,
  });
}

function stored(
  directory: string,
  header: SessionHeader,
  records: readonly SessionRecord[],
  transcript: Transcript,
  release: () => void,
): StoredSession {
  const files = join(directory, 'files');
  return {
    header,
    records,
    transcript,
    directory,
    keepContent: (content) => {
      const hash = hashOf(content);
      const path = join(files, hash);
      if (!existsSync(path)) {
        makeDirectory(files, 0o700);
        // The record that names it comes after.
        writeWhole(path, content);
      }
      return hash;
    },
    readContent: (hash) => readKept(join(files, hash), hash),
    close: () => {
      transcript.close();
      release();
    },
  };
}

function readKept(path: string, hash: string): Buffer {
  let content: Buffer | null = null;
  try {
    content = readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw error;
    }
  }
  if (content === null || hashOf(content) !== hash) {
    throw new OxideError(
      'session-damaged',
      `${path}, a content that the session wrote, is ${content === null ? 'gone' : 'not what it wrote'}.`,
      {
        remedy: `Put it back from a backup, or have the file written anew: oxide-guard agent --continue "…"`,
      },
    );
  }
  return content;
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
