import { closeSync, lstatSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import type { Directory, UnknownWord, Word } from './simple-command.ts';

/** A text file as a shell would read it, or why it can't be read here. */
export type FileText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      /** What it holds, where that is too much to be followed. */
      readonly text?: string;
      /** What is known of a text that the line writes. */
      readonly open?: UnknownWord;
    };

/** An entry of a directory as it is, no link followed. */
export interface FileEntry {
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** In bytes. */
  readonly size: number;
  /** When its content was changed, in milliseconds since 1970. */
  readonly modified: number;
}

/** So many times the limit is still looked through for words. */
const longTexts = 16;

/** What a program for the machine begins with: elf(5). */
export const machineCode = '\x7fELF';

/** A call of git in the line. */
export interface CallOfGit {
  readonly argv: readonly Word[];
  readonly cwd: Directory;
}

/** What the reader needs of the file system: absolute paths only, nothing is ever written. */
export interface ScriptFiles {
  /** The file's text; `unreadable` when it is binary, no regular file, or has more than `limit` bytes. */
  readText(path: string, limit: number): FileText;
  isDirectory(path: string): boolean;
  /** Null where nothing is, or where it can't be looked at. */
  entry(path: string): FileEntry | null;
  /** Names in a directory, without `.` and `..`; null when it can't be listed. */
  list(path: string): readonly string[] | null;
  /** Where links lead; the path itself where nothing is. */
  realPath(path: string): string;
  /**
   * What a file holds after each of these calls of git, one after the other; null where it stays as it is. Without it,
   * nothing is known of that.
   */
  afterGit?(path: string, calls: readonly CallOfGit[], limit: number): readonly (FileText | null)[];
}

/** The disk. Never throws; a file is read with one open and no more bytes than are used. */
export const diskFiles: ScriptFiles = {
  readText(path, limit) {
    try {
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) {
        return { kind: 'missing' };
      }
      if (path === '/dev/null') {
        return { kind: 'text', text: '' };
      }
      if (!stat.isFile()) {
        return { kind: 'unreadable', reason: `${path} is no regular file` };
      }
      const { size } = stat;
      if (size <= limit) {
        return readBytes(path, size);
      }
      const read = size <= limit * longTexts ? readBytes(path, size) : null;
      const text = read?.kind === 'text' ? { text: read.text } : {};
      return { kind: 'unreadable', reason: `${path} is too large to read here`, ...text };
    } catch (error) {
      return isMissing(error) ? { kind: 'missing' } : { kind: 'unreadable', reason: `${path} can't be read` };
    }
  },
  isDirectory(path) {
    try {
      return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
    } catch {
      return false;
    }
  },
  entry(path) {
    try {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat === undefined ? null : { type: typeOf(stat), size: stat.size, modified: stat.mtimeMs };
    } catch {
      return null;
    }
  },
  realPath(path) {
    try {
      return realpathSync(path);
    } catch {
      return path;
    }
  },
  list(path) {
    try {
      return diskFiles.isDirectory(path) ? readdirSync(path) : null;
    } catch {
      return null;
    }
  },
};

function typeOf(stat: Stats): FileEntry['type'] {
  return stat.isFile() ? 'file' : stat.isDirectory() ? 'directory' : stat.isSymbolicLink() ? 'link' : 'other';
}

function readBytes(path: string, size: number): FileText {
  const descriptor = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(size);
    const read = readSync(descriptor, bytes, 0, size, 0);
    const content = bytes.subarray(0, read);
    return content.includes(0)
      ? { kind: 'unreadable', reason: `${path} is a binary file` }
      : { kind: 'text', text: content.toString('utf8') };
  } finally {
    closeSync(descriptor);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
