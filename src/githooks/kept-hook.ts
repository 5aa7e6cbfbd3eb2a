import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isDirectory, isThere } from '../git/files.ts';
import { removeIfEmpty } from './atomic-file.ts';
import { digest } from './hook-script.ts';

/** What a path in the hooks directory holds, precisely enough to tell later whether it is still the same. */
export type HookFile =
  | { readonly kind: 'file'; readonly sha256: string; readonly mode: number }
  | { readonly kind: 'symlink'; readonly target: string };

/** Where the hook that was there before is kept, so that it still finds its neighbours by `$(dirname "$0")`. */
export function keptPath(hookPath: string): string {
  return `${hookPath}.before-oxide-guard`;
}

/**
 * What is at `path`; null when nothing is.
 *
 * @returns `directory` for what is neither a file nor a link
 */
export function inspectHook(path: string): HookFile | 'directory' | null {
  // The hooks directory may be a file: core.hooksPath=/dev/null.
  const found = isThere(path) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (found === undefined) {
    return null;
  }
  if (found.isSymbolicLink()) {
    return { kind: 'symlink', target: readlinkSync(path) };
  }
  return found.isFile() ? { kind: 'file', sha256: digest(readFileSync(path)), mode: found.mode & 0o7777 } : 'directory';
}

export function isSameHook(one: HookFile, other: HookFile): boolean {
  if (one.kind === 'symlink' || other.kind === 'symlink') {
    return one.kind === 'symlink' && other.kind === 'symlink' && one.target === other.target;
  }
  return one.sha256 === other.sha256 && one.mode === other.mode;
}

/** What keeping a hook did, for the report. */
export interface Keeping {
  readonly path: string;
  /** Where a hook kept by an earlier installation went; it no longer ran, because another tool had replaced it. */
  readonly retired: string | null;
}

/**
 * Makes the hook at `hookPath` available under its kept name as well. The hook itself stays in place until the guard's
 * script is renamed over it: at no moment is there no hook.
 */
export function keepHook(hookPath: string, hook: HookFile): Keeping {
  const path = keptPath(hookPath);
  const former = inspectHook(path);
  if (former !== null && former !== 'directory' && isSameHook(former, hook)) {
    return { path, retired: null };
  }
  const retired = former === null ? null : freeName(path);
  if (retired !== null) {
    renameSync(path, retired);
  }
  if (hook.kind === 'symlink') {
    symlinkSync(hook.target, path);
  } else {
    linkOrCopy(hookPath, path, hook.mode);
  }
  return { path, retired };
}

/** A hard link is the file itself, owner and attributes included; some file systems have none. */
function linkOrCopy(from: string, to: string, mode: number): void {
  try {
    linkSync(from, to);
  } catch {
    const temporary = `${to}.${process.pid}.tmp`;
    copyFileSync(from, temporary);
    chmodSync(temporary, mode);
    renameSync(temporary, to);
  }
}

export function freeName(path: string): string {
  let number = 1;
  while (existsSync(`${path}.${number}`)) {
    number += 1;
  }
  return `${path}.${number}`;
}

/**
 * The shell that must read a kept hook under its former name. Dispatchers (husky's among them) tell by the file name in
 * `$0` which hook they are; a script that uses `$0` for anything beyond its name and directory is started as a program.
 *
 * @returns the shell of the `#!` line with its options; null when the hook is to be started under its new name
 */
export function shellForName(content: Buffer): string | null {
  const text = content.toString('latin1');
  const interpreter = /^#! *(?:\/usr\/bin\/env +(?:-S +)?)?(\S*\b(?:sh|bash|dash|ksh)(?: +-[a-z]+)?) *\r?\n/.exec(text);
  const shell = interpreter?.[1];
  if (shell === undefined || /BASH_SOURCE|\bLINENO\b/.test(text)) {
    return null;
  }
  const nameOf = /basename +(?:-- +)?"?(?:\$0|\$\{0\})"?|\$\{0##\*\/\}/g;
  const directoryOf = /dirname +(?:-- +)?"?(?:\$0|\$\{0\})"?|\$\{0%\/\*\}/g;
  const sourcesNeighbour = /^\s*(?:\.|source) +"?\$\(dirname /m.test(text);
  const rest = text.replace(nameOf, '').replace(directoryOf, '');
  const asksName = nameOf.test(text) || (directoryOf.test(text) && sourcesNeighbour);
  return asksName && !/\$0|\$\{0/.test(rest) ? shell : null;
}

/**
 * Does a kept hook that is no shell script go by the name it is started under? Dispatchers in other languages do
 * (Overcommit's), and programs that one file serves under many names. Such a hook is started through a link that bears
 * the name it had; a program that also looks for neighbours beside that link does not find them.
 */
export function goesByName(content: Buffer, hook: HookFile): boolean {
  const isScript = content.subarray(0, 2).toString('latin1') === '#!';
  return isScript
    ? !/^#!.*sh\b/.test(content.toString('latin1')) &&
        /basename|PROGRAM_NAME|\$0|argv\[[01]\]/.test(content.toString('latin1'))
    : hook.kind === 'symlink';
}

const aliasDirectory = 'before-oxide-guard';

/** The link under which a hook that {@link goesByName} is started, relative to the hooks directory. */
export function aliasOf(hook: string): string {
  return `${aliasDirectory}/${hook}`;
}

/** Makes the link to the kept hook; harmless to repeat. */
export function makeAlias(hookPath: string): void {
  const directory = join(dirname(hookPath), aliasDirectory);
  const alias = join(directory, basename(hookPath));
  mkdirSync(directory, { recursive: true });
  if (lstatSync(alias, { throwIfNoEntry: false }) === undefined) {
    symlinkSync(join('..', basename(keptPath(hookPath))), alias);
  }
}

export function removeAlias(hookPath: string): void {
  const directory = join(dirname(hookPath), aliasDirectory);
  if (!isDirectory(directory)) {
    return;
  }
  rmSync(join(directory, basename(hookPath)), { force: true });
  removeIfEmpty(directory);
}
