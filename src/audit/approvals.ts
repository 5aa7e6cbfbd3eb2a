import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { withoutCredentials } from '../credentials.ts';
import { makeDirectory } from '../git/files.ts';
import { type Action, type Approval, actionDigest, sha256 } from './approval.ts';
import {
  approvalsDirectory,
  claim,
  fileName,
  fileNames,
  handOver,
  isOlderThan,
  readApprovals,
  removeFile,
  writeApproval,
} from './approval-files.ts';

/** How long a person has to approve, and then how long the approval waits for its one use. In milliseconds. */
export const approvalWindow = 10 * 60_000;

/** All hooks of one tool call have been started, and have ended, within this time. In milliseconds. */
const callWindow = 20_000;

/** More files than this are a loop, not a person's work: the oldest are dropped. */
const maximumFiles = 200;

/** Why an id can't be approved. */
export type Refusal = 'unknown' | 'expired' | 'already-approved';

/**
 * Records that an action waits for a person. The same action asked again keeps its id while it is pending.
 *
 * @param commonDir the repository's common git directory
 * @param now milliseconds since the epoch
 * @returns the pending approval; null when it could not be written (no space, no permission): then nobody can approve
 */
export function requestApproval(commonDir: string, action: Action, now = Date.now()): Approval | null {
  const digest = actionDigest(action);
  try {
    const directory = approvalsDirectory(commonDir);
    makeDirectory(join(commonDir, 'oxide-guard'));
    makeDirectory(directory, 0o700);
    const present = pruneApprovals(commonDir, now).find(
      (approval) => approval.digest === digest && approval.state === 'pending',
    );
    if (present !== undefined) {
      return present;
    }
    const approval: Approval = {
      ...action,
      text: withoutCredentials(action.text),
      textDigest: sha256(action.text),
      id: newId(),
      digest,
      state: 'pending',
      expires: now + approvalWindow,
    };
    writeApproval(directory, approval);
    return approval;
  } catch {
    return null;
  }
}

/**
 * Approves a pending action; from now it is good for one use within {@link approvalWindow}.
 *
 * Of two processes that approve the same id one gets 'already-approved' or 'unknown', so one request never gives two uses.
 * @throws the file system's error when the approval can't be written; the request is then gone and has to be made again
 */
export function approve(commonDir: string, id: string, now = Date.now()): Approval | Refusal {
  const directory = approvalsDirectory(commonDir);
  const matches = readApprovals(directory).filter((approval) => approval.id === id);
  const pending = matches.find((approval) => approval.state === 'pending');
  if (pending === undefined) {
    return matches.length === 0 ? 'unknown' : 'already-approved';
  }
  if (!isLive(pending, now)) {
    return 'expired';
  }
  if (!claim(directory, pending)) {
    return 'unknown';
  }
  const approved: Approval = { ...pending, state: 'approved', expires: now + approvalWindow };
  writeApproval(directory, approved);
  return approved;
}

/**
 * Uses up the approval of an action, where there is one: at most one caller gets true for it.
 * What can't be read, has expired, or does not say what its name says is no approval.
 */
export function consumeApproval(commonDir: string, digest: string, now = Date.now()): boolean {
  const directory = approvalsDirectory(commonDir);
  return readApprovals(directory).some(
    (approval) =>
      approval.state === 'approved' &&
      approval.digest === digest &&
      isLive(approval, now) &&
      claim(directory, approval),
  );
}

/**
 * Uses up the approval of an action for one tool call of an agent. Some agents start several hooks of the guard for the
 * same call (their own, and those they find in other agents' settings), at once or in turn: all of them get true.
 *
 * @param call the agent's id of the tool call. Some models give the same one again: it counts for {@link callWindow}
 */
export function consumeApprovalForCall(commonDir: string, digest: string, call: string, now = Date.now()): boolean {
  const directory = approvalsDirectory(commonDir);
  const { createHash } = process.getBuiltinModule('node:crypto');
  const mark = `used-${createHash('sha256').update(call).digest('hex').slice(0, 32)}`;
  return (
    readApprovals(directory).some(
      (approval) =>
        approval.state === 'approved' &&
        approval.digest === digest &&
        isLive(approval, now) &&
        handOver(directory, approval, mark, now),
    ) ||
    // Looked at last: another hook of the same call may have been first just now.
    fileNames(directory).some(
      (name) => name.endsWith(`-${digest}.${mark}`) && !isOlderThan(join(directory, name), now - callWindow),
    )
  );
}

/**
 * Uses up what {@link consumeApprovalForCall} has left for the other hooks of a call, for one that is not told the call's
 * id: at most one caller gets true for it, within {@link callWindow}.
 */
export function consumeHandedOver(commonDir: string, digest: string, now = Date.now()): boolean {
  const directory = approvalsDirectory(commonDir);
  return fileNames(directory).some(
    (name) =>
      name.includes(`-${digest}.used-`) &&
      !isOlderThan(join(directory, name), now - callWindow) &&
      removeFile(directory, name),
  );
}

/** What waits for a person or for its use, the newest last. Expired ones are left out. */
export function listApprovals(commonDir: string, now = Date.now()): readonly Approval[] {
  return readApprovals(approvalsDirectory(commonDir))
    .filter((approval) => isLive(approval, now))
    .sort((a, b) => a.expires - b.expires);
}

/** Removes what has expired or is damaged, and what is over the bound; returns what is left. */
export function pruneApprovals(commonDir: string, now = Date.now()): readonly Approval[] {
  const directory = approvalsDirectory(commonDir);
  const live = listApprovals(commonDir, now);
  const kept = live.slice(-maximumFiles);
  const dropped = new Set(live.slice(0, -maximumFiles).map(fileName));
  const names = new Set(kept.map(fileName));
  for (const name of fileNames(directory)) {
    const path = join(directory, name);
    // A young file that is no approval may be one that is being written.
    if (dropped.has(name) || (!names.has(name) && isOlderThan(path, now - approvalWindow))) {
      rmSync(path, { force: true });
    }
  }
  return kept;
}

/** Further ahead than the window: the clock was set back, and nobody can tell how old it is. */
function isLive(approval: Approval, now: number): boolean {
  return approval.expires > now && approval.expires <= now + approvalWindow;
}

/** Crockford's base 32: no letters that look like digits. */
function newId(): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto');
  return [...randomBytes(6)].map((byte) => '0123456789abcdefghjkmnpqrstvwxyz'[byte & 31]).join('');
}
