import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { RuleId, Verdict } from '../config/rules.ts';
import { makeDirectory } from '../git/files.ts';
import { redact } from './redaction.ts';

/** The file is rotated once at this size, so the trail takes at most about twice as much. In bytes. */
const maximumSize = 1024 * 1024;
const maximumText = 2000;

/** Whatever stands where the trail should be is opened without waiting for the other end of a named pipe. */
const { O_RDONLY, O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK = 0 } = constants;
const appending = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
const reading = O_RDONLY | O_NONBLOCK;

/** Who let an action through or stopped it: the policy alone, a person at a prompt, an approval, or nobody was there to ask. */
export type Answer = 'policy' | 'person' | 'approval' | 'nobody';

/** One judgement, as the trail keeps it. */
export interface AuditEntry {
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly front: 'commit-msg' | 'pre-push' | 'pre-receive' | 'agent';
  /** The agent's name, where one asked. */
  readonly agent?: string;
  readonly directory: string;
  /** The command line, the push as `remote url ref…`, or the message's header. Without message bodies and credentials. */
  readonly action: string;
  readonly verdict: Verdict;
  readonly rules: readonly RuleId[];
  readonly answer: Answer;
  /** The approval that waits or was used; the checkpoint that was taken before. */
  readonly approval?: string;
  readonly checkpoint?: string;
}

/** Where the trail of a repository is kept. */
export function auditPath(commonDir: string): string {
  return join(commonDir, 'oxide-guard', 'audit.ndjson');
}

/**
 * Appends one entry. A trail that can't be written never changes a verdict: this returns false and does not throw.
 *
 * @param commonDir the repository's common git directory
 */
export function appendAudit(commonDir: string, entry: Omit<AuditEntry, 'time'>, now = new Date()): boolean {
  const action = redact(entry.action);
  const kept: AuditEntry = {
    time: isoTime(now),
    ...entry,
    action: action.length > maximumText ? `${action.slice(0, maximumText)}…` : action,
  };
  try {
    const path = auditPath(commonDir);
    const file = openTrail(path);
    try {
      // One write: lines of two processes never mix.
      writeSync(file, `${JSON.stringify(kept)}\n`);
      if (fstatSync(file).size > maximumSize) {
        rotate(path);
      }
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    return false;
  }
}

/** What `toISOString` says, which lets V8 read the machine's time zone first: half a percent of a hook's call. */
function isoTime(time: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${time.getUTCFullYear()}-${two(time.getUTCMonth() + 1)}-${two(time.getUTCDate())}`;
  const clock = `${two(time.getUTCHours())}:${two(time.getUTCMinutes())}:${two(time.getUTCSeconds())}`;
  return `${date}T${clock}.${String(time.getUTCMilliseconds()).padStart(3, '0')}Z`;
}

function openTrail(path: string): number {
  try {
    return openSync(path, appending, 0o600);
  } catch {
    makeDirectory(dirname(path));
    return openSync(path, appending, 0o600);
  }
}

/** The entries of a repository, oldest first. Lines that can't be read are left out. */
export function readAudit(commonDir: string): readonly AuditEntry[] {
  const path = auditPath(commonDir);
  return [`${path}.1`, path].flatMap((part) => {
    try {
      return parseAudit(readWithoutWaiting(part));
    } catch {
      return [];
    }
  });
}

function readWithoutWaiting(path: string): string {
  const file = openSync(path, reading);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** The entries of some NDJSON text; a line that is none is left out. */
export function parseAudit(text: string): readonly AuditEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line);
      return isEntry(entry) ? [entry] : [];
    } catch {
      return [];
    }
  });
}

function isEntry(value: unknown): value is AuditEntry {
  const entry = value as Partial<Record<keyof AuditEntry, unknown>> | null;
  return (
    typeof entry === 'object' &&
    entry !== null &&
    typeof entry.time === 'string' &&
    typeof entry.front === 'string' &&
    typeof entry.action === 'string' &&
    typeof entry.verdict === 'string' &&
    Array.isArray(entry.rules)
  );
}

/** One process rotates; it looks again under the lock, because another one may just have done it. */
function rotate(path: string): void {
  const lock = `${path}.lock`;
  try {
    closeSync(openSync(lock, 'wx', 0o600));
  } catch {
    // Left by a process that was killed while it held the lock.
    if (Date.now() - statSync(lock).mtimeMs > 10_000) {
      rmSync(lock, { force: true });
    }
    return;
  }
  try {
    if (statSync(path).size > maximumSize) {
      renameSync(path, `${path}.1`);
    }
  } finally {
    rmSync(lock, { force: true });
  }
}
