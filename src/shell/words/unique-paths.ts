import { isForTemporaries, type ScriptOverlay } from '../script-overlay.ts';
import type { UnknownWord } from '../simple-command.ts';
import type { Piece } from './field.ts';
import type { Environment } from './parameter.ts';

/** What stands before a path in a word: `--work-tree=`, `file://`. */
const beginning = /^(?:[\w-]+=|file:\/\/)?(?=\/)/;
const plain = /^[\w@%+,.=/-]*$/;

/**
 * The path that a word names below a directory of temporary files, where all that is not known of it is of values that
 * nothing else has: `/tmp/repro-$$`. It is a new one, as if `mktemp` had made it up.
 *
 * @returns null for every other word
 */
export function uniquePath(
  pieces: readonly Piece[],
  overlay: ScriptOverlay,
  { TMPDIR = '/tmp' }: Environment,
): string | null {
  const usual = TMPDIR.replace(/(?<=.)\/$/, '');
  const first = pieces.findIndex((piece) => piece.kind === 'unknown' && piece.of?.unique !== undefined);
  const before = textOf(pieces.slice(0, first), overlay, usual);
  const behind = textOf(pieces.slice(first), overlay, usual);
  const start = before === null ? null : beginning.exec(before)?.[0];
  if (before === null || behind === null || start == null) {
    return null;
  }
  const path = before.slice(start.length);
  const slash = path.lastIndexOf('/');
  const below = path.slice(0, slash).replace(/\/+/g, '/');
  return isForTemporaries(below, usual) ? start + overlay.temporaryName(below, path.slice(slash + 1) + behind) : null;
}

/** Null where it has other parts that are not known, or does not stand for one plain word. */
function textOf(pieces: readonly Piece[], overlay: ScriptOverlay, usual: string): string | null {
  let text = '';
  for (const piece of pieces) {
    const part = piece.kind === 'unknown' ? knownPart(piece.of, overlay, usual) : 'text' in piece ? piece.text : null;
    if (part === null || piece.kind === 'glob') {
      return null;
    }
    text += part;
  }
  return plain.test(text) ? text : null;
}

function knownPart(value: UnknownWord | undefined, overlay: ScriptOverlay, usual: string): string | null {
  // `${TMPDIR:-/tmp}`: where files for a while are made, whether the variable says so or not.
  const isUsual = value?.ownValueOf === 'TMPDIR' && value.mayBe?.includes('/tmp') === true;
  return isUsual ? usual : value?.unique === undefined ? null : String(overlay.numberOf(value.unique));
}
