import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { OxideError } from '../../errors.ts';
import { quoteWord } from '../../quote.ts';

interface Failure {
  readonly code: string;
  /** What is the matter with the store. */
  readonly what: string;
  readonly remedy: (path: string) => string;
}

const lookAt = (path: string) => `ls -ld ${quoteWord(path)}`;
const setAside = (path: string) => `mv ${quoteWord(path)} ${quoteWord(`${path}.damaged`)}`;
const full: Failure = {
  code: 'store-full',
  what: 'could not grow, the disk is full',
  remedy: (path) => `df -h ${quoteWord(path)}`,
};
const readOnly: Failure = { code: 'store-readonly', what: 'may not be written', remedy: lookAt };
const unreadable: Failure = { code: 'store-unreadable', what: 'could not be opened', remedy: lookAt };

const busy = 5;
const ioError = 10;

/** SQLite's primary result codes (https://sqlite.org/rescode.html) that say something of the file, not of a statement. */
const byResultCode: Readonly<Record<number, Failure>> = {
  [busy]: {
    code: 'store-busy',
    what: 'is locked by another process, which does not let go of it',
    remedy: (path) => `fuser -v ${quoteWord(path)}`,
  },
  8: readOnly,
  [ioError]: {
    code: 'store-unreadable',
    what: 'could not be read or written, the disk has a problem',
    remedy: () => 'dmesg | tail',
  },
  11: { code: 'store-corrupt', what: 'is damaged', remedy: setAside },
  13: full,
  14: unreadable,
  26: { code: 'store-corrupt', what: 'is not an SQLite database', remedy: setAside },
};

/** What the file system says when the file and its directory are made. */
const byErrno: Readonly<Record<string, Failure>> = {
  ENOSPC: full,
  EDQUOT: full,
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  EISDIR: unreadable,
  ENOTDIR: unreadable,
  EEXIST: unreadable,
};

export function isBusy(error: unknown): boolean {
  return primaryCode(error) === busy;
}

/** Says what is wrong with the store's file, where that is what the engine complains of; any other error is as it was. */
export function storeFailure(error: unknown, path: string): unknown {
  const code = primaryCode(error);
  const known =
    code === ioError && isFull(path)
      ? full
      : (byResultCode[code] ?? byErrno[(error as NodeJS.ErrnoException | null)?.code ?? '']);
  return known === undefined
    ? error
    : new OxideError(known.code, `The store ${path} ${known.what}. Nothing was changed.`, {
        remedy: known.remedy(path),
        cause: error,
      });
}

function primaryCode(error: unknown): number {
  const errcode = (error as { errcode?: unknown } | null)?.errcode;
  return typeof errcode === 'number' ? errcode & 0xff : 0;
}

/** SQLite calls it an error of the disk when the memory that connections share can't grow (SQLITE_IOERR_SHMSIZE). */
function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return bavail * bsize < 65_536;
  } catch {
    return false;
  }
}
