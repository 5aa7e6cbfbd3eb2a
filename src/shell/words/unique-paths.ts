import { posix } from 'node:path';
import { isForTemporaries, type ScriptOverlay } from '../script-overlay.ts';
import type { Directory, UnknownWord } from '../simple-command.ts';
import type { Piece } from './field.ts';
import type { Environment } from './parameter.ts';

/** What stands before a path in a word: `--work-tree=`, `file://`. Neither a branch nor a range begins as these paths do. */
const beginning = /^(?:[\w-]+=|file:\/\/)?(?=\/|\.\.?\/|\.\w[\w.-]*\/)/;
const plain = /^[\w@%+,.=/-]*$/;

/**
 * The path that a word names, where all that is not known of it is of values that nothing else has: `/tmp/repro-$$`. It is a
 * new one, as if `mktemp` had made it up. Elsewhere than in a directory of temporary files, only where no name that is there
 * could be an earlier one of that kind.
 *
 * @param cwd what the path may be relative to
 * @returns null for every other word
 */
export function uniquePath(
  pieces: readonly Piece[],
  overlay: ScriptOverlay,
  { TMPDIR = '/tmp' }: Environment,
  cwd: Directory,
): string | null {
  const usual = TMPDIR.replace(/(?<=.)\/$/, '');
  const first = pieces.findIndex((piece) => piece.kind === 'unknown' && piece.of?.unique !== undefined);
  const before = textOf(pieces.slice(0, first), overlay);
  const behind = textOf(pieces.slice(first), overlay);
  const start = before === null ? null : beginning.exec(before)?.[0];
  if (before === null || behind === null || start == null) {
    return null;
  }
  const path = before.slice(start.length);
  const slash = path.lastIndexOf('/');
  const below = path.slice(0, slash).replace(/\/+/g, '/');
  const name = path.slice(slash + 1);
  if (isForTemporaries(below, usual)) {
    return start + overlay.temporaryName(below, name + behind);
  }
  return isNew(name, below, overlay, cwd) ? start + overlay.newName(below, name + behind) : null;
}

/** Such a value is a number, a date or the like: no name in a directory goes on from this beginning with a digit in it. */
function isNew(name: string, directory: string, overlay: ScriptOverlay, cwd: Directory): boolean {
  const isAbsolute = directory.startsWith('/');
  if (!isAbsolute && cwd.kind === 'unknown') {
    return false;
  }
  const place = isAbsolute || cwd.kind === 'unknown' ? directory : posix.resolve(cwd.path, directory);
  const names = overlay.list(place) ?? (overlay.exists(place) ? null : []);
  return names?.every((other) => !other.startsWith(name) || !/\d/.test(other.slice(name.length))) === true;
}

/** Null where it has other parts that are not known, or does not stand for one plain word. */
function textOf(pieces: readonly Piece[], overlay: ScriptOverlay): string | null {
  let text = '';
  for (const piece of pieces) {
    const part = piece.kind === 'unknown' ? knownPart(piece.of, overlay) : 'text' in piece ? piece.text : null;
    if (part === null || piece.kind === 'glob') {
      return null;
    }
    text += part;
  }
  return plain.test(text) ? text : null;
}

function knownPart(value: UnknownWord | undefined, overlay: ScriptOverlay): string | null {
  return value?.unique === undefined ? null : String(overlay.numberOf(value.unique));
}
