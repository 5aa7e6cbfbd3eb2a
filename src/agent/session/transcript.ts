import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';
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

/**
 * The first record, or null when there is none.
 *
 * @throws OxideError `session-newer` when it is of another version of this program
 */
export function headerOf(records: readonly SessionRecord[]): SessionHeader | null {
  const [first] = records;
  if (first?.type !== 'session') {
    return null;
  }
  const version: number = first.version;
  if (version !== 1) {
    throw new OxideError('session-newer', `The session ${first.id} has format ${version}; this oxide-guard knows 1.`, {
      remedy: 'Go on with it in the oxide-guard that wrote it.',
    });
  }
  return first;
}

/** The first record of a transcript, without reading the rest; null when it is none. */
export function readHeader(path: string): SessionHeader | null {
  if (!statSync(path).isFile()) {
    return null;
  }
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(longestHeader);
    const text = bytes.toString('utf8', 0, readSync(descriptor, bytes));
    const end = text.indexOf('\n');
    const record = end === -1 ? null : parseRecord(text.slice(0, end));
    return record?.type === 'session' ? record : null;
  } finally {
    closeSync(descriptor);
  }
}

/** Bytes: a path has at most 4096, each of which JSON may write as six. */
const longestHeader = 64 * 1024;

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
      remedy: `df -h ${quoteWord(path)}   # then: oxide-guard agent --continue "…"`,
      cause,
    });
  }
}

/** @returns also how many bytes are whole lines */
function readLines(path: string): { readonly records: readonly SessionRecord[]; readonly length: number } {
  const bytes = readPlainFile(path);
  const length = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, length).toString('utf8').split('\n').slice(0, -1);
  return { records: lines.map((line, index) => parseLine(line, path, index + 1)), length };
}

/** What a name in the sessions' directory stands for need not be a file; a pipe would be waited for. */
function readPlainFile(path: string): Buffer {
  if (!statSync(path).isFile()) {
    throw new OxideError('session-damaged', `${path} is no file.`, { remedy: `ls -ld ${quoteWord(path)}` });
  }
  return readFileSync(path);
}

function parseLine(line: string, path: string, number: number): SessionRecord {
  const record = parseRecord(line);
  if (record === null) {
    throw new OxideError('session-damaged', `${path}, line ${number} is no record of a session.`, {
      remedy: `Take the line out, or start a new session. The lines before it: head -n ${number - 1} ${quoteWord(path)}`,
    });
  }
  return record;
}
