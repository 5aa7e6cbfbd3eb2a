/*
 * A byte string is UTF-8, one character a byte. Whatever a text holds, V8 keeps its byte string in one byte a character,
 * searches it fastest, and makes it of a file's bytes by copying them. A string occurs in a text exactly where its bytes
 * do: RFC 3629, section 1.
 */

export function byteStringOf(text: string): string {
  return Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1');
}

export function textOfByteString(byteString: string): string {
  return Buffer.from(byteString, 'latin1').toString('utf8');
}
