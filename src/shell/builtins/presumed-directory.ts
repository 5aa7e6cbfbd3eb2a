import { posix } from 'node:path';
import type { Shell } from '../call.ts';
import { subcommandAt } from '../git-words.ts';
import { isListed, listedDirectories } from '../outputs/listed-files.ts';
import { newFork } from '../path.ts';
import type { ScriptFiles } from '../script-files.ts';
import {
  beginningOf,
  type Directory,
  isForeign,
  type Presumption,
  programName,
  type UnknownWord,
  type Word,
} from '../simple-command.ts';

/** A directory that is not known, and may well be the one in which its name is said. */
export function perhaps(reason: string, cwd: Directory): Directory {
  const path = placeOf(cwd);
  return path === null
    ? { kind: 'unknown', reason }
    : { kind: 'unknown', reason, presumed: { path, fork: newFork(null, true) } };
}

/**
 * The directory that a word names whose value is not known: `cd "$ROOT"`, `cd "${DIR:-.}"`. What a value may be for want
 * of another counts as much as what is written out; that it is the directory in which the line stands is a guess.
 */
export function directoryNamed(word: UnknownWord, cwd: Directory, shell: Shell): Directory {
  const { reason } = word;
  const base = placeOf(cwd);
  const presumed = base === null ? null : presumedFor(word, base, shell);
  const paths = base === null ? [] : listedDirectories(word, base, shell.overlay);
  return {
    kind: 'unknown',
    reason,
    ...(presumed && { presumed }),
    ...(paths.length > 0 && { candidates: { paths, fork: newFork(null, !isListed(word)) } }),
  };
}

/** Where it is, or may well be; null where nothing tells. */
export function placeOf(cwd: Directory): string | null {
  return isForeign(cwd) ? null : cwd.kind === 'known' ? cwd.path : (cwd.presumed?.path ?? null);
}

function presumedFor(word: UnknownWord, base: string, { overlay, files }: Shell): Presumption | null {
  const isThere = (path: string) => overlay.isDirectory(path);
  const given = (word.oneOf ?? word.mayBe ?? []).map((value) => posix.resolve(base, value)).find(isThere);
  if (given !== undefined) {
    return { path: given, fork: newFork() };
  }
  const isNew = [...overlay.newDirectories].some((made) => `${nameIn(word)}/`.startsWith(`${made}/`));
  const place = word.names === 'work trees' ? mainWorkTree(base, files) : base;
  const path = isNew ? null : guessed(word, place, isThere);
  return path === null ? null : { path, fork: newFork(null, true) };
}

/** Without quotes and braces: `"${DIR}/x"` is `$DIR/x`. */
function nameIn({ source }: UnknownWord): string {
  return source.replace(/["'{}]/g, '');
}

/** What makes a directory: a program, or a command of one (`cargo new`, `npm create`, `gh repo clone`). */
const making = /^(?:clone|init|mkdir|degit|new|create(?:-.*)?)$/;

/** `git clone URL "$DIR"`, `mkdir "$DIR"`: whatever its name, it is none in which the line stands. */
export function noteNewDirectories({ argv }: { readonly argv: readonly Word[] }, { overlay }: Shell): void {
  for (const word of programName(argv[0]) === 'git' ? namedToGit(argv) : namedBehindMaking(argv)) {
    if (word.kind === 'unknown') {
      overlay.newDirectories.add(nameIn(word));
    }
  }
}

/** What git is told behind a command that makes a directory: git-clone(1), git-init(1), git-worktree(1), git-submodule(1). */
function namedToGit(argv: readonly Word[]): readonly Word[] {
  const at = subcommandAt(argv);
  const [command, verb] = argv.slice(at, at + 2).map(beginningOf);
  const isMaking =
    command === 'clone' || command === 'init' || (verb === 'add' && /^(?:worktree|submodule)$/.test(command ?? ''));
  return isMaking ? argv.slice(at + 1) : [];
}

function namedBehindMaking(argv: readonly Word[]): readonly Word[] {
  const names = [programName(argv[0]) ?? '', ...argv.slice(1, 4).map(beginningOf)];
  const at = names.findIndex((name) => making.test(name));
  return at < 0 ? [] : argv.slice(at + 1);
}

/** The work tree that git lists first: the one to which the directory's own is linked, where it is; git-worktree(1). */
function mainWorkTree(base: string, files: ScriptFiles): string {
  for (let top = base; top !== '/'; top = posix.dirname(top)) {
    const file = files.readText(`${top}/.git`, 4096);
    if (file.kind !== 'missing') {
      const [, main] = (file.kind === 'text' && /^gitdir: (.*)\/\.git\/worktrees\/[^/\n]+$/m.exec(file.text)) || [];
      return main ?? top;
    }
  }
  return base;
}

/** What stands before the known end may be where the line stands: `"$ROOT"`, `"$ROOT/packages/app"`, `"$GIT_DIR/.."`. */
function guessed(word: UnknownWord, base: string, isThere: (path: string) => boolean): string | null {
  const { prefix, suffix, fits } = word;
  const names = [base, '.', '', `../${posix.basename(base)}`];
  const isMeant = (text: string) =>
    text.length >= prefix.length + suffix.length &&
    text.startsWith(prefix) &&
    text.endsWith(suffix) &&
    fits?.(text) !== false;
  if ([...names, ...names.map((name) => `${name}/.git/..`)].some(isMeant)) {
    return base;
  }
  const below = suffix.startsWith('/') && prefix === '' ? posix.resolve(base, `.${suffix}`) : null;
  return below !== null && isThere(below) ? below : null;
}
