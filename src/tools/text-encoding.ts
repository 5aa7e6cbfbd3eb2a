import { isUtf8 } from 'node:buffer';
import { failure, type ToolFailure } from './tool-result.ts';

/** A text file's content, without what an edit must not touch: it is put back on encoding. */
export interface DecodedText {
  /** Without the byte order mark; line endings as they are. */
  readonly bytes: Buffer;
  /** The same as a byte string. */
  readonly text: string;
  readonly byteOrderMark: boolean;
  /** `crlf`: every line ends with it. `mixed`: some do. */
  readonly lineEnding: LineEnding;
}

export type LineEnding = 'lf' | 'crlf' | 'mixed';

const utf8Mark = '\xef\xbb\xbf';

/** Decodes a file that is to be edited. Anything but UTF-8 is refused: it could not be written back unchanged. */
export function decodeText(
  bytes: Buffer,
  path: string,
): { readonly ok: true; readonly decoded: DecodedText } | { readonly ok: false; readonly failure: ToolFailure } {
  if (!isUtf8(bytes) || isBinary(bytes)) {
    const kind = isBinary(bytes) ? binaryKind(bytes) : 'not UTF-8';
    return {
      ok: false,
      failure: failure('not-utf8', `'${path}' is ${kind}, so editing it as text would damage it.`, {
        path,
        remedy:
          'Convert it first, for example with: iconv -f LATIN1 -t UTF-8. Or change it with the program that made it.',
      }),
    };
  }
  const byteOrderMark = bytes.toString('latin1', 0, utf8Mark.length) === utf8Mark;
  const content = byteOrderMark ? bytes.subarray(utf8Mark.length) : bytes;
  const text = content.toString('latin1');
  return { ok: true, decoded: { bytes: content, text, byteOrderMark, lineEnding: lineEndingOf(text) } };
}

/**
 * The bytes of an edited text.
 *
 * @param pieces byte strings, in order
 * @param room where they are written if they fit: for who needs them no longer than until the next text is put there
 */
export function encodeText(
  pieces: readonly string[],
  { byteOrderMark }: Pick<DecodedText, 'byteOrderMark'>,
  room?: Buffer,
): Buffer {
  const all = byteOrderMark ? [utf8Mark, ...pieces] : pieces;
  const size = all.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = room !== undefined && size <= room.length ? room.subarray(0, size) : Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of all) {
    at += bytes.write(piece, at, 'latin1');
  }
  return bytes;
}

/** The text of a file that is to be shown, without its byte order mark; null when it is not UTF-8. */
export function readableText(bytes: Buffer): string | null {
  if (!isUtf8(bytes)) {
    return null;
  }
  return new TextDecoder().decode(bytes);
}

export function lineEndingOf(text: string): LineEnding {
  if (!text.includes('\r\n')) {
    return 'lf';
  }
  return /(?<!\r)\n/.test(text) ? 'mixed' : 'crlf';
}

/** Git's own test for binary content: a NUL among the first 8,000 bytes. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8_000).includes(0);
}

const signatures: readonly (readonly [signature: readonly number[], kind: string])[] = [
  [[0xff, 0xfe], 'UTF-16 text'],
  [[0xfe, 0xff], 'UTF-16 text'],
  [[0x89, 0x50, 0x4e, 0x47], 'a PNG image'],
  [[0xff, 0xd8, 0xff], 'a JPEG image'],
  [[0x47, 0x49, 0x46, 0x38], 'a GIF image'],
  [[0x25, 0x50, 0x44, 0x46], 'a PDF document'],
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive or an office document'],
  [[0x1f, 0x8b], 'gzip data'],
  [[0x7f, 0x45, 0x4c, 0x46], 'an ELF program'],
];

/** What a binary file is, by its first bytes; `a binary file` when they say nothing. */
export function binaryKind(bytes: Buffer): string {
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP') {
    return 'a WebP image';
  }
  const known = signatures.find(([signature]) => signature.every((byte, index) => bytes[index] === byte));
  return known?.[1] ?? 'a binary file';
}
