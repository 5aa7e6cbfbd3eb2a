import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { realPath } from '../../git/files.ts';
import { hasEnded, processName } from '../../tools/process-mark.ts';

/** What a session's sandbox needs, in a directory outside of everything that commands may see. */
export interface Scratch {
  /** Stands for /tmp. */
  readonly tmp: string;
  /** An empty file that stands for hidden ones. */
  readonly empty: string;
}

const prefix = 'oxide-guard-sandbox-';

/** The owner is in the name from the first moment: its machine and PID namespace as a hash, its number, its start. */
const pattern = /^oxide-guard-sandbox-([0-9a-f]{8})-(\d+)-(\d*)-\w{6}$/;

/** Makes a session's scratch, and begins to remove what killed sessions have left: nobody waits for that. */
export function makeScratch(): Scratch {
  void removeAbandoned();
  const { place, pid, start } = ownerOf(processName());
  const directory = mkdtempSync(join(temporary(), `${prefix}${hashOf(place)}-${pid}-${start}-`));
  const scratch = { tmp: join(directory, 'tmp'), empty: join(directory, 'empty') };
  mkdirSync(scratch.tmp, { mode: 0o700 });
  writeFileSync(scratch.empty, '', { mode: 0o444 });
  return scratch;
}

/** Removes it, once its commands have ended. What can't be removed is tried again by {@link removeAbandoned}. */
export function removeScratch({ tmp }: Scratch): void {
  const directory = dirname(tmp);
  try {
    makeRemovable(directory);
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // What remains is nobody's reason to fail at its end.
  }
}

/**
 * Removes what sessions have left that were killed: directories of this user, made by processes of this machine that are
 * gone. Those of processes that can't be seen from here (in another container) stay. Links are never followed.
 */
export async function removeAbandoned(directory = temporary()): Promise<void> {
  try {
    if (canTrust(directory)) {
      const isAbandoned = abandonedHere();
      const found = (await readdir(directory)).filter((name) => name.startsWith(prefix) && isAbandoned(name));
      await Promise.all(found.map((name) => removeOwn(join(directory, name))));
    }
  } catch {
    // A directory that can't be listed.
  }
}

async function removeOwn(path: string): Promise<void> {
  try {
    if (isOwnDirectory(path)) {
      makeRemovable(path);
      await rm(path, { recursive: true, force: true });
    }
  } catch {
    // Somebody else was faster, or it is tried again at the next start.
  }
}

function temporary(): string {
  return realPath(tmpdir()) ?? tmpdir();
}

/** Tells of a name whether its owner was a process of this machine and PID namespace, and is gone. */
function abandonedHere(): (name: string) => boolean {
  const { place } = ownerOf(processName());
  const here = hashOf(place);
  return (name) => {
    const [, hash, pid, start] = pattern.exec(name) ?? [];
    return hash === here && hasEnded(`${place}/${pid}/${start}`) === true;
  };
}

function ownerOf(name: string): { readonly place: string; readonly pid: string; readonly start: string } {
  const [host = '', namespace = '', pid = '', start = ''] = name.split('/');
  return { place: `${host}/${namespace}`, pid, start };
}

function hashOf(place: string): string {
  return createHash('sha256').update(place).digest('hex').slice(0, 8);
}

/** May nobody but this user and root put another thing in the place of this user's directory there? */
function canTrust(directory: string): boolean {
  const { uid, mode } = statSync(directory);
  const isSticky = (mode & 0o1000) !== 0;
  return (uid === 0 || uid === process.geteuid?.()) && (isSticky || (mode & 0o022) === 0);
}

function isOwnDirectory(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0;
}

/** Only root can empty directories that commands have closed, as package managers close what they have unpacked. */
function makeRemovable(directory: string): void {
  if (process.geteuid?.() === 0) {
    return;
  }
  chmodSync(directory, 0o700);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.isDirectory()) {
      makeRemovable(join(directory, entry.name));
    }
  }
}
