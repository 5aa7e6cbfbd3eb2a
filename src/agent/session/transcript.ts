import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { OxideError } from '../../errors.ts';
import { parseRecord, type SessionHeader, type SessionRecord } from './record.ts';

/** An open transcript. One line is one record; a line counts once its newline is there. */
export interface Transcript {
  append(record: SessionRecord): void;
  close(): void;
}

/** Starts a new transcript. */
export function createTranscript(path: string, header: SessionHeader): Transcript {
  const transcript = openForAppending(path, 'ax');
  transcript.append(header);
  return transcript;
}

/** Opens a transcript to go on; what a killed process left of its last line is cut off. */
export function continueTranscript(path: string): {
  readonly transcript: Transcript;
  readonly records: readonly SessionRecord[];
} {
  const { records, length } = readLines(path);
  truncateSync(path, length);
  return { transcript: openForAppending(path, 'a'), records };
}

/**
 * The records of a transcript, also of one that is being written.
 *
 * @throws OxideError `session-damaged` when a line other than the last is no record
 */
export function readTranscript(path: string): readonly SessionRecord[] {
  return readLines(path).records;
}

/** The first record, or null when it is no transcript of this version. */
export function headerOf(records: readonly SessionRecord[]): SessionHeader | null {
  const [first] = records;
  return first?.type === 'session' && first.version === 1 ? first : null;
}

function openForAppending(path: string, flags: 'a' | 'ax'): Transcript {
  const descriptor = openSync(path, flags, 0o600);
  let isClosed = false;
  return {
    append: (record) => {
      // The descriptor's number may be another file's by now.
      if (isClosed) {
        throw new OxideError('session-closed', `${path} was closed: what came after its end is not kept.`);
      }
      appendLine(descriptor, Buffer.from(`${JSON.stringify(record)}\n`), path);
    },
    close: () => {
      isClosed = true;
      closeSync(descriptor);
    },
  };
}

/** What a full disk has left of a line is taken off again: the next one begins a line of its own. */
function appendLine(descriptor: number, line: Buffer, path: string): void {
  let written = 0;
  try {
    while (written < line.length) {
      written += writeSync(descriptor, line, written);
    }
  } catch (cause) {
    if (written > 0) {
      ftruncateSync(descriptor, fstatSync(descriptor).size - written);
    }
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOSPC' || code === 'EDQUOT' ? 'there is no space left on its disk' : code;
    throw new OxideError('session-not-kept', `${path} can't be written: ${why}. What is not kept is not done.`, {
      remedy: `df -h '${path}'   # then: oxide-guard agent --continue "…"`,
      cause,
    });
  }
}

/** @returns also how many bytes are whole lines */
function readLines(path: string): { readonly records: readonly SessionRecord[]; readonly length: number } {
  const bytes = readFileSync(path);
  const length = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, length).toString('utf8').split('\n').slice(0, -1);
  return { records: lines.map((line, index) => parseLine(line, path, index + 1)), length };
}

function parseLine(line: string, path: string, number: number): SessionRecord {
  const record = parseRecord(line);
  if (record === null) {
    throw new OxideError('session-damaged', `${path}, line ${number} is no record of a session.`, {
      remedy: `Take the line out, or start a new session. The lines before it: head -n ${number - 1} '${path}'`,
    });
  }
  return record;
}
