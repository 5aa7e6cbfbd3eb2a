/** What a terminal or a reader would act on, or take for something else: control characters, and those that turn text around. */
const conspicuous = /[\x00-\x1f\x7f-\x9f"\\\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const escapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/**
 * A path as git shows it to people, always on one line: in double quotes and with escapes where it holds unusual
 * characters (git-config(1), core.quotePath=false; besides, what turns text around is escaped).
 */
export function quotedPath(path: string): string {
  return conspicuous.test(path) ? `"${[...path].map(escaped).join('')}"` : path;
}

function escaped(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined || !conspicuous.test(character)) {
    return known ?? character;
  }
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

const characters: ReadonlyMap<string, string> = new Map(
  Array.from(escapes, ([character, shown]) => [shown, character]),
);

/** A path from git's output where it has no `-z`: the quotes are off, and the escapes are what they stand for. */
export function unquotedPath(shown: string): string {
  const [, inner] = /^"(.*)"$/s.exec(shown) ?? [];
  if (inner === undefined) {
    return shown;
  }
  // An escaped byte may be a part of a character only.
  return inner.replace(/(?:\\[0-7]{3})+|\\./gs, (run) => characters.get(run) ?? textOfBytes(run));
}

/** @param run `\303\244` */
function textOfBytes(run: string): string {
  const [, ...bytes] = run.split('\\');
  return Buffer.from(bytes.map((digits) => Number.parseInt(digits, 8))).toString('utf8');
}
