import { OxideError } from '../../errors.ts';
import type { ActionResult } from '../action.ts';

/** What a call came to, as every transport hands it on. */
export type CallResult = ({ readonly ok: true } & ActionResult) | CallFailure;

export interface CallFailure {
  readonly ok: false;
  readonly error: {
    /** Stable kebab-case name. */
    readonly code: string;
    readonly message: string;
    /** What to do instead; null: the message says it all. */
    readonly remedy: string | null;
  };
}

export function failed(code: string, message: string, remedy: string | null = null): CallFailure {
  return { ok: false, error: { code, message, remedy } };
}

/** Whatever was thrown, as a client may see it: what was not meant for people says nothing of the inside. */
export function failureOf(error: unknown): CallFailure {
  if (error instanceof OxideError) {
    return failed(error.code, cut(error.message), error.remedy);
  }
  const problem = machineProblems[String((error as { readonly code?: unknown } | null)?.code)];
  return problem === undefined
    ? failed('internal', 'The server failed at this call.', 'Its log says more.')
    : failed('machine-refused', `The server could not do this: ${problem}.`, 'Its log says where.');
}

/** What a machine refuses that its owner can mend: errno(3). */
const machineProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its share of the disk is used up',
  EROFS: 'a file system is read-only',
  EACCES: 'a file or directory of its may not be read or written',
  EPERM: 'a file or directory of its may not be changed',
  EMFILE: 'it has too many files open',
  ENFILE: 'the machine has too many files open',
  EAGAIN: 'the machine starts no more processes',
  ENOMEM: 'the machine has no memory left',
};

/** Characters of a message: it may have in it what the caller has sent, or what a program has printed. */
const longestMessage = 20_000;

function cut(message: string): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
}
