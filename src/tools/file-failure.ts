import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../error-message.ts';
import { quoteWord } from '../quote.ts';
import { nearestName } from './edit-distance.ts';
import { failure, type ToolFailure } from './tool-result.ts';

/** What was to be done with the file: it decides which permission is missing. */
export type FileAction = 'read' | 'write' | 'list';

export function isErrnoException(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

/**
 * The failure for a system call on a file: the path, the cause in words, and the way out.
 *
 * @param path absolute
 */
export function fileFailure(error: unknown, path: string, action: FileAction = 'read'): ToolFailure {
  const code = isErrnoException(error) ? error.code : 'unknown';
  switch (code) {
    case 'ENOENT':
      return missingFile(path);
    case 'EACCES':
    case 'EPERM':
      return permissionDenied(path, action);
    case 'EISDIR':
      return failure('is-a-directory', `'${path}' is a directory, not a file.`, {
        path,
        remedy: 'Name a file in it; Glob with this path lists them.',
      });
    case 'ESTALE':
      return failure('moved', `A directory above '${path}' was replaced while the file was opened; nothing was done.`, {
        path,
        remedy: 'Does a command in the background move directories? Wait for it, then try again.',
      });
    case 'ENOTDIR':
      return failure('not-a-directory', `A part of '${path}' is a file, so nothing can be below it.`, {
        path,
        remedy: `The nearest existing path is '${nearestExisting(path)}'.`,
      });
    default:
      return otherFailure(code, error, path);
  }
}

const otherCauses: Readonly<Record<string, readonly [code: string, cause: string, remedy: string]>> = {
  ELOOP: ['symlink-loop', 'leads through symbolic links that point at each other', 'Name the real file.'],
  EROFS: ['read-only-file-system', 'is on a file system that is mounted read-only', 'Write to another directory.'],
  ENOSPC: ['disk-full', 'could not be written: the disk is full', 'Free space on the disk, then try again.'],
  EDQUOT: ['disk-full', 'could not be written: the disk quota is used up', 'Free space, then try again.'],
  ENAMETOOLONG: ['name-too-long', 'has a name longer than the file system allows', 'Use a shorter name.'],
  EMFILE: [
    'too-many-open-files',
    'could not be opened: too many files are open',
    'Try again with fewer files at once.',
  ],
  EBUSY: ['file-busy', 'is in use by another program', 'Wait for that program to end, then try again.'],
  ETXTBSY: ['file-busy', 'is a program that is running', 'End that program, then try again.'],
};

function otherFailure(code: string, error: unknown, path: string): ToolFailure {
  const known = otherCauses[code];
  if (known === undefined) {
    const said = messageOf(error);
    return failure('file-error', `'${path}' could not be used: ${said}.`, { path });
  }
  const [name, cause, remedy] = known;
  return failure(name, `'${path}' ${cause}.`, { path, remedy });
}

/** ENOENT, with the existing name that is most like the one asked for. */
export function missingFile(path: string): ToolFailure {
  const target = linkTarget(path);
  if (target !== null) {
    return failure('file-not-found', `'${path}' is a symbolic link to '${target}', which does not exist.`, {
      path,
      remedy: 'Write makes the file that it leads to.',
    });
  }
  const existing = nearestExisting(path);
  const parent = dirname(path);
  if (existing !== parent) {
    return failure('file-not-found', `'${path}' does not exist: there is no directory '${parent}'.`, {
      path,
      remedy: `The nearest existing directory is '${existing}'.`,
    });
  }
  const near = nearestName(basename(path), namesIn(parent));
  const remedy =
    near === null
      ? `Find the file with Glob, pattern "**/${basename(path)}".`
      : `Did you mean '${join(parent, near)}'?`;
  return failure('file-not-found', `'${path}' does not exist.`, { path, remedy });
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function permissionDenied(path: string, action: FileAction): ToolFailure {
  const verb = { read: 'read', write: 'written', list: 'listed' }[action];
  // What is not there, or cannot be seen, is kept from us by a directory above it.
  const own = permissionsOf(path);
  const barrier = own === null ? nearestExisting(path) : path;
  const permissions = own ?? permissionsOf(barrier);
  const whose = permissions === null ? '' : ` (owner ${permissions.owner}, mode ${permissions.mode})`;
  const where = barrier === path ? '' : ` in the directory '${barrier}'`;
  const bits = barrier === path ? { read: 'r', write: 'w', list: 'rx' }[action] : 'rwx';
  return failure('permission-denied', `'${path}' may not be ${verb}: permission denied${where}${whose}.`, {
    path,
    remedy: `Ask the person to allow it, for example with: ${permissions?.whose ?? 'chmod u'}+${bits} ${quoteWord(barrier)}. Or work on another file.`,
  });
}

interface Permissions {
  readonly mode: string;
  readonly owner: number;
  /** How this user gets a permission: `chmod u`, up to the sign. */
  readonly whose: string;
}

function permissionsOf(path: string): Permissions | null {
  try {
    const { mode, uid, gid } = statSync(path);
    const isOwn = uid === process.geteuid?.();
    const whose = isOwn ? 'chmod u' : process.getgroups?.().includes(gid) === true ? 'sudo chmod g' : 'sudo chmod o';
    return { mode: (mode & 0o777).toString(8).padStart(3, '0'), owner: uid, whose };
  } catch {
    return null;
  }
}

/** The longest leading part of a path that exists. */
function nearestExisting(path: string): string {
  let current = dirname(path);
  while (current !== dirname(current) && !isDirectory(current)) {
    current = dirname(current);
  }
  return current;
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).slice(0, 5_000);
  } catch {
    return [];
  }
}
