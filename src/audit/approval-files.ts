import { readdirSync, readFileSync, renameSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeRemains } from '../git/files.ts';
import { type Action, type Approval, digestOf } from './approval.ts';

/** In bytes. A longer command line or push can't be approved. */
const maximumFileSize = 1024 * 1024;

/** Where a repository's approvals lie. */
export function approvalsDirectory(commonDir: string): string {
  return join(commonDir, 'oxide-guard', 'approvals');
}

/** The name carries what finds it, so that looking for an approval reads only the files that can be it. */
export function fileName(approval: Pick<Approval, 'id' | 'digest' | 'state'>): string {
  return `${approval.id}-${approval.digest}.${approval.state}`;
}

const namePattern = /^([0-9a-hjkmnp-tv-z]{6})-([0-9a-f]{64})\.(pending|approved)$/;

/** Whatever lies there; nothing where that can't be listed. */
export function fileNames(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** All approvals that are whole, also those that have expired. */
export function readApprovals(directory: string): readonly Approval[] {
  return fileNames(directory).flatMap((name) => readApproval(directory, name) ?? []);
}

function readApproval(directory: string, name: string): Approval | null {
  const [, id, digest, state] = namePattern.exec(name) ?? [];
  if (id === undefined || digest === undefined || (state !== 'pending' && state !== 'approved')) {
    return null;
  }
  try {
    const path = join(directory, name);
    const status = statSync(path);
    // A pipe would be waited for.
    if (!status.isFile() || status.size > maximumFileSize) {
      return null;
    }
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isStored(content) || digestOf(content) !== digest) {
      return null;
    }
    const { front, directory: place, text, textDigest, rules, expires } = content;
    return { id, digest, state, front, directory: place, text, textDigest, rules, expires };
  } catch {
    return null;
  }
}

type Stored = Action & Pick<Approval, 'textDigest' | 'expires'>;

function isStored(content: unknown): content is Stored {
  const stored = content as Partial<Record<keyof Stored, unknown>> | null;
  return (
    typeof stored === 'object' &&
    stored !== null &&
    (stored.front === 'pre-push' || stored.front === 'agent') &&
    typeof stored.directory === 'string' &&
    typeof stored.text === 'string' &&
    typeof stored.textDigest === 'string' &&
    Array.isArray(stored.rules) &&
    stored.rules.every((rule) => typeof rule === 'string') &&
    typeof stored.expires === 'number'
  );
}

/**
 * Written whole under a name that nobody looks at, then renamed: killed halfway it is no approval.
 *
 * @throws RangeError where it is too long, and the file system's errors
 */
export function writeApproval(directory: string, approval: Approval): void {
  const { front, directory: place, text, textDigest, rules, expires } = approval;
  const path = join(directory, fileName(approval));
  const temporary = `${path}.${process.pid}`;
  const content = JSON.stringify({ front, directory: place, text, textDigest, rules, expires });
  if (content.length > maximumFileSize) {
    throw new RangeError('The action is too long to be approved.');
  }
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    removeRemains(temporary);
    throw error;
  }
}

/** Takes the file for this process alone. */
export function claim(directory: string, approval: Approval): boolean {
  return removeFile(directory, fileName(approval));
}

/** Only one unlink of a name can succeed. */
export function removeFile(directory: string, name: string): boolean {
  try {
    unlinkSync(join(directory, name));
    return true;
  } catch {
    return false;
  }
}

/** Takes the file for one call: only one renaming of a name can succeed. Pruning removes it later. */
export function handOver(directory: string, approval: Approval, mark: string, now: number): boolean {
  const name = fileName(approval);
  const used = join(directory, name.replace(/approved$/, mark));
  try {
    renameSync(join(directory, name), used);
  } catch {
    return false;
  }
  try {
    utimesSync(used, now / 1000, now / 1000);
  } catch {
    // It is as old as the approval then, and good for this hook alone.
  }
  return true;
}

/** @param time milliseconds since the epoch */
export function isOlderThan(path: string, time: number): boolean {
  try {
    return statSync(path).mtimeMs < time;
  } catch {
    return false;
  }
}
